"""Requests to delete documents of a unit itself, beside those of members."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    with op.batch_alter_table("deletion_requests") as table:
        table.alter_column("member_id", existing_type=sa.Integer(), nullable=True)
        table.add_column(sa.Column("unit_id", sa.Integer(), nullable=True))
        table.create_foreign_key(op.f("fk_deletion_requests_unit_id_units"), "units", ["unit_id"], ["id"])
        table.create_check_constraint(
            op.f("ck_deletion_requests_one_subject"), "(member_id IS NULL) <> (unit_id IS NULL)"
        )
        table.create_index(op.f("ix_deletion_requests_unit_id"), ["unit_id"], unique=False)
