"""Lateness (迟到) by the arrivals that were scanned: who came too late, by how many minutes, and what the regulation says of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from app.draws.rules import entry_of
from app.floor import queries as floor
from app.results.queries import SheetView
from app.rulings.rules import FORFEIT, LATE, NO_FORFEIT
from app.rulings.rules.choices import choices
from app.rulings.rules.contents import minutes_json
from app.rulings.rules.tiers import effect_of, forfeits_by_lateness, minutes_text
from app.text import T


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Somebody who came too late and of whom nothing is said yet. ``code`` is what the regulation has for it, None where its text is
    silent; ``minutes`` as the form takes them."""

    entry_id: int
    name: str
    late: T
    minutes: str
    code: str | None
    effect: T


def suggestions(view: SheetView) -> tuple[Suggestion, ...]:
    """Of the table's entrants, in seat order."""
    codes = {each.code for each in choices(view.event.regulation)}
    said = {*(view.outcome or {}).get("late", {}), *view.content.forfeits}
    late = floor.minutes_late(view.table.round_id)
    found = []
    for entrant, name in view.names.items():
        minutes = late.get(int(entry_of(entrant)))
        if minutes is None or entrant in said:
            continue
        code, effect = _answer(view, minutes, codes)
        found.append(
            Suggestion(
                int(entry_of(entrant)), name, minutes_text(minutes), str(minutes_json(minutes)), code, effect
            )
        )
    return tuple(found)


def _answer(view: SheetView, minutes: Fraction, codes: set[str]) -> tuple[str | None, T]:
    if LATE in codes:
        return LATE, effect_of(minutes, view.rules)
    if forfeits_by_lateness(minutes, view.rules) and FORFEIT in codes:
        return FORFEIT, T("超过 10 分钟，判弃权")
    if FORFEIT in codes:
        return None, T("不到判弃权的时间，不处罚")
    return None, NO_FORFEIT
