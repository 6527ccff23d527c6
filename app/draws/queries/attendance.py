from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from app.actors import Role
from app.competitions.queries import EventView
from app.draws.models import OPEN, STANDING, STANDS, AttendanceAct, DrawCommitment, Round, Seat, Table
from app.draws.rules import SWISS, entrant_of, entry_of
from app.draws.rules.attendance import Act, ActKind, Presence, UnknownPersonError, act_name, presences
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules.entries import EntryId
from app.text import T
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class ActView:
    """One standing act (出席登记). ``reason`` is for the staff, except of a ruling."""

    id: int
    entrant: EntrantId
    kind: ActKind
    number: int
    reason: str | None
    made_as: Role
    made_at: datetime

    @property
    def act(self) -> Act:
        return Act(self.entrant, self.kind, self.number)

    @property
    def text(self) -> T:
        return act_name(self.kind, self.number)


@dataclass(frozen=True, slots=True)
class Attendance:
    """What is said of an event: every standing act, and what it makes of each entrant. ``last_drawn``: 0 before round 1."""

    acts: tuple[ActView, ...]
    last_drawn: int
    drawn: Mapping[EntrantId, int]
    """The newest round somebody has a seat or a bye in."""

    @property
    def presences(self) -> Mapping[EntrantId, Presence]:
        return presences(each.act for each in self.acts)

    def of(self, entrant: EntrantId) -> tuple[ActView, ...]:
        """The acts of one entrant, the newest round first."""
        own = [each for each in self.acts if each.entrant == entrant]
        return tuple(sorted(own, key=lambda each: (each.number, each.id), reverse=True))

    def in_field(self, entrant: EntrantId) -> bool:
        """Whether an approved entrant is one the rounds are drawn with: all are until round 1 is drawn."""
        return (
            not self.last_drawn or entrant in self.drawn or any(each.entrant == entrant for each in self.acts)
        )


def attendance(event_id: int) -> Attendance:
    """Every standing act of an event, in the order made."""
    rows = db.session.scalars(
        select(AttendanceAct)
        .where(AttendanceAct.event_id == event_id, STANDING)
        .order_by(AttendanceAct.id)
        .execution_options(populate_existing=True)
    )
    return Attendance(
        tuple(
            ActView(
                id=row.id,
                entrant=entrant_of(row.entry_id),
                kind=ActKind(row.kind),
                number=row.number,
                reason=row.reason,
                made_as=Role(row.made_as),
                made_at=row.made_at,
            )
            for row in rows
        ),
        last_drawn(event_id),
        _drawn(event_id),
    )


def standing_presences(event_id: int) -> Mapping[EntrantId, Presence]:
    """When each entrant takes part of whom something is said; empty where nothing is."""
    rows = db.session.execute(
        select(AttendanceAct.entry_id, AttendanceAct.kind, AttendanceAct.number).where(
            AttendanceAct.event_id == event_id, STANDING
        )
    )
    return presences(Act(entrant_of(entry), ActKind(kind), number) for entry, kind, number in rows)


def last_drawn(event_id: int) -> int:
    """The newest round paired by points that stands; 0 before the first."""
    return (
        db.session.scalar(
            select(func.max(Round.number)).where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
        )
        or 0
    )


def committed_rounds(event_id: int) -> frozenset[int]:
    """The rounds paired by points whose seed is committed to and not drawn from yet."""
    return frozenset(
        db.session.scalars(
            select(DrawCommitment.number).where(
                DrawCommitment.event_id == event_id,
                DrawCommitment.stage == SWISS,
                OPEN,
            )
        )
    )


def field(event_id: int) -> Mapping[EntrantId, EntrantView]:
    """Everybody of whom something may be said: who is approved, and who was drawn."""
    people = {entrant_of(each.entry_id): each for each in registrations.approved_entries(event_id)}
    missing = _drawn(event_id).keys() - people.keys()
    return people | {
        entrant_of(each.entry_id): each
        for each in registrations.named(entry_of(entrant) for entrant in missing).values()
    }


def person_of(event: EventView, entrant: EntrantId) -> EntrantView:
    """One of the field. Raises ``UnknownPersonError``."""
    found = field(event.id).get(entrant)
    if found is None:
        raise UnknownPersonError
    return found


def _drawn(event_id: int) -> dict[EntrantId, int]:
    seated = db.session.execute(
        select(Seat.entry_id, func.max(Round.number))
        .join(Seat.table)
        .join(Table.round)
        .where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
        .group_by(Seat.entry_id)
    )
    found = {entrant_of(EntryId(entry)): number for entry, number in seated}
    byes = db.session.execute(
        select(Round.number, Round.direct).where(Round.event_id == event_id, Round.stage == SWISS, STANDS)
    )
    for number, direct in byes:
        for entrant in direct:
            found[EntrantId(entrant)] = max(number, found.get(EntrantId(entrant), 0))
    return found
