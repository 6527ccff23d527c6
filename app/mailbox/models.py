from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class MailboxState(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """How far a folder of the mailbox was read, and how the last look went.

    What came before ``polled_at`` is here: then the last look began that read the folder to its end. ``passed_uid`` is how far looks
    have come beyond messages that cannot be had or stored; the next one begins behind it, and after the last one at the front again.
    """

    __tablename__ = "mailbox_states"

    folder: Mapped[str] = mapped_column(String(120), primary_key=True)
    uid_validity: Mapped[int | None] = mapped_column(BigInteger)
    last_uid: Mapped[int] = mapped_column(BigInteger, default=0)
    passed_uid: Mapped[int | None] = mapped_column(BigInteger)
    polled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_error: Mapped[str | None] = mapped_column(String(200))
    failed_since: Mapped[datetime | None] = mapped_column(UtcDateTime)


class IncomingMessage(db.Model):  # type: ignore[name-defined]  # as above
    """A message as it came. ``key`` (64 hex digits) is the same for the same message, however often it is delivered.

    ``raw_file_id`` holds its bytes until the message is processed and its attachments are uploads; null where it was too large to be
    taken. ``kind`` is a code of ``rules.IncomingKind``, ``state`` of ``rules.IncomingState``, ``reason`` a code that says why.

    ``head`` is JSON of what else is shown of it (``service.storing.Head``). ``note`` is what somebody wrote who set it aside.
    ``received_at`` is when it came to its server. ``case_number`` names the case that has it. The purge empties what is personal; the row stays, so that the message is
    known if it comes again.
    """

    __tablename__ = "incoming_messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)
    size: Mapped[int] = mapped_column(BigInteger)
    message_id: Mapped[str | None] = mapped_column(String(998))
    sender: Mapped[str | None] = mapped_column(Encrypted)
    sender_hash: Mapped[str | None] = mapped_column(String(64), index=True)
    subject: Mapped[str | None] = mapped_column(Encrypted)
    text: Mapped[str | None] = mapped_column(Encrypted)
    head: Mapped[str | None] = mapped_column(Encrypted)
    raw_file_id: Mapped[int | None] = mapped_column(ForeignKey("stored_files.id"))
    kind: Mapped[str] = mapped_column(String(20))
    state: Mapped[str] = mapped_column(String(20), index=True)
    reason: Mapped[str | None] = mapped_column(String(40))
    note: Mapped[str | None] = mapped_column(Encrypted)
    case_number: Mapped[str | None] = mapped_column(String(20))
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    purged_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    attempts: Mapped[int] = mapped_column(default=0)
    competition_id: Mapped[int | None] = mapped_column(ForeignKey("competitions.id"), index=True)
    processed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    processed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class IncomingFile(db.Model):  # type: ignore[name-defined]  # as above
    """An attachment that became an upload, or (``upload_id`` null) why it did not."""

    __tablename__ = "incoming_files"
    __table_args__ = (UniqueConstraint("incoming_id", "position"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    incoming_id: Mapped[int] = mapped_column(ForeignKey("incoming_messages.id"))
    position: Mapped[int]
    name: Mapped[str] = mapped_column(Encrypted)
    size: Mapped[int] = mapped_column(BigInteger)
    upload_id: Mapped[int | None] = mapped_column(ForeignKey("uploads.id"), unique=True)
    refusal: Mapped[str | None] = mapped_column(String(40))
