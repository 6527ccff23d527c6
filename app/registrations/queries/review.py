"""What the committee reviews, and the personal data it may ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby

from sqlalchemy import select

from app.competitions.queries import EventView
from app.extensions import db
from app.registrations.models import Entry, Member, Registration, Unit
from app.registrations.queries.people import employment_of, joined, units_of, with_people
from app.registrations.rules import (
    Eligibility,
    EntryId,
    EntryState,
    Judgement,
    eligibility,
    judgements,
    person_of,
    shown_code,
)
from app.registrations.rules.entries import MAX_ID
from app.registrations.rules.identity import read_id_number
from app.regulations.rules import Employment, Sex


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
    override_clause: str | None = None
    override_reason: str | None = field(default=None, repr=False)

    @property
    def eligibility(self) -> Eligibility:
        return eligibility(
            self.state, breaks_a_rule=self.broken is not None, overridden=self.override_clause is not None
        )

    @property
    def eligibility_clause(self) -> str | None:
        """The clause that an ineligible entry breaks, or that was set aside for it."""
        return self.override_clause or (self.broken.clause if self.broken else None)

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


def review_list(event: EventView, entry_ids: Collection[int] | None = None) -> tuple[ReviewView, ...]:
    """What was handed in for an event, with the judgement of each eligibility rule; all, or these entries."""
    statement = (
        with_people(select(Entry, Member, Unit, Registration.number))
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


def eligibility_counts(event: EventView) -> Mapping[Eligibility, int]:
    """How many entries that were handed in and not withdrawn are eligible, over a rule or by it, are not, or wait."""
    found = Counter(each.eligibility for each in review_list(event) if each.state is not EntryState.WITHDRAWN)
    return {each: found[each] for each in Eligibility}


def member_private(entry_id: EntryId) -> PrivateView | None:
    """The personal data of a handed-in entry. Only ``service.read_personal_data`` asks, which records it."""
    if entry_id > MAX_ID:
        return None
    rows = db.session.execute(
        with_people(select(Entry, Member, Unit))
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


def _review(
    event: EventView, entry: Entry, members: Sequence[Member], unit: Unit, number: str | None
) -> ReviewView:
    return ReviewView(
        entry_id=EntryId(entry.id),
        revision=entry.revision,
        unit_id=unit.id,
        unit_name=units_of([member.unit_name for member in members], unit.name),
        credit_code=shown_code(unit.credit_code),
        number=number,
        players=tuple(reviewed_player(event, member) for member in members),
        state=EntryState(entry.state),
        submitted_at=entry.submitted_at,
        decided_at=entry.decided_at,
        reason=entry.reason,
        replaced=entry.replaced_at is not None,
        override_clause=entry.override_clause,
        override_reason=entry.override_reason,
    )


def reviewed_player(event: EventView, member: Member) -> ReviewedPlayer:
    who = read_id_number(member.id_number) if member.id_number else None
    employment = employment_of(member)
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
