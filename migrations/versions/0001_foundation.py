"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor_kind", sa.String(length=20), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("subject_type", sa.String(length=60), nullable=False),
        sa.Column("subject_id", sa.String(length=60), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
        sa.UniqueConstraint("hash", name=op.f("uq_audit_entries_hash")),
    )
    op.create_index(op.f("ix_audit_entries_action"), "audit_entries", ["action"], unique=False)
    op.create_index("ix_audit_entries_subject", "audit_entries", ["subject_type", "subject_id"], unique=False)
    op.create_table(
        "key_checks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("value", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_key_checks")),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("queued_at", sa.DateTime(), nullable=False),
        sa.Column("claimed_at", sa.DateTime(), nullable=True),
        sa.Column("sent_at", sa.DateTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=120), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sa.UniqueConstraint("message_id", name=op.f("uq_messages_message_id")),
    )
    op.create_index(op.f("ix_messages_queued_at"), "messages", ["queued_at"], unique=False)
    op.create_index(op.f("ix_messages_state"), "messages", ["state"], unique=False)
    op.create_table(
        "sign_in_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phone_hash", sa.String(length=64), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_codes")),
    )
    op.create_index(
        "ix_sign_in_codes_phone_hash_sent_at", "sign_in_codes", ["phone_hash", "sent_at"], unique=False
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phone_hash", sa.String(length=64), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("phone_hash", name=op.f("uq_users_phone_hash")),
    )
    op.create_table(
        "competitions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("place", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("created_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["created_by_id"], ["users.id"], name=op.f("fk_competitions_created_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_competitions")),
        sa.UniqueConstraint("slug", name=op.f("uq_competitions_slug")),
    )
    op.create_table(
        "regulation_versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("regulation_id", sa.String(length=80), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("frozen_at", sa.DateTime(), nullable=False),
        sa.Column("frozen_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["frozen_by_id"], ["users.id"], name=op.f("fk_regulation_versions_frozen_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regulation_versions")),
        sa.UniqueConstraint(
            "regulation_id", "number", name=op.f("uq_regulation_versions_regulation_id_number")
        ),
        sa.UniqueConstraint(
            "regulation_id", "sha256", name=op.f("uq_regulation_versions_regulation_id_sha256")
        ),
    )
    op.create_table(
        "workday_years",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("holidays", sa.JSON(), nullable=False),
        sa.Column("makeup_workdays", sa.JSON(), nullable=False),
        sa.Column("source", sa.String(length=200), nullable=False),
        sa.Column("entered_at", sa.DateTime(), nullable=False),
        sa.Column("entered_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entered_by_id"], ["users.id"], name=op.f("fk_workday_years_entered_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workday_years")),
        sa.UniqueConstraint("year", name=op.f("uq_workday_years_year")),
    )
    op.create_table(
        "consents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("notice_version", sa.String(length=20), nullable=False),
        sa.Column("agreed_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_consents_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_consents_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consents")),
        sa.UniqueConstraint(
            "user_id",
            "competition_id",
            "notice_version",
            name=op.f("uq_consents_user_id_competition_id_notice_version"),
        ),
    )
    op.create_index(op.f("ix_consents_competition_id"), "consents", ["competition_id"], unique=False)
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=60), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("regulation_version_id", sa.Integer(), nullable=False),
        sa.Column("results_version", sa.Integer(), nullable=False),
        sa.Column("entries_closed_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_events_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(
            ["regulation_version_id"],
            ["regulation_versions.id"],
            name=op.f("fk_events_regulation_version_id_regulation_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("competition_id", "code", name=op.f("uq_events_competition_id_code")),
    )
    op.create_index(op.f("ix_events_competition_id"), "events", ["competition_id"], unique=False)
    op.create_table(
        "role_grants",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_role_grants_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_role_grants_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_role_grants")),
        sa.UniqueConstraint(
            "user_id", "competition_id", "role", name=op.f("uq_role_grants_user_id_competition_id_role")
        ),
    )
    op.create_index(op.f("ix_role_grants_competition_id"), "role_grants", ["competition_id"], unique=False)
    op.create_index(op.f("ix_role_grants_user_id"), "role_grants", ["user_id"], unique=False)
    op.create_index(
        "uq_role_grants_everywhere",
        "role_grants",
        ["user_id", "role"],
        unique=True,
        sqlite_where=sa.text("competition_id IS NULL"),
        postgresql_where=sa.text("competition_id IS NULL"),
    )
    op.create_table(
        "units",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("credit_code", sa.String(length=18), nullable=False),
        sa.Column("leader_user_id", sa.Integer(), nullable=False),
        sa.Column("contact_name", sa.Text(), nullable=True),
        sa.Column("contact_phone", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_units_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["leader_user_id"], ["users.id"], name=op.f("fk_units_leader_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_units")),
        sa.UniqueConstraint(
            "competition_id", "credit_code", name=op.f("uq_units_competition_id_credit_code")
        ),
        sa.UniqueConstraint(
            "competition_id", "leader_user_id", name=op.f("uq_units_competition_id_leader_user_id")
        ),
    )
    op.create_index(op.f("ix_units_leader_user_id"), "units", ["leader_user_id"], unique=False)
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(), nullable=True),
        sa.Column("decided_at", sa.DateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(["decided_by_id"], ["users.id"], name=op.f("fk_entries_decided_by_id_users")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_entries_event_id_events")),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_entries_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
    )
    op.create_index(op.f("ix_entries_event_id"), "entries", ["event_id"], unique=False)
    op.create_index(op.f("ix_entries_unit_id"), "entries", ["unit_id"], unique=False)
    op.create_table(
        "members",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=30), nullable=False),
        sa.Column("id_number", sa.Text(), nullable=True),
        sa.Column("person_hash", sa.String(length=64), nullable=False),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("employment", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_members_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("unit_id", "person_hash", name=op.f("uq_members_unit_id_person_hash")),
    )
    op.create_table(
        "publications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("regulation_version_id", sa.Integer(), nullable=False),
        sa.Column("listing", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("published_at", sa.DateTime(), nullable=False),
        sa.Column("published_by_id", sa.Integer(), nullable=True),
        sa.Column("counted_from", sa.String(length=20), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("ends_at", sa.DateTime(), nullable=False),
        sa.Column("days", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_publications_event_id_events")),
        sa.ForeignKeyConstraint(
            ["published_by_id"], ["users.id"], name=op.f("fk_publications_published_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["regulation_version_id"],
            ["regulation_versions.id"],
            name=op.f("fk_publications_regulation_version_id_regulation_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_publications_event_id_number")),
    )
    op.create_table(
        "registrations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("unit_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("submitted_at", sa.DateTime(), nullable=True),
        sa.Column("regulation_version_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_registrations_event_id_events")),
        sa.ForeignKeyConstraint(
            ["regulation_version_id"],
            ["regulation_versions.id"],
            name=op.f("fk_registrations_regulation_version_id_regulation_versions"),
        ),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_registrations_unit_id_units")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registrations")),
        sa.UniqueConstraint("event_id", "unit_id", name=op.f("uq_registrations_event_id_unit_id")),
        sa.UniqueConstraint("number", name=op.f("uq_registrations_number")),
    )
    op.create_index(op.f("ix_registrations_unit_id"), "registrations", ["unit_id"], unique=False)
    op.create_table(
        "standings_snapshots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("results_version", sa.Integer(), nullable=False),
        sa.Column("input_sha256", sa.String(length=64), nullable=False),
        sa.Column("regulation_version_id", sa.Integer(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.Column("computed_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_standings_snapshots_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["regulation_version_id"],
            ["regulation_versions.id"],
            name=op.f("fk_standings_snapshots_regulation_version_id_regulation_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standings_snapshots")),
        sa.UniqueConstraint(
            "event_id", "results_version", name=op.f("uq_standings_snapshots_event_id_results_version")
        ),
    )
    op.create_table(
        "entry_members",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("member_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("person_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_entry_members_entry_id_entries")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_entry_members_event_id_events")),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_entry_members_member_id_members")
        ),
        sa.PrimaryKeyConstraint("entry_id", "member_id", name=op.f("pk_entry_members")),
        sa.UniqueConstraint("event_id", "person_hash", name=op.f("uq_entry_members_event_id_person_hash")),
    )
    op.create_index(op.f("ix_entry_members_member_id"), "entry_members", ["member_id"], unique=False)
    op.create_table(
        "registration_submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("registration_id", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=64), nullable=False),
        sa.Column("submitted_at", sa.DateTime(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["registration_id"],
            ["registrations.id"],
            name=op.f("fk_registration_submissions_registration_id_registrations"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registration_submissions")),
        sa.UniqueConstraint(
            "registration_id",
            "idempotency_key",
            name=op.f("uq_registration_submissions_registration_id_idempotency_key"),
        ),
    )
    op.create_table(
        "rounds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(length=20), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("publication_id", sa.Integer(), nullable=True),
        sa.Column("seed", sa.String(length=128), nullable=False),
        sa.Column("drawn_at", sa.DateTime(), nullable=False),
        sa.Column("drawn_by_id", sa.Integer(), nullable=True),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("direct", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["drawn_by_id"], ["users.id"], name=op.f("fk_rounds_drawn_by_id_users")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_rounds_event_id_events")),
        sa.ForeignKeyConstraint(
            ["publication_id"], ["publications.id"], name=op.f("fk_rounds_publication_id_publications")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rounds")),
        sa.UniqueConstraint("event_id", "stage", "number", name=op.f("uq_rounds_event_id_stage_number")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_tables_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
        sa.UniqueConstraint("round_id", "number", name=op.f("uq_tables_round_id_number")),
        sa.UniqueConstraint("token", name=op.f("uq_tables_token")),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_seats_entry_id_entries")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("table_id", "entry_id", name=op.f("uq_seats_table_id_entry_id")),
        sa.UniqueConstraint("table_id", "position", name=op.f("uq_seats_table_id_position")),
    )
    op.create_index(op.f("ix_seats_entry_id"), "seats", ["entry_id"], unique=False)
    op.create_table(
        "sheets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("confirmed_revision", sa.Integer(), nullable=True),
        sa.Column("published_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_sheets_event_id_events")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_sheets_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheets")),
        sa.UniqueConstraint("table_id", name=op.f("uq_sheets_table_id")),
    )
    op.create_index(op.f("ix_sheets_event_id"), "sheets", ["event_id"], unique=False)
    op.create_table(
        "sheet_revisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sheet_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("deals", sa.JSON(), nullable=False),
        sa.Column("handed_in", sa.Boolean(), nullable=False),
        sa.Column("recorded_by_id", sa.Integer(), nullable=True),
        sa.Column("recorded_at", sa.DateTime(), nullable=False),
        sa.Column("device", sa.String(length=200), nullable=True),
        sa.Column("client_time", sa.DateTime(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("request_sha256", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=True),
        sa.ForeignKeyConstraint(
            ["recorded_by_id"], ["users.id"], name=op.f("fk_sheet_revisions_recorded_by_id_users")
        ),
        sa.ForeignKeyConstraint(["sheet_id"], ["sheets.id"], name=op.f("fk_sheet_revisions_sheet_id_sheets")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheet_revisions")),
        sa.UniqueConstraint(
            "sheet_id", "idempotency_key", name=op.f("uq_sheet_revisions_sheet_id_idempotency_key")
        ),
        sa.UniqueConstraint("sheet_id", "number", name=op.f("uq_sheet_revisions_sheet_id_number")),
    )
