from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class Announcement(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One announcement (公告). The English text is optional; ``body`` is plain text, its empty lines part paragraphs."""

    __tablename__ = "announcements"
    __table_args__ = (UniqueConstraint("competition_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"))
    idempotency_key: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(String(100))
    body: Mapped[str] = mapped_column(Text)
    title_en: Mapped[str | None] = mapped_column(String(200))
    body_en: Mapped[str | None] = mapped_column(Text)
    pinned: Mapped[bool] = mapped_column(default=False)
    revision: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    created_by_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    publish_at: Mapped[datetime] = mapped_column(UtcDateTime)
    changed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    withdrawn_reason: Mapped[str | None] = mapped_column(String(200))


class AnnouncementFile(db.Model):  # type: ignore[name-defined]  # as above
    """An attachment, in its place; ``name`` is what readers download."""

    __tablename__ = "announcement_files"

    announcement_id: Mapped[int] = mapped_column(ForeignKey("announcements.id"), primary_key=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"), primary_key=True)
    position: Mapped[int]
    name: Mapped[str] = mapped_column(String(120))
