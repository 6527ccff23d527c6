from __future__ import annotations

import secrets
from datetime import timedelta
from pathlib import Path

from sqlalchemy import delete, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.jobs import Job
from app.notifications.models import Message
from app.notifications.rules import MAX_TRIES, Channel, MessageState, Outgoing
from app.text import T

RETRY_AFTER = timedelta(seconds=60)
"""A message still waiting, or in a worker's hands, after this long is taken up again by the sweep."""


def queue_message(ctx: CommandContext, *, channel: Channel, recipient: str, subject: T, body: T) -> int:
    """Put a message into the outbox, in this command's transaction; a worker sends it after the commit."""
    message = Message(
        channel=channel.value,
        kind="notice",
        language="zh",
        recipient=recipient,
        subject=str(subject),
        body=str(body),
        state=MessageState.QUEUED.value,
        queued_at=ctx.now,
        message_id=f"{secrets.token_hex(16)}@saishi",
    )
    ctx.session.add(message)
    ctx.session.flush()
    ctx.record(AuditAction.MESSAGE_QUEUED, message, channel=channel.value)
    ctx.after_commit(Job.SEND_MESSAGE, message_id=message.id)
    return message.id


def claim(ctx: CommandContext, message_id: int) -> Outgoing | None:
    """Take a queued message for sending; None if it is sent, failed, or in another worker's hands.

    Sending itself happens outside any transaction: a slow mail server must not hold the database.
    """
    message = ctx.session.get(Message, message_id, with_for_update={"key_share": True})
    if message is None or message.state not in {MessageState.QUEUED.value, MessageState.SENDING.value}:
        return None
    if message.claimed_at is not None and ctx.now < message.claimed_at + RETRY_AFTER:
        return None
    message.state, message.claimed_at = MessageState.SENDING.value, ctx.now
    message.tries += 1
    ctx.record(AuditAction.MESSAGE_CLAIMED, message, attempt=message.tries)
    return Outgoing(
        id=message.id,
        channel=Channel(message.channel),
        recipient=message.recipient,
        subject=message.subject,
        body=message.body,
        message_id=message.message_id,
    )


def record_delivery(ctx: CommandContext, message_id: int, *, refused: str | None) -> None:
    """Note that a claimed message left, or why not; it is tried again until ``MAX_TRIES``."""
    message = ctx.session.get_one(Message, message_id, with_for_update={"key_share": True})
    message.claimed_at = None
    if refused is None:
        message.state, message.sent_at = MessageState.SENT.value, ctx.now
    else:
        message.state = (MessageState.FAILED if message.tries >= MAX_TRIES else MessageState.QUEUED).value
    ctx.record(AuditAction.MESSAGE_SENT, message, delivered=refused is None, reason=(refused or "")[:100])


def sweep(ctx: CommandContext) -> int:
    """Queue again what should have left by now: lost by the broker, or claimed by a worker that died. How many."""
    overdue = ctx.now - RETRY_AFTER
    waiting = ctx.session.scalars(
        select(Message.id).where(
            ((Message.state == MessageState.QUEUED.value) & (Message.queued_at < overdue))
            | ((Message.state == MessageState.SENDING.value) & (Message.claimed_at < overdue))
        )
    ).all()
    for message_id in waiting:
        ctx.after_commit(Job.SEND_MESSAGE, message_id=message_id)
    return len(waiting)


def purge(ctx: CommandContext, *, keep_days: int, outbox: Path) -> int:
    """Delete messages that have done their work, with their files in the outbox folder. Returns how many.

    A text message (it may hold a code) is kept a day, any other ``keep_days``.
    """
    kept_until = {Channel.SMS: timedelta(days=1), Channel.EMAIL: timedelta(days=keep_days)}
    purged = 0
    for channel, kept in kept_until.items():
        old = ctx.session.execute(
            select(Message.id, Message.message_id).where(
                Message.channel == channel.value, Message.queued_at < ctx.now - kept
            )
        ).all()
        for row in old:
            (outbox / f"{row.message_id}.txt").unlink(missing_ok=True)
        ctx.session.execute(delete(Message).where(Message.id.in_([row.id for row in old])))
        purged += len(old)
    if purged:
        ctx.record(AuditAction.MESSAGES_PURGED, ("Message", "all"), count=purged)
    return purged
