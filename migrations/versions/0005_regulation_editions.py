"""Versions and drafts of an event's regulation; rounds and sheets name the version they were made under."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

OPEN = sa.text("closed_at IS NULL AND event_id IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "regulation_editions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("regulation_version_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=500), nullable=True),
        sa.Column("ruling", sa.Boolean(), nullable=False),
        sa.Column("impact", sa.JSON(), nullable=True),
        sa.Column("published_at", sa.DateTime(), nullable=False),
        sa.Column("published_by_id", sa.Integer(), nullable=True),
        sa.Column("published_as", sa.String(length=20), nullable=True),
        sa.Column("in_force_from", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_regulation_editions_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_regulation_editions_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["published_by_id"], ["users.id"], name=op.f("fk_regulation_editions_published_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["regulation_version_id"],
            ["regulation_versions.id"],
            name=op.f("fk_regulation_editions_regulation_version_id_regulation_versions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regulation_editions")),
        sa.UniqueConstraint("event_id", "number", name=op.f("uq_regulation_editions_event_id_number")),
    )
    op.create_index(
        op.f("ix_regulation_editions_competition_id"), "regulation_editions", ["competition_id"], unique=False
    )
    op.create_table(
        "regulation_drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=True),
        sa.Column("competition_id", sa.Integer(), nullable=True),
        sa.Column("base_sha256", sa.String(length=64), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("started_by_id", sa.Integer(), nullable=True),
        sa.Column("saved_at", sa.DateTime(), nullable=False),
        sa.Column("saved_by_id", sa.Integer(), nullable=True),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.Column("edition_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_regulation_drafts_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["edition_id"],
            ["regulation_editions.id"],
            name=op.f("fk_regulation_drafts_edition_id_regulation_editions"),
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["events.id"], name=op.f("fk_regulation_drafts_event_id_events")
        ),
        sa.ForeignKeyConstraint(
            ["saved_by_id"], ["users.id"], name=op.f("fk_regulation_drafts_saved_by_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["started_by_id"], ["users.id"], name=op.f("fk_regulation_drafts_started_by_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regulation_drafts")),
    )
    op.create_index(
        "uq_regulation_drafts_open",
        "regulation_drafts",
        ["event_id"],
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
    for table in ("rounds", "sheet_revisions"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("regulation_version_id", sa.Integer(), nullable=True))
            batch.create_foreign_key(
                op.f(f"fk_{table}_regulation_version_id_regulation_versions"),
                "regulation_versions",
                ["regulation_version_id"],
                ["id"],
            )
    # What an event was created with is the first version of its chain, and all that was done was done under it.
    op.execute(
        "INSERT INTO regulation_editions (event_id, competition_id, number, regulation_version_id, ruling,"
        " published_at, published_by_id, in_force_from)"
        " SELECT events.id, events.competition_id, 1, events.regulation_version_id, false,"
        " competitions.created_at, competitions.created_by_id, competitions.created_at"
        " FROM events JOIN competitions ON competitions.id = events.competition_id"
    )
    op.execute(
        "UPDATE rounds SET regulation_version_id ="
        " (SELECT events.regulation_version_id FROM events WHERE events.id = rounds.event_id)"
    )
    op.execute(
        "UPDATE sheet_revisions SET regulation_version_id ="
        " (SELECT events.regulation_version_id FROM events JOIN sheets ON sheets.event_id = events.id"
        " WHERE sheets.id = sheet_revisions.sheet_id)"
    )
