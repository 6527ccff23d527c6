from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class Report(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """That a person was told of one occasion, or (``user_id`` null) that an occasion was looked at and is over. Never updated.

    ``kind`` is a code of ``letters.LetterKind``; ``key`` is the key of its message in the outbox too. ``written`` is false where there was
    no way to reach the person, or he had stopped such mail. ``details`` says what was told, in codes and numbers: no names.
    """

    __tablename__ = "reports"
    __table_args__ = (Index("ix_reports_competition_id_kind_at", "competition_id", "kind", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120), unique=True)
    kind: Mapped[str] = mapped_column(String(40))
    occasion: Mapped[str] = mapped_column(String(90))
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"))
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    written: Mapped[bool]
    details: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
