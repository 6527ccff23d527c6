"""Who takes part in which round paired by points."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

STANDING = sa.text("taken_back_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "attendance_acts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=True),
        sa.Column("made_as", sa.String(length=20), nullable=False),
        sa.Column("made_by_id", sa.Integer(), nullable=True),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("taken_back_at", sa.DateTime(), nullable=True),
        sa.Column("taken_back_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name=op.f("fk_attendance_acts_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_attendance_acts_event_id_events")),
        sa.ForeignKeyConstraint(
            ["made_by_id"], ["users.id"], name=op.f("fk_attendance_acts_made_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["taken_back_by_id"], ["users.id"], name=op.f("fk_attendance_acts_taken_back_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attendance_acts")),
    )
    op.create_index(op.f("ix_attendance_acts_event_id"), "attendance_acts", ["event_id"], unique=False)
    op.create_index(
        "uq_attendance_acts_standing",
        "attendance_acts",
        ["entry_id", "kind", "number"],
        unique=True,
        sqlite_where=STANDING,
        postgresql_where=STANDING,
    )
