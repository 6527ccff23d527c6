"""Lots that decide equal ranks, with the commitment to their seed."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

STANDING = sa.text("withdrawn_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "lots_draws",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("committed", sa.Boolean(), nullable=False),
        sa.Column("committed_at", sa.DateTime(), nullable=False),
        sa.Column("committed_by_id", sa.Integer(), nullable=True),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("ties", sa.JSON(), nullable=False),
        sa.Column("team_ties", sa.JSON(), nullable=False),
        sa.Column("contribution", sa.String(length=200), nullable=True),
        sa.Column("contributed_at", sa.DateTime(), nullable=True),
        sa.Column("drawn_at", sa.DateTime(), nullable=True),
        sa.Column("drawn_by_id", sa.Integer(), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(), nullable=True),
        sa.Column("withdrawn_reason", sa.String(length=500), nullable=True),
        sa.ForeignKeyConstraint(
            ["committed_by_id"], ["users.id"], name=op.f("fk_lots_draws_committed_by_id_users")
        ),
        sa.ForeignKeyConstraint(["drawn_by_id"], ["users.id"], name=op.f("fk_lots_draws_drawn_by_id_users")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_lots_draws_event_id_events")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lots_draws")),
    )
    op.create_index(op.f("ix_lots_draws_event_id"), "lots_draws", ["event_id"], unique=False)
    op.create_index(
        "uq_lots_draws_standing",
        "lots_draws",
        ["event_id"],
        unique=True,
        sqlite_where=STANDING,
        postgresql_where=STANDING,
    )
