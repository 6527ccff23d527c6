from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Message(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One outgoing message. Recipient and bodies are encrypted: they hold phones, names and codes; a subject names nobody.

    ``kind`` is a code of ``letters.LetterKind``, ``key`` names what the message tells whom, so that a job which runs twice writes
    it once. ``uncertain_at`` is when a worker died between handing it to the server and noting that: it may have
    arrived, and every later try says so. ``repeats`` counts those tries. ``automatic`` answers a message by machine.
    """

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(String(10))
    kind: Mapped[str] = mapped_column(String(40))
    key: Mapped[str | None] = mapped_column(String(120), unique=True)
    competition_id: Mapped[int | None] = mapped_column(ForeignKey("competitions.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    recipient: Mapped[str] = mapped_column(Encrypted)
    recipient_hash: Mapped[str | None] = mapped_column(String(64), index=True)
    language: Mapped[str] = mapped_column(String(5))
    subject: Mapped[str] = mapped_column(String(200))
    body: Mapped[str] = mapped_column(Encrypted)
    html: Mapped[str | None] = mapped_column(Encrypted)
    in_reply_to: Mapped[str | None] = mapped_column(String(998))
    automatic: Mapped[bool] = mapped_column(default=False)
    state: Mapped[str] = mapped_column(String(10), index=True)
    queued_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    next_try_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    claimed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    sent_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    uncertain_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    repeats: Mapped[int] = mapped_column(default=0)
    tries: Mapped[int] = mapped_column(default=0)
    last_error: Mapped[str | None] = mapped_column(String(200))
    bounced_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    bounce: Mapped[str | None] = mapped_column(String(200))
    message_id: Mapped[str] = mapped_column(String(120), unique=True)


class MailFile(db.Model):  # type: ignore[name-defined]  # as above
    """A public file that goes with messages (a list, a table of results): stored once, however many receive it."""

    __tablename__ = "mail_files"

    id: Mapped[int] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    media_type: Mapped[str] = mapped_column(String(80))
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class MessageFile(db.Model):  # type: ignore[name-defined]  # as above
    """A file of a message, under the name its reader sees."""

    __tablename__ = "message_files"

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    file_id: Mapped[int] = mapped_column(ForeignKey("mail_files.id"), index=True)
    name: Mapped[str] = mapped_column(String(120))


class MailOptOut(db.Model):  # type: ignore[name-defined]  # as above
    """An address that no longer wants what it can do without (退订), known by its keyed hash alone."""

    __tablename__ = "mail_opt_outs"

    id: Mapped[int] = mapped_column(primary_key=True)
    recipient_hash: Mapped[str] = mapped_column(String(64), unique=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
