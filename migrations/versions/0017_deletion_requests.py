"""The kind of document a request to delete is about, which outlives the document."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("deletion_requests", sa.Column("kind", sa.String(length=40), nullable=True))
