"""Migrations run forwards from nothing, on both databases, and end where the models are."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import flask_migrate
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, Table, select, text
from sqlalchemy.exc import IntegrityError

from app import clock, create_app
from app.extensions import db
from tests import services
from tests.conftest import ROOT, make_settings

SCRIPTS = ScriptDirectory(str(ROOT / "migrations"))


def test_migrations_are_numbered_and_linear() -> None:
    revisions = list(reversed(list(SCRIPTS.walk_revisions())))
    assert [script.revision for script in revisions] == [
        f"{number:04d}" for number in range(1, len(revisions) + 1)
    ]
    names = sorted(path.name for path in (ROOT / "migrations" / "versions").glob("*.py"))
    assert all(re.fullmatch(r"\d{4}_[a-z0-9_]+\.py", name) for name in names)


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_the_upgraded_schema_equals_the_models(engine: str, tmp_path: Path) -> None:
    if engine == "sqlite":
        _upgrade_and_compare(tmp_path, f"sqlite:///{tmp_path / 'saishi.db'}")
        return
    with services.shared_postgresql() as server:
        _upgrade_and_compare(tmp_path, server.new_database())


def _upgrade_and_compare(folder: Path, url: str) -> None:
    app = create_app(make_settings(folder, url))
    with app.app_context():
        flask_migrate.upgrade()
        with db.engine.connect() as connection:
            context = MigrationContext.configure(
                connection, opts={"compare_type": True, "compare_server_default": True}
            )
            assert compare_metadata(context, db.metadata) == []
        db.engine.dispose()


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_requests_to_delete_from_before_units_had_some_stay_whole(engine: str, tmp_path: Path) -> None:
    """0019 makes their table anew on SQLite."""
    if engine == "sqlite":
        _requests_survive(tmp_path, f"sqlite:///{tmp_path / 'saishi.db'}")
        return
    with services.shared_postgresql() as server:
        _requests_survive(tmp_path, server.new_database())


BEFORE = (
    ("users", {"id": 7}),
    ("competitions", {"id": 5, "slug": "beach", "name": "二打一"}),
    ("units", {"id": 3, "competition_id": 5, "leader_user_id": 7, "name": "甲单位"}),
    ("members", {"id": 9, "unit_id": 3, "name": "甲"}),
    (
        "deletion_requests",
        {"id": 11, "competition_id": 5, "member_id": 9, "asked_by_id": 7, "state": "refused", "answer": "x"}
        | {"kind": "waiver"},
    ),
)


def _requests_survive(folder: Path, url: str) -> None:
    app = create_app(make_settings(folder, url))
    with app.app_context():
        flask_migrate.upgrade(revision="0018")
        tables = MetaData()
        with db.engine.begin() as connection:
            tables.reflect(connection)
            for name, values in BEFORE:
                connection.execute(tables.tables[name].insert().values(_filled(tables.tables[name], values)))
        flask_migrate.upgrade()
        with db.engine.begin() as connection:
            again = MetaData()
            again.reflect(connection)
            table = again.tables["deletion_requests"]
            [row] = connection.execute(select(table)).mappings()
            assert (row["id"], row["member_id"], row["unit_id"], row["answer"]) == (11, 9, None, "x")
            other = dict(row) | {"id": 12, "member_id": None}
            with pytest.raises(IntegrityError), connection.begin_nested():
                connection.execute(table.insert().values(other))
            connection.execute(table.insert().values(other | {"unit_id": 3}))
        db.engine.dispose()


def _filled(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    """With something in every other column that must not be empty."""
    made = dict(values)
    for column in table.columns:
        if column.name not in made and not column.nullable:
            kind = column.type.python_type
            made[column.name] = clock.now().replace(tzinfo=None) if kind is datetime else kind()
    return made


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_table_that_others_point_at_is_changed_with_its_rows(engine: str, tmp_path: Path) -> None:
    """0020 makes ``uploads`` anew on SQLite: nothing that points at an upload may go with the old table."""
    if engine == "sqlite":
        _upgrade_with_rows(tmp_path, f"sqlite:///{tmp_path / 'saishi.db'}")
        return
    with services.shared_postgresql() as server:
        _upgrade_with_rows(tmp_path, server.new_database())


def _upgrade_with_rows(folder: Path, url: str) -> None:
    moment = "2026-01-01 00:00:00"
    rows: dict[str, dict[str, object]] = {
        "users": {"id": 1, "phone_hash": "h", "phone": "p", "created_at": moment},
        "competitions": {"id": 1, "slug": "s", "name": "n", "place": "p", "created_at": moment},
        "stored_files": {
            "id": 1,
            "key": "k",
            "wrapped_key": "w",
            "key_id": "i",
            "size": 1,
            "sha256": "s",
            "media_type": "m",
            "created_at": moment,
        },
        "uploads": {
            "id": 1,
            "token": "t",
            "user_id": 1,
            "competition_id": 1,
            "idempotency_key": "i",
            "purpose": "p",
            "state": "ready",
            "size": 1,
            "received": 1,
            "max_bytes": 1,
            "max_pages": 1,
            "attempts": 0,
            "created_at": moment,
            "touched_at": moment,
        },
        "upload_files": {"id": 1, "upload_id": 1, "role": "content", "page": 0, "file_id": 1},
    }
    app = create_app(make_settings(folder, url))
    with app.app_context():
        flask_migrate.upgrade(revision="0019")
        with db.engine.begin() as connection:
            for table, row in rows.items():
                names = ", ".join(row)
                places = ", ".join(f":{name}" for name in row)
                connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), row)
        flask_migrate.upgrade()
        with db.engine.connect() as connection:
            for table in rows:
                assert connection.scalar(text(f"SELECT count(*) FROM {table}")) == 1, table
            if db.engine.dialect.name == "sqlite":
                assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        db.engine.dispose()
