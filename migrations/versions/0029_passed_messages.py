"""How far the mailbox was looked at beyond messages that cannot be had, so that many of them do not hide the ones behind."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.add_column("mailbox_states", sa.Column("passed_uid", sa.BigInteger(), nullable=True))
