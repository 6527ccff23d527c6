from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Objection(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One case. ``number`` names it in letters; ``token`` is the address of its receipt, random, for whoever lodged it.

    ``unit_id`` is the unit that objects (null: not known, or none that takes part), ``user_id`` who lodged it on the site. ``unit_name``
    is what was written. ``lacking`` holds codes of what it lacks (``rules.Requirement``), ``clause`` the one a refusal rests on.
    """

    __tablename__ = "objections"
    __table_args__ = (UniqueConstraint("competition_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"))
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    publication_id: Mapped[int | None] = mapped_column(ForeignKey("publications.id"), index=True)
    number: Mapped[str] = mapped_column(String(20), unique=True)
    token: Mapped[str] = mapped_column(String(43), unique=True)
    idempotency_key: Mapped[str] = mapped_column(String(64))
    channel: Mapped[str] = mapped_column(String(10))
    incoming_id: Mapped[int | None] = mapped_column(ForeignKey("incoming_messages.id"), unique=True)
    state: Mapped[str] = mapped_column(String(20), index=True)
    revision: Mapped[int] = mapped_column(default=1)
    language: Mapped[str] = mapped_column(String(5))
    unit_id: Mapped[int | None] = mapped_column(ForeignKey("units.id"), index=True)
    unit_name: Mapped[str | None] = mapped_column(Encrypted)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    reporter_name: Mapped[str | None] = mapped_column(Encrypted)
    reporter_phone: Mapped[str | None] = mapped_column(Encrypted)
    reporter_email: Mapped[str | None] = mapped_column(Encrypted)
    text: Mapped[str] = mapped_column(Encrypted)
    lacking: Mapped[list[str]] = mapped_column(JSON)
    clause: Mapped[str | None] = mapped_column(String(60))
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)
    assigned_to_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    due_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    decision: Mapped[str | None] = mapped_column(Encrypted)
    summary: Mapped[str | None] = mapped_column(String(500))
    superseding_id: Mapped[int | None] = mapped_column(ForeignKey("publications.id"))


class ObjectionEntry(db.Model):  # type: ignore[name-defined]  # as above
    """An entry that is objected to, and what became of it: null, kept, withdrawn or corrected."""

    __tablename__ = "objection_entries"

    objection_id: Mapped[int] = mapped_column(ForeignKey("objections.id"), primary_key=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True, index=True)
    outcome: Mapped[str | None] = mapped_column(String(20))


class ObjectionFile(db.Model):  # type: ignore[name-defined]  # as above
    """A file of a case: the sealed letter, evidence, or (``hearing_id``) what the other side sent."""

    __tablename__ = "objection_files"

    id: Mapped[int] = mapped_column(primary_key=True)
    objection_id: Mapped[int] = mapped_column(ForeignKey("objections.id"), index=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"), unique=True)
    hearing_id: Mapped[int | None] = mapped_column(ForeignKey("objection_hearings.id"))
    role: Mapped[str] = mapped_column(String(20))


class ObjectionHearing(db.Model):  # type: ignore[name-defined]  # as above
    """The other side is heard (听取对方意见): what it was asked, until when, and what it answered."""

    __tablename__ = "objection_hearings"
    __table_args__ = (UniqueConstraint("objection_id", "unit_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    objection_id: Mapped[int] = mapped_column(ForeignKey("objections.id"))
    unit_id: Mapped[int] = mapped_column(ForeignKey("units.id"), index=True)
    question: Mapped[str] = mapped_column(Encrypted)
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    due_at: Mapped[datetime] = mapped_column(UtcDateTime)
    answer: Mapped[str | None] = mapped_column(Encrypted)
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ObjectionRecusal(db.Model):  # type: ignore[name-defined]  # as above
    """A member of the committee who does not handle a case (回避), and no longer sees it."""

    __tablename__ = "objection_recusals"

    objection_id: Mapped[int] = mapped_column(ForeignKey("objections.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    reason: Mapped[str] = mapped_column(Encrypted)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class ObjectionStep(db.Model):  # type: ignore[name-defined]  # as above
    """One step of a case (办理记录), in order. Never updated. ``kind`` is a code of ``rules.StepKind``."""

    __tablename__ = "objection_steps"

    id: Mapped[int] = mapped_column(primary_key=True)
    objection_id: Mapped[int] = mapped_column(ForeignKey("objections.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    kind: Mapped[str] = mapped_column(String(20))
    details: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    text: Mapped[str | None] = mapped_column(Encrypted)
    incoming_id: Mapped[int | None] = mapped_column(ForeignKey("incoming_messages.id"))
