from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, or_, select

from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView, EventView
from app.database import person_hash
from app.registrations.models import ChangeApplication, Consent, Entry, EntryMember, Member, Unit
from app.registrations.rules import (
    NOTICE_VERSION,
    ConsentMissingError,
    EntryId,
    EntryState,
    MemberId,
    UnitMissingError,
    UnknownMemberError,
    UnknownPairError,
    require_open,
    require_room,
    require_room_in_all,
)
from app.registrations.rules.changes import ApplicationState, ChangeKind
from app.registrations.rules.entries import MAX_ID, REVIEWABLE


@dataclass(frozen=True, slots=True)
class Leader:
    """The signed-in person in one competition, allowed to write there now."""

    user_id: int
    competition: CompetitionView

    @property
    def event(self) -> EventView:
        return self.competition.event


@dataclass(frozen=True, slots=True)
class Party:
    """The leader with the unit for which he writes."""

    leader: Leader
    unit: Unit

    @property
    def event(self) -> EventView:
        return self.leader.event


def leader_of(ctx: CommandContext, slug: str, *, any_time: bool = False) -> Leader:
    """The signed-in leader, inside the window and after the privacy notice.

    The consent row is locked until the commit: a leader's writes on two devices run one after the other.
    """
    user_id = ctx.actor.require_signed_in()
    competition = competitions.competition(slug)
    if not any_time:
        require_open(competition.event.regulation, ctx.now)
    if consent_of(ctx, user_id, competition.id) is None:
        raise ConsentMissingError
    return Leader(user_id, competition)


def require_consent(ctx: CommandContext, slug: str) -> int:
    """The signed-in person who agreed to the privacy notice in force; his writes run one after the other."""
    return leader_of(ctx, slug, any_time=True).user_id


def consent_of(ctx: CommandContext, user_id: int, competition_id: int) -> Consent | None:
    return ctx.session.scalar(
        select(Consent)
        .where(
            Consent.user_id == user_id,
            Consent.competition_id == competition_id,
            Consent.notice_version == NOTICE_VERSION,
        )
        .with_for_update(key_share=True)
    )


def own_unit(ctx: CommandContext, leader: Leader) -> Unit | None:
    return ctx.session.scalar(
        select(Unit).where(
            Unit.competition_id == leader.competition.id, Unit.leader_user_id == leader.user_id
        )
    )


def required_unit(ctx: CommandContext, leader: Leader) -> Unit:
    unit = own_unit(ctx, leader)
    if unit is None:
        raise UnitMissingError
    return unit


def own_member(
    ctx: CommandContext, leader: Leader, unit: Unit, member_id: MemberId
) -> tuple[Member, Entry, EntryMember]:
    """A member of the leader's own unit; anybody else's member does not exist for this leader."""
    if member_id > MAX_ID:
        raise UnknownMemberError
    row = ctx.session.execute(
        select(Member, Entry, EntryMember)
        .join(EntryMember, EntryMember.member_id == Member.id)
        .join(Entry, Entry.id == EntryMember.entry_id)
        .where(Member.id == member_id, Member.unit_id == unit.id, Entry.event_id == leader.event.id)
        .with_for_update(of=Entry, key_share=True)  # the committee may be deciding it
    ).one_or_none()
    if row is None:
        raise UnknownMemberError
    member, entry, link = row
    return member, entry, link


def own_entry(ctx: CommandContext, leader: Leader, unit: Unit, entry_id: EntryId) -> Entry:
    """An entry of the leader's own unit; anybody else's does not exist for this leader."""
    if entry_id > MAX_ID:
        raise UnknownPairError
    entry: Entry | None = ctx.session.scalar(
        select(Entry)
        .where(Entry.id == entry_id, Entry.unit_id == unit.id, Entry.event_id == leader.event.id)
        .with_for_update(key_share=True)  # the committee may be deciding it
    )
    if entry is None:
        raise UnknownPairError
    return entry


def entered(ctx: CommandContext, event_id: int, unit_id: int, *, late: bool = False) -> int:
    """How many entries of this unit count towards its quota. ``late``: after the deadline, see ``counts_late``."""
    return _standing(ctx, Entry.event_id == event_id, Entry.unit_id == unit_id, *counts_late(late))


def entered_in_all(ctx: CommandContext, event_id: int, *, late: bool = False) -> int:
    """How many entries count towards the quota of the event; nobody else enters until this command ends."""
    competitions_service.lock_event(ctx, event_id)
    return _standing(ctx, Entry.event_id == event_id, *counts_late(late))


def counts_late(late: bool) -> tuple[ColumnElement[bool], ...]:
    """After the deadline a draft takes a place only where an application made it: nobody can hand in another any more."""
    if not late:
        return ()
    made = select(ChangeApplication.made_entry_id).where(ChangeApplication.made_entry_id.is_not(None))
    return (or_(Entry.state != EntryState.DRAFT.value, Entry.id.in_(made)),)


def _standing(ctx: CommandContext, *where: ColumnElement[bool]) -> int:
    """Whoever is to come in somebody's place takes no place of his own while that waits."""
    in_place_of = select(ChangeApplication.made_entry_id).where(
        ChangeApplication.kind == ChangeKind.REPLACE.value,
        ChangeApplication.state == ApplicationState.WAITING.value,
        ChangeApplication.made_entry_id.is_not(None),
    )
    return (
        ctx.session.scalar(
            select(func.count())
            .select_from(Entry)
            .where(*where, Entry.state != EntryState.WITHDRAWN.value, Entry.id.not_in(in_place_of))
        )
        or 0
    )


def named_for_team(
    ctx: CommandContext, event_id: int, unit_id: int, *, beside: int | None = None, late: bool = False
) -> int:
    """How many of the unit's entries its form names for the team, one entry left out."""
    statement = (
        select(func.count())
        .select_from(Entry)
        .where(
            Entry.event_id == event_id,
            Entry.unit_id == unit_id,
            Entry.in_team.is_(True),
            Entry.state != EntryState.WITHDRAWN.value,
            *counts_late(late),
        )
    )
    if beside is not None:
        statement = statement.where(Entry.id != beside)
    return ctx.session.scalar(statement) or 0


def require_places(ctx: CommandContext, leader: Leader, unit_id: int, *, late: bool = False) -> None:
    """Refuse one more entry where the unit's quota or that of the whole event is used up."""
    regulation, event_id = leader.event.regulation, leader.event.id
    require_room(regulation, entered(ctx, event_id, unit_id, late=late))
    if regulation.registration.entries_in_all is not None:
        require_room_in_all(regulation, entered_in_all(ctx, event_id, late=late))


def back_to_review(ctx: CommandContext, entry: Entry) -> None:
    entry.revision += 1
    if entry.state != EntryState.DRAFT:
        entry.state = EntryState.SUBMITTED.value
        entry.submitted_at = ctx.now
        entry.decided_at = entry.decided_by_id = entry.reason = None
        entry.override_clause = entry.override_reason = None


def send_back(ctx: CommandContext, unit: Unit) -> int:
    """Bring every reviewed or submitted entry of the unit back to review. Returns how many."""
    entries = ctx.session.scalars(
        select(Entry)
        .where(Entry.unit_id == unit.id, Entry.state.in_([state.value for state in REVIEWABLE]))
        .order_by(Entry.id)
        .with_for_update(key_share=True)
    ).all()
    for entry in entries:
        back_to_review(ctx, entry)
    ctx.session.flush()
    return len(entries)


def erase(member: Member, link: EntryMember) -> None:
    """Forget who this is, but for the name."""
    member.id_number = member.phone = None
    member.person_hash = link.person_hash = person_hash(f"erased member {member.id}")
