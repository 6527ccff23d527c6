"""Erasing personal data after the event (赛后删除), and holding that back while somebody still needs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select

from app.accounts import service as accounts
from app.actors import Role
from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.database import lock_name
from app.registrations.models import Entry, EntryMember, Member, PurgeHold, Unit
from app.registrations.rules import EntryState
from app.registrations.rules.purging import check_hold
from app.registrations.service.access import erase
from app.registrations.service.applications import end_applications, erase_applications_about
from app.registrations.service.entries import drop_entry, rows_of


@dataclass(frozen=True, slots=True)
class PersonalDataErased:
    """How many members' numbers and units' contacts were erased."""

    members: int
    contacts: int


def erase_personal_data(ctx: CommandContext, competition_id: int, *, purge_days: int) -> PersonalDataErased:
    """Erase ID numbers and phones of a competition whose day has come (``queries.is_purge_due``).

    Names, units and results stay: they are published. The keyed hash of the ID number goes too, because whoever
    holds the key could search it. Safe to run twice: what is erased is not found again.
    """
    members = ctx.session.execute(
        select(Member, EntryMember)
        .join(EntryMember, EntryMember.member_id == Member.id)
        .join(Unit, Unit.id == Member.unit_id)
        .where(Unit.competition_id == competition_id, Member.id_number.is_not(None))
    ).all()
    for member, link in members:
        erase(member, link)
    units = ctx.session.scalars(
        select(Unit).where(Unit.competition_id == competition_id, Unit.contact_phone.is_not(None))
    ).all()
    for unit in units:
        unit.contact_name = unit.contact_phone = None
    reasons = ctx.session.scalars(
        select(Entry)
        .join(Unit, Unit.id == Entry.unit_id)
        .where(Unit.competition_id == competition_id, Entry.override_reason.is_not(None))
    ).all()
    for entry in reasons:
        entry.override_reason = (
            None  # may speak of a person's circumstances; that a clause was set aside stays
        )
    ctx.session.flush()
    if members or units or reasons:
        _forget_leaders(ctx, competition_id)
        ctx.record(
            AuditAction.PERSONAL_DATA_PURGED,
            ("Competition", competition_id),
            members=len(members),
            contacts=len(units),
            days=purge_days,
        )
    return PersonalDataErased(len(members), len(units))


def erase_member(ctx: CommandContext, member_id: int) -> None:
    """Blank ID number and phone of one member on request (删除请求); his name stays where it was published. What was written in change
    applications about his entries goes with their letters, and why a rule was set aside for them (特批理由)."""
    entry_ids: list[int] = []
    for member, link in ctx.session.execute(
        select(Member, EntryMember)
        .join(EntryMember, EntryMember.member_id == Member.id)
        .where(Member.id == member_id)
    ).all():
        erase(member, link)
        entry_ids.append(link.entry_id)
    for entry in ctx.session.scalars(
        select(Entry).where(Entry.id.in_(entry_ids), Entry.override_reason.is_not(None))
    ):
        entry.override_reason = None  # as in the purge
    ctx.session.flush()
    for entry in ctx.session.scalars(
        select(Entry)
        .where(Entry.id.in_(entry_ids), Entry.state != EntryState.DRAFT.value)
        .order_by(Entry.id)
        .with_for_update(key_share=True)
    ).all():
        # an application without its words cannot be answered; who was to come leaves with it
        for draft in end_applications(ctx, entry):
            drop_entry(ctx, draft, rows_of(ctx, draft))
    erase_applications_about(ctx, entry_ids)


def withdraw_member(ctx: CommandContext, member_id: int) -> None:
    """Withdraw every entry in which a member stands, on request: drafts disappear, the rest stays as withdrawn (已退赛).

    Whoever calls has asked for permission and knows that no list is published and nothing drawn.
    """
    entries = ctx.session.scalars(
        select(Entry)
        .where(
            Entry.id.in_(select(EntryMember.entry_id).where(EntryMember.member_id == member_id)),
            Entry.state != EntryState.WITHDRAWN.value,
        )
        .order_by(Entry.id)
        .with_for_update(key_share=True)  # the committee may be deciding it
    ).all()
    for entry in entries:
        was, entry_id = entry.state, entry.id
        drop_entry(ctx, entry, rows_of(ctx, entry))
        ctx.record(AuditAction.MEMBER_REMOVED, ("Member", member_id), entry_id=entry_id, was=was)


def hold_purging(ctx: CommandContext, competition_id: int) -> None:
    """Steps of a purge, and whoever holds it back, go one after the other: once a hold is told, nothing more goes, and of
    two workers one makes the report."""
    lock_name(ctx.session, f"purge of {competition_id}")


def hold(ctx: CommandContext, *, slug: str, reason: str, until: date) -> None:
    """Hold the purge back (暂缓删除) through the day ``until``, while an objection or appeal is open. For the organiser.

    Held again, the new reason and day count. Raises ``HoldRefusedError``.
    """
    competition_id = competitions.competition_id(slug)
    ctx.actor.require(competition_id, Role.ORGANISER)
    check_hold(reason, until, beijing_date(ctx.now))
    hold_purging(ctx, competition_id)
    row = ctx.session.get(PurgeHold, competition_id, with_for_update=True)
    if row is None:
        row = PurgeHold(competition_id=competition_id)
        ctx.session.add(row)
    row.reason, row.until = reason.strip(), until
    row.held_at, row.held_by_id = ctx.now, ctx.actor.require_signed_in()
    ctx.session.flush()
    ctx.record(AuditAction.PURGE_HELD, ("Competition", competition_id), until=until.isoformat())


def release_hold(ctx: CommandContext, *, slug: str) -> None:
    """End a hold; the next run deletes what is due. Again: nothing more happens."""
    competition_id = competitions.competition_id(slug)
    ctx.actor.require(competition_id, Role.ORGANISER)
    row = ctx.session.get(PurgeHold, competition_id, with_for_update=True)
    if row is None:
        return
    ctx.session.delete(row)
    ctx.session.flush()
    ctx.record(AuditAction.PURGE_HOLD_RELEASED, ("Competition", competition_id))


def _forget_leaders(ctx: CommandContext, competition_id: int) -> None:
    """Leaders who have nothing else here: their phone number served this competition only."""
    leaders = select(Unit.leader_user_id).where(Unit.competition_id == competition_id)
    busy = select(Unit.leader_user_id).where(Unit.contact_phone.is_not(None))
    done = set(ctx.session.scalars(leaders)) - set(ctx.session.scalars(busy))
    accounts.forget_users(ctx, done)
