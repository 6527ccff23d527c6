"""A ruling (裁决) in an event file: that a round was drawn although no draw keeps every hard rule.

A draw that was accepted by ruling has `"ruling"`: who ruled, when (may be left out), why, what was asked, and the rules
the draw breaks with the people, as `saishi pair` names them in `report.broken`; `saishi verify` finds these again:

    "ruling": {
      "by": "裁判长", "at": "2026-01-31T18:00:00+08:00", "reason": "该单位人数超过桌数",
      "questions": [{"reason": "…", "reason_en": "…", "clause": "附件4五"}],
      "broken": [{"rule": "same_unit", "entrants": ["e1", "e2"]}]}
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.event_file.differences import Difference, Note, compare
from scoring_engine.event_file.drawn_rounds import read_ids, require_moment
from scoring_engine.event_file.ids import Ids
from scoring_engine.records import BrokenRule, DrawRecord, Ruling
from scoring_engine.stages.names import stage_words
from scoring_engine.values import Text


def read_ruling(node: Node, ids: Ids) -> Ruling | None:
    """`ruling` of a draw; None where it has none."""
    if not node.has("ruling"):
        return None
    part = node.node("ruling")
    if part is None:
        return None
    by, reason = part.text("by"), part.text("reason")
    at = part.optional_text("at")
    require_moment(part, "at", at)
    questions = [
        (question.text("reason"), question.optional_text("reason_en"), question.optional_text("clause"))
        for question in part.nodes("questions")
    ]
    broken = [(each.text("rule"), read_ids(each, "entrants", ids)) for each in part.nodes("broken")]
    return Ruling(
        by=by or "",
        at=at,
        reason=reason or "",
        questions=tuple(Text(asked or "", english or asked or "") for asked, english, _ in questions),
        clauses=tuple(clause for _, _, clause in questions if clause is not None),
        broken=tuple(BrokenRule(rule or "", entrants) for rule, entrants in broken),
        path=part.path,
    )


def ruling_differences(draw: DrawRecord, broken: Sequence[Mapping[str, Any]]) -> list[Difference]:
    """Whether a draw with a ruling breaks what the ruling says; `broken` is what was found when it was drawn again."""
    if draw.ruling is None:
        return []
    return compare(
        f"{draw.ruling.path}.broken",
        "裁决所记的违反规则",
        "What the ruling says is broken",
        _told((str(each["rule"]), each["entrants"]) for each in broken),
        _told((each.rule, each.entrants) for each in draw.ruling.broken),
    )


def _told(broken: Any) -> list[dict[str, Any]]:
    return [{"rule": rule, "entrants": list(entrants)} for rule, entrants in sorted(broken)]


def ruling_notes(draws: Sequence[DrawRecord]) -> list[Note]:
    """The draws that were made by ruling."""
    return [_note(draw, draw.ruling) for draw in draws if draw.ruling is not None]


def _note(draw: DrawRecord, ruling: Ruling) -> Note:
    text = Text(
        f"{stage_words(draw.stage)}第{draw.round}轮按裁决编排：{ruling.reason}",
        f"{draw.stage} round {draw.round} was drawn by ruling: {ruling.reason}",
    )
    return Note(
        ruling.path,
        text,
        {
            "rule": "ruling",
            "stage": draw.stage,
            "round": draw.round,
            "by": ruling.by,
            "at": ruling.at,
            "questions": [{"reason": each.zh, "reason_en": each.en} for each in ruling.questions],
            "clauses": list(ruling.clauses),
            "broken": _told((each.rule, each.entrants) for each in ruling.broken),
        },
    )
