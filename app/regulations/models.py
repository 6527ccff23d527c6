"""Frozen regulations (规程版本)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
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
