from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class Sheet(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """The score sheet (记分表) of one table; what it says is in its revisions.

    ``revision`` is the newest one, ``confirmed_revision`` the one in force for standings; they differ while a
    correction is being written. ``published_at`` is when it was first confirmed: the correction window starts there.
    """

    __tablename__ = "sheets"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), unique=True)
    state: Mapped[str] = mapped_column(String(20))
    revision: Mapped[int] = mapped_column(default=0)
    confirmed_revision: Mapped[int | None]
    published_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class SheetRevision(db.Model):  # type: ignore[name-defined]  # as above
    """One revision: all deals at that moment, and in ``outcome`` what the sheet says besides (``rules.games``), or None.

    Never updated, never deleted.
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
