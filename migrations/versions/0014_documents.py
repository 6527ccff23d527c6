"""Documents with their revisions, decisions, signatures and purge reports."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "purge_reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("signature", sa.String(length=128), nullable=False),
        sa.Column("public_key", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_purge_reports_competition_id_competitions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_purge_reports")),
    )
    op.create_index(
        op.f("ix_purge_reports_competition_id"), "purge_reports", ["competition_id"], unique=False
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=True),
        sa.Column("subject", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("handed_in_at", sa.DateTime(), nullable=False),
        sa.Column("decided_at", sa.DateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Integer(), nullable=True),
        sa.Column("claimed_by_id", sa.Integer(), nullable=True),
        sa.Column("claimed_until", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["claimed_by_id"], ["users.id"], name=op.f("fk_documents_claimed_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_documents_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(
            ["decided_by_id"], ["users.id"], name=op.f("fk_documents_decided_by_id_users")
        ),
        sa.ForeignKeyConstraint(["member_id"], ["members.id"], name=op.f("fk_documents_member_id_members")),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_documents_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("subject", "kind", name=op.f("uq_documents_subject_kind")),
    )
    op.create_index(op.f("ix_documents_competition_id"), "documents", ["competition_id"], unique=False)
    op.create_index(op.f("ix_documents_member_id"), "documents", ["member_id"], unique=False)
    op.create_index(op.f("ix_documents_unit_id"), "documents", ["unit_id"], unique=False)
    op.create_table(
        "deletion_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=True),
        sa.Column("asked_by_id", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_at", sa.DateTime(), nullable=True),
        sa.Column("answered_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["answered_by_id"], ["users.id"], name=op.f("fk_deletion_requests_answered_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["asked_by_id"], ["users.id"], name=op.f("fk_deletion_requests_asked_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_deletion_requests_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_deletion_requests_document_id_documents")
        ),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_deletion_requests_member_id_members")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deletion_requests")),
    )
    op.create_index(
        op.f("ix_deletion_requests_competition_id"), "deletion_requests", ["competition_id"], unique=False
    )
    op.create_index(op.f("ix_deletion_requests_member_id"), "deletion_requests", ["member_id"], unique=False)
    op.create_table(
        "document_revisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=64), nullable=False),
        sa.Column("handed_in_by_id", sa.Integer(), nullable=False),
        sa.Column("handed_in_at", sa.DateTime(), nullable=False),
        sa.Column("regulation_version_id", sa.Integer(), nullable=False),
        sa.Column("values", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_revisions_document_id_documents")
        ),
        sa.ForeignKeyConstraint(
            ["handed_in_by_id"], ["users.id"], name=op.f("fk_document_revisions_handed_in_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["regulation_version_id"],
            ["regulation_versions.id"],
            name=op.f("fk_document_revisions_regulation_version_id_regulation_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_revisions")),
        sa.UniqueConstraint(
            "document_id", "idempotency_key", name=op.f("uq_document_revisions_document_id_idempotency_key")
        ),
        sa.UniqueConstraint("document_id", "number", name=op.f("uq_document_revisions_document_id_number")),
    )
    op.create_table(
        "document_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("decided_by_id", sa.Integer(), nullable=False),
        sa.Column("decided_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["decided_by_id"], ["users.id"], name=op.f("fk_document_decisions_decided_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["document_revisions.id"],
            name=op.f("fk_document_decisions_revision_id_document_revisions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_decisions")),
    )
    op.create_index(
        op.f("ix_document_decisions_revision_id"), "document_decisions", ["revision_id"], unique=False
    )
    op.create_table(
        "document_pages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["document_revisions.id"],
            name=op.f("fk_document_pages_revision_id_document_revisions"),
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_document_pages_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document_pages")),
        sa.UniqueConstraint("revision_id", "position", name=op.f("uq_document_pages_revision_id_position")),
        sa.UniqueConstraint("upload_id", name=op.f("uq_document_pages_upload_id")),
    )
    op.create_table(
        "document_readings",
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("findings", sa.Text(), nullable=True),
        sa.Column("read_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["document_revisions.id"],
            name=op.f("fk_document_readings_revision_id_document_revisions"),
        ),
        sa.PrimaryKeyConstraint("revision_id", name=op.f("pk_document_readings")),
    )
    op.create_table(
        "signatures",
        sa.Column("revision_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=False),
        sa.Column("strokes", sa.Text(), nullable=False),
        sa.Column("pdf_id", sa.Integer(), nullable=True),
        sa.Column("signed_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["pdf_id"], ["stored_files.id"], name=op.f("fk_signatures_pdf_id_stored_files")
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["document_revisions.id"],
            name=op.f("fk_signatures_revision_id_document_revisions"),
        ),
        sa.PrimaryKeyConstraint("revision_id", name=op.f("pk_signatures")),
    )
