"""What is deleted: messages that have done their work, and everything that went to a person who is forgotten."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.database import lock_name
from app.notifications.models import MailFile, Message, MessageFile
from app.notifications.rules import Channel
from app.notifications.service.queueing import FILES_LOCK

AT_ONCE = 500
"""Rows named in one statement."""


def purge(ctx: CommandContext, *, keep_days: int, outbox: Path) -> int:
    """Delete messages that have done their work, with their files in the outbox folder. Returns how many.

    A text message (it may hold a code) is kept a day, any other ``keep_days``. A file goes with the last message that has it;
    a copy in the outbox folder whose message is gone is deleted too.
    """
    kept_until = {Channel.SMS: timedelta(days=1), Channel.EMAIL: timedelta(days=keep_days)}
    purged = 0
    for channel, kept in kept_until.items():
        old = ctx.session.scalars(
            select(Message.id).where(Message.channel == channel.value, Message.queued_at < ctx.now - kept)
        ).all()
        _delete_messages(ctx, old)
        purged += len(old)
    lock_name(ctx.session, FILES_LOCK)
    # looked for first: on a night with nothing to delete nothing is written, so nothing has to be on record
    files = ctx.session.scalars(
        select(MailFile.id).where(MailFile.id.not_in(select(MessageFile.file_id)))
    ).all()
    for start in range(0, len(files), AT_ONCE):
        ctx.session.execute(delete(MailFile).where(MailFile.id.in_(files[start : start + AT_ONCE])))
    _tidy(ctx, outbox)
    if purged or files:
        ctx.record(AuditAction.MESSAGES_PURGED, ("Message", "all"), count=purged, files=len(files))
    return purged


def forget_people(ctx: CommandContext, user_ids: Collection[int], hashes: Collection[str]) -> int:
    """Delete every message to these people or addresses; what lies in the outbox folder goes with the next purge.

    Returns how many.
    """
    theirs = ctx.session.scalars(
        select(Message.id).where(Message.user_id.in_(user_ids) | Message.recipient_hash.in_(hashes))
    ).all()
    _delete_messages(ctx, theirs)
    if theirs:
        ctx.record(AuditAction.MESSAGES_PURGED, ("Message", "all"), count=len(theirs))
    return len(theirs)


def _delete_messages(ctx: CommandContext, ids: Sequence[int]) -> None:
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        ctx.session.execute(delete(MessageFile).where(MessageFile.message_id.in_(some)))
        ctx.session.execute(delete(Message).where(Message.id.in_(some)))


def _tidy(ctx: CommandContext, outbox: Path) -> None:
    """Delete the copies in the outbox folder that belong to no message."""
    if not outbox.is_dir():
        return
    names: set[Any] = set(ctx.session.scalars(select(Message.message_id)))
    for path in outbox.glob("*.txt"):
        if path.stem not in names:
            path.unlink(missing_ok=True)
