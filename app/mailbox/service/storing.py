"""A message comes in: read, written to the store, then made a row. A crash leaves at most an object without a row, and a second
delivery, by whatever way, finds the row of the first."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.database import lock_name, person_hash
from app.files.store import Sealed
from app.jobs import Job
from app.mail.parsing import Parsed, parse
from app.mailbox.models import IncomingFile, IncomingMessage, MailboxState
from app.mailbox.rules import (
    SET_ASIDE_AT_ONCE,
    FileRefusal,
    IncomingKind,
    IncomingState,
    Reason,
    kind_of,
)
from app.mailbox.rules.same import fingerprint
from app.notifications.models import Message
from app.notifications.queries import address_hash
from app.uploads import service as uploads


@dataclass(frozen=True, slots=True)
class Place:
    """Where on the server a message was found."""

    folder: str
    uid_validity: int
    uid: int
    counts: bool = True
    """Whether everything before it is stored too, so that the next look begins behind it."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message on its way into the table: read, its bytes in the store (None where they were too many). ``size`` in bytes.

    ``received_at`` is when it came to its server, where that says so.
    """

    key: str
    size: int
    parsed: Parsed
    sealed: Sealed | None
    received_at: datetime | None = None


def arrive(raw: bytes, *, size: int | None = None, received_at: datetime | None = None) -> Arrived:
    """Read a message and write it to the store, with no transaction open. ``size``: ``raw`` is only the headers of one so large.

    Raises ``StoreDownError``.
    """
    key = person_hash(f"incoming {fingerprint(raw)} {size or ''}")
    return Arrived(
        key=key,
        size=size or len(raw),
        parsed=parse(raw),
        sealed=uploads.store_raw(raw) if size is None and raw else None,
        received_at=received_at,
    )


def store(
    ctx: CommandContext, arrived: Arrived, place: Place | None = None, *, own: frozenset[str] = frozenset()
) -> int:
    """The row of a message; its id, the same one for the same message. ``own``: our addresses, in small letters."""
    lock_name(ctx.session, "incoming mail")
    if place is not None:
        _note_place(ctx, place)
    known: int | None = ctx.session.scalar(
        select(IncomingMessage.id).where(IncomingMessage.key == arrived.key)
    )
    if known is not None:
        if arrived.sealed is not None:
            uploads.forget_raw(ctx, arrived.sealed)
        ctx.continues(AuditAction.MAILBOX_POLLED)
        return known
    row = _row(ctx, arrived, own)
    ctx.session.add(row)
    ctx.session.flush()
    for position, each in enumerate(arrived.parsed.attachments, 1):
        refusal = None if each.content else FileRefusal.EMPTY.value
        ctx.session.add(
            IncomingFile(
                incoming_id=row.id, position=position, name=each.name, size=len(each.content), refusal=refusal
            )
        )
    ctx.session.flush()
    ctx.record(AuditAction.MAIL_RECEIVED, row, kind=row.kind, state=row.state, size=row.size)
    if row.state == IncomingState.NEW.value:
        ctx.after_commit(Job.PROCESS_MAIL, incoming_id=row.id)
    return row.id


def _row(ctx: CommandContext, arrived: Arrived, own: frozenset[str]) -> IncomingMessage:
    parsed = arrived.parsed
    kind = kind_of(
        too_large=arrived.sealed is None and arrived.size > 0,
        empty=not (parsed.text or parsed.subject or parsed.attachments),
        bounce=parsed.bounce is not None,
        loop=parsed.loop or parsed.sender in own or _is_ours(ctx, parsed.message_id),
        list_mail=parsed.list_mail,
        automatic=parsed.automatic,
    )
    state, reason = IncomingState.NEW, None
    if kind in SET_ASIDE_AT_ONCE:
        state, reason = IncomingState.SET_ASIDE, SET_ASIDE_AT_ONCE[kind]
    elif kind is IncomingKind.LIST:
        state, reason = IncomingState.TRIAGE, Reason.LIST
    return IncomingMessage(
        key=arrived.key,
        # a letter is in time when it came in time, however late it is looked at; what it says of its own date is not asked
        received_at=min(arrived.received_at or ctx.now, ctx.now),
        size=arrived.size,
        message_id=parsed.message_id[:998] or None,
        sender=parsed.sender or None,
        sender_hash=address_hash(parsed.sender) if parsed.sender else None,
        subject=parsed.subject,
        text=parsed.text,
        head=json.dumps(_head(parsed), ensure_ascii=False),
        raw_file_id=uploads.keep_raw(ctx, arrived.sealed, "message/rfc822") if arrived.sealed else None,
        kind=kind.value,
        state=state.value,
        reason=reason.value if reason else None,
        attempts=0,
    )


def _head(parsed: Parsed) -> dict[str, object]:
    """What is kept beside the text: names, what it answers, what could not be read."""
    nearest = [*parsed.in_reply_to, *reversed(parsed.references)]
    return {
        "sender_name": parsed.sender_name,
        "references": list(dict.fromkeys(nearest))[:50],
        "problems": [each.value for each in parsed.problems],
        "automatic": parsed.automatic,
        "written_at": parsed.date.isoformat() if parsed.date else None,
    }


def _is_ours(ctx: CommandContext, message_id: str) -> bool:
    if not message_id:
        return False
    return ctx.session.scalar(select(Message.id).where(Message.message_id == message_id)) is not None


def _note_place(ctx: CommandContext, place: Place) -> None:
    state = ctx.session.get(MailboxState, place.folder, with_for_update={"key_share": True})
    if place.counts and state is not None and state.uid_validity == place.uid_validity:
        state.last_uid = max(state.last_uid, place.uid)
