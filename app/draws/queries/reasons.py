from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from sqlalchemy import select, tuple_

from app.competitions.queries import EventView
from app.draws.models import DrawReason
from app.draws.queries.views import RoundHead, RoundView, TableView
from app.draws.rules import DRAWN, entrant_of, entry_of, mentioned
from app.draws.rules.reasons import (
    WHOLE_ROUND,
    Reason,
    changed,
    from_seed,
    straight_on,
    told,
    told_of_absence,
    told_of_bye,
)
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from scoring_engine.values import EntrantId


class Explained:
    """Why the people of an event's rounds meet; what was kept with the rounds is read once for all places asked for.

    ``places`` are (id of the round, number of the table), ``WHOLE_ROUND`` for byes and absences.
    """

    def __init__(self, event: EventView, places: Iterable[tuple[int, int]]) -> None:
        self._event = event
        self._rules = event.regulation.scoring_rules()
        self._kept = kept_reasons(places)

    @cached_property
    def _names(self) -> Mapping[EntryId, str]:
        sentences = (each["zh"] for reason in self._kept.values() for each in _said(reason))
        people = registrations.named({entry_id for sentence in sentences for entry_id in mentioned(sentence)})
        return {entry_id: each.name for entry_id, each in people.items()}

    def table(self, round_: RoundHead, table: TableView) -> tuple[Reason, ...]:
        """Why these people share a table, sit so, and have this number."""
        if table.number in round_.moved:
            return changed(_changes(round_), table.number, [seat.entry_id for seat in table.seats])
        return self.as_drawn(round_, table)

    def as_drawn(self, round_: RoundHead, table: TableView) -> tuple[Reason, ...]:
        """The same of a table as the seed gave it, before any repair."""
        reason = self._kept.get((round_.id, table.number))
        if reason is not None:
            return told(reason, self._names)
        rule = self._rules.stage(round_.stage)
        grouping = str(self._rules.options.get("semifinal_grouping", "blocks"))
        return from_seed(rule.kind if rule else None, table.number, round_.tables, grouping)

    def figures(self, round_: RoundHead, table: TableView) -> Mapping[str, Any] | None:
        """What the engine looked at when it drew this table; None where nothing was kept, or it was changed by hand."""
        if table.number in round_.moved:
            return None
        reason = self._kept.get((round_.id, table.number))
        return None if reason is None else {key: value for key, value in reason.items() if key != "said"}

    def bye(self, round_: RoundHead, person: EntrantView) -> tuple[Reason, ...]:
        """Why somebody has a bye in a round, or goes straight on; empty where nobody kept it."""
        entrant = entrant_of(person.entry_id)
        if entrant not in round_.drawn_direct:
            return changed(_changes(round_), None, [person.entry_id])
        if round_.in_rounds:
            return told_of_bye(self._kept.get((round_.id, WHOLE_ROUND)), entrant, self._names)
        rule = self._rules.stage(round_.stage)
        drawn = rule is not None and rule.kind == DRAWN
        return straight_on(round_.tables, len(round_.drawn_direct)) if drawn else ()

    def absence(self, round_: RoundHead, entrant: EntrantId) -> tuple[Reason, ...]:
        """Why somebody was not paired in a round; empty where nobody kept it."""
        return told_of_absence(self._kept.get((round_.id, WHOLE_ROUND)), entrant)


def kept_reasons(places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], dict[str, Any]]:
    """What was kept of these places."""
    wanted = sorted(set(places))
    if not wanted:
        return {}
    rows = db.session.scalars(
        select(DrawReason).where(tuple_(DrawReason.round_id, DrawReason.number).in_(wanted))
    )
    return {(row.round_id, row.number): row.reason for row in rows}


def _said(reason: Mapping[str, Any]) -> Iterable[Mapping[str, str]]:
    """Every sentence of what was kept of a table, or of a whole round."""
    return (each for part in (reason, *reason.get("byes", ())) for each in part.get("said", ()))


def cards(round_: RoundView) -> dict[EntryId, str]:
    """Which card everybody drew (以牌抽签, C 八(一)), by entry; empty for a round that was not drawn with cards."""
    if not round_.in_rounds:
        return {}
    first = (round_.id, 1)
    if round_.drawn.tables and "cards" not in kept_reasons([first]).get(first, {}):
        return {}  # a large round drawn by points has thousands of reasons, and none of them names a card
    places = [(round_.id, number) for number in range(WHOLE_ROUND, len(round_.drawn.tables) + 1)]
    rows = kept_reasons(places)
    found: dict[EntryId, str] = {}
    for number, seats in enumerate(round_.drawn.tables, start=1):
        drawn = rows.get((round_.id, number), {}).get("cards", ())
        found |= {entry_of(seat): card for seat, card in zip(seats, drawn, strict=False)}
    for bye in rows.get((round_.id, WHOLE_ROUND), {}).get("byes", ()):
        if "cards" in bye:
            found[entry_of(bye["entrant"])] = bye["cards"][0]
    return found


def _changes(round_: RoundHead) -> list[tuple[Any, Any, str]]:
    return [(each.change, each.text, each.reason) for each in round_.changes]
