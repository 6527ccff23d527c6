"""What text a handed-in undertaking stands under, so that one on paper is compared with today's as one signed on the phone."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("document_revisions", sa.Column("wording_sha256", sa.String(64), nullable=True))
