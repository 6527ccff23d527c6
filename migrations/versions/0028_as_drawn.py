"""From which results version on a sheet's revision and a ruling count, and from which one a round was drawn."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.add_column("rounds", sa.Column("results_version", sa.Integer(), nullable=True))
    op.add_column("sheet_revisions", sa.Column("in_force_version", sa.Integer(), nullable=True))
    op.add_column("rulings", sa.Column("given_version", sa.Integer(), nullable=True))
    op.add_column("rulings", sa.Column("lifted_version", sa.Integer(), nullable=True))
    op.add_column("rulings", sa.Column("on_sheet", sa.Boolean(), server_default=sa.false(), nullable=False))
