"""What each player of a pair says of himself, and that a newer form took an entry's place."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("members", sa.Column("unit_name", sa.String(length=60), nullable=True))
    op.add_column("members", sa.Column("declared", sa.JSON(), nullable=True))
    op.add_column("entries", sa.Column("replaced_at", sa.DateTime(), nullable=True))
