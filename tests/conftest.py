"""Fixtures of the whole suite: one database per worker and engine, a fixed clock, no mail, no broker.

A test that takes ``app`` runs on SQLite and on PostgreSQL. Use ``session`` (an open application context) to call
services and queries directly, or ``client`` for requests, not both in one test: Flask would share the context.
Set-up code of a ``client`` test runs in ``with app.app_context():`` or through the factories, which open their own.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, has_app_context
from flask.testing import FlaskClient
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# Importing `tasks` builds the worker's application from the environment; it gets a throw-away folder.
os.environ["SAISHI_INSTANCE"] = tempfile.mkdtemp(prefix="saishi-tests-")

from app import clock, create_app, jobs  # noqa: E402 - the path must be set first
from app.extensions import db, limiter  # noqa: E402
from app.files import store  # noqa: E402
from app.jobs import Job  # noqa: E402
from app.mailbox.rules.watched import watch  # noqa: E402
from app.settings import Settings  # noqa: E402
from tests import services  # noqa: E402
from tests.chromium import browser  # noqa: E402

SECRET = "test-secret-key-of-forty-eight-characters-000000"
ENGINES = ("sqlite", "postgresql")
NOON = datetime(2021, 10, 25, 4, 0, tzinfo=UTC)
"""Where every test starts: Monday 25 October 2021, 12:00 in Beijing, while entries of regulation A are open."""


@pytest.fixture(scope="session")
def worker(request: pytest.FixtureRequest) -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "gw0")


@pytest.fixture(scope="session", params=ENGINES)
def database_url(
    request: pytest.FixtureRequest, worker: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """An empty database of this worker's own, on each engine."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('sqlite') / 'saishi.db'}"
        return
    with services.shared_postgresql() as server:
        yield server.new_database()


def make_settings(instance: Path, database_url: str, **changes: Any) -> Settings:
    defaults: dict[str, Any] = {
        "instance": instance,
        "secret_key": SECRET,
        "database_url": database_url,
        "broker_url": "filesystem://",
        "base_url": "http://localhost",
    }
    return Settings(**(defaults | changes))


@pytest.fixture(scope="session")
def _application(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    app = create_app(make_settings(tmp_path_factory.mktemp("instance"), database_url))
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    with app.app_context():
        db.create_all()
    yield app
    with app.app_context():
        db.session.remove()
        db.drop_all()
        db.engine.dispose()


@pytest.fixture
def app(_application: Flask) -> Iterator[Flask]:
    """The application on an empty database."""
    clock.configure(None)
    limiter.enabled = False
    yield _application
    with _application.app_context():
        db.session.rollback()
        with db.engine.begin() as connection:
            for table in reversed(db.metadata.sorted_tables):
                connection.execute(table.delete())


@pytest.fixture
def session(app: Flask) -> Iterator[Any]:
    """An open application context; gives the database session."""
    with app.app_context():
        yield db.session


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The machine's Chromium, one for all tests of this worker: Playwright can be started only once in a process."""
    with browser() as started:
        yield started


@pytest.fixture(scope="session")
def moto() -> Iterator[services.Moto]:
    """One server for all tests of this worker, started by the first that needs it."""
    with services.moto() as server:
        yield server


@pytest.fixture
def own_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test configures, the application of the other tests gets its store back."""
    for name in ("settings", "patience", "keys", "place"):
        monkeypatch.setattr(store._State, name, getattr(store._State, name))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    assert not has_app_context(), "use either `session` or `client` in one test"
    return app.test_client()


@pytest.fixture(autouse=True)
def travel(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """``travel(moment)`` sets the clock; it stands still at ``NOON`` until then."""

    def to(moment: datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: moment.astimezone(UTC))

    to(NOON)
    return to


@pytest.fixture(autouse=True)
def sent_jobs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[Job, dict[str, Any]]]:
    """The jobs that commands sent; nothing reaches a broker unless the test starts one (``journey``)."""
    sent: list[tuple[Job, dict[str, Any]]] = []
    if request.node.get_closest_marker("journey") is None:

        def note(job: Job, **arguments: Any) -> bool:
            sent.append((job, arguments))
            return True

        monkeypatch.setattr(jobs, "send", note)
    return sent


@pytest.fixture
def watched() -> Iterator[None]:
    """The installation has a mailbox that is looked into every minute; take it after ``app``, which has none."""
    watch("INBOX")
    yield
    watch(None)
