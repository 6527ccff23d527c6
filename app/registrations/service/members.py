"""Members of events that single players enter (个人报名)."""

from __future__ import annotations

from collections.abc import Collection

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.registrations.models import Entry
from app.registrations.rules import (
    EntryShapeError,
    EntryState,
    MemberForm,
    MemberId,
    MemberWithdrawnError,
    check_member,
    require_team_room,
)
from app.registrations.service.access import (
    Leader,
    Party,
    leader_of,
    named_for_team,
    own_member,
    require_places,
    required_unit,
)
from app.registrations.service.entries import change_entry, drop_entry, new_entry, rows_of, wait_for_turn
from app.registrations.service.parties import party


def add_member(
    ctx: CommandContext,
    *,
    slug: str,
    name: str = "",
    id_number: str = "",
    phone: str = "",
    employment: str = "",
    unit_name: str = "",
    declared: Collection[str] = (),
    in_team: bool = False,
) -> MemberId:
    """Add a member (队员) with a draft entry in the event.

    Raises ``MemberRefusedError`` with every wrong field, ``DuplicatePersonError``, ``QuotaFullError``.
    """
    leader = _leader(ctx, slug)
    form = MemberForm(name, id_number, phone, employment, unit_name, frozenset(declared), in_team)
    data = check_member(form, leader.event.regulation, beijing_date(ctx.now))
    own = party(ctx, leader, [data])
    require_places(ctx, leader, own.unit.id)
    if data.in_team:
        require_team_room(leader.event.regulation, named_for_team(ctx, leader.event.id, own.unit.id))
    entry = new_entry(ctx, own, [data])
    ((member, _),) = rows_of(ctx, entry)
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
    unit_name: str = "",
    declared: Collection[str] = (),
    in_team: bool = False,
) -> None:
    """Change a member. An empty ID number or phone keeps the stored one, which the form never shows in full.

    A changed entry that was already submitted or decided goes back to review (待审核).
    """
    leader = _leader(ctx, slug)
    unit = required_unit(ctx, leader)
    wait_for_turn(ctx, leader.event)
    member, entry, link = own_member(ctx, leader, unit, member_id)
    _require_entered(entry)
    form = MemberForm(
        name=name,
        id_number=id_number or member.id_number or "",
        phone=phone or member.phone or "",
        employment=employment,
        unit_name=unit_name,
        declared=frozenset(declared),
        in_team=in_team,
    )
    data = check_member(form, leader.event.regulation, beijing_date(ctx.now))
    if data.in_team:
        others = named_for_team(ctx, leader.event.id, unit.id, beside=entry.id)
        require_team_room(leader.event.regulation, others)
    if change_entry(ctx, Party(leader, unit), entry, [(member, link)], [data]):
        ctx.record(AuditAction.MEMBER_CHANGED, member, entry_id=entry.id, state=entry.state)


def remove_member(ctx: CommandContext, *, slug: str, member_id: MemberId) -> None:
    """Remove a member before the deadline: a draft disappears, a submitted entry stays visible as withdrawn (已退赛).

    A withdrawn person's ID number and phone are erased, and another unit may enter them.
    """
    leader = _leader(ctx, slug)
    unit = required_unit(ctx, leader)
    member, entry, link = own_member(ctx, leader, unit, member_id)
    _require_entered(entry)
    was, entry_id = entry.state, entry.id
    drop_entry(ctx, entry, [(member, link)])
    ctx.record(AuditAction.MEMBER_REMOVED, ("Member", member_id), entry_id=entry_id, was=was)


def _leader(ctx: CommandContext, slug: str) -> Leader:
    leader = leader_of(ctx, slug)
    if leader.event.regulation.in_pairs:
        raise EntryShapeError(leader.event.regulation.entry.clause, pairs=True)
    return leader


def _require_entered(entry: Entry) -> None:
    if entry.state == EntryState.WITHDRAWN:
        raise MemberWithdrawnError
