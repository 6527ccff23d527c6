"""Files in the store, and uploads with their pieces and cleaned pages."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "stored_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("wrapped_key", sa.String(length=200), nullable=False),
        sa.Column("key_id", sa.String(length=16), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("media_type", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stored_files")),
        sa.UniqueConstraint("key", name=op.f("uq_stored_files_key")),
    )
    op.create_index(op.f("ix_stored_files_key_id"), "stored_files", ["key_id"], unique=False)
    op.create_table(
        "uploads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("max_bytes", sa.BigInteger(), nullable=False),
        sa.Column("max_pages", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("media_type", sa.String(length=80), nullable=True),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("refusal", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("touched_at", sa.DateTime(), nullable=False),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.Column("cleaned_at", sa.DateTime(), nullable=True),
        sa.Column("claimed_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_uploads_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_uploads_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
        sa.UniqueConstraint("token", name=op.f("uq_uploads_token")),
        sa.UniqueConstraint("user_id", "idempotency_key", name=op.f("uq_uploads_user_id_idempotency_key")),
    )
    op.create_index(op.f("ix_uploads_competition_id"), "uploads", ["competition_id"], unique=False)
    op.create_index(op.f("ix_uploads_state"), "uploads", ["state"], unique=False)
    op.create_table(
        "upload_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["stored_files.id"], name=op.f("fk_upload_files_file_id_stored_files")
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_upload_files_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload_files")),
        sa.UniqueConstraint("upload_id", "role", "page", name=op.f("uq_upload_files_upload_id_role_page")),
    )
    op.create_table(
        "upload_pieces",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("start", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["stored_files.id"], name=op.f("fk_upload_pieces_file_id_stored_files")
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_upload_pieces_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_upload_pieces")),
        sa.UniqueConstraint("upload_id", "start", name=op.f("uq_upload_pieces_upload_id_start")),
    )
