"""Documents that the committee asks for, and what leaders were warned of."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "document_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=16), nullable=False),
        sa.Column("until", sa.Date(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("asked_by_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["asked_by_id"], ["users.id"], name=op.f("fk_document_requests_asked_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_document_requests_competition_id_competitions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_requests")),
        sa.UniqueConstraint(
            "competition_id",
            "kind",
            "subject",
            name=op.f("uq_document_requests_competition_id_kind_subject"),
        ),
    )
    op.create_table(
        "document_warnings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("subject", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("told_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_document_warnings_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_warnings")),
        sa.UniqueConstraint(
            "subject", "kind", "reason", "day", name=op.f("uq_document_warnings_subject_kind_reason_day")
        ),
    )
    op.create_index(op.f("ix_document_warnings_unit_id"), "document_warnings", ["unit_id"], unique=False)
