"""How a message leaves: claimed by one worker, sent outside any transaction, and what became of it noted."""

from __future__ import annotations

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.jobs import Job
from app.notifications import letters, links
from app.notifications.letters import confidential_kinds
from app.notifications.models import MailFile, MailOptOut, Message, MessageFile
from app.notifications.rules import (
    CLAIM_FOR,
    RETRY_AFTER,
    Attachment,
    Channel,
    MessageState,
    NotFailedError,
    Outgoing,
    Refusal,
    UnknownMessageError,
    is_reached,
    longest_wait,
    next_try,
    one_line,
    require_may_read,
)
from app.notifications.service.queueing import is_sample

AT_ONCE = 200
"""How many messages one sweep hands to the workers; the oldest first, the rest with the next."""

STOPPED = "opted out"
"""Why a letter was not sent whose reader stopped such mail while it was waiting."""


def claim(ctx: CommandContext, message_id: int) -> Outgoing | None:
    """Take a queued message for sending; None if it is sent, failed, not due yet or in another worker's hands.

    Sending itself happens outside any transaction: a slow mail server must not hold the database. A message found in the
    hands of a worker that died may have left: from now on every try says that it may be a repeat.
    """
    message = ctx.session.get(Message, message_id, with_for_update={"key_share": True})
    if message is None or message.state not in {MessageState.QUEUED.value, MessageState.SENDING.value}:
        return None
    # the clocks of two machines differ a little: what is up to a claim ahead was claimed just now
    if message.claimed_at and not is_reached(message.claimed_at + CLAIM_FOR, ctx.now, 2 * CLAIM_FOR):
        return None
    if message.state == MessageState.QUEUED.value and message.next_try_at:
        longest = longest_wait(Channel(message.channel))
        if not is_reached(message.next_try_at, ctx.now, longest):
            return None
    if _stopped_since(ctx, message):
        message.state, message.last_error = MessageState.FAILED.value, STOPPED
        ctx.record(AuditAction.MESSAGE_SENT, message, delivered=False, reason=STOPPED)
        return None
    if message.state == MessageState.SENDING.value and message.uncertain_at is None:
        message.uncertain_at = ctx.now
    if message.uncertain_at is not None:
        message.repeats += 1
    message.state, message.claimed_at, message.next_try_at = MessageState.SENDING.value, ctx.now, None
    message.tries += 1
    ctx.record(AuditAction.MESSAGE_CLAIMED, message, attempt=message.tries)
    return _outgoing(ctx, message)


def _stopped_since(ctx: CommandContext, message: Message) -> bool:
    if message.recipient_hash is None or letters.is_essential(message.kind) or is_sample(message.key):
        return False
    stopped = select(MailOptOut.id).where(MailOptOut.recipient_hash == message.recipient_hash)
    return ctx.session.scalar(stopped) is not None


def _outgoing(ctx: CommandContext, message: Message) -> Outgoing:
    files = ctx.session.execute(
        select(MessageFile.name, MailFile.media_type, MailFile.content)
        .join(MailFile, MailFile.id == MessageFile.file_id)
        .where(MessageFile.message_id == message.id)
        .order_by(MessageFile.position)
    ).all()
    stop = None
    if message.recipient_hash is not None and not letters.is_essential(message.kind):
        stop = links.full(links.stop_path(message.recipient_hash))
    return Outgoing(
        id=message.id,
        channel=Channel(message.channel),
        recipient=message.recipient,
        subject=message.subject,
        body=message.body,
        message_id=message.message_id,
        queued_at=message.queued_at,
        attempt=message.tries,
        language=message.language,
        html=message.html,
        files=tuple(Attachment(*row) for row in files),
        in_reply_to=message.in_reply_to,
        automatic=message.automatic,
        repeats=message.repeats,
        stop_url=stop,
    )


def record_delivery(ctx: CommandContext, sent: Outgoing, refusal: Refusal | None) -> None:
    """Note that a claimed message left, or why not; it is tried again until ``BACK_OFF`` ends or the refusal is final.

    A worker that was so slow that another took the message from it can still say that it left, but not that it failed.
    """
    message = ctx.session.get(Message, sent.id, with_for_update={"key_share": True})
    if message is None:  # purged meanwhile
        return
    ours = message.state == MessageState.SENDING.value and message.tries == sent.attempt
    if refusal is None:
        message.sent_at, message.last_error = ctx.now, None
        message.claimed_at = message.next_try_at = None
        if message.bounced_at is None:  # else it came back before this was noted
            message.state = MessageState.SENT.value
    elif ours:
        again = None if refusal.permanent else next_try(Channel(message.channel), message.tries, ctx.now)
        message.state = (MessageState.FAILED if again is None else MessageState.QUEUED).value
        message.next_try_at, message.claimed_at = again, None
        message.last_error = refusal.reason[:200]
        if refusal.uncertain and message.uncertain_at is None:
            message.uncertain_at = ctx.now
    ctx.record(
        AuditAction.MESSAGE_SENT,
        message,
        delivered=refusal is None,
        reason=refusal.reason[:100] if refusal else "",
    )


def sweep(ctx: CommandContext) -> int:
    """Hand to a worker what should have left by now: due again, lost by the broker, or claimed by a worker that died.

    Returns how many.
    """
    longest = max(longest_wait(each) for each in Channel)
    due = (
        (Message.next_try_at <= ctx.now)
        | (Message.next_try_at > ctx.now + longest)
        | (
            Message.next_try_at.is_(None)
            & ~Message.queued_at.between(ctx.now - RETRY_AFTER, ctx.now + RETRY_AFTER)
        )
    )
    left = (Message.claimed_at <= ctx.now - CLAIM_FOR) | (Message.claimed_at > ctx.now + CLAIM_FOR)
    waiting = ctx.session.scalars(
        select(Message.id)
        .where(
            ((Message.state == MessageState.QUEUED.value) & due)
            | ((Message.state == MessageState.SENDING.value) & left)
        )
        .order_by(Message.id)
        .limit(AT_ONCE)
    ).all()
    for message_id in waiting:
        ctx.after_commit(Job.SEND_MESSAGE, message_id=message_id)
    return len(waiting)


def record_bounce(ctx: CommandContext, *, message_id: str, hard: bool, reason: str) -> bool:
    """Note that a letter came back (退信). False: ``message_id`` (without brackets) is none of ours.

    ``hard``: it will never arrive; its state becomes failed. Else the server goes on trying, and only the reason is kept. ``reason``
    is a code without personal data (``550 5.1.1``). The same bounce twice changes nothing.
    """
    message = ctx.session.scalar(
        select(Message)
        .where(Message.message_id == message_id.strip().strip("<>"))
        .with_for_update(key_share=True)
    )
    if message is None or message.channel != Channel.EMAIL.value:
        return False
    if message.bounced_at is not None:
        return True
    message.bounce = one_line(reason, 200)
    if hard:
        message.bounced_at = ctx.now
        message.state, message.claimed_at, message.next_try_at = MessageState.FAILED.value, None, None
    ctx.session.flush()
    ctx.record(AuditAction.MESSAGE_BOUNCED, message, hard=hard, reason=message.bounce[:100])
    return True


def resend(ctx: CommandContext, *, competition_id: int | None, message_id: int) -> None:
    """Try a failed message again at once, with a fresh set of tries and the same Message-ID.

    Raises ``UnknownMessageError``, ``NotFailedError``.
    """
    require_may_read(ctx.actor, competition_id)
    message = ctx.session.get(Message, message_id, with_for_update={"key_share": True})
    if message is None or message.competition_id != competition_id or message.kind in confidential_kinds():
        raise UnknownMessageError
    if competition_id is None and message.channel != Channel.EMAIL.value:  # a code to sign in
        raise UnknownMessageError
    if message.state != MessageState.FAILED.value:
        raise NotFailedError
    message.state, message.tries = MessageState.QUEUED.value, 0
    message.next_try_at, message.claimed_at = ctx.now, None
    message.bounced_at = message.bounce = None
    ctx.session.flush()
    ctx.record(AuditAction.MESSAGE_RESENT, message)
    ctx.after_commit(Job.SEND_MESSAGE, message_id=message.id)
