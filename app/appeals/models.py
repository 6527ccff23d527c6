from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Appeal(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One appeal. ``number`` names it in letters; ``token`` is the address of its receipt, random, for whoever lodged it.

    ``entry_id`` is who appeals, ``table_id`` the table it is about (null: the round or its standings). ``ended_at`` is the recorded end
    of the round that its deadlines were counted from. ``outcome`` is what an upheld appeal changed: the sheet's revision, rulings
    withdrawn or made.
    """

    __tablename__ = "appeals"
    __table_args__ = (UniqueConstraint("event_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"))
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"))
    table_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id"))
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    number: Mapped[str] = mapped_column(String(20), unique=True)
    token: Mapped[str] = mapped_column(String(43), unique=True)
    idempotency_key: Mapped[str] = mapped_column(String(80))
    state: Mapped[str] = mapped_column(String(20), index=True)
    revision: Mapped[int] = mapped_column(default=1)
    language: Mapped[str] = mapped_column(String(5))
    subject: Mapped[str] = mapped_column(String(20))
    ruling_id: Mapped[int | None] = mapped_column(ForeignKey("rulings.id"))
    text: Mapped[str | None] = mapped_column(Encrypted)
    ended_at: Mapped[datetime] = mapped_column(UtcDateTime)
    oral_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    oral_logged_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    written_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    assigned_to_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    hearing_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    hearing_place: Mapped[str | None] = mapped_column(String(100))
    minutes: Mapped[str | None] = mapped_column(Encrypted)
    clause: Mapped[str | None] = mapped_column(String(60))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    decision: Mapped[str | None] = mapped_column(Encrypted)
    summary: Mapped[str | None] = mapped_column(String(500))
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class AppealFile(db.Model):  # type: ignore[name-defined]  # as above
    """A file of an appeal: the written appeal, or evidence. ``role`` is a code of ``rules``."""

    __tablename__ = "appeal_files"

    id: Mapped[int] = mapped_column(primary_key=True)
    appeal_id: Mapped[int] = mapped_column(ForeignKey("appeals.id"), index=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"), unique=True)
    role: Mapped[str] = mapped_column(String(20))


class AppealStep(db.Model):  # type: ignore[name-defined]  # as above
    """One step of an appeal (办理记录), in order. Never updated. ``kind`` is a code of ``rules``."""

    __tablename__ = "appeal_steps"

    id: Mapped[int] = mapped_column(primary_key=True)
    appeal_id: Mapped[int] = mapped_column(ForeignKey("appeals.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    kind: Mapped[str] = mapped_column(String(20))
    details: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    text: Mapped[str | None] = mapped_column(Encrypted)


class AppealRecusal(db.Model):  # type: ignore[name-defined]  # as above
    """A member of the arbitration committee who does not take part in a case (回避)."""

    __tablename__ = "appeal_recusals"

    appeal_id: Mapped[int] = mapped_column(ForeignKey("appeals.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(Encrypted)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class FeeEntry(db.Model):  # type: ignore[name-defined]  # as above
    """One entry of the fee ledger (申诉费台账), in fen (分, integer). Never updated, never deleted.

    ``kind`` is received, refunded, kept or reversal, which takes ``reverses_id`` back. ``number`` is that of the receipt (收据).
    ``way`` is a code of ``rules`` (cash, transfer), ``reference`` what the bank or the payer gave it.
    """

    __tablename__ = "fee_entries"
    __table_args__ = (UniqueConstraint("competition_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    appeal_id: Mapped[int] = mapped_column(ForeignKey("appeals.id"), index=True)
    number: Mapped[str] = mapped_column(String(30), unique=True)
    kind: Mapped[str] = mapped_column(String(20))
    amount: Mapped[int]
    way: Mapped[str] = mapped_column(String(20))
    reference: Mapped[str | None] = mapped_column(Encrypted)
    reverses_id: Mapped[int | None] = mapped_column(ForeignKey("fee_entries.id"), unique=True)
    reason: Mapped[str | None] = mapped_column(String(500))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    idempotency_key: Mapped[str] = mapped_column(String(80))
