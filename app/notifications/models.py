from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Message(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One outgoing message. Recipient and body are encrypted: they hold phones, names and codes."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(String(10))
    recipient: Mapped[str] = mapped_column(Encrypted)
    subject: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Encrypted)
    state: Mapped[str] = mapped_column(String(10), index=True)
    queued_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    claimed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    sent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    tries: Mapped[int] = mapped_column(default=0)
    message_id: Mapped[str] = mapped_column(String(120), unique=True)
