"""Who was told what by mail, once for each reader and occasion."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("occasion", sa.String(length=90), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("written", sa.Boolean(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_reports_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_reports_event_id_events")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_reports_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
        sa.UniqueConstraint("key", name=op.f("uq_reports_key")),
    )
    op.create_index("ix_reports_competition_id_kind_at", "reports", ["competition_id", "kind", "at"])
    op.create_index(op.f("ix_reports_event_id"), "reports", ["event_id"])
    op.create_index(op.f("ix_reports_user_id"), "reports", ["user_id"])
