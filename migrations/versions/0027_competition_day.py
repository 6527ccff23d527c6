"""The competition day: rounds as they are played, confirmations, rulings, corrections, appeals and their fees; rehearsals."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "floor_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("text_en", sa.String(length=300), nullable=True),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("made_by_id", sa.Integer(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_floor_notices_event_id_events")),
        sa.ForeignKeyConstraint(["made_by_id"], ["users.id"], name=op.f("fk_floor_notices_made_by_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_floor_notices")),
    )
    op.create_index(op.f("ix_floor_notices_event_id"), "floor_notices", ["event_id"], unique=False)

    op.create_table(
        "floor_terms",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("confirmation", sa.String(length=20), nullable=False),
        sa.Column("publication", sa.String(length=20), nullable=False),
        sa.Column("round_minutes", sa.Integer(), nullable=True),
        sa.Column("call_minutes", sa.Integer(), nullable=True),
        sa.Column("set_at", sa.DateTime(), nullable=False),
        sa.Column("set_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_floor_terms_event_id_events")),
        sa.ForeignKeyConstraint(["set_by_id"], ["users.id"], name=op.f("fk_floor_terms_set_by_id_users")),
        sa.PrimaryKeyConstraint("event_id", name=op.f("pk_floor_terms")),
    )
    op.create_table(
        "player_keys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.Column("pin", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("blocked_until", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_player_keys_entry_id_entries")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_keys")),
        sa.UniqueConstraint("entry_id", name=op.f("uq_player_keys_entry_id")),
        sa.UniqueConstraint("token", name=op.f("uq_player_keys_token")),
    )
    op.create_table(
        "arrivals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("recorded_by_id", sa.Integer(), nullable=True),
        sa.Column("taken_back_at", sa.DateTime(), nullable=True),
        sa.Column("taken_back_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_arrivals_entry_id_entries")),
        sa.ForeignKeyConstraint(
            ["recorded_by_id"], ["users.id"], name=op.f("fk_arrivals_recorded_by_id_users")
        ),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_arrivals_round_id_rounds")),
        sa.ForeignKeyConstraint(
            ["taken_back_by_id"], ["users.id"], name=op.f("fk_arrivals_taken_back_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_arrivals")),
    )
    op.create_index(op.f("ix_arrivals_entry_id"), "arrivals", ["entry_id"], unique=False)
    op.create_index(
        "uq_arrivals_standing",
        "arrivals",
        ["round_id", "entry_id"],
        unique=True,
        sqlite_where=sa.text("taken_back_at IS NULL"),
        postgresql_where=sa.text("taken_back_at IS NULL"),
    )

    op.create_table(
        "round_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("scheduled_at", sa.DateTime(), nullable=True),
        sa.Column("opened_at", sa.DateTime(), nullable=True),
        sa.Column("opened_by_id", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("called_at", sa.DateTime(), nullable=True),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.Column("ended_by_id", sa.Integer(), nullable=True),
        sa.Column("published_at", sa.DateTime(), nullable=True),
        sa.Column("published_by_id", sa.Integer(), nullable=True),
        sa.Column("locked_at", sa.DateTime(), nullable=True),
        sa.Column("locked_by_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["ended_by_id"], ["users.id"], name=op.f("fk_round_runs_ended_by_id_users")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_round_runs_event_id_events")),
        sa.ForeignKeyConstraint(
            ["locked_by_id"], ["users.id"], name=op.f("fk_round_runs_locked_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["opened_by_id"], ["users.id"], name=op.f("fk_round_runs_opened_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["published_by_id"], ["users.id"], name=op.f("fk_round_runs_published_by_id_users")
        ),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_round_runs_round_id_rounds")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_round_runs")),
        sa.UniqueConstraint("round_id", name=op.f("uq_round_runs_round_id")),
    )
    op.create_index(op.f("ix_round_runs_event_id"), "round_runs", ["event_id"], unique=False)

    op.create_table(
        "referee_calls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("called_at", sa.DateTime(), nullable=False),
        sa.Column("caller_id", sa.Integer(), nullable=True),
        sa.Column("caller_entry_id", sa.Integer(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("taken_at", sa.DateTime(), nullable=True),
        sa.Column("taken_by_id", sa.Integer(), nullable=True),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.Column("closed_by_id", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.String(length=500), nullable=True),
        sa.ForeignKeyConstraint(
            ["caller_entry_id"], ["entries.id"], name=op.f("fk_referee_calls_caller_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(["caller_id"], ["users.id"], name=op.f("fk_referee_calls_caller_id_users")),
        sa.ForeignKeyConstraint(
            ["closed_by_id"], ["users.id"], name=op.f("fk_referee_calls_closed_by_id_users")
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_referee_calls_event_id_events")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_referee_calls_table_id_tables")),
        sa.ForeignKeyConstraint(
            ["taken_by_id"], ["users.id"], name=op.f("fk_referee_calls_taken_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_referee_calls")),
        sa.UniqueConstraint(
            "table_id", "idempotency_key", name=op.f("uq_referee_calls_table_id_idempotency_key")
        ),
    )
    op.create_index(op.f("ix_referee_calls_event_id"), "referee_calls", ["event_id"], unique=False)

    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=True),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("rule", sa.String(length=40), nullable=True),
        sa.Column("clause", sa.String(length=60), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=True),
        sa.Column("count", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.String(length=20), nullable=True),
        sa.Column("insisted", sa.Boolean(), nullable=False),
        sa.Column("minutes", sa.String(length=20), nullable=True),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.Column("made_as", sa.String(length=20), nullable=False),
        sa.Column("made_by_id", sa.Integer(), nullable=True),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(), nullable=True),
        sa.Column("withdrawn_by_id", sa.Integer(), nullable=True),
        sa.Column("withdrawn_reason", sa.String(length=500), nullable=True),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_rulings_entry_id_entries")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_rulings_event_id_events")),
        sa.ForeignKeyConstraint(["made_by_id"], ["users.id"], name=op.f("fk_rulings_made_by_id_users")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_rulings_round_id_rounds")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_rulings_table_id_tables")),
        sa.ForeignKeyConstraint(
            ["withdrawn_by_id"], ["users.id"], name=op.f("fk_rulings_withdrawn_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rulings")),
        sa.UniqueConstraint("event_id", "idempotency_key", name=op.f("uq_rulings_event_id_idempotency_key")),
    )
    op.create_index(op.f("ix_rulings_entry_id"), "rulings", ["entry_id"], unique=False)
    op.create_index(op.f("ix_rulings_event_id"), "rulings", ["event_id"], unique=False)
    op.create_index(op.f("ix_rulings_round_id"), "rulings", ["round_id"], unique=False)
    op.create_index(op.f("ix_rulings_table_id"), "rulings", ["table_id"], unique=False)

    op.create_table(
        "table_referees",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("assigned_at", sa.DateTime(), nullable=False),
        sa.Column("assigned_by_id", sa.Integer(), nullable=True),
        sa.Column("released_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assigned_by_id"], ["users.id"], name=op.f("fk_table_referees_assigned_by_id_users")
        ),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_table_referees_table_id_tables")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_table_referees_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_referees")),
    )
    op.create_index(op.f("ix_table_referees_user_id"), "table_referees", ["user_id"], unique=False)
    op.create_index(
        "uq_table_referees_assigned",
        "table_referees",
        ["table_id", "user_id"],
        unique=True,
        sqlite_where=sa.text("released_at IS NULL"),
        postgresql_where=sa.text("released_at IS NULL"),
    )

    op.create_table(
        "appeals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("round_id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=True),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("token", sa.String(length=43), nullable=False),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("subject", sa.String(length=20), nullable=False),
        sa.Column("ruling_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.DateTime(), nullable=False),
        sa.Column("oral_at", sa.DateTime(), nullable=True),
        sa.Column("oral_logged_by_id", sa.Integer(), nullable=True),
        sa.Column("written_at", sa.DateTime(), nullable=True),
        sa.Column("assigned_to_id", sa.Integer(), nullable=True),
        sa.Column("hearing_at", sa.DateTime(), nullable=True),
        sa.Column("hearing_place", sa.String(length=100), nullable=True),
        sa.Column("minutes", sa.Text(), nullable=True),
        sa.Column("clause", sa.String(length=60), nullable=True),
        sa.Column("decided_at", sa.DateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Integer(), nullable=True),
        sa.Column("decision", sa.Text(), nullable=True),
        sa.Column("summary", sa.String(length=500), nullable=True),
        sa.Column("outcome", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["assigned_to_id"], ["users.id"], name=op.f("fk_appeals_assigned_to_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_appeals_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(["decided_by_id"], ["users.id"], name=op.f("fk_appeals_decided_by_id_users")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_appeals_entry_id_entries")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_appeals_event_id_events")),
        sa.ForeignKeyConstraint(
            ["oral_logged_by_id"], ["users.id"], name=op.f("fk_appeals_oral_logged_by_id_users")
        ),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_appeals_round_id_rounds")),
        sa.ForeignKeyConstraint(["ruling_id"], ["rulings.id"], name=op.f("fk_appeals_ruling_id_rulings")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_appeals_table_id_tables")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_appeals_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeals")),
        sa.UniqueConstraint("event_id", "idempotency_key", name=op.f("uq_appeals_event_id_idempotency_key")),
        sa.UniqueConstraint("number", name=op.f("uq_appeals_number")),
        sa.UniqueConstraint("token", name=op.f("uq_appeals_token")),
    )
    op.create_index(op.f("ix_appeals_entry_id"), "appeals", ["entry_id"], unique=False)
    op.create_index(op.f("ix_appeals_event_id"), "appeals", ["event_id"], unique=False)
    op.create_index(op.f("ix_appeals_state"), "appeals", ["state"], unique=False)
    op.create_index(op.f("ix_appeals_user_id"), "appeals", ["user_id"], unique=False)

    op.create_table(
        "blind_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sheet_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("deals", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("equal", sa.Boolean(), nullable=False),
        sa.Column("entered_by_id", sa.Integer(), nullable=True),
        sa.Column("entered_at", sa.DateTime(), nullable=False),
        sa.Column("device", sa.String(length=200), nullable=True),
        sa.Column("client_time", sa.DateTime(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["entered_by_id"], ["users.id"], name=op.f("fk_blind_entries_entered_by_id_users")
        ),
        sa.ForeignKeyConstraint(["sheet_id"], ["sheets.id"], name=op.f("fk_blind_entries_sheet_id_sheets")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blind_entries")),
        sa.UniqueConstraint(
            "sheet_id", "idempotency_key", name=op.f("uq_blind_entries_sheet_id_idempotency_key")
        ),
    )
    op.create_index(op.f("ix_blind_entries_sheet_id"), "blind_entries", ["sheet_id"], unique=False)

    op.create_table(
        "correction_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("sheet_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("base_revision", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("deals", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("outcome", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("asked_as", sa.String(length=20), nullable=False),
        sa.Column("asked_by_id", sa.Integer(), nullable=True),
        sa.Column("asked_by_entry_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", sa.DateTime(), nullable=False),
        sa.Column("client_time", sa.DateTime(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.Column("decided_at", sa.DateTime(), nullable=True),
        sa.Column("decided_by_id", sa.Integer(), nullable=True),
        sa.Column("decision_reason", sa.String(length=500), nullable=True),
        sa.Column("impact", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("granted_revision", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["asked_by_entry_id"],
            ["entries.id"],
            name=op.f("fk_correction_requests_asked_by_entry_id_entries"),
        ),
        sa.ForeignKeyConstraint(
            ["asked_by_id"], ["users.id"], name=op.f("fk_correction_requests_asked_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["decided_by_id"], ["users.id"], name=op.f("fk_correction_requests_decided_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_correction_requests_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["sheets.id"], name=op.f("fk_correction_requests_sheet_id_sheets")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_correction_requests")),
        sa.UniqueConstraint(
            "sheet_id", "idempotency_key", name=op.f("uq_correction_requests_sheet_id_idempotency_key")
        ),
    )
    op.create_index(
        op.f("ix_correction_requests_event_id"), "correction_requests", ["event_id"], unique=False
    )
    op.create_index(
        op.f("ix_correction_requests_sheet_id"), "correction_requests", ["sheet_id"], unique=False
    )

    op.create_table(
        "sheet_confirmations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sheet_id", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.Column("said", sa.String(length=20), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.Column("said_at", sa.DateTime(), nullable=False),
        sa.Column("recorded_by_id", sa.Integer(), nullable=True),
        sa.Column("device", sa.String(length=200), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name=op.f("fk_sheet_confirmations_entry_id_entries")
        ),
        sa.ForeignKeyConstraint(
            ["recorded_by_id"], ["users.id"], name=op.f("fk_sheet_confirmations_recorded_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["sheet_id"], ["sheets.id"], name=op.f("fk_sheet_confirmations_sheet_id_sheets")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheet_confirmations")),
        sa.UniqueConstraint(
            "sheet_id", "idempotency_key", name=op.f("uq_sheet_confirmations_sheet_id_idempotency_key")
        ),
    )
    op.create_index(
        op.f("ix_sheet_confirmations_sheet_id"), "sheet_confirmations", ["sheet_id"], unique=False
    )

    op.create_table(
        "sheet_takeovers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sheet_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("from_id", sa.Integer(), nullable=True),
        sa.Column("from_device", sa.String(length=64), nullable=True),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("by_device", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=False),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name=op.f("fk_sheet_takeovers_by_id_users")),
        sa.ForeignKeyConstraint(["from_id"], ["users.id"], name=op.f("fk_sheet_takeovers_from_id_users")),
        sa.ForeignKeyConstraint(["sheet_id"], ["sheets.id"], name=op.f("fk_sheet_takeovers_sheet_id_sheets")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sheet_takeovers")),
    )
    op.create_index(op.f("ix_sheet_takeovers_sheet_id"), "sheet_takeovers", ["sheet_id"], unique=False)

    op.create_table(
        "appeal_files",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("appeal_id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["appeal_id"], ["appeals.id"], name=op.f("fk_appeal_files_appeal_id_appeals")
        ),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.id"], name=op.f("fk_appeal_files_upload_id_uploads")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeal_files")),
        sa.UniqueConstraint("upload_id", name=op.f("uq_appeal_files_upload_id")),
    )
    op.create_index(op.f("ix_appeal_files_appeal_id"), "appeal_files", ["appeal_id"], unique=False)

    op.create_table(
        "appeal_recusals",
        sa.Column("appeal_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["appeal_id"], ["appeals.id"], name=op.f("fk_appeal_recusals_appeal_id_appeals")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_appeal_recusals_user_id_users")),
        sa.PrimaryKeyConstraint("appeal_id", "user_id", name=op.f("pk_appeal_recusals")),
    )
    op.create_table(
        "appeal_steps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("appeal_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["appeal_id"], ["appeals.id"], name=op.f("fk_appeal_steps_appeal_id_appeals")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_appeal_steps_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_appeal_steps")),
    )
    op.create_index(op.f("ix_appeal_steps_appeal_id"), "appeal_steps", ["appeal_id"], unique=False)

    op.create_table(
        "fee_entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("appeal_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.String(length=30), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("reverses_id", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=500), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["appeal_id"], ["appeals.id"], name=op.f("fk_fee_entries_appeal_id_appeals")),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name=op.f("fk_fee_entries_by_id_users")),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name=op.f("fk_fee_entries_competition_id_competitions")
        ),
        sa.ForeignKeyConstraint(
            ["reverses_id"], ["fee_entries.id"], name=op.f("fk_fee_entries_reverses_id_fee_entries")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fee_entries")),
        sa.UniqueConstraint(
            "competition_id", "idempotency_key", name=op.f("uq_fee_entries_competition_id_idempotency_key")
        ),
        sa.UniqueConstraint("number", name=op.f("uq_fee_entries_number")),
        sa.UniqueConstraint("reverses_id", name=op.f("uq_fee_entries_reverses_id")),
    )
    op.create_index(op.f("ix_fee_entries_appeal_id"), "fee_entries", ["appeal_id"], unique=False)
    op.create_index(op.f("ix_fee_entries_competition_id"), "fee_entries", ["competition_id"], unique=False)

    with op.batch_alter_table("competitions") as batch_op:
        batch_op.add_column(sa.Column("rehearsal", sa.Boolean(), server_default=sa.false(), nullable=False))

    with op.batch_alter_table("sheets") as batch_op:
        batch_op.add_column(sa.Column("published_revision", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("holder_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("holder_device", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("held_at", sa.DateTime(), nullable=True))
        batch_op.create_foreign_key(batch_op.f("fk_sheets_holder_id_users"), "users", ["holder_id"], ["id"])

    # until now a confirmed sheet was public at once
    op.execute(sa.text("UPDATE sheets SET published_revision = confirmed_revision"))
