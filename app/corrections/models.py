from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class CorrectionRequest(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One request to correct a published sheet, and what the chief referee decided.

    ``base_revision`` is the published one it was written against. ``deals`` and ``outcome`` are the content asked for, both null
    where it was only described. ``impact`` is what the chief referee was shown when he decided. ``asked_as`` is player or a role.
    """

    __tablename__ = "correction_requests"
    __table_args__ = (UniqueConstraint("sheet_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    sheet_id: Mapped[int] = mapped_column(ForeignKey("sheets.id"), index=True)
    state: Mapped[str] = mapped_column(String(20))
    base_revision: Mapped[int]
    text: Mapped[str] = mapped_column(Encrypted)
    deals: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    asked_as: Mapped[str] = mapped_column(String(20))
    asked_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    asked_by_entry_id: Mapped[int | None] = mapped_column(ForeignKey("entries.id"))
    asked_at: Mapped[datetime] = mapped_column(UtcDateTime)
    client_time: Mapped[datetime | None] = mapped_column(UtcDateTime)
    idempotency_key: Mapped[str] = mapped_column(String(80))
    decided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    decided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    decision_reason: Mapped[str | None] = mapped_column(String(500))
    impact: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    granted_revision: Mapped[int | None]
