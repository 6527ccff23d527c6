"""Commitments to the seed of a draw, published before it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

OPEN = sa.text("withdrawn_at IS NULL AND round_id IS NULL")


def upgrade() -> None:
    op.create_table(
        "draw_commitments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("committed_at", sa.DateTime(), nullable=False),
        sa.Column("committed_by_id", sa.Integer(), nullable=True),
        sa.Column("contribution", sa.String(length=200), nullable=True),
        sa.Column("contributed_at", sa.DateTime(), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(), nullable=True),
        sa.Column("withdrawn_reason", sa.String(length=500), nullable=True),
        sa.Column("round_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["committed_by_id"], ["users.id"], name=op.f("fk_draw_commitments_committed_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_draw_commitments_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["round_id"], ["rounds.id"], name=op.f("fk_draw_commitments_round_id_rounds")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draw_commitments")),
        sa.UniqueConstraint("round_id", name=op.f("uq_draw_commitments_round_id")),
    )
    op.create_index(op.f("ix_draw_commitments_event_id"), "draw_commitments", ["event_id"], unique=False)
    op.create_index(
        "uq_draw_commitments_open",
        "draw_commitments",
        ["event_id", "stage", "number"],
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
