"""What becomes of change applications (变更申请) whose entry leaves another way, or whose people are erased."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, or_, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.registrations.models import ChangeApplication, ChangeApplicationFile, Entry
from app.registrations.rules.changes import ApplicationState, Proposal
from app.registrations.rules.entries import EntryState
from app.uploads import service as uploads


def end_applications(ctx: CommandContext, entry: Entry) -> list[Entry]:
    """An entry leaves: what waits about it is over. Returns the drafts that were made for those applications.

    Of a draft the application itself is taken back, and no row points at the draft any more.
    """
    rows = ctx.session.scalars(
        select(ChangeApplication)
        .where(or_(ChangeApplication.entry_id == entry.id, ChangeApplication.made_entry_id == entry.id))
        .order_by(ChangeApplication.id)
    ).all()
    drafts: list[Entry] = []
    for row in rows:
        waits = row.state == ApplicationState.WAITING
        made, own = row.made_entry_id, row.made_entry_id == entry.id
        if own and entry.state == EntryState.DRAFT:
            row.made_entry_id = None
        elif waits and made is not None and not own:
            drafts.append(ctx.session.get_one(Entry, made))
            row.made_entry_id = None
        if waits:
            ended = ApplicationState.TAKEN_BACK if own else ApplicationState.OVERTAKEN
            row.state, row.decided_at = ended.value, ctx.now
            row.proposal = Proposal.unpacked(row.proposal).without_numbers().packed()
            ctx.record(AuditAction.CHANGE_OVERTAKEN, row, state=row.state)
    ctx.session.flush()
    return drafts


def erase_applications_about(ctx: CommandContext, entry_ids: Sequence[int]) -> None:
    """Forget what was written in applications about these entries, with their letters. The caller has asked for permission."""
    rows = ctx.session.scalars(
        select(ChangeApplication).where(
            or_(ChangeApplication.entry_id.in_(entry_ids), ChangeApplication.made_entry_id.in_(entry_ids)),
            ChangeApplication.proposal.is_not(None),
        )
    ).all()
    if rows:
        uploads.erase(ctx, _forget(ctx, rows))


def forget_applications(ctx: CommandContext, competition_id: int, most: int) -> tuple[int, list[int]]:
    """Forget what was written in the next applications of a competition whose day has come: how many, and the uploads of their
    letters, which the caller deletes in the same command. That there were any, and what came of them, stays."""
    rows = ctx.session.scalars(
        select(ChangeApplication)
        .where(ChangeApplication.competition_id == competition_id, ChangeApplication.proposal.is_not(None))
        .order_by(ChangeApplication.id)
        .limit(most)
    ).all()
    return len(rows), _forget(ctx, rows) if rows else []


def _forget(ctx: CommandContext, rows: Sequence[ChangeApplication]) -> list[int]:
    for row in rows:
        row.reason, row.proposal, row.answer = "", None, None
    letters = _release_letters(ctx, [row.id for row in rows])
    ctx.session.flush()
    ctx.record(
        AuditAction.CHANGES_ERASED,
        ("Competition", rows[0].competition_id),
        applications=[row.id for row in rows],
        files=len(letters),
    )
    return letters


def _release_letters(ctx: CommandContext, application_ids: Sequence[int]) -> list[int]:
    mine = ChangeApplicationFile.application_id.in_(application_ids)
    letters = list(ctx.session.scalars(select(ChangeApplicationFile.upload_id).where(mine)))
    ctx.session.execute(delete(ChangeApplicationFile).where(mine))
    return letters
