"""Rulings by which rounds were drawn."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "draw_rulings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("questions", sa.JSON(), nullable=False),
        sa.Column("broken", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("made_as", sa.String(length=20), nullable=False),
        sa.Column("made_by_id", sa.Integer(), nullable=True),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["made_by_id"], ["users.id"], name=op.f("fk_draw_rulings_made_by_id_users")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_draw_rulings_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draw_rulings")),
        sa.UniqueConstraint("round_id", name=op.f("uq_draw_rulings_round_id")),
    )
