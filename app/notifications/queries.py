from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.database import person_hash
from app.extensions import db
from app.notifications.models import Message


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
