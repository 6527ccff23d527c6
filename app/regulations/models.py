"""Frozen regulations (规程版本)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class RegulationVersion(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """A frozen regulation. Never changed; a later ruling freezes the next number."""

    __tablename__ = "regulation_versions"
    __table_args__ = (
        UniqueConstraint("regulation_id", "number"),
        UniqueConstraint("regulation_id", "sha256"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    regulation_id: Mapped[str] = mapped_column(String(80))
    number: Mapped[int]
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    sha256: Mapped[str] = mapped_column(String(64))
    frozen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    frozen_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class RegulationEdition(db.Model):  # type: ignore[name-defined]  # as above
    """One version (第 n 版) of an event's regulation: 1 is the one it was created with. Never updated, never deleted.

    ``reason`` and ``impact`` (what changed for whom, as it was computed when it was published) belong to a change;
    the first version has neither. ``ruling`` where the chief referee had to decide. From ``in_force_from`` on the event
    runs by it: its ``regulation_version_id`` moves on then.
    """

    __tablename__ = "regulation_editions"
    __table_args__ = (UniqueConstraint("event_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    number: Mapped[int]
    regulation_version_id: Mapped[int] = mapped_column(ForeignKey("regulation_versions.id"))
    reason: Mapped[str | None] = mapped_column(String(500))
    ruling: Mapped[bool]
    impact: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    published_at: Mapped[datetime] = mapped_column(UtcDateTime)
    published_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    published_as: Mapped[str | None] = mapped_column(String(20))
    in_force_from: Mapped[datetime] = mapped_column(UtcDateTime)


OPEN = text("closed_at IS NULL AND event_id IS NOT NULL")


class RegulationDraft(db.Model):  # type: ignore[name-defined]  # as above
    """A regulation that is being written (规程草稿), of an event or for a competition that is not created yet.

    ``document`` is whatever was typed, right or wrong: it is judged when it is published. ``revision`` counts the saves.
    An event has one open draft at a time. Closed by being published (``edition_id``, or a new competition) or discarded.
    """

    __tablename__ = "regulation_drafts"
    __table_args__ = (
        Index("uq_regulation_drafts_open", "event_id", unique=True, sqlite_where=OPEN, postgresql_where=OPEN),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"))
    competition_id: Mapped[int | None] = mapped_column(ForeignKey("competitions.id"))
    base_sha256: Mapped[str] = mapped_column(String(64))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    revision: Mapped[int] = mapped_column(default=1)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    saved_at: Mapped[datetime] = mapped_column(UtcDateTime)
    saved_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    edition_id: Mapped[int | None] = mapped_column(ForeignKey("regulation_editions.id"))
