"""Lists that follow lists, objections, announcements, and mail in both directions."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "mail_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("media_type", sa.String(length=80), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_files")),
        sa.UniqueConstraint("sha256", name=op.f("uq_mail_files_sha256")),
    )
    op.create_table(
        "mail_opt_outs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("recipient_hash", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_opt_outs")),
        sa.UniqueConstraint("recipient_hash", name=op.f("uq_mail_opt_outs_recipient_hash")),
    )
    op.create_table(
        "mailbox_states",
        sa.Column("folder", sa.String(length=120), nullable=False),
        sa.Column("uid_validity", sa.BigInteger(), nullable=True),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.Column("polled_at", sa.DateTime(), nullable=True),
        sa.Column("last_error", sa.String(length=200), nullable=True),
        sa.Column("failed_since", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("folder", name=op.f("pk_mailbox_states")),
    )
    op.create_table(
        "announcements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=64), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("title_en", sa.String(length=200), nullable=True),
        sa.Column("body_en", sa.Text(), nullable=True),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("created_by_id", sa.Integer(), nullable=False),
        sa.Column("publish_at", sa.DateTime(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_announcements_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(
            ["created_by_id"], ["users.id"], name=op.f("fk_announcements_created_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
        sa.UniqueConstraint(
            "competition_id", "idempotency_key", name=op.f("uq_announcements_competition_id_idempotency_key")
        ),
    )
    op.create_table(
        "incoming_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.String(length=998), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("sender_hash", sa.String(length=64), nullable=True),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("raw_file_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=True),
        sa.Column("processed_at", sa.DateTime(), nullable=True),
        sa.Column("processed_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_incoming_messages_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["processed_by_id"], ["users.id"], name=op.f("fk_incoming_messages_processed_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["raw_file_id"], ["stored_files.id"], name=op.f("fk_incoming_messages_raw_file_id_stored_files")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incoming_messages")),
        sa.UniqueConstraint("key", name=op.f("uq_incoming_messages_key")),
    )
    op.create_index(
        op.f("ix_incoming_messages_competition_id"), "incoming_messages", ["competition_id"], unique=False
    )
    op.create_index(
        op.f("ix_incoming_messages_sender_hash"), "incoming_messages", ["sender_hash"], unique=False
    )
    op.create_index(op.f("ix_incoming_messages_state"), "incoming_messages", ["state"], unique=False)
    op.create_table(
        "announcement_files",
        sa.Column("announcement_id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(
            ["announcement_id"],
            ["announcements.id"],
            name=op.f("fk_announcement_files_announcement_id_announcements"),
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_announcement_files_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("announcement_id", "upload_id", name=op.f("pk_announcement_files")),
    )
    op.create_table(
        "incoming_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("incoming_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=True),
        sa.Column("refusal", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(
            ["incoming_id"],
            ["incoming_messages.id"],
            name=op.f("fk_incoming_files_incoming_id_incoming_messages"),
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_incoming_files_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incoming_files")),
        sa.UniqueConstraint("incoming_id", "position", name=op.f("uq_incoming_files_incoming_id_position")),
        sa.UniqueConstraint("upload_id", name=op.f("uq_incoming_files_upload_id")),
    )
    op.create_table(
        "message_files",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("file_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["mail_files.id"], name=op.f("fk_message_files_file_id_mail_files")
        ),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_message_files_message_id_messages")
        ),
        sa.PrimaryKeyConstraint("message_id", "position", name=op.f("pk_message_files")),
    )
    op.create_index(op.f("ix_message_files_file_id"), "message_files", ["file_id"], unique=False)
    op.create_table(
        "change_applications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.Column("made_entry_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("applied_at", sa.DateTime(), nullable=False),
        sa.Column("applied_by_id", sa.Integer(), nullable=False),
        sa.Column("decided_at", sa.DateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Integer(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["applied_by_id"], ["users.id"], name=op.f("fk_change_applications_applied_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_change_applications_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["decided_by_id"], ["users.id"], name=op.f("fk_change_applications_decided_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name=op.f("fk_change_applications_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_change_applications_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["made_entry_id"], ["entries.id"], name=op.f("fk_change_applications_made_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_change_applications_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_change_applications")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_change_applications_event_id_number")),
        sa.UniqueConstraint(
            "unit_id", "idempotency_key", name=op.f("uq_change_applications_unit_id_idempotency_key")
        ),
    )
    op.create_index(
        op.f("ix_change_applications_competition_id"), "change_applications", ["competition_id"], unique=False
    )
    op.create_table(
        "competition_numbers",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("publication_id", sa.Integer(), nullable=False),
        sa.Column("given_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name=op.f("fk_competition_numbers_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_competition_numbers_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["publication_id"],
            ["publications.id"],
            name=op.f("fk_competition_numbers_publication_id_publications"),
        ),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_competition_numbers")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_competition_numbers_event_id_number")),
    )
    op.create_table(
        "objections",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("publication_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.Column("idempotency_key", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("incoming_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=True),
        sa.Column("unit_name", sa.Text(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("reporter_name", sa.Text(), nullable=True),
        sa.Column("reporter_phone", sa.Text(), nullable=True),
        sa.Column("reporter_email", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lacking", sa.JSON(), nullable=False),
        sa.Column("clause", sa.String(length=60), nullable=True),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("assigned_to_id", sa.Integer(), nullable=True),
        sa.Column("due_at", sa.DateTime(), nullable=True),
        sa.Column("decided_at", sa.DateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Integer(), nullable=True),
        sa.Column("decision", sa.Text(), nullable=True),
        sa.Column("summary", sa.String(length=500), nullable=True),
        sa.Column("superseding_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assigned_to_id"], ["users.id"], name=op.f("fk_objections_assigned_to_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_objections_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(
            ["decided_by_id"], ["users.id"], name=op.f("fk_objections_decided_by_id_users")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_objections_event_id_events")),
        sa.ForeignKeyConstraint(
            ["incoming_id"],
            ["incoming_messages.id"],
            name=op.f("fk_objections_incoming_id_incoming_messages"),
        ),
        sa.ForeignKeyConstraint(
            ["publication_id"], ["publications.id"], name=op.f("fk_objections_publication_id_publications")
        ),
        sa.ForeignKeyConstraint(
            ["superseding_id"], ["publications.id"], name=op.f("fk_objections_superseding_id_publications")
        ),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_objections_unit_id_units")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_objections_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_objections")),
        sa.UniqueConstraint(
            "competition_id", "idempotency_key", name=op.f("uq_objections_competition_id_idempotency_key")
        ),
        sa.UniqueConstraint("incoming_id", name=op.f("uq_objections_incoming_id")),
        sa.UniqueConstraint("number", name=op.f("uq_objections_number")),
        sa.UniqueConstraint("token", name=op.f("uq_objections_token")),
    )
    op.create_index(op.f("ix_objections_event_id"), "objections", ["event_id"], unique=False)
    op.create_index(op.f("ix_objections_publication_id"), "objections", ["publication_id"], unique=False)
    op.create_index(op.f("ix_objections_state"), "objections", ["state"], unique=False)
    op.create_index(op.f("ix_objections_unit_id"), "objections", ["unit_id"], unique=False)
    op.create_index(op.f("ix_objections_user_id"), "objections", ["user_id"], unique=False)
    op.create_table(
        "change_application_files",
        sa.Column("application_id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["application_id"],
            ["change_applications.id"],
            name=op.f("fk_change_application_files_application_id_change_applications"),
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_change_application_files_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("application_id", "upload_id", name=op.f("pk_change_application_files")),
    )
    op.create_table(
        "objection_entries",
        sa.Column("objection_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name=op.f("fk_objection_entries_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(
            ["objection_id"], ["objections.id"], name=op.f("fk_objection_entries_objection_id_objections")
        ),
        sa.PrimaryKeyConstraint("objection_id", "entry_id", name=op.f("pk_objection_entries")),
    )
    op.create_index(op.f("ix_objection_entries_entry_id"), "objection_entries", ["entry_id"], unique=False)
    op.create_table(
        "objection_hearings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("objection_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("due_at", sa.DateTime(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["objection_id"], ["objections.id"], name=op.f("fk_objection_hearings_objection_id_objections")
        ),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_objection_hearings_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_objection_hearings")),
        sa.UniqueConstraint(
            "objection_id", "unit_id", name=op.f("uq_objection_hearings_objection_id_unit_id")
        ),
    )
    op.create_index(op.f("ix_objection_hearings_unit_id"), "objection_hearings", ["unit_id"], unique=False)
    op.create_table(
        "objection_recusals",
        sa.Column("objection_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["objection_id"], ["objections.id"], name=op.f("fk_objection_recusals_objection_id_objections")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_objection_recusals_user_id_users")),
        sa.PrimaryKeyConstraint("objection_id", "user_id", name=op.f("pk_objection_recusals")),
    )
    op.create_table(
        "objection_steps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("objection_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("incoming_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["incoming_id"],
            ["incoming_messages.id"],
            name=op.f("fk_objection_steps_incoming_id_incoming_messages"),
        ),
        sa.ForeignKeyConstraint(
            ["objection_id"], ["objections.id"], name=op.f("fk_objection_steps_objection_id_objections")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_objection_steps_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_objection_steps")),
    )
    op.create_index(
        op.f("ix_objection_steps_objection_id"), "objection_steps", ["objection_id"], unique=False
    )
    op.create_table(
        "objection_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("objection_id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("hearing_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["hearing_id"],
            ["objection_hearings.id"],
            name=op.f("fk_objection_files_hearing_id_objection_hearings"),
        ),
        sa.ForeignKeyConstraint(
            ["objection_id"], ["objections.id"], name=op.f("fk_objection_files_objection_id_objections")
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_objection_files_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_objection_files")),
        sa.UniqueConstraint("upload_id", name=op.f("uq_objection_files_upload_id")),
    )
    op.create_index(
        op.f("ix_objection_files_objection_id"), "objection_files", ["objection_id"], unique=False
    )
    op.add_column("entries", sa.Column("override_clause", sa.String(length=60), nullable=True))
    op.add_column("entries", sa.Column("override_reason", sa.Text(), nullable=True))
    with op.batch_alter_table("messages") as batch:
        # what was sent until now: codes and short notices in Chinese, written once
        batch.add_column(sa.Column("kind", sa.String(length=40), nullable=False, server_default="notice"))
        batch.add_column(sa.Column("key", sa.String(length=120), nullable=True))
        batch.add_column(sa.Column("competition_id", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("user_id", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("recipient_hash", sa.String(length=64), nullable=True))
        batch.add_column(sa.Column("language", sa.String(length=5), nullable=False, server_default="zh"))
        batch.add_column(sa.Column("html", sa.Text(), nullable=True))
        batch.add_column(sa.Column("in_reply_to", sa.String(length=998), nullable=True))
        batch.add_column(sa.Column("automatic", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch.add_column(sa.Column("next_try_at", sa.DateTime(), nullable=True))
        batch.add_column(sa.Column("uncertain_at", sa.DateTime(), nullable=True))
        batch.add_column(sa.Column("repeats", sa.Integer(), nullable=False, server_default="0"))
        batch.add_column(sa.Column("last_error", sa.String(length=200), nullable=True))
        batch.add_column(sa.Column("bounced_at", sa.DateTime(), nullable=True))
        batch.add_column(sa.Column("bounce", sa.String(length=200), nullable=True))
        batch.create_index(op.f("ix_messages_competition_id"), ["competition_id"], unique=False)
        batch.create_index(op.f("ix_messages_recipient_hash"), ["recipient_hash"], unique=False)
        batch.create_index(op.f("ix_messages_user_id"), ["user_id"], unique=False)
        batch.create_unique_constraint(op.f("uq_messages_key"), ["key"])
        batch.create_foreign_key(
            op.f("fk_messages_competition_id_competitions"), "competitions", ["competition_id"], ["id"]
        )
        batch.create_foreign_key(op.f("fk_messages_user_id_users"), "users", ["user_id"], ["id"])
    with op.batch_alter_table("messages") as batch:
        for column, kind in (
            ("kind", sa.String(length=40)),
            ("language", sa.String(length=5)),
            ("automatic", sa.Boolean()),
            ("repeats", sa.Integer()),
        ):
            batch.alter_column(column, existing_type=kind, server_default=None)
    with op.batch_alter_table("publications") as batch:
        # until now an event had one list
        batch.add_column(sa.Column("kind", sa.String(length=20), nullable=False, server_default="first"))
        batch.add_column(sa.Column("supersedes_id", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("reason", sa.String(length=500), nullable=True))
        batch.add_column(sa.Column("final_at", sa.DateTime(), nullable=True))
        batch.create_unique_constraint(op.f("uq_publications_supersedes_id"), ["supersedes_id"])
        batch.create_foreign_key(
            op.f("fk_publications_supersedes_id_publications"), "publications", ["supersedes_id"], ["id"]
        )
    with op.batch_alter_table("publications") as batch:
        batch.alter_column("kind", existing_type=sa.String(length=20), server_default=None)
    with op.batch_alter_table("uploads") as batch:
        batch.alter_column("user_id", existing_type=sa.Integer(), nullable=True)
    op.add_column("users", sa.Column("email", sa.Text(), nullable=True))
    op.add_column("users", sa.Column("email_hash", sa.String(length=64), nullable=True))
    op.add_column("users", sa.Column("email_confirmed_at", sa.DateTime(), nullable=True))
    op.add_column("users", sa.Column("language", sa.String(length=5), nullable=True))
    op.create_index(op.f("ix_users_email_hash"), "users", ["email_hash"], unique=False)
