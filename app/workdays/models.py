"""Years that a committee entered (工作日安排)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class WorkdayYear(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One year of the State Council's notice, as typed: ISO dates off work and weekends worked."""

    __tablename__ = "workday_years"

    id: Mapped[int] = mapped_column(primary_key=True)
    year: Mapped[int] = mapped_column(unique=True)
    holidays: Mapped[list[str]] = mapped_column(JSON)
    makeup_workdays: Mapped[list[str]] = mapped_column(JSON)
    source: Mapped[str] = mapped_column(String(200))
    entered_at: Mapped[datetime] = mapped_column(UtcDateTime)
    entered_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
