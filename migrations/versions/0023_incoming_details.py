"""What is known of an incoming message beside its text, what became of it, and that its personal data is gone."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("incoming_messages", sa.Column("head", sa.Text(), nullable=True))
    op.add_column("incoming_messages", sa.Column("note", sa.Text(), nullable=True))
    op.add_column("incoming_messages", sa.Column("case_number", sa.String(length=20), nullable=True))
    op.add_column("incoming_messages", sa.Column("answered_at", sa.DateTime(), nullable=True))
    op.add_column("incoming_messages", sa.Column("purged_at", sa.DateTime(), nullable=True))
