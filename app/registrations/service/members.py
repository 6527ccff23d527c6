from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions.queries import EventView
from app.database import person_hash
from app.registrations.models import Entry, EntryMember, Member, Unit
from app.registrations.rules import (
    DuplicatePersonError,
    EntryState,
    MemberData,
    MemberId,
    MemberWithdrawnError,
    check_member,
    require_room,
)
from app.registrations.service.access import (
    back_to_review,
    entered,
    erase,
    leader_of,
    own_member,
    required_unit,
)


def add_member(
    ctx: CommandContext,
    *,
    slug: str,
    name: str = "",
    id_number: str = "",
    phone: str = "",
    employment: str = "",
) -> MemberId:
    """Add a member (队员) with a draft entry in the event.

    Raises ``MemberRefusedError`` with every wrong field, ``DuplicatePersonError``, ``QuotaFullError``.
    """
    leader = leader_of(ctx, slug)
    unit = required_unit(ctx, leader)
    data = check_member(
        name=name,
        id_number=id_number,
        phone=phone,
        employment=employment,
        regulation=leader.event.regulation,
        today=beijing_date(ctx.now),
    )
    require_room(leader.event.regulation, entered(ctx, leader.event.id, unit.id))
    person = person_hash(data.identity.number)
    try:
        with ctx.session.begin_nested():
            member = Member(unit_id=unit.id, created_at=ctx.now)
            _fill(member, data, person)
            entry = Entry(event_id=leader.event.id, unit_id=unit.id, state=EntryState.DRAFT.value)
            ctx.session.add_all([member, entry])
            ctx.session.flush()  # assigns both ids
            ctx.session.add(
                EntryMember(
                    entry_id=entry.id, member_id=member.id, event_id=leader.event.id, person_hash=person
                )
            )
    except IntegrityError as error:
        raise _duplicate(ctx, leader.event, unit, person) from error
    ctx.record(AuditAction.MEMBER_ADDED, member, entry_id=entry.id)
    return MemberId(member.id)


def change_member(
    ctx: CommandContext,
    *,
    slug: str,
    member_id: MemberId,
    name: str = "",
    id_number: str = "",
    phone: str = "",
    employment: str = "",
) -> None:
    """Change a member. An empty ID number or phone keeps the stored one, which the form never shows in full.

    A changed entry that was already submitted or decided goes back to review (待审核).
    """
    leader = leader_of(ctx, slug)
    unit = required_unit(ctx, leader)
    member, entry, link = own_member(ctx, leader, unit, member_id)
    if entry.state == EntryState.WITHDRAWN:
        raise MemberWithdrawnError
    data = check_member(
        name=name,
        id_number=id_number or member.id_number or "",
        phone=phone or member.phone or "",
        employment=employment,
        regulation=leader.event.regulation,
        today=beijing_date(ctx.now),
    )
    before = (member.name, member.id_number, member.phone, member.employment)
    if before == (data.name, data.identity.number, data.phone, data.employment or ""):
        return
    person = person_hash(data.identity.number)
    try:
        with ctx.session.begin_nested():
            _fill(member, data, person)
            link.person_hash = person
    except IntegrityError as error:
        raise _duplicate(ctx, leader.event, unit, person) from error
    back_to_review(ctx, entry)
    ctx.session.flush()
    ctx.record(AuditAction.MEMBER_CHANGED, member, entry_id=entry.id, state=entry.state)


def remove_member(ctx: CommandContext, *, slug: str, member_id: MemberId) -> None:
    """Remove a member before the deadline: a draft disappears, a submitted entry stays visible as withdrawn (已退赛).

    A withdrawn person's ID number and phone are erased, and another unit may enter them.
    """
    leader = leader_of(ctx, slug)
    unit = required_unit(ctx, leader)
    member, entry, link = own_member(ctx, leader, unit, member_id)
    if entry.state == EntryState.WITHDRAWN:
        raise MemberWithdrawnError
    was = entry.state
    if was == EntryState.DRAFT:
        ctx.session.delete(link)
        ctx.session.flush()  # the link refers to both
        ctx.session.delete(entry)
        ctx.session.delete(member)
    else:
        entry.state = EntryState.WITHDRAWN.value
        entry.revision += 1
        erase(member, link)
    ctx.session.flush()
    ctx.record(AuditAction.MEMBER_REMOVED, ("Member", member_id), entry_id=entry.id, was=was)


def _fill(member: Member, data: MemberData, person: str) -> None:
    member.name, member.employment = data.name, data.employment.value if data.employment else ""
    member.id_number, member.person_hash, member.phone = data.identity.number, person, data.phone


def _duplicate(ctx: CommandContext, event: EventView, unit: Unit, person: str) -> DuplicatePersonError:
    """Which list the person is on already; the constraint decided the race, this only finds the words."""
    own = ctx.session.scalar(select(Member.id).where(Member.unit_id == unit.id, Member.person_hash == person))
    return DuplicatePersonError(same_unit=own is not None, clause=event.regulation.clause_of("entry"))
