"""Everything that is held of one member (个人信息), for whoever acts for him: read, copied, deleted."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement, select

from app.competitions.queries import CompetitionView
from app.extensions import db
from app.registrations.models import Consent, Entry, EntryMember, Member, Registration, Unit
from app.registrations.queries.people import employment_of
from app.registrations.rules import EntryId, EntryState, MemberId, UnitId, UnknownMemberError, shown_code
from app.registrations.rules.entries import MAX_ID
from app.regulations.rules import Employment


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """An entry in which the member stands or stood. ``partners``: how many others stand in it."""

    entry_id: EntryId
    event_id: int
    event_name: str
    number: str | None
    state: EntryState
    submitted_at: datetime | None
    decided_at: datetime | None
    reason: str | None
    in_team: bool | None
    partners: int


@dataclass(frozen=True, slots=True)
class HeldMember:
    """A member with all that registrations keep of him; numbers in full."""

    id: MemberId
    name: str
    id_number: str | None = field(repr=False)
    phone: str | None = field(repr=False)
    employment: Employment | None
    unit_name: str | None
    declared: tuple[str, ...]
    created_at: datetime
    competition_id: int
    unit_id: UnitId
    leading_unit: str
    credit_code: str | None
    leader_user_id: int
    notice_version: str | None
    agreed_at: datetime | None
    """When who registered him agreed to the privacy notice."""
    entries: tuple[HeldEntry, ...]


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """An entry of a unit, and where it stands."""

    entry_id: EntryId
    event_id: int
    state: EntryState


@dataclass(frozen=True, slots=True)
class HeldUnit:
    """A unit with what registrations keep of it, beside its members; the phone in full."""

    id: UnitId
    competition_id: int
    name: str
    credit_code: str | None
    contact_name: str | None = field(repr=False)
    contact_phone: str | None = field(repr=False)
    entries: tuple[UnitEntry, ...]


def my_unit(competition: CompetitionView, user_id: int) -> HeldUnit | None:
    """The unit this person leads here; None where there is none."""
    return _unit(competition, Unit.leader_user_id == user_id)


def unit_held(competition: CompetitionView, unit_id: int) -> HeldUnit | None:
    """The same for the committee; None for a unit of another competition."""
    return _unit(competition, Unit.id == unit_id) if unit_id <= MAX_ID else None


def my_members(competition: CompetitionView, user_id: int) -> tuple[HeldMember, ...]:
    """The members for whom this person acts, withdrawn ones too, in the order of the forms."""
    return _held(competition, Unit.leader_user_id == user_id)


def my_member(competition: CompetitionView, user_id: int, member_id: int) -> HeldMember:
    """Raises ``UnknownMemberError``, also for somebody else's."""
    if member_id <= MAX_ID:
        for found in _held(competition, Unit.leader_user_id == user_id, Member.id == member_id):
            return found
    raise UnknownMemberError


def member_held(competition: CompetitionView, member_id: int) -> HeldMember:
    """The same for the committee. Raises ``UnknownMemberError`` for a member of another competition."""
    if member_id <= MAX_ID:
        for found in _held(competition, Member.id == member_id):
            return found
    raise UnknownMemberError


def _unit(competition: CompetitionView, condition: ColumnElement[bool]) -> HeldUnit | None:
    unit = db.session.scalars(
        select(Unit).where(Unit.competition_id == competition.id, condition)
    ).one_or_none()
    if unit is None:
        return None
    entries = db.session.scalars(select(Entry).where(Entry.unit_id == unit.id).order_by(Entry.id))
    return HeldUnit(
        id=UnitId(unit.id),
        competition_id=competition.id,
        name=unit.name,
        credit_code=shown_code(unit.credit_code),
        contact_name=unit.contact_name,
        contact_phone=unit.contact_phone,
        entries=tuple(UnitEntry(EntryId(row.id), row.event_id, EntryState(row.state)) for row in entries),
    )


def _held(competition: CompetitionView, *conditions: object) -> tuple[HeldMember, ...]:
    names = {event.id: event.name for event in competition.events}
    found = db.session.execute(
        select(Member, Unit)
        .join(Unit, Unit.id == Member.unit_id)
        .where(Unit.competition_id == competition.id, *conditions)  # type: ignore[arg-type]  # conditions of ours
        .order_by(Member.id)
    ).all()
    ids = [member.id for member, _ in found]
    consents = {
        row.user_id: row
        for row in db.session.scalars(
            select(Consent)
            .where(
                Consent.competition_id == competition.id,
                Consent.user_id.in_({unit.leader_user_id for _, unit in found}),
            )
            .order_by(Consent.id)
        )
    }
    rows = db.session.execute(
        select(EntryMember.member_id, Entry, Registration.number)
        .join(Entry, Entry.id == EntryMember.entry_id)
        .outerjoin(
            Registration, (Registration.unit_id == Entry.unit_id) & (Registration.event_id == Entry.event_id)
        )
        .where(EntryMember.member_id.in_(ids))
        .order_by(Entry.id)
    ).all()
    together: dict[int, int] = {}
    for entry_id in db.session.scalars(
        select(EntryMember.entry_id).where(EntryMember.entry_id.in_([entry.id for _, entry, _ in rows]))
    ):
        together[entry_id] = together.get(entry_id, 0) + 1
    entries: dict[int, list[HeldEntry]] = {}
    for member_id, entry, number in rows:
        entries.setdefault(member_id, []).append(
            HeldEntry(
                entry_id=EntryId(entry.id),
                event_id=entry.event_id,
                event_name=names.get(entry.event_id, ""),
                number=number,
                state=EntryState(entry.state),
                submitted_at=entry.submitted_at,
                decided_at=entry.decided_at,
                reason=entry.reason,
                in_team=entry.in_team,
                partners=together[entry.id] - 1,
            )
        )
    return tuple(_view(member, unit, consents, entries.get(member.id, [])) for member, unit in found)


def _view(member: Member, unit: Unit, consents: dict[int, Consent], entries: list[HeldEntry]) -> HeldMember:
    consent = consents.get(unit.leader_user_id)
    return HeldMember(
        id=MemberId(member.id),
        name=member.name,
        id_number=member.id_number,
        phone=member.phone,
        employment=employment_of(member),
        unit_name=member.unit_name,
        declared=tuple(member.declared or ()),
        created_at=member.created_at,
        competition_id=unit.competition_id,
        unit_id=UnitId(unit.id),
        leading_unit=unit.name,
        credit_code=shown_code(unit.credit_code),
        leader_user_id=unit.leader_user_id,
        notice_version=consent.notice_version if consent else None,
        agreed_at=consent.agreed_at if consent else None,
        entries=tuple(entries),
    )
