"""What a sheet says besides its deals: the result of a board, forfeits, minutes late."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("sheet_revisions", sa.Column("outcome", sa.JSON(), nullable=True))
