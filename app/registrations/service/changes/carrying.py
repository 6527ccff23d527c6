"""What a granted application does, in the same transaction: the entry is made, changed or withdrawn."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import service as competitions_service
from app.database import person_hash
from app.registrations.models import ChangeApplication, Entry, EntryMember, Member
from app.registrations.rules import EntryState, MemberForm, check_member, require_room, require_room_in_all
from app.registrations.rules.changes import ChangeKind, Proposal
from app.registrations.rules.forms import person_of
from app.registrations.service.access import Party, entered, entered_in_all
from app.registrations.service.changes.following import members_corrected, quits
from app.registrations.service.entries import (
    drop_entry,
    duplicate,
    fill,
    hold,
    rows_of,
    take,
    withdraw_entry,
)


def carry_out(ctx: CommandContext, row: ChangeApplication, party: Party) -> None:
    """Do what the application asks. Its state says granted already, so that nothing here takes it for one that waits.

    Everything that was checked when it was typed is checked again: rules, quota and people may have changed since.
    """
    proposal = Proposal.unpacked(row.proposal)
    row.proposal = proposal.without_numbers().packed()
    kind = ChangeKind(row.kind)
    if kind is ChangeKind.WITHDRAW:
        _withdraw(ctx, row, party)
    elif kind is ChangeKind.CORRECT:
        _correct(ctx, row, party, proposal)
    else:
        made = ctx.session.get_one(Entry, row.made_entry_id)
        if kind is ChangeKind.REPLACE:
            _make_room(ctx, row, made, proposal)
        _approve_made(ctx, row, party, made)
    ctx.session.flush()


def _withdraw(ctx: CommandContext, row: ChangeApplication, party: Party) -> None:
    """Before the draw the entry is withdrawn; afterwards it stays in the field, and plays no further round."""
    entry = ctx.session.get_one(Entry, row.entry_id)
    if competitions_service.lock_event(ctx, row.event_id).entries_closed_at is not None:
        quits(ctx, row.event_id, entry.id)
        return
    was = entry.state
    drop_entry(ctx, entry, rows_of(ctx, entry))
    ctx.record(AuditAction.ENTRY_REMOVED, entry, was=was, application=row.number)


def _correct(ctx: CommandContext, row: ChangeApplication, party: Party, proposal: Proposal) -> None:
    entry = ctx.session.get_one(Entry, row.entry_id)
    chosen = next(each for each in rows_of(ctx, entry) if each[0].id == proposal.member_id)
    form = proposal.form or MemberForm()
    regulation, today = party.event.regulation, beijing_date(ctx.now)
    data = check_member(form, regulation, today, set_aside=entry.override_clause)
    try:
        with ctx.session.begin_nested():
            fill(chosen[0], data)
            take(ctx, [chosen])
    except IntegrityError as error:
        raise duplicate(ctx, party, [data.identity.number], entry) from error
    entry.in_team = data.in_team
    entry.revision += 1
    if not regulation.judge(person_of(data.identity, data.employment, data.declared)):
        entry.override_clause = entry.override_reason = None  # nothing is set aside any more
    members_corrected(ctx, [chosen[0].id])
    _approve(ctx, row, entry)


def _make_room(ctx: CommandContext, row: ChangeApplication, made: Entry, proposal: Proposal) -> None:
    """Who leaves is withdrawn; whoever stays of a pair moves to the new entry, and leaves his name behind in the old one."""
    old = ctx.session.get_one(Entry, row.entry_id)
    rows = rows_of(ctx, old)
    leaving, was = [each for each in rows if each[0].id == proposal.member_id], old.state
    for member, link in [each for each in rows if each not in leaving]:
        _move(ctx, member, link, made)
    withdraw_entry(ctx, old, leaving)
    ctx.record(AuditAction.ENTRY_REMOVED, old, was=was, application=row.number)


def _move(ctx: CommandContext, member: Member, link: EntryMember, made: Entry) -> None:
    left = Member(
        unit_id=member.unit_id,
        name=member.name,
        person_hash=person_hash(f"moved member {member.id} of {link.entry_id}"),
        employment=member.employment,
        unit_name=member.unit_name,
        created_at=ctx.now,
    )
    ctx.session.add(left)
    old, event_id, person = link.entry_id, link.event_id, link.person_hash
    ctx.session.delete(link)
    ctx.session.flush()
    for entry_id, who, hashed in ((old, left, left.person_hash), (made.id, member, person)):
        ctx.session.add(
            EntryMember(entry_id=entry_id, member_id=who.id, event_id=event_id, person_hash=hashed)
        )
    ctx.session.flush()


def _approve_made(ctx: CommandContext, row: ChangeApplication, party: Party, made: Entry) -> None:
    regulation, rows = party.event.regulation, rows_of(ctx, made)
    for member, _ in rows:
        check_member(_form(member, made), regulation, beijing_date(ctx.now))
    # the draft is one of those that are counted
    require_room(regulation, entered(ctx, row.event_id, row.unit_id, late=True) - 1)
    if regulation.registration.entries_in_all is not None:
        require_room_in_all(regulation, entered_in_all(ctx, row.event_id, late=True) - 1)
    if regulation.entry.resubmission is not None:
        hold(ctx, party, made, rows)
    made.submitted_at = row.applied_at
    _approve(ctx, row, made)


def _approve(ctx: CommandContext, row: ChangeApplication, entry: Entry) -> None:
    entry.state, entry.reason = EntryState.APPROVED.value, None
    entry.decided_at, entry.decided_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(AuditAction.ENTRY_APPROVED, entry, revision=entry.revision, application=row.number)


def _form(member: Member, entry: Entry) -> MemberForm:
    return MemberForm(
        name=member.name,
        id_number=member.id_number or "",
        phone=member.phone or "",
        employment=member.employment,
        unit_name=member.unit_name or "",
        declared=frozenset(member.declared or ()),
        in_team=bool(entry.in_team),
    )
