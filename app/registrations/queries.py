from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby
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
    """Who plays in an entry, as the public may see it: a player, or a pair as 甲 / 乙 with the units of both."""

    entry_id: EntryId
    name: str
    unit_id: int
    unit_name: str
    players: tuple[str, ...] = ()


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
    unit_name: str | None
    declared: frozenset[str]
    state: EntryState
    submitted_at: datetime | None
    decided_at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class MyEntry:
    """An entry as the own leader sees it. ``replaced``: a newer form took its place."""

    entry_id: EntryId
    members: tuple[MemberView, ...]
    state: EntryState
    submitted_at: datetime | None
    decided_at: datetime | None
    reason: str | None
    replaced: bool

    @property
    def name(self) -> str:
        return joined(member.name for member in self.members)


@dataclass(frozen=True, slots=True)
class MyRegistration:
    """Where a leader stands in one competition."""

    consented: bool
    unit: UnitView | None
    number: str | None
    state: RegistrationState
    submitted_at: datetime | None
    entries: tuple[MyEntry, ...]

    @property
    def members(self) -> tuple[MemberView, ...]:
        return tuple(member for entry in self.entries for member in entry.members)

    @property
    def drafts(self) -> tuple[MyEntry, ...]:
        return tuple(entry for entry in self.entries if entry.state is EntryState.DRAFT)

    def entry(self, entry_id: int) -> MyEntry | None:
        return next((entry for entry in self.entries if entry.entry_id == entry_id), None)

    def member(self, member_id: int) -> MemberView | None:
        return next((member for member in self.members if member.id == member_id), None)


@dataclass(frozen=True, slots=True)
class ReviewedPlayer:
    """One player of an entry as the committee reviews him: no ID number and no phone."""

    name: str
    unit_name: str | None
    employment: Employment | None
    age: int | None
    sex: Sex | None
    judgements: tuple[Judgement, ...]

    @property
    def broken(self) -> Judgement | None:
        """The first rule of the regulation that is not met."""
        return next((judged for judged in self.judgements if judged.refusal), None)


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One entry, of a player or a pair, as the committee reviews it."""

    entry_id: EntryId
    revision: int
    unit_id: int
    unit_name: str
    credit_code: str | None
    number: str | None
    players: tuple[ReviewedPlayer, ...]
    state: EntryState
    submitted_at: datetime | None
    decided_at: datetime | None
    reason: str | None
    replaced: bool

    @property
    def name(self) -> str:
        return joined(player.name for player in self.players)

    @property
    def eligible(self) -> bool:
        return self.broken is None and all(player.age is not None for player in self.players)

    @property
    def broken(self) -> Judgement | None:
        """The first rule of the regulation that a player does not meet."""
        return next((player.broken for player in self.players if player.broken), None)

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return tuple(judged for player in self.players for judged in player.judgements)

    @property
    def only(self) -> ReviewedPlayer | None:
        """The player, where one is an entry."""
        return self.players[0] if len(self.players) == 1 else None


@dataclass(frozen=True, slots=True)
class PrivatePlayer:
    """What only the committee may see of a player, on demand."""

    name: str
    id_number: str | None = field(repr=False)
    birth_date: date | None = field(repr=False)
    phone: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class PrivateView:
    """What only the committee may see of an entry, on demand."""

    entry_id: EntryId
    event_id: int
    players: tuple[PrivatePlayer, ...]
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
    rows = db.session.execute(
        _with_people(select(Entry, Member))
        .where(Entry.unit_id == unit.id, Entry.event_id == competition.event.id)
        .order_by(Entry.id, Member.id)
    ).all()
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
        entries=tuple(
            _my_entry(entry, [member for _, member in found])
            for entry, found in groupby(rows, key=lambda row: row[0])
        ),
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
        .order_by(Registration.id, Entry.id, Member.id)
    )
    if entry_ids is not None:
        statement = statement.where(Entry.id.in_([each for each in entry_ids if each <= MAX_ID]))
    views = []
    for entry, found in groupby(db.session.execute(statement), key=lambda row: row[0]):
        rows = list(found)
        _, _, unit, number = rows[0]
        views.append(_review(event, entry, [member for _, member, _, _ in rows], unit, number))
    return tuple(views)


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
    rows = db.session.execute(
        _with_people(select(Entry, Member, Unit))
        .join(Unit, Unit.id == Entry.unit_id)
        .where(Entry.id == entry_id, Entry.state != EntryState.DRAFT.value)
        .order_by(Member.id)
    ).all()
    if not rows:
        return None
    entry, _, unit = rows[0]
    return PrivateView(
        entry_id=entry_id,
        event_id=entry.event_id,
        players=tuple(_private(member) for _, member, _ in rows),
        contact_name=unit.contact_name,
        contact_phone=unit.contact_phone,
    )


def joined(names: Iterable[str]) -> str:
    """How an entry is called: the player, or both of a pair."""
    return " / ".join(names)


def _with_people(statement: Select[*Columns]) -> Select[*Columns]:
    """Joins each entry with its player or players."""
    return statement.join_from(Entry, EntryMember, EntryMember.entry_id == Entry.id).join(
        Member, Member.id == EntryMember.member_id
    )


def _entrants(*conditions: Any) -> tuple[EntrantView, ...]:
    rows = db.session.execute(
        _with_people(select(Entry.id, Member.name, Member.unit_name, Unit.id, Unit.name))
        .join(Unit, Unit.id == Entry.unit_id)
        .join(
            Registration, (Registration.unit_id == Entry.unit_id) & (Registration.event_id == Entry.event_id)
        )
        .where(*conditions)
        .order_by(Registration.id, Entry.id, Member.id)
    )
    return tuple(
        _entrant(EntryId(entry), list(people)) for entry, people in groupby(rows, key=lambda row: row[0])
    )


def _entrant(entry_id: EntryId, rows: Sequence[Any]) -> EntrantView:
    names = tuple(row[1] for row in rows)
    return EntrantView(
        entry_id,
        name=joined(names),
        unit_id=rows[0][3],
        unit_name=_units([row[2] for row in rows], rows[0][4]),
        players=names,
    )


def _units(own: Sequence[str | None], entered_by: str) -> str:
    """The units of an entry: what its players wrote, each once; else the unit that entered it."""
    return joined(dict.fromkeys(each for each in own if each)) or entered_by


def _employment(member: Member) -> Employment | None:
    return Employment(member.employment) if member.employment else None


def _my_entry(entry: Entry, members: Sequence[Member]) -> MyEntry:
    return MyEntry(
        entry_id=EntryId(entry.id),
        members=tuple(_member(member, entry) for member in members),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
        replaced=entry.replaced_at is not None,
    )


def _member(member: Member, entry: Entry) -> MemberView:
    return MemberView(
        id=member.id,
        entry_id=EntryId(entry.id),
        name=member.name,
        id_number_masked=masked_id_number(member.id_number) if member.id_number else "",
        phone_masked=masked_phone(member.phone) if member.phone else "",
        employment=_employment(member),
        unit_name=member.unit_name,
        declared=frozenset(member.declared or ()),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
    )


def _review(
    event: EventView, entry: Entry, members: Sequence[Member], unit: Unit, number: str | None
) -> ReviewView:
    return ReviewView(
        entry_id=EntryId(entry.id),
        revision=entry.revision,
        unit_id=unit.id,
        unit_name=_units([member.unit_name for member in members], unit.name),
        credit_code=shown_code(unit.credit_code),
        number=number,
        players=tuple(_reviewed(event, member) for member in members),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
        replaced=entry.replaced_at is not None,
    )


def _reviewed(event: EventView, member: Member) -> ReviewedPlayer:
    who = read_id_number(member.id_number) if member.id_number else None
    employment = _employment(member)
    return ReviewedPlayer(
        name=member.name,
        unit_name=member.unit_name,
        employment=employment,
        age=who.age_on(event.regulation.calendar.play_from) if who else None,
        sex=who.sex if who else None,
        # without the ID number nothing is judged: "not known" is neither a yes nor a no
        judgements=judgements(event.regulation, person_of(who, employment, member.declared or ()))
        if who
        else (),
    )


def _private(member: Member) -> PrivatePlayer:
    who = read_id_number(member.id_number) if member.id_number else None
    return PrivatePlayer(
        name=member.name,
        id_number=member.id_number,
        birth_date=who.birth_date if who else None,
        phone=member.phone,
    )
