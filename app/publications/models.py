from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class Publication(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One published list (公示名单). Never updated, never deleted.

    ``listing`` is the canonical JSON text itself, not a JSON column: its bytes are what the SHA-256 was taken of.
    """

    __tablename__ = "publications"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    number: Mapped[int]
    regulation_version_id: Mapped[int] = mapped_column(ForeignKey("regulation_versions.id"))
    listing: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(String(64))
    published_at: Mapped[datetime] = mapped_column(UtcDateTime)
    published_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    counted_from: Mapped[str] = mapped_column(String(20))
    first_day: Mapped[date]
    last_day: Mapped[date]
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)
    days: Mapped[list[str]] = mapped_column(JSON)
