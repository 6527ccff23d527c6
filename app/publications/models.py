from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class Publication(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One published list (公示名单). Its text and window are never changed, and it is never deleted.

    ``kind`` is first, supplementary (later entries, a window of their own) or corrected (takes the place of ``supersedes_id``, for the
    public ``reason``). ``final_at`` is set once, when the window is over and no objection is open.

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
    kind: Mapped[str] = mapped_column(String(20))
    supersedes_id: Mapped[int | None] = mapped_column(ForeignKey("publications.id"), unique=True)
    reason: Mapped[str | None] = mapped_column(String(500))
    final_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class CompetitionNumber(db.Model):  # type: ignore[name-defined]  # as above
    """The number an entry plays under (参赛号), given when its list becomes final and never given again.

    Where the text has no published list, the draw closes the entries and ``publication_id`` is null.
    """

    __tablename__ = "competition_numbers"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    number: Mapped[int]
    publication_id: Mapped[int | None] = mapped_column(ForeignKey("publications.id"))
    given_at: Mapped[datetime] = mapped_column(UtcDateTime)
