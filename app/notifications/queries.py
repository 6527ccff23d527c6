from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select

from app.database import UtcDateTime, person_hash
from app.extensions import db
from app.notifications.letters import LETTERS, LetterKind, confidential_kinds
from app.notifications.models import MailOptOut, Message, MessageFile
from app.notifications.rules import (
    Channel,
    MessageState,
    UnknownMessageError,
    masked,
    max_tries,
    reason_words,
)
from app.text import T


def address_hash(address: str) -> str:
    """What an e-mail address or a phone number is found by; capitals make no difference."""
    return person_hash(address.strip().lower())


@dataclass(frozen=True, slots=True)
class MessageView:
    id: int
    channel: str
    recipient: str
    subject: str
    body: str
    state: str
    queued_at: datetime
    sent_at: datetime | None


def has_stopped(recipient_hash: str) -> bool:
    """Whether the holder of this address has stopped mail that is not essential."""
    return (
        db.session.scalar(select(MailOptOut.id).where(MailOptOut.recipient_hash == recipient_hash))
        is not None
    )


def written_since(
    kind: LetterKind, moment: datetime, *, user_id: int | None = None, recipient_hash: str | None = None
) -> int:
    """How many letters of a kind were written after ``moment``, to this person or to this address."""
    to = Message.user_id == user_id if recipient_hash is None else Message.recipient_hash == recipient_hash
    found = (
        select(func.count())
        .select_from(Message)
        .where(Message.kind == kind.value, Message.queued_at > moment, to)
    )
    return db.session.scalar(found) or 0


def returned_since(recipient_hash: str, moment: datetime) -> bool:
    """Whether a letter to this address came back for good after ``moment``."""
    found = select(Message.id).where(
        Message.recipient_hash == recipient_hash,
        Message.bounced_at.is_not(None),
        Message.bounced_at >= moment,
    )
    return db.session.scalar(found.limit(1)) is not None


def latest_messages(limit: int = 50) -> tuple[MessageView, ...]:
    """The newest messages first, for the demonstration's outbox page."""
    rows = db.session.scalars(select(Message).order_by(Message.id.desc()).limit(limit))
    return tuple(
        MessageView(
            id=row.id,
            channel=row.channel,
            recipient=row.recipient,
            subject=row.subject,
            body=row.body,
            state=row.state,
            queued_at=row.queued_at,
            sent_at=row.sent_at,
        )
        for row in rows
    )


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A message as the staff of a competition see it; ``recipient`` is masked, what it says is not shown."""

    id: int
    kind: str
    name: T
    channel: Channel
    recipient: str
    language: str
    state: MessageState
    queued_at: datetime
    sent_at: datetime | None
    tries: int
    max_tries: int
    next_try_at: datetime | None
    uncertain: bool
    reason: T | None
    bounced_at: datetime | None
    files: int


PER_PAGE = 50


def _of(competition_id: int | None) -> ColumnElement[bool]:
    """Messages of a competition; None: letters of none. Text messages of none are codes to sign in, nobody's to read.

    Letters to somebody of whom nobody may know are in no outbox.
    """
    shown = Message.kind.not_in(confidential_kinds())
    if competition_id is None:
        return Message.competition_id.is_(None) & (Message.channel == Channel.EMAIL.value) & shown
    return (Message.competition_id == competition_id) & shown


def outbox(
    competition_id: int | None, *, state: MessageState | None = None, before: int | None = None
) -> tuple[OutboxRow, ...]:
    """One page of a competition's messages, the newest first: those with an id below ``before``."""
    files = (
        select(func.count())
        .select_from(MessageFile)
        .where(MessageFile.message_id == Message.id)
        .scalar_subquery()
    )
    found = select(Message, files).where(_of(competition_id))
    if state is not None:
        found = found.where(Message.state == state.value)
    if before is not None:
        found = found.where(Message.id < before)
    rows = db.session.execute(found.order_by(Message.id.desc()).limit(PER_PAGE)).all()
    return tuple(_row(message, count) for message, count in rows)


def latest_by_key(start: str) -> OutboxRow | None:
    """How the newest letter fares whose key begins so, confidential ones too: whoever asks says who may know."""
    found = db.session.scalar(
        select(Message)
        .where(Message.key.startswith(start, autoescape=True))
        .order_by(Message.id.desc())
        .limit(1)
    )
    return _row(found, 0) if found is not None else None


def outbox_row(competition_id: int | None, message_id: int) -> OutboxRow:
    """One message of a competition. Raises ``UnknownMessageError``."""
    message = db.session.get(Message, message_id)
    if message is None or message.competition_id != competition_id or message.kind in confidential_kinds():
        raise UnknownMessageError
    if competition_id is None and message.channel != Channel.EMAIL.value:
        raise UnknownMessageError  # a code to sign in
    count = select(func.count()).select_from(MessageFile).where(MessageFile.message_id == message.id)
    return _row(message, db.session.scalar(count) or 0)


def outbox_counts(competition_id: int | None) -> dict[MessageState, int]:
    """How many messages of a competition stand in each state."""
    rows = db.session.execute(
        select(Message.state, func.count()).where(_of(competition_id)).group_by(Message.state)
    ).all()
    counts = {MessageState(state): count for state, count in rows}
    return {state: counts.get(state, 0) for state in MessageState}


def waiting_since() -> datetime | None:
    """Since when the oldest message waits that could leave: due, or in the hands of a worker. None if none does."""
    due = func.coalesce(Message.claimed_at, Message.next_try_at, Message.queued_at, type_=UtcDateTime)
    waiting = (MessageState.QUEUED.value, MessageState.SENDING.value)
    return db.session.scalar(select(func.min(due, type_=UtcDateTime)).where(Message.state.in_(waiting)))


def _row(message: Message, files: int) -> OutboxRow:
    channel, state = Channel(message.channel), MessageState(message.state)
    reason = message.bounce or (None if state is MessageState.SENT else message.last_error)
    return OutboxRow(
        id=message.id,
        kind=message.kind,
        name=LETTERS[LetterKind(message.kind)].name if message.kind in set(LetterKind) else T("短信通知"),
        channel=channel,
        recipient=masked(message.recipient),
        language=message.language,
        state=state,
        queued_at=message.queued_at,
        sent_at=message.sent_at,
        tries=message.tries,
        max_tries=max_tries(channel),
        next_try_at=message.next_try_at if state is MessageState.QUEUED else None,
        uncertain=message.uncertain_at is not None,
        reason=None
        if reason is None
        else T("退信（%(codes)s）", codes=reason)
        if message.bounce
        else reason_words(reason),
        bounced_at=message.bounced_at,
        files=files,
    )
