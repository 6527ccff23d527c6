"""The checklists of a unit: its own documents and those of each of its members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from app.competitions.queries import CompetitionView, EventView
from app.documents.queries.documents import handed_in
from app.documents.rules import (
    WARN_DAYS,
    EventDemand,
    HandedIn,
    Row,
    Subject,
    UnknownDocumentError,
    checklist,
    next_missing,
)
from app.registrations import queries as registrations
from app.registrations.queries import EnteredMember
from app.registrations.rules import UnitId


@dataclass(frozen=True, slots=True)
class SubjectList:
    """The rows of one member, or of the unit itself."""

    subject: Subject
    name: str
    rows: tuple[Row, ...]
    entry_ids: tuple[int, ...] = ()

    def row(self, kind: str) -> Row | None:
        return next((row for row in self.rows if row.kind == kind), None)

    @property
    def to_do(self) -> int:
        return sum(row.to_do for row in self.rows)

    @property
    def done(self) -> bool:
        return all(row.done for row in self.rows)


@dataclass(frozen=True, slots=True)
class UnitLists:
    """Everything that is asked of a unit: its own documents first, then each member's, in the order of the forms."""

    unit_id: UnitId
    unit_name: str
    leader_user_id: int
    lists: tuple[SubjectList, ...]

    @property
    def to_do(self) -> int:
        """How many documents the leader can hand in or mend now."""
        return sum(each.to_do for each in self.lists)

    @property
    def next(self) -> tuple[SubjectList, Row] | None:
        """What to do first."""
        owners = {id(row): each for each in self.lists for row in each.rows}
        row = next_missing([row for each in self.lists for row in each.rows])
        return None if row is None else (owners[id(row)], row)

    def list_of(self, subject: Subject) -> SubjectList:
        """Raises ``UnknownDocumentError`` for a subject of another unit."""
        found = next((each for each in self.lists if each.subject == subject), None)
        if found is None:
            raise UnknownDocumentError
        return found


def demands(events: Iterable[EventView]) -> tuple[EventDemand, ...]:
    """What these events ask for."""
    return tuple(
        EventDemand(event.id, event.regulation.event, rule, event.regulation.calendar)
        for event in events
        for rule in event.regulation.documents
    )


def unit_lists(
    competition: CompetitionView,
    now: datetime,
    *,
    user_id: int | None = None,
    warn_days: int = WARN_DAYS,
) -> tuple[UnitLists, ...]:
    """The checklists of every unit of a competition, or of the one that this person leads."""
    units = registrations.led_units(competition.id, user_id=user_id)
    ids = [unit.id for unit in units]
    documents = handed_in(ids)
    members = registrations.entered_members(unit_ids=ids)
    found = []
    for unit in units:
        own = [each for each in members if each.unit_id == unit.id]
        entered = {each.event_id for each in own}
        subject = Subject(unit_id=unit.id)
        # before its first member is there a unit is asked what every event of the competition asks
        events = [event for event in competition.events if event.id in entered or not entered]
        of_unit = checklist(
            demands(events),
            of_unit=True,
            documents=documents.get(str(subject), {}),
            now=now,
            warn_days=warn_days,
        )
        lists = [SubjectList(subject, unit.name, of_unit)] if of_unit else []
        by_member = sorted(own, key=lambda each: each.id)
        for _, entries in groupby(by_member, key=lambda each: each.id):
            each = _of_member(competition, list(entries), documents, now, warn_days)
            if each.rows:
                lists.append(each)
        found.append(UnitLists(unit.id, unit.name, unit.leader_user_id, tuple(lists)))
    return tuple(found)


def my_lists(
    competition: CompetitionView, user_id: int, now: datetime, *, warn_days: int = WARN_DAYS
) -> UnitLists | None:
    """The checklists of the unit that this person leads here; None where there is none."""
    return next(iter(unit_lists(competition, now, user_id=user_id, warn_days=warn_days)), None)


def _of_member(
    competition: CompetitionView,
    entries: Sequence[EnteredMember],
    documents: Mapping[str, Mapping[str, HandedIn]],
    now: datetime,
    warn_days: int,
) -> SubjectList:
    member, entered = entries[0], {each.event_id for each in entries}
    subject = Subject(member_id=member.id)
    rows = checklist(
        demands(event for event in competition.events if event.id in entered),
        of_unit=False,
        documents=documents.get(str(subject), {}),
        now=now,
        employment=member.employment,
        warn_days=warn_days,
    )
    return SubjectList(subject, member.name, rows, tuple(each.entry_id for each in entries))
