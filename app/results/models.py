from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Sheet(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """The score sheet (记分表) of one table; what it says is in its revisions.

    ``revision`` is the newest one, ``confirmed_revision`` the newest that everybody confirmed, ``published_revision`` the one in force
    for standings and public pages; they differ while a correction is being written, confirmed or held back. ``published_at`` is when
    it was first published: the correction window starts there. ``holder_id`` and ``holder_device`` are who writes on it since
    ``held_at``; another device takes it over with a reason.
    """

    __tablename__ = "sheets"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), unique=True)
    state: Mapped[str] = mapped_column(String(20))
    revision: Mapped[int] = mapped_column(default=0)
    confirmed_revision: Mapped[int | None]
    published_revision: Mapped[int | None]
    published_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    holder_device: Mapped[str | None] = mapped_column(String(64))
    held_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SheetRevision(db.Model):  # type: ignore[name-defined]  # as above
    """One revision: all deals at that moment, and in ``outcome`` what the sheet says besides (``rules.games``), or None.

    Never deleted, and updated once, when it comes into force: ``in_force_version`` is the results version from which on it counts, null
    of a revision that never did, or did before that was kept.
    """

    __tablename__ = "sheet_revisions"
    __table_args__ = (UniqueConstraint("sheet_id", "number"), UniqueConstraint("sheet_id", "idempotency_key"))

    id: Mapped[int] = mapped_column(primary_key=True)
    sheet_id: Mapped[int] = mapped_column(ForeignKey("sheets.id"))
    number: Mapped[int]
    deals: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    handed_in: Mapped[bool]
    recorded_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    recorded_at: Mapped[datetime] = mapped_column(UtcDateTime)
    device: Mapped[str | None] = mapped_column(String(200))
    client_time: Mapped[datetime | None] = mapped_column(UtcDateTime)
    idempotency_key: Mapped[str] = mapped_column(String(80))
    request_sha256: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str | None] = mapped_column(String(500))
    regulation_version_id: Mapped[int | None] = mapped_column(ForeignKey("regulation_versions.id"))
    in_force_version: Mapped[int | None]


class SheetConfirmation(db.Model):  # type: ignore[name-defined]  # as above
    """What one side of a table said of one handed-in revision (确认): it is right, or it is disputed. Never updated, never deleted.

    ``entry_id`` is the side, null for the chief referee's own decision on a dispute. ``said`` is confirmed, disputed or decided; ``way``
    is card, pin, signature or ruling. ``signature`` holds the strokes of a finger signature as JSON.
    """

    __tablename__ = "sheet_confirmations"
    __table_args__ = (UniqueConstraint("sheet_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sheet_id: Mapped[int] = mapped_column(ForeignKey("sheets.id"), index=True)
    revision: Mapped[int]
    entry_id: Mapped[int | None] = mapped_column(ForeignKey("entries.id"))
    said: Mapped[str] = mapped_column(String(20))
    way: Mapped[str] = mapped_column(String(20))
    note: Mapped[str | None] = mapped_column(Encrypted)
    signature: Mapped[str | None] = mapped_column(Encrypted)
    said_at: Mapped[datetime] = mapped_column(UtcDateTime)
    recorded_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    device: Mapped[str | None] = mapped_column(String(200))
    idempotency_key: Mapped[str] = mapped_column(String(80))


class BlindEntry(db.Model):  # type: ignore[name-defined]  # as above
    """A handed-in sheet as a second referee entered it without seeing the first (盲录复核). Never updated, never deleted."""

    __tablename__ = "blind_entries"
    __table_args__ = (UniqueConstraint("sheet_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    sheet_id: Mapped[int] = mapped_column(ForeignKey("sheets.id"), index=True)
    revision: Mapped[int]
    deals: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    equal: Mapped[bool]
    entered_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    entered_at: Mapped[datetime] = mapped_column(UtcDateTime)
    device: Mapped[str | None] = mapped_column(String(200))
    client_time: Mapped[datetime | None] = mapped_column(UtcDateTime)
    idempotency_key: Mapped[str] = mapped_column(String(80))


class SheetTakeover(db.Model):  # type: ignore[name-defined]  # as above
    """That a device took a sheet over from another (接管), and why. Never deleted."""

    __tablename__ = "sheet_takeovers"

    id: Mapped[int] = mapped_column(primary_key=True)
    sheet_id: Mapped[int] = mapped_column(ForeignKey("sheets.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    from_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    from_device: Mapped[str | None] = mapped_column(String(64))
    by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    by_device: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(String(500))
