from __future__ import annotations

from typing import Any

from app.judge.rules.keypad import LEVELS, SUITS
from app.judge.rules.levels import NO_BOTTOM
from app.judge.rules.questions import QUESTIONS
from app.judge.rules.verdicts import NO, SAYS, YES
from app.web.schemas import Length, OneOf, Range, Schema, fields
from scoring_engine.tractor.units import UnitKind

LONGEST_ROW = 300
"""Characters of a row of cards; a whole hand of 39 tapped cards has some 150."""
CODES = tuple(dict.fromkeys(question.code for asked in QUESTIONS.values() for question in asked))
UNITS = (NO_BOTTOM, *(kind.value for kind in UnitKind))
PENALISED = 10_000
"""Points beyond this, either way, are a slip; the engine says which of the others no deal has."""


def _cards(description: str, **options: Any) -> fields.String:
    return fields.String(validate=Length(max=LONGEST_ROW), metadata={"description": description} | options)


class QuestionSchema(Schema):
    """One question; which fields it needs depends on the game and on `ask`."""

    event = fields.String(
        validate=Length(max=40), metadata={"description": "code of the event 项目; the first one without it"}
    )
    ask = fields.String(
        validate=OneOf(CODES),
        metadata={"description": "of 升级: what is asked; of 二打一 there is one question, `play`"},
    )
    trump = fields.String(validate=OneOf(SUITS), metadata={"description": "主花色 of 升级"})
    level = fields.String(validate=OneOf(LEVELS), metadata={"description": "级数 of 升级"})
    lowered = fields.Integer(
        validate=Range(min=0, max=3),
        metadata={
            "description": "whose level cards are the lowest trumps, where the text has that rule; 0 the leader … 3"
        },
    )
    player = fields.Integer(
        validate=Range(min=1, max=3), metadata={"description": "with `lowered`: whose hand is asked about"}
    )
    play = _cards(
        "二打一: the play. 升级: what is led, or what follows; `/` parts the units of a throw",
        example="333444+69",
    )
    other = _cards("二打一: the play to be beaten")
    hand = _cards("the hand, before the play", example="♠444333 ♥10 大王")
    lead = _cards("what was led")
    next = _cards("下家: the hand, of a throw; the play, of a trick")
    partner = _cards("对家: likewise")
    before = _cards("上家: likewise")
    bottom = _cards("底牌, of the last trick")
    banker = fields.Integer(
        validate=Range(min=0, max=3), metadata={"description": "庄家 of the last trick; 0 the leader … 3"}
    )
    banker_level = fields.String(validate=OneOf(LEVELS), metadata={"description": "庄家一方打几"})
    defenders_level = fields.String(validate=OneOf(LEVELS), metadata={"description": "防家打几"})
    points = fields.Integer(
        validate=Range(min=-PENALISED, max=PENALISED),
        metadata={"description": "points of the defenders before the bottom, penalties included"},
    )
    unit = fields.String(
        validate=OneOf(UNITS), metadata={"description": "with what the defenders won the last trick"}
    )
    bottom_points = fields.Integer(validate=Range(min=0, max=PENALISED))
    size = fields.Integer(validate=Range(min=1, max=40), metadata={"description": "of a run: how many"})


class ClauseSchema(Schema):
    clause = fields.String()
    url = fields.String(metadata={"description": "where the rules page explains it"})


class NoteSchema(Schema):
    text = fields.String()
    clause = fields.String()


class VerdictSchema(Schema):
    """The answer, its sentences in the reader's language."""

    question = fields.String(validate=OneOf(CODES))
    verdict = fields.String(
        validate=OneOf((YES, NO, SAYS)), metadata={"description": "allowed, not allowed, or neither"}
    )
    headline = fields.String()
    reason = fields.String(allow_none=True)
    clauses = fields.List(fields.Nested(ClauseSchema))
    interpretation = fields.String(
        allow_none=True, metadata={"description": "the option 解释 that reads the clause, where one does"}
    )
    notes = fields.List(fields.Nested(NoteSchema))
    answer = fields.Dict(
        metadata={"description": "the same for a program; of plays and tricks as `saishi judge` prints it"}
    )
