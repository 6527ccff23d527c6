from __future__ import annotations

import secrets
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.jobs import Job
from app.notifications.models import Message
from app.notifications.rules import MAX_TRIES, Channel, MessageState
from app.notifications.transports import DeliveryError, deliver
from app.text import T

RETRY_AFTER = timedelta(seconds=30)
"""A message still queued after this long was lost by the broker or failed; the sweep sends it again."""


def queue_message(ctx: CommandContext, *, channel: Channel, recipient: str, subject: T, body: T) -> int:
    """Put a message into the outbox, in this command's transaction; a worker sends it after the commit."""
    message = Message(
        channel=channel.value,
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


def send_message(ctx: CommandContext, message_id: int, *, smtp_url: str, sender: str, outbox: Path) -> None:
    """Send one queued message. Safe to run twice: a message already sent is left alone."""
    message = ctx.session.get(Message, message_id, with_for_update={"key_share": True})
    if message is None or message.state == MessageState.SENT.value:
        return
    message.tries += 1
    try:
        deliver(
            Channel(message.channel),
            recipient=message.recipient,
            subject=message.subject,
            body=message.body,
            message_id=message.message_id,
            sender=sender,
            smtp_url=smtp_url,
            outbox=outbox,
        )
    except DeliveryError as error:
        if message.tries >= MAX_TRIES:
            message.state = MessageState.FAILED.value
        ctx.record(AuditAction.MESSAGE_SENT, message, delivered=False, reason=str(error)[:100])
        return
    message.state, message.sent_at = MessageState.SENT.value, ctx.now
    ctx.record(AuditAction.MESSAGE_SENT, message, delivered=True)


def sweep(ctx: CommandContext) -> int:
    """Queue again what should have been sent by now. Returns how many."""
    waiting = ctx.session.scalars(
        select(Message.id).where(
            Message.state == MessageState.QUEUED.value, Message.queued_at < ctx.now - RETRY_AFTER
        )
    ).all()
    for message_id in waiting:
        ctx.after_commit(Job.SEND_MESSAGE, message_id=message_id)
    return len(waiting)
