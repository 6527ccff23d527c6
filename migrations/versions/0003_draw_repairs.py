"""Repairs of drawn rounds, rounds taken back, and when a round's first score was entered."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

UNDECIDED = sa.text("confirmed_at IS NULL AND cancelled_at IS NULL")


def upgrade() -> None:
    op.add_column("rounds", sa.Column("started_at", sa.DateTime(), nullable=True))
    op.execute(
        """
        UPDATE rounds SET started_at = (
            SELECT min(sheet_revisions.recorded_at) FROM sheet_revisions
            JOIN sheets ON sheets.id = sheet_revisions.sheet_id
            JOIN tables ON tables.id = sheets.table_id
            WHERE tables.round_id = rounds.id
        )
        """
    )
    op.create_table(
        "draw_repairs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=True),
        sa.Column("opened_at", sa.DateTime(), nullable=False),
        sa.Column("opened_by_id", sa.Integer(), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(), nullable=True),
        sa.Column("confirmed_by_id", sa.Integer(), nullable=True),
        sa.Column("cancelled_at", sa.DateTime(), nullable=True),
        sa.Column("cancelled_by_id", sa.Integer(), nullable=True),
        sa.Column("cancelled_reason", sa.String(length=500), nullable=True),
        sa.Column("closing_key", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(
            ["cancelled_by_id"], ["users.id"], name=op.f("fk_draw_repairs_cancelled_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["confirmed_by_id"], ["users.id"], name=op.f("fk_draw_repairs_confirmed_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["opened_by_id"], ["users.id"], name=op.f("fk_draw_repairs_opened_by_id_users")
        ),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_draw_repairs_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draw_repairs")),
    )
    op.create_index(op.f("ix_draw_repairs_round_id"), "draw_repairs", ["round_id"], unique=False)
    op.create_index(
        "uq_draw_repairs_open",
        "draw_repairs",
        ["round_id"],
        unique=True,
        sqlite_where=UNDECIDED,
        postgresql_where=UNDECIDED,
    )
    op.create_table(
        "draw_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("repair_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("change", sa.JSON(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("made_as", sa.String(length=20), nullable=False),
        sa.Column("made_by_id", sa.Integer(), nullable=True),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("request_sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["made_by_id"], ["users.id"], name=op.f("fk_draw_changes_made_by_id_users")),
        sa.ForeignKeyConstraint(
            ["repair_id"], ["draw_repairs.id"], name=op.f("fk_draw_changes_repair_id_draw_repairs")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draw_changes")),
        sa.UniqueConstraint(
            "repair_id", "idempotency_key", name=op.f("uq_draw_changes_repair_id_idempotency_key")
        ),
        sa.UniqueConstraint("repair_id", "number", name=op.f("uq_draw_changes_repair_id_number")),
    )
    op.create_table(
        "void_rounds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("voided_at", sa.DateTime(), nullable=False),
        sa.Column("voided_by_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_void_rounds_round_id_rounds")),
        sa.ForeignKeyConstraint(
            ["voided_by_id"], ["users.id"], name=op.f("fk_void_rounds_voided_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_void_rounds")),
        sa.UniqueConstraint("round_id", name=op.f("uq_void_rounds_round_id")),
    )
