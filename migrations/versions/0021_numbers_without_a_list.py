"""Competition numbers where the text has no published list."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    with op.batch_alter_table("competition_numbers") as batch:
        batch.alter_column("publication_id", existing_type=sa.Integer(), nullable=True)
