"""Why people meet in a round paired by points, kept as it was said when the round was drawn."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "draw_reasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("reason", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_draw_reasons_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draw_reasons")),
        sa.UniqueConstraint("round_id", "number", name=op.f("uq_draw_reasons_round_id_number")),
    )
