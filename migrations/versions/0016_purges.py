"""What a purge under way has taken out, and what holds one back."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "purge_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("key", sa.String(length=120), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_purge_items_competition_id_competitions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purge_items")),
    )
    op.create_index(op.f("ix_purge_items_competition_id"), "purge_items", ["competition_id"], unique=False)
    op.create_table(
        "purge_holds",
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.Column("held_at", sa.DateTime(), nullable=False),
        sa.Column("held_by_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_purge_holds_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["held_by_id"], ["users.id"], name=op.f("fk_purge_holds_held_by_id_users")),
        sa.PrimaryKeyConstraint("competition_id", name=op.f("pk_purge_holds")),
    )
