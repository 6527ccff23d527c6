"""What every way of pairing a group answers: its tables, and the reasons as a JSON document has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring_engine.pairing.reasons import Said, whole
from scoring_engine.values import EntrantId, NeedsRuling, Points, Text, decimal_text


@dataclass(frozen=True, slots=True)
class GroupDraw:
    """One group of one round, drawn. tables: in seat order. rulings: what the committee has to decide, none where the
    draw keeps every hard rule.

    method: how it was drawn. reasons, bye_reasons: why these sit together, and why somebody has a bye, each an object with
    `why`, `why_en`, and the same sentence by sentence as `said`. totals: what the draw costs. broken: each rule that is not kept. more: what only this method has.
    """

    method: str
    tables: tuple[tuple[EntrantId, ...], ...]
    byes: tuple[EntrantId, ...]
    rulings: tuple[NeedsRuling, ...] = ()
    reasons: Sequence[Mapping[str, Any]] = ()
    bye_reasons: Sequence[Mapping[str, Any]] = ()
    totals: Mapping[str, Any] = field(default_factory=dict)
    broken: Sequence[Mapping[str, Any]] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


def figure(points: Points) -> str:
    """Points as an answer shows them: a decimal, or a fraction that has none."""
    try:
        return decimal_text(points)
    except ValueError:
        return str(points)


def said_json(said: Sequence[Said]) -> dict[str, Any]:
    """A reason in both languages, and its sentences one by one, each with what it is about (`pairing.reasons.Topic`)."""
    text = whole(said)
    return {
        "why": text.zh,
        "why_en": text.en,
        "said": [{"about": each.topic.value, "zh": each.text.zh, "en": each.text.en} for each in said],
    }


def broken_json(rule: str, entrants: Sequence[EntrantId], text: Text) -> dict[str, Any]:
    """A rule that a draw breaks."""
    return {"rule": rule, "entrants": list(entrants), "message": text.zh, "message_en": text.en}
