"""Entries of two players (一对): both stand in one form, each with his own data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.registrations.rules import (
    EntryId,
    EntryShapeError,
    EntryState,
    MemberForm,
    PairWithdrawnError,
    check_pair,
)
from app.registrations.service.access import (
    Leader,
    Party,
    leader_of,
    own_entry,
    require_places,
    required_unit,
)
from app.registrations.service.entries import change_entry, drop_entry, new_entry, rows_of, wait_for_turn
from app.registrations.service.parties import party


def add_pair(ctx: CommandContext, *, slug: str, members: Sequence[MemberForm]) -> EntryId:
    """Add a pair as a draft entry. Raises ``MemberRefusedError`` with every wrong field (``members.1.phone``),
    ``DuplicatePersonError``, ``QuotaFullError``, ``EntryShapeError``.
    """
    leader = _leader(ctx, slug)
    people = check_pair(members, leader.event.regulation, beijing_date(ctx.now))
    own = party(ctx, leader, people)
    require_places(ctx, leader, own.unit.id)
    entry = new_entry(ctx, own, people)
    ctx.record(AuditAction.ENTRY_ADDED, entry)
    return EntryId(entry.id)


def change_pair(ctx: CommandContext, *, slug: str, entry_id: EntryId, members: Sequence[MemberForm]) -> None:
    """Change a pair. An empty ID number or phone keeps the stored one. What was submitted goes back to review."""
    leader = _leader(ctx, slug)
    unit = required_unit(ctx, leader)
    wait_for_turn(ctx, leader.event)
    entry = own_entry(ctx, leader, unit, entry_id)
    if entry.state == EntryState.WITHDRAWN:
        raise PairWithdrawnError
    rows = rows_of(ctx, entry)
    typed = [
        replace(
            form or MemberForm(),
            id_number=(form.id_number if form else "") or (row[0].id_number if row else None) or "",
            phone=(form.phone if form else "") or (row[0].phone if row else None) or "",
        )
        for form, row in zip_longest(members, rows)
    ]
    people = check_pair(typed, leader.event.regulation, beijing_date(ctx.now))
    if change_entry(ctx, Party(leader, unit), entry, rows, people):
        ctx.record(AuditAction.ENTRY_CHANGED, entry, state=entry.state)


def remove_pair(ctx: CommandContext, *, slug: str, entry_id: EntryId) -> None:
    """Remove a pair before the deadline: a draft disappears, a submitted entry stays visible as withdrawn (已退赛)."""
    leader = _leader(ctx, slug)
    unit = required_unit(ctx, leader)
    entry = own_entry(ctx, leader, unit, entry_id)
    if entry.state == EntryState.WITHDRAWN:
        raise PairWithdrawnError
    was = entry.state
    drop_entry(ctx, entry, rows_of(ctx, entry))
    ctx.record(AuditAction.ENTRY_REMOVED, ("Entry", entry_id), was=was)


def _leader(ctx: CommandContext, slug: str) -> Leader:
    leader = leader_of(ctx, slug)
    if not leader.event.regulation.in_pairs:
        raise EntryShapeError(leader.event.regulation.entry.clause, pairs=False)
    return leader
