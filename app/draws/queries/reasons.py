from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, tuple_

from app.competitions.queries import EventView
from app.draws.models import DrawReason
from app.draws.rules import DRAWN, entrant_of
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

if TYPE_CHECKING:
    from app.draws.queries import RoundView, TableView


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
        people = registrations.entrants(self._event.id)
        return {entry_id: each.name for entry_id, each in people.items()}

    def table(self, round_: RoundView, table: TableView) -> tuple[Reason, ...]:
        """Why these people share a table, sit so, and have this number."""
        if any(each.number == table.number for each in round_.differences):
            return changed(_changes(round_), table.number, [seat.entry_id for seat in table.seats])
        return self.as_drawn(round_, table)

    def as_drawn(self, round_: RoundView, table: TableView) -> tuple[Reason, ...]:
        """The same of a table as the seed gave it, before any repair."""
        reason = self._kept.get((round_.id, table.number))
        if reason is not None:
            return told(reason, self._names)
        rule = self._rules.stage(round_.stage)
        grouping = str(self._rules.options.get("semifinal_grouping", "blocks"))
        return from_seed(rule.kind if rule else None, table.number, len(round_.tables), grouping)

    def figures(self, round_: RoundView, table: TableView) -> Mapping[str, Any] | None:
        """What the engine looked at when it drew this table; None where nothing was kept, or it was changed by hand."""
        if any(each.number == table.number for each in round_.differences):
            return None
        reason = self._kept.get((round_.id, table.number))
        return None if reason is None else {key: value for key, value in reason.items() if key != "said"}

    def bye(self, round_: RoundView, person: EntrantView) -> tuple[Reason, ...]:
        """Why somebody has a bye in a round, or goes straight on; empty where nobody kept it."""
        entrant = entrant_of(person.entry_id)
        if entrant not in round_.drawn.byes:
            return changed(_changes(round_), None, [person.entry_id])
        if round_.by_points:
            return told_of_bye(self._kept.get((round_.id, WHOLE_ROUND)), entrant, self._names)
        rule = self._rules.stage(round_.stage)
        drawn = rule is not None and rule.kind == DRAWN
        return straight_on(len(round_.tables), len(round_.drawn.byes)) if drawn else ()

    def absence(self, round_: RoundView, entrant: EntrantId) -> tuple[Reason, ...]:
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


def _changes(round_: RoundView) -> list[tuple[Any, Any, str]]:
    return [(each.change, each.text, each.reason) for each in round_.changes]
