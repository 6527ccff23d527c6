"""What becomes of change applications (变更申请) whose entry leaves another way, or whose people are erased."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def erase_applications(ctx: CommandContext, applications: Iterable[ChangeApplication]) -> int:
    """Forget what was written in applications and their letters; that there were any, and what came of them, stays.

    Raises nothing where some were erased before. Whoever calls has asked for permission.
    """
    rows = [row for row in applications if row.reason or row.proposal or row.answer]
    for row in rows:
        row.reason, row.proposal, row.answer = "", None, None
    letters = release_letters(ctx, [row.id for row in rows])
    if rows:
        ctx.session.flush()
        uploads.erase(ctx, letters)
        ctx.record(
            AuditAction.CHANGES_ERASED,
            ("Competition", rows[0].competition_id),
            applications=[row.id for row in rows],
            files=len(letters),
        )
    return len(rows)


def release_letters(ctx: CommandContext, application_ids: Sequence[int]) -> list[int]:
    """Take the letters out of applications; the ids of their uploads, which the caller deletes in the same command."""
    mine = ChangeApplicationFile.application_id.in_(application_ids)
    letters = list(ctx.session.scalars(select(ChangeApplicationFile.upload_id).where(mine)))
    ctx.session.execute(delete(ChangeApplicationFile).where(mine))
    return letters
