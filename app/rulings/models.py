from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.database import UtcDateTime
from app.extensions import db


class Ruling(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One ruling about one entrant in one round; ``table_id`` is where he sat, null where he had no table.

    ``kind`` is penalty, lateness, forfeit or expulsion. ``rule`` and the parameters below it are those of an adjustment of the
    event file (docs/event-file.schema.json); ``minutes`` is an exact decimal as text. ``on_sheet``: it stands on the score sheet,
    else it is an adjustment of its own. ``made_as`` is the role it was made in. From results version ``given_version`` on it counts,
    before ``lifted_version`` it did. Only withdrawing changes a row.
    """

    __tablename__ = "rulings"
    __table_args__ = (UniqueConstraint("event_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    table_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id"), index=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), index=True)
    kind: Mapped[str] = mapped_column(String(20))
    rule: Mapped[str | None] = mapped_column(String(40))
    clause: Mapped[str] = mapped_column(String(60))
    deal: Mapped[int | None]
    count: Mapped[int | None]
    points: Mapped[int | None]
    outcome: Mapped[str | None] = mapped_column(String(20))
    insisted: Mapped[bool] = mapped_column(default=False)
    minutes: Mapped[str | None] = mapped_column(String(20))
    on_sheet: Mapped[bool] = mapped_column(default=False, server_default=false())
    given_version: Mapped[int | None]
    lifted_version: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(500))
    made_as: Mapped[str] = mapped_column(String(20))
    made_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    idempotency_key: Mapped[str] = mapped_column(String(80))
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    withdrawn_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    withdrawn_reason: Mapped[str | None] = mapped_column(String(500))
