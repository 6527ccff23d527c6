"""Whether an entry is one of those that its unit's form names for the team."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("entries", sa.Column("in_team", sa.Boolean(), nullable=True))
