"""What registrations ask of documents: those that are due with an entry (报名时提交)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from app.competitions import queries as competitions
from app.documents.queries.lists import SubjectList, unit_lists
from app.documents.rules import ChecklistState, Row
from app.documents.rules.states import DONE
from app.registrations.rules import NeededProof


def due_with_entries(competition_id: int, entry_ids: Collection[int], now: datetime) -> Sequence[NeededProof]:
    """Every document that an event wants with these entries, of their members and of their units."""
    competition = competitions.competition_by_id(competition_id)
    if not any(
        rule.due == "registration" for event in competition.events for rule in event.regulation.documents
    ):
        return ()
    wanted, found = frozenset(entry_ids), []
    for unit in unit_lists(competition, now, entry_ids=wanted):
        own = frozenset(each for some in unit.lists for each in some.entry_ids) & wanted
        for some in unit.lists:
            entries = own if some.subject.of_unit else frozenset(some.entry_ids) & wanted
            if entries:
                found += [_proof(some, row, entries) for row in some.rows if row.due_with_entry]
    return tuple(found)


def _proof(some: SubjectList, row: Row, entries: frozenset[int]) -> NeededProof:
    return NeededProof(
        subject=str(some.subject),
        whose=some.name,
        kind=row.kind,
        name=row.name,
        clause=row.clause,
        entry_ids=entries,
        handed_in=row.state in DONE,
        accepted=row.state is ChecklistState.ACCEPTED,
    )
