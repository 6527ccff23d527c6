"""Divisions into groups (分组), drawn and committed to as rounds are; commitments given up with a round taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

STANDING = sa.text("voided_at IS NULL")
OPEN = sa.text("withdrawn_at IS NULL AND round_id IS NULL AND division_id IS NULL")


def upgrade() -> None:
    op.create_table(
        "divisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("publication_id", sa.Integer(), nullable=True),
        sa.Column("seed", sa.String(length=128), nullable=False),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("groups", sa.JSON(), nullable=False),
        sa.Column("drawn_at", sa.DateTime(), nullable=False),
        sa.Column("drawn_by_id", sa.Integer(), nullable=True),
        sa.Column("voided_at", sa.DateTime(), nullable=True),
        sa.Column("voided_by_id", sa.Integer(), nullable=True),
        sa.Column("void_reason", sa.String(length=500), nullable=True),
        sa.Column("void_key", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_divisions_event_id_events")),
        sa.ForeignKeyConstraint(
            ["publication_id"], ["publications.id"], name=op.f("fk_divisions_publication_id_publications")
        ),
        sa.ForeignKeyConstraint(["drawn_by_id"], ["users.id"], name=op.f("fk_divisions_drawn_by_id_users")),
        sa.ForeignKeyConstraint(["voided_by_id"], ["users.id"], name=op.f("fk_divisions_voided_by_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_divisions")),
    )
    op.create_index(op.f("ix_divisions_event_id"), "divisions", ["event_id"], unique=False)
    op.create_index(
        "uq_divisions_standing",
        "divisions",
        ["event_id", "stage"],
        unique=True,
        sqlite_where=STANDING,
        postgresql_where=STANDING,
    )
    with op.batch_alter_table("draw_commitments") as table:
        table.add_column(sa.Column("division_id", sa.Integer(), nullable=True))
        table.add_column(sa.Column("withdrawn_with", sa.String(length=20), nullable=True))
        table.create_foreign_key(
            op.f("fk_draw_commitments_division_id_divisions"), "divisions", ["division_id"], ["id"]
        )
        table.create_unique_constraint(op.f("uq_draw_commitments_division_id"), ["division_id"])
    # a commitment that a division was drawn from is no longer open: the index is made anew with that in its condition
    op.drop_index("uq_draw_commitments_open", table_name="draw_commitments")
    op.create_index(
        "uq_draw_commitments_open",
        "draw_commitments",
        ["event_id", "stage", "number"],
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
