"""Members with the entries they stand in, for features that ask something of each person."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from app.extensions import db
from app.registrations.models import Entry, Member, Unit
from app.registrations.queries.changes import late_entries
from app.registrations.queries.people import employment_of, with_people
from app.registrations.rules import EntryId, EntryState, MemberId, UnitId
from app.regulations.rules import Employment


@dataclass(frozen=True, slots=True)
class EnteredMember:
    """A member in one entry that stands. Who plays in two events of a competition is listed for each."""

    id: MemberId
    name: str
    employment: Employment | None
    unit_id: UnitId
    unit_name: str
    entry_id: EntryId
    event_id: int
    state: EntryState
    late: bool = False
    """Whether the entry was made after the deadline, by an application that waits or was granted."""


@dataclass(frozen=True, slots=True)
class LedUnit:
    """A unit of a competition and who leads it."""

    id: UnitId
    name: str
    competition_id: int
    leader_user_id: int


def entered_members(
    *, unit_ids: Collection[int] | None = None, entry_ids: Collection[int] | None = None
) -> tuple[EnteredMember, ...]:
    """The members of these units, or of these entries, in the order of the forms; nobody who was withdrawn."""
    statement = (
        with_people(select(Entry, Member, Unit.name))
        .join(Unit, Unit.id == Entry.unit_id)
        .where(Entry.state != EntryState.WITHDRAWN.value)
        .order_by(Entry.id, Member.id)
    )
    if unit_ids is not None:
        statement = statement.where(Entry.unit_id.in_(tuple(unit_ids)))
    if entry_ids is not None:
        statement = statement.where(Entry.id.in_(tuple(entry_ids)))
    rows = db.session.execute(statement).all()
    late = late_entries({entry.id for entry, _, _ in rows})
    return tuple(
        EnteredMember(
            id=MemberId(member.id),
            name=member.name,
            employment=employment_of(member),
            unit_id=UnitId(entry.unit_id),
            unit_name=unit_name,
            entry_id=EntryId(entry.id),
            event_id=entry.event_id,
            state=EntryState(entry.state),
            late=entry.id in late,
        )
        for entry, member, unit_name in rows
    )


def led_units(
    competition_id: int, *, user_id: int | None = None, entry_ids: Collection[int] | None = None
) -> tuple[LedUnit, ...]:
    """The units of a competition in the order in which they began: all, one leader's, or those of these entries."""
    statement = select(Unit).where(Unit.competition_id == competition_id).order_by(Unit.id)
    if user_id is not None:
        statement = statement.where(Unit.leader_user_id == user_id)
    if entry_ids is not None:
        statement = statement.where(Unit.id.in_(select(Entry.unit_id).where(Entry.id.in_(tuple(entry_ids)))))
    return tuple(
        LedUnit(UnitId(unit.id), unit.name, unit.competition_id, unit.leader_user_id)
        for unit in db.session.scalars(statement)
    )
