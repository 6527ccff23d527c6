"""The leader's own registration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from sqlalchemy import func, select

from app.accounts.rules import masked_phone
from app.competitions.queries import CompetitionView
from app.extensions import db
from app.registrations.models import Consent, Entry, Member, Registration, Submission, Unit
from app.registrations.queries.changes import late_entries
from app.registrations.queries.people import employment_of, joined, with_people
from app.registrations.rules import (
    NOTICE_VERSION,
    EntryId,
    EntryState,
    RegistrationState,
    masked_id_number,
    shown_code,
)
from app.regulations import queries as regulations
from app.regulations.rules import Employment


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
    in_team: bool | None
    late: bool = False
    """Whether it was made after the deadline, by an application that waits or was granted."""

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
    regulation_number: int | None
    """The version (第 n 版) of the regulation that was in force when it was last handed in; None before."""
    entries: tuple[MyEntry, ...]
    asked_again: bool = False
    """Whether it was an earlier text of the privacy notice that this person agreed to."""

    @property
    def members(self) -> tuple[MemberView, ...]:
        return tuple(member for entry in self.entries for member in entry.members)

    @property
    def drafts(self) -> tuple[MyEntry, ...]:
        return tuple(entry for entry in self.entries if entry.state is EntryState.DRAFT and not entry.late)

    def entry(self, entry_id: int) -> MyEntry | None:
        return next((entry for entry in self.entries if entry.entry_id == entry_id), None)

    def member(self, member_id: int) -> MemberView | None:
        return next((member for member in self.members if member.id == member_id), None)


def my(user_id: int, competition: CompetitionView) -> MyRegistration:
    """The registration this person leads in the competition; empty where there is none yet."""
    agreed = set(
        db.session.scalars(
            select(Consent.notice_version).where(
                Consent.user_id == user_id, Consent.competition_id == competition.id
            )
        )
    )
    consented = NOTICE_VERSION in agreed
    asked_again = bool(agreed) and not consented
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
        return MyRegistration(
            consented, None, None, RegistrationState.DRAFT, None, None, (), asked_again=asked_again
        )
    unit, registration = row
    rows = db.session.execute(
        with_people(select(Entry, Member))
        .where(Entry.unit_id == unit.id, Entry.event_id == competition.event.id)
        .order_by(Entry.id, Member.id)
    ).all()
    late = late_entries({entry.id for entry, _ in rows})
    return MyRegistration(
        consented=consented,
        asked_again=asked_again,
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
        regulation_number=_regulation_number(registration),
        entries=tuple(
            _my_entry(entry, [member for _, member in found], late=entry.id in late)
            for entry, found in groupby(rows, key=lambda row: row[0])
        ),
    )


def _regulation_number(registration: Registration) -> int | None:
    handed_in = db.session.scalar(
        select(func.max(Submission.submitted_at)).where(Submission.registration_id == registration.id)
    )
    if handed_in is None:
        return None
    return regulations.edition_number(registration.event_id, registration.regulation_version_id, handed_in)


def _my_entry(entry: Entry, members: Sequence[Member], *, late: bool) -> MyEntry:
    return MyEntry(
        entry_id=EntryId(entry.id),
        members=tuple(_member(member, entry) for member in members),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
        replaced=entry.replaced_at is not None,
        in_team=entry.in_team,
        late=late,
    )


def _member(member: Member, entry: Entry) -> MemberView:
    return MemberView(
        id=member.id,
        entry_id=EntryId(entry.id),
        name=member.name,
        id_number_masked=masked_id_number(member.id_number) if member.id_number else "",
        phone_masked=masked_phone(member.phone) if member.phone else "",
        employment=employment_of(member),
        unit_name=member.unit_name,
        declared=frozenset(member.declared or ()),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
    )
