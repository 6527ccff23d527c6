from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class StandingsSnapshot(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """What the engine made of one results version: the ``saishi-score`` document. Never updated."""

    __tablename__ = "standings_snapshots"
    __table_args__ = (UniqueConstraint("event_id", "results_version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    results_version: Mapped[int]
    input_sha256: Mapped[str] = mapped_column(String(64))
    regulation_version_id: Mapped[int] = mapped_column(ForeignKey("regulation_versions.id"))
    result: Mapped[dict[str, Any]] = mapped_column(JSON)
    computed_at: Mapped[datetime] = mapped_column(UtcDateTime)
