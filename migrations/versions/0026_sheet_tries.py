"""How often a worker has begun to make the sheet of a signed undertaking, so that one that always fails is given up."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("signatures", sa.Column("sheet_tries", sa.Integer(), server_default="0", nullable=False))
