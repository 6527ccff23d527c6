"""The checklists of a unit: its own documents and those of each of its members."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from app.competitions.queries import CompetitionView, EventView
from app.documents.queries.documents import handed_in
from app.documents.queries.requests import EVERYBODY, asked_for
from app.documents.queries.undertakings import signed_under, to_sign
from app.documents.rules import (
    WARN_DAYS,
    Asked,
    EventDemand,
    HandedIn,
    Row,
    Subject,
    UnknownDocumentError,
    checklist,
    next_missing,
)
from app.documents.rules.undertaking import SIGN_AGAIN, SignedUnder, stands
from app.registrations import queries as registrations
from app.registrations.queries import EnteredMember, LedUnit
from app.registrations.rules import EntryState, UnitId
from app.regulations.rules import Employment
from app.text import T


@dataclass(frozen=True, slots=True)
class SubjectList:
    """The rows of one member, or of the unit itself. ``entry_ids``: the entries of both."""

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
    entry_ids: Collection[int] | None = None,
    warn_days: int = WARN_DAYS,
) -> tuple[UnitLists, ...]:
    """The checklists of every unit of a competition, of the one that this person leads, or of the units of these entries."""
    units = registrations.led_units(competition.id, user_id=user_id, entry_ids=entry_ids)
    ids = [unit.id for unit in units]
    members: dict[int, list[EnteredMember]] = defaultdict(list)
    for member in registrations.entered_members(unit_ids=ids):
        members[member.unit_id].append(member)
    reading = _Reading(
        competition, now, warn_days, handed_in(ids), asked_for(competition.id), signed_under(ids)
    )
    return tuple(reading.of_unit(unit, members[unit.id]) for unit in units)


def my_lists(
    competition: CompetitionView, user_id: int, now: datetime, *, warn_days: int = WARN_DAYS
) -> UnitLists | None:
    """The checklists of the unit that this person leads here; None where there is none."""
    return next(iter(unit_lists(competition, now, user_id=user_id, warn_days=warn_days)), None)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is known of a competition, once for all of its units."""

    competition: CompetitionView
    now: datetime
    warn_days: int
    documents: Mapping[str, Mapping[str, HandedIn]]
    asked: Mapping[str, Mapping[str, Asked]]
    signed: Mapping[str, Mapping[str, SignedUnder]]

    def of_unit(self, unit: LedUnit, members: Sequence[EnteredMember]) -> UnitLists:
        entered = {each.event_id for each in members}
        rows = self._rows(
            Subject(unit_id=unit.id),
            # before its first member is there a unit is asked what every event of the competition asks
            entered or {event.id for event in self.competition.events},
            takes_part=not members or any(map(self._takes_part, members)),
        )
        entry_ids = tuple(each.entry_id for each in members)
        lists = [SubjectList(Subject(unit_id=unit.id), unit.name, rows, entry_ids)] if rows else []
        for _, entries in groupby(sorted(members, key=lambda each: each.id), key=lambda each: each.id):
            some = self._of_member(list(entries))
            if some.rows:
                lists.append(some)
        return UnitLists(unit.id, unit.name, unit.leader_user_id, tuple(lists))

    def _of_member(self, entries: Sequence[EnteredMember]) -> SubjectList:
        member = entries[0]
        rows = self._rows(
            Subject(member_id=member.id),
            {each.event_id for each in entries},
            takes_part=any(map(self._takes_part, entries)),
            employment=member.employment,
            member=member,
        )
        subject = Subject(member_id=member.id)
        return SubjectList(subject, member.name, rows, tuple(each.entry_id for each in entries))

    def _rows(
        self,
        subject: Subject,
        entered: Collection[int],
        *,
        takes_part: bool,
        employment: Employment | None = None,
        member: EnteredMember | None = None,
    ) -> tuple[Row, ...]:
        signed = self.signed.get(str(subject), {})

        def changed(kind: str, asking: Sequence[EventDemand]) -> T | None:
            if member is None or kind not in signed:
                return None
            now = to_sign(self.competition, asking, subject, member.name, member.unit_name)
            return None if stands(signed[kind], now.values()) else SIGN_AGAIN

        return checklist(
            demands(event for event in self.competition.events if event.id in entered),
            of_unit=subject.of_unit,
            documents=self.documents.get(str(subject), {}),
            now=self.now,
            employment=employment,
            asked={**self.asked.get(EVERYBODY, {}), **self.asked.get(str(subject), {})},
            takes_part=takes_part,
            warn_days=self.warn_days,
            changed=changed,
            late=member is not None and member.late,
        )

    def _takes_part(self, entry: EnteredMember) -> bool:
        """Whether anything is asked of who stands in this entry: once entries have closed a draft or rejected one is over,
        but for one that is to come by an application."""
        if entry.state not in {EntryState.DRAFT, EntryState.REJECTED} or (
            entry.late and entry.state is EntryState.DRAFT
        ):
            return True
        event = next(event for event in self.competition.events if event.id == entry.event_id)
        return event.regulation.calendar.registration_deadline.accepts(self.now)
