"""``/healthz`` says that the site answers, and beside it whether files can be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from structlog.testing import capture_logs

from app.actors import SYSTEM
from app.commands import command
from app.files import store, watching
from app.mailbox import service as mailbox
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Recipient, Refusal
from app.settings import Settings
from app.web.health import QUIET
from tests import services
from tests.conftest import NOON

OK = {"status": "ok", "files": "ok", "letters": "ok", "letters_waiting_since": None}
DOWN = OK | {"files": "down"}


@contextmanager
def stored_at(app: Flask, **changes: Any) -> Iterator[None]:
    """An installation whose files are elsewhere."""
    was: Settings = app.config["SAISHI"]
    app.config["SAISHI"] = replace(was, **changes)
    try:
        yield
    finally:
        app.config["SAISHI"] = was


def health(client: FlaskClient) -> Any:
    answer = client.get("/healthz")
    assert answer.status_code == 200
    return answer.json


def test_a_store_that_is_away_is_said_once_and_the_site_stays_up(
    app: Flask, client: FlaskClient, travel: Callable[..., None]
) -> None:
    nobody = f"s3://tester:made-up-password@files/a?endpoint=http://127.0.0.1:{services.free_port()}"
    with stored_at(app, storage_url=nobody), capture_logs() as lines:
        for minutes in range(3):
            travel(NOON + timedelta(minutes=minutes))
            assert health(client) == DOWN
    told = [line for line in lines if line["event"] == "file_store_down"]
    assert [line["fault"] for line in told] == ["unreachable"]
    assert health(client) == OK


def test_a_folder_that_cannot_be_written_is_said_until_it_can_be(
    app: Flask, client: FlaskClient, travel: Callable[..., None], tmp_path: Path
) -> None:
    (tmp_path / "files").write_text("in the way")
    with stored_at(app, instance=tmp_path):
        assert health(client) == DOWN
        (tmp_path / "files").unlink()
        travel(NOON + watching.KEPT - timedelta(seconds=1))
        assert health(client) == DOWN
        travel(NOON + watching.KEPT)
        assert health(client) == OK
        assert not [path for path in (tmp_path / "files").rglob("*") if path.is_file()]


def test_however_often_it_is_asked_the_store_is_looked_at_once_in_a_while(
    app: Flask, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    check = store.check

    def counted(*given: Any) -> None:
        looks.append(1)
        check(*given)

    monkeypatch.setattr(store, "check", counted)
    with stored_at(app, instance=tmp_path):
        assert [health(client) for _ in range(20)] == [OK] * 20
    assert len(looks) == 1


@pytest.mark.usefixtures("watched")
def test_a_mailbox_that_nobody_reads_is_said_and_nothing_of_how_it_is_reached(
    app: Flask, client: FlaskClient, travel: Callable[..., None]
) -> None:
    url = "imaps://office:made-up-password@mail.example/INBOX"
    with stored_at(app, imap_url=url):
        never = {"mailbox": "down", "mailbox_read_at": None, "mailbox_failing_since": None}
        assert health(client) == OK | never
        with app.app_context(), command(SYSTEM) as ctx:
            mailbox.note_success(ctx, "INBOX", NOON)
        read = never | {"mailbox": "ok", "mailbox_read_at": NOON.isoformat()}
        assert health(client) == OK | read
        travel(NOON + QUIET)
        assert health(client) == OK | read
        travel(NOON + QUIET + timedelta(seconds=1))
        assert health(client) == OK | read | {"mailbox": "down"}, "no worker or no scheduler runs"
        with app.app_context(), command(SYSTEM) as ctx:
            mailbox.note_failure(ctx, "INBOX", "login")
        answer = client.get("/healthz").text
        assert "mailbox_failing_since" in answer
        for secret in ("office", "made-up-password", "mail.example", "login"):
            assert secret not in answer
    assert health(client) == OK, "without a mailbox nothing is said of one"


def test_letters_that_nobody_sends_are_said_and_whose_they_are_is_not(
    app: Flask, client: FlaskClient, travel: Callable[..., None]
) -> None:
    travel(NOON)
    with app.app_context(), command(SYSTEM) as ctx:
        confirming = {"link_to": Address("/me/email/confirm/x"), "hours": 24}
        to = Recipient(None, "leader@example.org", None)
        queued = notifications.queue_letter(ctx, kind=LetterKind.CONFIRM_EMAIL, to=to, context=confirming)
        assert queued is not None
    travel(NOON + QUIET)
    assert health(client) == OK
    travel(NOON + QUIET + timedelta(seconds=1))
    late = OK | {"letters": "late", "letters_waiting_since": NOON.isoformat()}
    assert health(client) == late
    assert "example.org" not in client.get("/healthz").text
    with app.app_context(), command(SYSTEM) as ctx:
        claimed = notifications.claim(ctx, queued)
        assert claimed is not None
    assert health(client) == OK, "it is on its way"
    with app.app_context(), command(SYSTEM) as ctx:
        notifications.record_delivery(ctx, claimed, Refusal("connect", permanent=False))
    assert health(client) == OK, "the server was away, and it is tried again in time"
    travel(NOON + 2 * QUIET + timedelta(minutes=5))
    assert health(client)["letters"] == "late", "nobody tried again"
