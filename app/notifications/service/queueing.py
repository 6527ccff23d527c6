"""Putting a message into the outbox, in the transaction of the act it tells of. What is stored is what is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.database import lock_name
from app.jobs import Job
from app.notifications import letters, links
from app.notifications.letters import LETTERS, LetterKind, Rendered
from app.notifications.models import MailFile, MailOptOut, Message, MessageFile
from app.notifications.queries import address_hash
from app.notifications.rules import (
    Attachment,
    Channel,
    MessageState,
    NoMailboxError,
    Recipient,
    file_name,
    one_line,
    require_may_try,
)
from app.text import T

FILES_LOCK = "mail files"
"""Held by whoever gives a stored file to a message, and by the purge that deletes files no message has."""


SAMPLE = "sample:"
"""How the keys of samples begin."""


def is_sample(key: str | None) -> bool:
    """Whether its reader sent for a message to see what it looks like: having stopped such mail does not stop that."""
    return key is not None and key.startswith(SAMPLE)


def queue_message(
    ctx: CommandContext,
    *,
    channel: Channel,
    recipient: str,
    subject: T,
    body: T,
    competition_id: int | None = None,
) -> int:
    """Put a short message in Chinese into the outbox; a worker sends it after the commit."""
    message = Message(
        channel=channel.value,
        kind="notice",
        language="zh",
        competition_id=competition_id,
        recipient=recipient,
        recipient_hash=address_hash(recipient),
        subject=one_line(str(subject)),
        body=str(body),
    )
    _store(ctx, message)
    return message.id


def queue_letter(
    ctx: CommandContext,
    *,
    kind: LetterKind,
    to: Recipient,
    context: Mapping[str, Any],
    competition_id: int | None = None,
    files: Sequence[Attachment] = (),
    key: str | None = None,
    in_reply_to: str | None = None,
    automatic: bool = False,
) -> int | None:
    """Write a letter to ``to`` and put it into the outbox; its id, or None where nothing is written.

    It goes by mail where there is a confirmed address; else, where ``context`` has a sentence ``short``, by text message. None:
    neither way is open, the person has stopped mail that is not essential, or a letter with this ``key`` is there already.
    ``files`` are public. ``in_reply_to`` is the Message-ID that is answered, ``automatic``: by a machine, to a letter of theirs.
    """
    short = context.get("short")
    address = to.email or (to.phone if isinstance(short, T) else None)
    if not address:
        return None
    hashed = address_hash(address)
    if not LETTERS[kind].essential and _stopped(ctx, hashed):
        return None
    if key is not None and ctx.session.scalar(select(Message.id).where(Message.key == key)) is not None:
        return None
    message = Message(
        kind=kind.value,
        key=key,
        competition_id=competition_id,
        user_id=to.user_id,
        recipient=address,
        recipient_hash=hashed,
        language=to.language,
        automatic=automatic,
    )
    if to.email:
        _write_mail(message, _rendered(kind, to.language, context, hashed))
        message.in_reply_to = in_reply_to
    else:
        assert isinstance(short, T)
        message.channel = Channel.SMS.value
        message.subject = one_line(letters.translate(LETTERS[kind].name, to.language))
        message.body = letters.translate(short, to.language)
    try:
        with ctx.session.begin_nested():
            _store(ctx, message)
    except IntegrityError:
        if key is None:
            raise
        return None  # another worker wrote the same letter a moment earlier
    if to.email:
        _attach(ctx, message, files)
    return message.id


def queue_sample(ctx: CommandContext, *, kind: LetterKind, language: str, to: Recipient) -> int:
    """Send one kind of letter with its made-up data to oneself (试发). Raises ``NoMailboxError``."""
    require_may_try(ctx.actor, to)
    if not to.email:
        raise NoMailboxError
    hashed = address_hash(to.email)
    rendered = _rendered(kind, language, LETTERS[kind].sample, hashed)
    subject = letters.translate(T("【试发】%(subject)s", subject=rendered.subject), language)
    message = Message(
        kind=kind.value,
        key=f"{SAMPLE}{links.new_message_id()}"[:120],
        user_id=to.user_id,
        recipient=to.email,
        recipient_hash=hashed,
        language=language,
    )
    _write_mail(message, Rendered(one_line(subject), rendered.text, rendered.html))
    _store(ctx, message)
    return message.id


def _rendered(kind: LetterKind, language: str, context: Mapping[str, Any], hashed: str) -> Rendered:
    stop = None if LETTERS[kind].essential else links.Address(links.stop_path(hashed))
    return letters.render(kind, language, context, stop=stop, reply_to=links.is_answered())


def _write_mail(message: Message, rendered: Rendered) -> None:
    message.channel = Channel.EMAIL.value
    message.subject, message.body, message.html = rendered.subject, rendered.text, rendered.html


def _store(ctx: CommandContext, message: Message) -> None:
    message.state = MessageState.QUEUED.value
    message.queued_at = ctx.now
    message.message_id = links.new_message_id()
    ctx.session.add(message)
    ctx.session.flush()
    ctx.record(AuditAction.MESSAGE_QUEUED, message, channel=message.channel, kind=message.kind)
    ctx.after_commit(Job.SEND_MESSAGE, message_id=message.id)


def _stopped(ctx: CommandContext, hashed: str) -> bool:
    return bool(
        ctx.session.scalar(
            select(func.count()).select_from(MailOptOut).where(MailOptOut.recipient_hash == hashed)
        )
    )


def _attach(ctx: CommandContext, message: Message, files: Sequence[Attachment]) -> None:
    if not files:
        return
    lock_name(ctx.session, FILES_LOCK)
    for position, each in enumerate(files):
        digest = hashlib.sha256(each.content).hexdigest()
        file_id = ctx.session.scalar(select(MailFile.id).where(MailFile.sha256 == digest))
        if file_id is None:
            stored = MailFile(
                sha256=digest, media_type=each.media_type, content=each.content, created_at=ctx.now
            )
            ctx.session.add(stored)
            ctx.session.flush()
            file_id = stored.id
        ctx.session.add(
            MessageFile(message_id=message.id, position=position, file_id=file_id, name=file_name(each.name))
        )
    ctx.session.flush()
