"""Why an announcement was withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("announcements", sa.Column("withdrawn_reason", sa.String(length=200), nullable=True))
