from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.database import Encrypted, UtcDateTime
from app.extensions import db


class Round(db.Model):  # type: ignore[name-defined]  # Flask-SQLAlchemy builds Model at run time
    """One drawn round (轮次) of a stage: its seed, who was in the draw, and the tables.

    ``entrants`` and ``direct`` hold ids of the event file (``e12``): the first sorted as text, the second as drawn. The
    tables are those to be played; where a repair changed them, its row holds the draw. ``number`` counts from 1; a round
    that was taken back has a ``VoidRound`` and −id here, so that it can be drawn again. ``started_at`` is when the first
    score was entered at one of its tables. ``results_version`` is that of the results it was drawn from, null for a round drawn
    before that was kept.
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
    regulation_version_id: Mapped[int | None] = mapped_column(ForeignKey("regulation_versions.id"))
    entrants: Mapped[list[str]] = mapped_column(JSON)
    direct: Mapped[list[str]] = mapped_column(JSON)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    results_version: Mapped[int | None]
    tables: Mapped[list[Table]] = relationship(back_populates="round", order_by="Table.number")


STANDS = Round.number > 0
"""Of a query of rounds: only those that were not taken back."""


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


class DrawReason(db.Model):  # type: ignore[name-defined]  # as above
    """Why a table of a round paired by points is as it is, kept as the engine said it when the round was drawn.

    Results that are corrected later, and people who leave, would change what the event file says of it. ``number`` is that of
    the table as drawn, before any repair; 0 holds what is said of the whole round: its byes, and who was not paired.
    """

    __tablename__ = "draw_reasons"
    __table_args__ = (UniqueConstraint("round_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"))
    number: Mapped[int]
    reason: Mapped[dict[str, Any]] = mapped_column(JSON)


OPEN = text("withdrawn_at IS NULL AND round_id IS NULL AND division_id IS NULL")


class DrawCommitment(db.Model):  # type: ignore[name-defined]  # as above
    """A commitment (承诺) to the seed of one round before it is drawn. Never deleted, so that all of them can be shown.

    ``seed`` is the committed seed (hexadecimal), secret until the round is drawn or the commitment withdrawn. ``entrants``
    are the ids of the frozen list, sorted as text. ``number`` 0 is the division into groups (分组). ``round_id`` is the round
    drawn from it, ``division_id`` the division. ``withdrawn_with`` is the round it fell with, as ``swiss-2``, where an earlier
    one was taken back.
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
    withdrawn_with: Mapped[str | None] = mapped_column(String(20))
    round_id: Mapped[int | None] = mapped_column(ForeignKey("rounds.id"), unique=True)
    division_id: Mapped[int | None] = mapped_column(ForeignKey("divisions.id"), unique=True)


DIVIDED = text("voided_at IS NULL")
"""Of a query of divisions: only the one that was not taken back."""


class Division(db.Model):  # type: ignore[name-defined]  # as above
    """A division of the entrants into groups (组别) by draw, before the first round. Never deleted.

    ``entrants`` are the ids of the event file that were divided, sorted as text; ``groups`` the same ids group by group, each
    in drawn order. One that was taken back (作废) has its time and reason.
    """

    __tablename__ = "divisions"
    __table_args__ = (
        Index(
            "uq_divisions_standing",
            "event_id",
            "stage",
            unique=True,
            sqlite_where=DIVIDED,
            postgresql_where=DIVIDED,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    stage: Mapped[str] = mapped_column(String(20))
    publication_id: Mapped[int | None] = mapped_column(ForeignKey("publications.id"))
    seed: Mapped[str] = mapped_column(String(128))
    entrants: Mapped[list[str]] = mapped_column(JSON)
    groups: Mapped[list[list[str]]] = mapped_column(JSON)
    drawn_at: Mapped[datetime] = mapped_column(UtcDateTime)
    drawn_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    voided_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    voided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    void_reason: Mapped[str | None] = mapped_column(String(500))
    void_key: Mapped[str | None] = mapped_column(String(80))


UNDECIDED = text("confirmed_at IS NULL AND cancelled_at IS NULL")


class DrawRepair(db.Model):  # type: ignore[name-defined]  # as above
    """A manual phase (人工调整) of one round, open until it is confirmed or cancelled. Never deleted.

    ``before`` is the round as it was when the phase was opened, ``after`` as a second person confirmed it: ``tables`` as
    lists of ids of the event file in seat order, and ``byes``. ``revision`` counts the changes.
    """

    __tablename__ = "draw_repairs"
    __table_args__ = (
        Index(
            "uq_draw_repairs_open",
            "round_id",
            unique=True,
            sqlite_where=UNDECIDED,
            postgresql_where=UNDECIDED,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), index=True)
    revision: Mapped[int] = mapped_column(default=0)
    before: Mapped[dict[str, Any]] = mapped_column(JSON)
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime)
    opened_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    confirmed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    confirmed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    cancelled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    cancelled_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    cancelled_reason: Mapped[str | None] = mapped_column(String(500))
    closing_key: Mapped[str | None] = mapped_column(String(80))
    changes: Mapped[list[DrawChange]] = relationship(order_by="DrawChange.number", lazy="selectin")


class DrawChange(db.Model):  # type: ignore[name-defined]  # as above
    """One change of a repair, as the event file writes it (``{"swap": ["e3", "e8"]}``). Never updated, never deleted.

    ``made_as`` is the role it was made in, which is public; the person is not.
    """

    __tablename__ = "draw_changes"
    __table_args__ = (
        UniqueConstraint("repair_id", "number"),
        UniqueConstraint("repair_id", "idempotency_key"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    repair_id: Mapped[int] = mapped_column(ForeignKey("draw_repairs.id"))
    number: Mapped[int]
    change: Mapped[dict[str, Any]] = mapped_column(JSON)
    reason: Mapped[str] = mapped_column(String(500))
    made_as: Mapped[str] = mapped_column(String(20))
    made_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    idempotency_key: Mapped[str] = mapped_column(String(80))
    request_sha256: Mapped[str] = mapped_column(String(64))


class VoidRound(db.Model):  # type: ignore[name-defined]  # as above
    """That a round was taken back (作废), and its number. What was entered at its tables stays with them.

    ``tables`` and ``deals`` are how many tables had scores then, and how many deals.
    """

    __tablename__ = "void_rounds"

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), unique=True)
    number: Mapped[int]
    voided_at: Mapped[datetime] = mapped_column(UtcDateTime)
    voided_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    reason: Mapped[str] = mapped_column(String(500))
    tables: Mapped[int]
    deals: Mapped[int]
    idempotency_key: Mapped[str] = mapped_column(String(80))
    round: Mapped[Round] = relationship()


STANDING = text("taken_back_at IS NULL")


class AttendanceAct(db.Model):  # type: ignore[name-defined]  # as above
    """One thing said of one entrant and one round of a stage paired by points (出席登记). Never deleted.

    ``kind`` is absent, withdrawn, returned, enters or reinstated; ``number`` the round, or the first one. ``made_as`` is the
    role it was made in. The reason may be private, and is for the staff; that of a ruling (reinstated) is public.
    """

    __tablename__ = "attendance_acts"
    __table_args__ = (
        Index(
            "uq_attendance_acts_standing",
            "entry_id",
            "kind",
            "number",
            unique=True,
            sqlite_where=STANDING,
            postgresql_where=STANDING,
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), index=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    kind: Mapped[str] = mapped_column(String(20))
    number: Mapped[int]
    reason: Mapped[str | None] = mapped_column(String(500))
    made_as: Mapped[str] = mapped_column(String(20))
    made_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    taken_back_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    taken_back_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class DrawRuling(db.Model):  # type: ignore[name-defined]  # as above
    """That a round was drawn by ruling (裁决), stored with the round or not at all. Never updated.

    ``questions`` are what the engine asked, ``broken`` the rules the draw breaks, both with ids of the event file.
    """

    __tablename__ = "draw_rulings"

    id: Mapped[int] = mapped_column(primary_key=True)
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), unique=True)
    questions: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    broken: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    reason: Mapped[str] = mapped_column(String(500))
    made_as: Mapped[str] = mapped_column(String(20))
    made_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
