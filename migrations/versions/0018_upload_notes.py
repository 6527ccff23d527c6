"""What the cleaning of an upload changed, to be told to whoever sent it and whoever reads it."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("uploads", sa.Column("notes", sa.JSON(), nullable=True))
