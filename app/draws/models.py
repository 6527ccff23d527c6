from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Round(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One drawn round (轮次) of a stage: its seed, who was in the draw, and the tables. Never changed.

    ``entrants`` and ``direct`` hold ids of the event file (``e12``): the first sorted as text, the second as drawn.
    """

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("event_id", "stage", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    stage: Mapped[str] = mapped_column(String(20))
    number: Mapped[int]
    publication_id: Mapped[int | None] = mapped_column(ForeignKey("publications.id"))
    seed: Mapped[str] = mapped_column(String(128))
    drawn_at: Mapped[datetime] = mapped_column(UtcDateTime)
    drawn_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    entrants: Mapped[list[str]] = mapped_column(JSON)
    direct: Mapped[list[str]] = mapped_column(JSON)
    tables: Mapped[list[Table]] = relationship(back_populates="round", order_by="Table.number")


class Table(db.Model):  # type: ignore[name-defined]  # as above
    """One table (桌) of a round. Its token is the secret in the QR code on the table."""

    __tablename__ = "tables"
    __table_args__ = (UniqueConstraint("round_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"))
    number: Mapped[int]
    token: Mapped[str] = mapped_column(String(43), unique=True)
    round: Mapped[Round] = relationship(back_populates="tables")
    seats: Mapped[list[Seat]] = relationship(
        back_populates="table", order_by="Seat.position", lazy="selectin"
    )


class Seat(db.Model):  # type: ignore[name-defined]  # as above
    """One seat (座位), counter-clockwise from 0; seat 0 bids first in deal 1."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("table_id", "position"), UniqueConstraint("table_id", "entry_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    position: Mapped[int]
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), index=True)
    table: Mapped[Table] = relationship(back_populates="seats")


OPEN = text("withdrawn_at IS NULL AND round_id IS NULL")


class DrawCommitment(db.Model):  # type: ignore[name-defined]  # as above
    """A commitment (承诺) to the seed of one round before it is drawn. Never deleted, so that all of them can be shown.

    ``seed`` is the committed seed (hexadecimal), secret until the round is drawn or the commitment withdrawn. ``entrants``
    are the ids of the frozen list, sorted as text. ``round_id`` is the round drawn from it.
    """

    __tablename__ = "draw_commitments"
    __table_args__ = (
        Index(
            "uq_draw_commitments_open",
            "event_id",
            "stage",
            "number",
            unique=True,
            sqlite_where=OPEN,
            postgresql_where=OPEN,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    stage: Mapped[str] = mapped_column(String(20))
    number: Mapped[int]
    seed: Mapped[str] = mapped_column(Encrypted)
    commitment: Mapped[str] = mapped_column(String(64))
    entrants: Mapped[list[str]] = mapped_column(JSON)
    committed_at: Mapped[datetime] = mapped_column(UtcDateTime)
    committed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    contribution: Mapped[str | None] = mapped_column(String(200))
    contributed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    withdrawn_reason: Mapped[str | None] = mapped_column(String(500))
    round_id: Mapped[int | None] = mapped_column(ForeignKey("rounds.id"), unique=True)
