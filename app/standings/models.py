from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
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


STANDING = text("withdrawn_at IS NULL")


class LotsDraw(db.Model):  # type: ignore[name-defined]  # as above
    """Lots (抽签定名次) of an event: the commitment to their seed, and, once ``drawn_at``, the order they gave.

    ``seed`` is the committed seed (hexadecimal), secret until drawn or withdrawn. ``entrants`` are all who took part, sorted
    as text; ``ties`` and ``team_ties`` those who were equal: as they were committed for, then in the order drawn. Never
    deleted. ``committed`` is false where the lots were drawn in one go.
    """

    __tablename__ = "lots_draws"
    __table_args__ = (
        Index(
            "uq_lots_draws_standing",
            "event_id",
            unique=True,
            sqlite_where=STANDING,
            postgresql_where=STANDING,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    seed: Mapped[str] = mapped_column(Encrypted)
    commitment: Mapped[str] = mapped_column(String(64))
    committed: Mapped[bool]
    committed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    committed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    entrants: Mapped[list[str]] = mapped_column(JSON)
    ties: Mapped[list[list[str]]] = mapped_column(JSON)
    team_ties: Mapped[list[list[str]]] = mapped_column(JSON)
    contribution: Mapped[str | None] = mapped_column(String(200))
    contributed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    drawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    drawn_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    withdrawn_reason: Mapped[str | None] = mapped_column(String(500))
