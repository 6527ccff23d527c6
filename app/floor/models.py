from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class FloorTerms(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """How the sheets of an event are confirmed and published (办赛方式); without a row the defaults of ``rules`` hold.

    ``confirmation`` and ``publication`` are codes of ``rules``. The minutes take the place of those of the regulation.
    """

    __tablename__ = "floor_terms"

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), primary_key=True)
    confirmation: Mapped[str] = mapped_column(String(20))
    publication: Mapped[str] = mapped_column(String(20))
    round_minutes: Mapped[int | None]
    call_minutes: Mapped[int | None]
    set_at: Mapped[datetime] = mapped_column(UtcDateTime)
    set_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class RoundRun(db.Model):  # type: ignore[name-defined]  # as above
    """The moments of one round as it is played; each is null until it has come.

    ``scheduled_at`` is when players have to be there: lateness counts from it. ``started_at`` is when the clock began,
    ``called_at`` the announcement of the last minutes, ``ended_at`` the recorded end that appeals count from.
    """

    __tablename__ = "round_runs"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), unique=True)
    scheduled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    opened_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    opened_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    called_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    published_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    published_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    locked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    locked_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


ASSIGNED = text("released_at IS NULL")


class TableReferee(db.Model):  # type: ignore[name-defined]  # as above
    """That a referee is at a table (执裁安排). Never deleted."""

    __tablename__ = "table_referees"
    __table_args__ = (
        Index(
            "uq_table_referees_assigned",
            "table_id",
            "user_id",
            unique=True,
            sqlite_where=ASSIGNED,
            postgresql_where=ASSIGNED,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    assigned_at: Mapped[datetime] = mapped_column(UtcDateTime)
    assigned_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    released_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class RefereeCall(db.Model):  # type: ignore[name-defined]  # as above
    """A call from a table (呼叫裁判), first come first served. ``kind`` is referee, chief or dispute. Never deleted."""

    __tablename__ = "referee_calls"
    __table_args__ = (UniqueConstraint("table_id", "idempotency_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    kind: Mapped[str] = mapped_column(String(20))
    note: Mapped[str | None] = mapped_column(Encrypted)
    called_at: Mapped[datetime] = mapped_column(UtcDateTime)
    caller_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    caller_entry_id: Mapped[int | None] = mapped_column(ForeignKey("entries.id"))
    idempotency_key: Mapped[str] = mapped_column(String(80))
    taken_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    taken_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    closed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    outcome: Mapped[str | None] = mapped_column(String(500))


class PlayerKey(db.Model):  # type: ignore[name-defined]  # as above
    """The key of an entry (选手卡): ``token`` is the address in its QR code, ``pin`` six digits for another phone.

    ``tries`` are wrong PINs in a row; after too many it is blocked until ``blocked_until``.
    """

    __tablename__ = "player_keys"

    id: Mapped[int] = mapped_column(primary_key=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), unique=True)
    token: Mapped[str] = mapped_column(String(43), unique=True)
    pin: Mapped[str] = mapped_column(Encrypted)
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    tries: Mapped[int] = mapped_column(default=0)
    blocked_until: Mapped[datetime | None] = mapped_column(UtcDateTime)


STANDING = text("taken_back_at IS NULL")


class Arrival(db.Model):  # type: ignore[name-defined]  # as above
    """When an entrant came to a round (到场). ``way`` is how it was recorded: card, own or referee. Never deleted."""

    __tablename__ = "arrivals"
    __table_args__ = (
        Index(
            "uq_arrivals_standing",
            "round_id",
            "entry_id",
            unique=True,
            sqlite_where=STANDING,
            postgresql_where=STANDING,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"))
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    way: Mapped[str] = mapped_column(String(20))
    recorded_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    taken_back_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    taken_back_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class FloorNotice(db.Model):  # type: ignore[name-defined]  # as above
    """What is announced to every phone in the hall (赛场广播). Never deleted."""

    __tablename__ = "floor_notices"

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    text: Mapped[str] = mapped_column(String(200))
    text_en: Mapped[str | None] = mapped_column(String(300))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    made_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    idempotency_key: Mapped[str] = mapped_column(String(80))
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
