from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import UtcDateTime
from app.extensions import db


class Competition(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One competition (赛事) with its own mini-site under ``/c/<slug>``; a ``rehearsal`` (演练) can be deleted whole."""

    __tablename__ = "competitions"

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(60), unique=True)
    name: Mapped[str] = mapped_column(String(100))
    place: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    created_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    rehearsal: Mapped[bool] = mapped_column(default=False, server_default=false())
    events: Mapped[list[Event]] = relationship(back_populates="competition", order_by="Event.id")


class Event(db.Model):  # type: ignore[name-defined]  # as above
    """One event (项目) of a competition, run by one regulation version."""

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("competition_id", "code"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    competition_id: Mapped[int] = mapped_column(ForeignKey("competitions.id"), index=True)
    code: Mapped[str] = mapped_column(String(60))
    name: Mapped[str] = mapped_column(String(100))
    regulation_version_id: Mapped[int] = mapped_column(ForeignKey("regulation_versions.id"))
    results_version: Mapped[int] = mapped_column(default=0)
    entries_closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    competition: Mapped[Competition] = relationship(back_populates="events")
