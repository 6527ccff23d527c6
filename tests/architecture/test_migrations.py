"""Migrations run forwards from nothing, on both databases, and end where the models are."""

from __future__ import annotations

import re
from pathlib import Path

import flask_migrate
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app import create_app
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
