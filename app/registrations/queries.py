from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, TypeVarTuple

from sqlalchemy import Select, func, select

from app.accounts.rules import masked_phone
from app.actors import Role
from app.competitions.queries import CompetitionView, EventView
from app.extensions import db
from app.registrations.models import Consent, Entry, EntryMember, Member, Registration, Unit
from app.registrations.rules import (
    NOTICE_VERSION,
    EntryId,
    EntryState,
    Judgement,
    RegistrationState,
    judgements,
    masked_id_number,
    person_of,
    shown_code,
)
from app.registrations.rules.entries import MAX_ID
from app.registrations.rules.identity import read_id_number
from app.regulations.rules import Employment, Sex
from app.text import T
from app.waiting import Waiting, age

Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class EntrantView:
    """Who plays in an entry, as the public may see it."""

    entry_id: EntryId
    name: str
    unit_id: int
    unit_name: str


@dataclass(frozen=True, slots=True)
class UnitView:
    """The leader's own unit."""

    id: int
    name: str
    credit_code: str | None
    contact_name: str = field(repr=False)
    contact_phone: str = field(repr=False)

    @property
    def contact_phone_masked(self) -> str:
        return masked_phone(self.contact_phone) if self.contact_phone else ""


@dataclass(frozen=True, slots=True)
class MemberView:
    """A member as the own leader sees it: numbers masked."""

    id: int
    entry_id: EntryId
    name: str
    id_number_masked: str
    phone_masked: str
    employment: Employment | None
    state: EntryState
    submitted_at: datetime | None
    decided_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class MyRegistration:
    """Where a leader stands in one competition."""

    consented: bool
    unit: UnitView | None
    number: str | None
    state: RegistrationState
    submitted_at: datetime | None
    members: tuple[MemberView, ...]

    @property
    def drafts(self) -> tuple[MemberView, ...]:
        return tuple(member for member in self.members if member.state is EntryState.DRAFT)

    def member(self, member_id: int) -> MemberView | None:
        return next((member for member in self.members if member.id == member_id), None)


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One entry as the committee reviews it: no ID number and no phone."""

    entry_id: EntryId
    revision: int
    name: str
    unit_id: int
    unit_name: str
    credit_code: str | None
    number: str | None
    employment: Employment | None
    age: int | None
    sex: Sex | None
    judgements: tuple[Judgement, ...]
    state: EntryState
    submitted_at: datetime | None
    decided_at: datetime | None
    reason: str | None

    @property
    def eligible(self) -> bool:
        return self.broken is None and self.age is not None

    @property
    def broken(self) -> Judgement | None:
        """The first rule of the regulation that is not met."""
        return next((judged for judged in self.judgements if judged.refusal), None)


@dataclass(frozen=True, slots=True)
class PrivateView:
    """What only the committee may see of an entry, on demand."""

    entry_id: EntryId
    event_id: int
    id_number: str | None = field(repr=False)
    birth_date: date | None = field(repr=False)
    phone: str | None = field(repr=False)
    contact_name: str | None = field(repr=False)
    contact_phone: str | None = field(repr=False)


def approved_entries(event_id: int) -> tuple[EntrantView, ...]:
    """Approved entries (已通过), by the order in which units began to register, then entries were made."""
    return _entrants(Entry.event_id == event_id, Entry.state == EntryState.APPROVED.value)


def entrants(event_id: int) -> Mapping[EntryId, EntrantView]:
    """Every entry that was ever handed in, by id: names for draws, sheets and standings."""
    found = _entrants(Entry.event_id == event_id, Entry.state != EntryState.DRAFT.value)
    return {entrant.entry_id: entrant for entrant in found}


def named(entry_ids: Iterable[int]) -> Mapping[EntryId, EntrantView]:
    """These entries by id, for one table or one sheet: cheap however many entrants the event has."""
    return {entrant.entry_id: entrant for entrant in _entrants(Entry.id.in_(tuple(entry_ids)))}


def my(user_id: int, competition: CompetitionView) -> MyRegistration:
    """The registration this person leads in the competition; empty where there is none yet."""
    consented = db.session.scalar(
        select(Consent.id).where(
            Consent.user_id == user_id,
            Consent.competition_id == competition.id,
            Consent.notice_version == NOTICE_VERSION,
        )
    )
    row = db.session.execute(
        select(Unit, Registration)
        .join(Registration, Registration.unit_id == Unit.id)
        .where(
            Unit.competition_id == competition.id,
            Unit.leader_user_id == user_id,
            Registration.event_id == competition.event.id,
        )
    ).one_or_none()
    if row is None:
        return MyRegistration(consented is not None, None, None, RegistrationState.DRAFT, None, ())
    unit, registration = row
    members = db.session.execute(
        _with_people(select(Member, Entry))
        .where(Entry.unit_id == unit.id, Entry.event_id == competition.event.id)
        .order_by(Entry.id)
    )
    return MyRegistration(
        consented=consented is not None,
        unit=UnitView(
            unit.id,
            unit.name,
            shown_code(unit.credit_code),
            unit.contact_name or "",
            unit.contact_phone or "",
        ),
        number=registration.number,
        state=RegistrationState(registration.state),
        submitted_at=registration.submitted_at,
        members=tuple(_member(member, entry) for member, entry in members),
    )


def review_list(event: EventView, entry_ids: Collection[int] | None = None) -> tuple[ReviewView, ...]:
    """What was handed in for an event, with the judgement of each eligibility rule; all, or these entries."""
    statement = (
        _with_people(select(Entry, Member, Unit, Registration.number))
        .join(Unit, Unit.id == Entry.unit_id)
        .join(
            Registration, (Registration.unit_id == Entry.unit_id) & (Registration.event_id == Entry.event_id)
        )
        .where(Entry.event_id == event.id, Entry.state != EntryState.DRAFT.value)
        .order_by(Registration.id, Entry.id)
    )
    if entry_ids is not None:
        statement = statement.where(Entry.id.in_([each for each in entry_ids if each <= MAX_ID]))
    return tuple(
        _review(event, entry, member, unit, number)
        for entry, member, unit, number in db.session.execute(statement)
    )


def counts(event_id: int) -> Mapping[EntryState, int]:
    """How many entries are in each state; every state is named."""
    rows = db.session.execute(
        select(Entry.state, func.count()).where(Entry.event_id == event_id).group_by(Entry.state)
    )
    found = {EntryState(state): number for state, number in rows}
    return {state: found.get(state, 0) for state in EntryState}


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """Entries that nobody decided yet, and for how long the oldest has waited; none once the entries are closed."""
    count, oldest = db.session.execute(
        select(func.count(), func.min(Entry.submitted_at)).where(
            Entry.event_id == event.id, Entry.state == EntryState.SUBMITTED.value
        )
    ).one()
    if oldest is None or event.entries_closed:
        return ()
    text = T("%(count)s 名队员等待审核（最早：%(age)s前）", count=count, age=age(now - oldest))
    return (Waiting(text, T("去审核报名"), "registrations.staff_entries", (Role.COMMITTEE,)),)


def member_private(entry_id: EntryId) -> PrivateView | None:
    """The personal data of a handed-in entry. Only ``service.read_personal_data`` asks, which records it."""
    if entry_id > MAX_ID:
        return None
    row = db.session.execute(
        _with_people(select(Entry, Member, Unit))
        .join(Unit, Unit.id == Entry.unit_id)
        .where(Entry.id == entry_id, Entry.state != EntryState.DRAFT.value)
    ).one_or_none()
    if row is None:
        return None
    entry, member, unit = row
    who = read_id_number(member.id_number) if member.id_number else None
    return PrivateView(
        entry_id=entry_id,
        event_id=entry.event_id,
        id_number=member.id_number,
        birth_date=who.birth_date if who else None,
        phone=member.phone,
        contact_name=unit.contact_name,
        contact_phone=unit.contact_phone,
    )


def _with_people(statement: Select[*Columns]) -> Select[*Columns]:
    """Joins each entry with its member."""
    return statement.join_from(Entry, EntryMember, EntryMember.entry_id == Entry.id).join(
        Member, Member.id == EntryMember.member_id
    )


def _entrants(*conditions: Any) -> tuple[EntrantView, ...]:
    rows = db.session.execute(
        _with_people(select(Entry.id, Member.name, Unit.id, Unit.name))
        .join(Unit, Unit.id == Entry.unit_id)
        .join(
            Registration, (Registration.unit_id == Entry.unit_id) & (Registration.event_id == Entry.event_id)
        )
        .where(*conditions)
        .order_by(Registration.id, Entry.id)
    )
    return tuple(EntrantView(EntryId(entry), name, unit, unit_name) for entry, name, unit, unit_name in rows)


def _employment(member: Member) -> Employment | None:
    return Employment(member.employment) if member.employment else None


def _member(member: Member, entry: Entry) -> MemberView:
    return MemberView(
        id=member.id,
        entry_id=EntryId(entry.id),
        name=member.name,
        id_number_masked=masked_id_number(member.id_number) if member.id_number else "",
        phone_masked=masked_phone(member.phone) if member.phone else "",
        employment=_employment(member),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
    )


def _review(event: EventView, entry: Entry, member: Member, unit: Unit, number: str | None) -> ReviewView:
    who = read_id_number(member.id_number) if member.id_number else None
    employment = _employment(member)
    return ReviewView(
        entry_id=EntryId(entry.id),
        revision=entry.revision,
        name=member.name,
        unit_id=unit.id,
        unit_name=unit.name,
        credit_code=shown_code(unit.credit_code),
        number=number,
        employment=employment,
        age=who.age_on(event.regulation.calendar.play_from) if who else None,
        sex=who.sex if who else None,
        # without the ID number nothing is judged: "not known" is neither a yes nor a no
        judgements=judgements(event.regulation, person_of(who, employment)) if who else (),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
    )
