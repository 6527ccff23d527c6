from __future__ import annotations

from typing import Any

from app.draws.queries.rulings import Sentence
from app.standings.queries.rulings import RulingQuestion
from app.web.i18n import show
from app.web.schemas import Length, Schema, fields


class AcceptSchema(Schema):
    """Taking the draw that breaks least (裁决)."""

    proof = fields.String(
        required=True,
        validate=Length(equal=64),
        metadata={"description": "of the draw that was looked at, as GET tells it"},
    )
    reason = fields.String(
        required=True, validate=Length(min=2, max=500), metadata={"description": "published"}
    )


class RefuseSchema(Schema):
    reason = fields.String(
        required=True, validate=Length(min=2, max=500), metadata={"description": "published"}
    )


class SentenceSchema(Schema):
    text = fields.String()
    clause = fields.String(allow_none=True)


class BrokenSchema(Schema):
    rule = fields.String()
    entrants = fields.List(fields.String())
    text = fields.String()


class QuestionSchema(Schema):
    """What has to be ruled on before the round that is due is drawn; ``needed`` false where nothing has to be."""

    needed = fields.Boolean()
    stage = fields.String()
    round = fields.Integer()
    committed = fields.Boolean(
        metadata={"description": "whether a seed is committed to; only then is there a draw to look at"}
    )
    questions = fields.List(
        fields.Nested(SentenceSchema), metadata={"description": "who, why, and the clause"}
    )
    broken = fields.List(
        fields.Nested(BrokenSchema), metadata={"description": "what the draw that breaks least still breaks"}
    )
    tables = fields.List(
        fields.List(fields.String()), metadata={"description": "of that draw, in seat order"}
    )
    byes = fields.List(fields.String())
    proof = fields.String(metadata={"description": "names that draw; sent back with the ruling"})


def sentence_document(said: Sentence) -> dict[str, Any]:
    return {"text": show(said.text), "clause": said.clause}


def question_document(asked: RulingQuestion | None) -> dict[str, Any]:
    """A question as ``QuestionSchema`` has it."""
    if asked is None:
        return {"needed": False}
    shown: dict[str, Any] = {
        "needed": True,
        "stage": asked.stage,
        "round": asked.number,
        "committed": asked.committed is not None,
        "questions": [sentence_document(each) for each in asked.asked],
        "broken": [
            {"rule": each["rule"], "entrants": each["entrants"], "text": show(said.text)}
            for each, said in zip(asked.broken, asked.breaks, strict=True)
        ],
    }
    if asked.least_bad is None:
        return shown
    return shown | {
        "tables": [list(table) for table in asked.least_bad.tables],
        "byes": list(asked.least_bad.byes),
        "proof": asked.least_bad.proof,
    }
