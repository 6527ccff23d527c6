from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from email.message import Message as Mail
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import text

from app import clock
from app.actors import SYSTEM
from app.audit.models import AuditEntry
from app.commands import command
from app.jobs import Job
from app.notifications import queries, service
from app.notifications.models import Message
from app.notifications.rules import BACK_OFF, Channel, MessageState, max_tries
from app.notifications.transports import DeliveryError, Transports
from app.text import T
from tests import services

RECIPIENT = "leader@example.org"


class Inbox:
    """What the test's own SMTP server received; refuses everything while ``refusing``."""

    def __init__(self) -> None:
        self.mails: list[Mail] = []
        self.refusing = False

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.refusing:
            return "451 try again later"
        from email import message_from_bytes, policy

        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, str]]:
    handler, port = Inbox(), services.free_port()
    server = Controller(handler, hostname="127.0.0.1", port=port)
    server.start()
    yield handler, f"smtp://127.0.0.1:{port}"
    server.stop()


def queue(channel: Channel = Channel.EMAIL) -> int:
    with command(SYSTEM) as ctx:
        return service.queue_message(
            ctx, channel=channel, recipient=RECIPIENT, subject=T("公示名单"), body=T("您的队员㛃已列入公示。")
        )


def send(message_id: int, folder: Path, smtp_url: str = "", sms_url: str = "") -> None:
    """What the task does."""
    with command(SYSTEM) as ctx:
        message = service.claim(ctx, message_id)
    if message is None:
        return
    refusal = None
    try:
        Transports(folder / "outbox", "saishi@example.org", smtp_url, sms_url).deliver(message)
    except DeliveryError as error:
        refusal = error.refusal
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, message, refusal)


def state(session: Any, message_id: int) -> str:
    session.rollback()
    return str(session.get(Message, message_id).state)


def test_a_queued_message_is_sent_by_smtp_with_its_rare_characters(
    session: Any, inbox: tuple[Inbox, str], tmp_path: Path
) -> None:
    handler, url = inbox
    message_id = queue()
    send(message_id, tmp_path, url)
    assert [mail["Subject"] for mail in handler.mails] == ["公示名单"]
    assert "㛃" in handler.mails[0].get_content()
    assert state(session, message_id) == MessageState.SENT


def test_sending_twice_sends_once(session: Any, inbox: tuple[Inbox, str], tmp_path: Path) -> None:
    handler, url = inbox
    message_id = queue()
    send(message_id, tmp_path, url)
    send(message_id, tmp_path, url)
    assert len(handler.mails) == 1


def test_a_refused_message_stays_queued_and_keeps_its_message_id(
    session: Any, inbox: tuple[Inbox, str], tmp_path: Path, travel: Any
) -> None:
    handler, url = inbox
    handler.refusing = True
    message_id = queue()
    send(message_id, tmp_path, url)
    assert state(session, message_id) == MessageState.QUEUED
    handler.refusing = False
    travel(clock.now() + BACK_OFF[Channel.EMAIL][0])
    send(message_id, tmp_path, url)
    assert state(session, message_id) == MessageState.SENT
    assert handler.mails[0]["Message-ID"] == f"<{session.get(Message, message_id).message_id}>"


@pytest.mark.parametrize("channel", list(Channel))
def test_a_message_is_tried_again_after_longer_and_longer_waits_and_then_counts_as_failed(
    session: Any, tmp_path: Path, travel: Any, sent_jobs: list[Any], channel: Channel
) -> None:
    port = services.free_port()
    message_id = queue(channel)
    for wait in BACK_OFF[channel]:
        send(message_id, tmp_path, f"smtp://127.0.0.1:{port}", f"http://127.0.0.1:{port}/")
        assert state(session, message_id) == MessageState.QUEUED
        travel(clock.now() + wait - timedelta(seconds=1))
        sent_jobs.clear()
        with command(SYSTEM) as ctx:
            assert service.sweep(ctx) == 0, "too early"
            assert service.claim(ctx, message_id) is None, "too early"
        travel(clock.now() + timedelta(seconds=1))
        with command(SYSTEM) as ctx:
            assert service.sweep(ctx) == 1
    send(message_id, tmp_path, f"smtp://127.0.0.1:{port}", f"http://127.0.0.1:{port}/")
    assert state(session, message_id) == MessageState.FAILED
    assert session.get(Message, message_id).tries == max_tries(channel)
    travel(clock.now() + timedelta(days=30))
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 0


def test_without_a_mail_server_the_message_lands_in_the_outbox_folder(session: Any, tmp_path: Path) -> None:
    send(queue(), tmp_path)
    files = list((tmp_path / "outbox").iterdir())
    assert len(files) == 1
    assert RECIPIENT in files[0].read_text(encoding="utf-8")


def test_the_sweep_queues_again_what_the_broker_lost(session: Any, sent_jobs: list[Any], travel: Any) -> None:
    message_id = queue()
    sent_jobs.clear()
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 0
    travel(clock.now() + timedelta(minutes=1, seconds=1))
    with command(SYSTEM) as ctx:
        assert service.sweep(ctx) == 1
    assert sent_jobs == [(Job.SEND_MESSAGE, {"message_id": message_id})]


def test_recipient_and_text_are_encrypted_in_the_database(session: Any) -> None:
    queue()
    row = session.execute(text("SELECT recipient, body FROM messages")).one()
    assert RECIPIENT not in row.recipient
    assert "公示" not in row.body
    assert queries.latest_messages()[0].recipient == RECIPIENT


def test_a_message_in_a_dead_workers_hands_is_taken_up_again_after_a_while(
    session: Any, inbox: tuple[Inbox, str], tmp_path: Path, travel: Any, sent_jobs: list[Any]
) -> None:
    handler, url = inbox
    message_id = queue()
    with command(SYSTEM) as ctx:
        assert service.claim(ctx, message_id) is not None  # and the worker dies here
    send(message_id, tmp_path, url)
    assert handler.mails == []
    travel(clock.now() + timedelta(minutes=2))
    sent_jobs.clear()
    with command(SYSTEM) as ctx:
        service.sweep(ctx)
    assert sent_jobs == [(Job.SEND_MESSAGE, {"message_id": message_id})]
    send(message_id, tmp_path, url)
    assert len(handler.mails) == 1


class Gateway(BaseHTTPRequestHandler):
    """An SMS gateway of the test: remembers what it was sent, answers ``status``."""

    received: ClassVar[list[tuple[str | None, dict[str, Any]]]] = []
    status: ClassVar[int] = 200

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.headers.get("Authorization"), json.loads(body)))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing: the test looks at ``received``."""


@pytest.fixture
def gateway() -> Iterator[str]:
    Gateway.received.clear()
    Gateway.status = 200
    server = HTTPServer(("127.0.0.1", 0), Gateway)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://desk:s3cret@127.0.0.1:{server.server_port}/sms"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_text_message_goes_to_the_gateway(session: Any, gateway: str, tmp_path: Path) -> None:
    message_id = queue(Channel.SMS)
    send(message_id, tmp_path, sms_url=gateway)
    assert state(session, message_id) == MessageState.SENT
    ((authorization, body),) = Gateway.received
    assert authorization == "Basic " + base64.b64encode(b"desk:s3cret").decode()
    assert body["phone"] == RECIPIENT
    assert "㛃" in body["text"]
    assert not (tmp_path / "outbox").exists()


def test_a_gateway_that_refuses_is_asked_again_with_the_same_id(
    session: Any, gateway: str, tmp_path: Path, travel: Any
) -> None:
    Gateway.status = 503
    message_id = queue(Channel.SMS)
    send(message_id, tmp_path, sms_url=gateway)
    assert state(session, message_id) == MessageState.QUEUED
    Gateway.status = 200
    travel(clock.now() + BACK_OFF[Channel.SMS][0])
    send(message_id, tmp_path, sms_url=gateway)
    assert state(session, message_id) == MessageState.SENT
    assert len({body["message_id"] for _, body in Gateway.received}) == 1


def test_messages_that_did_their_work_are_deleted_with_their_files(
    session: Any, tmp_path: Path, travel: Any
) -> None:
    start = clock.now()
    code, mail = queue(Channel.SMS), queue(Channel.EMAIL)
    for message_id in (code, mail):
        send(message_id, tmp_path)
    outbox = tmp_path / "outbox"
    assert {oct(path.stat().st_mode & 0o777) for path in outbox.iterdir()} == {"0o600"}
    travel(start + timedelta(days=1, seconds=1))
    with command(SYSTEM) as ctx:
        assert service.purge(ctx, keep_days=90, outbox=outbox) == 1
    assert len(list(outbox.iterdir())) == 1
    travel(start + timedelta(days=91))
    with command(SYSTEM) as ctx:
        assert service.purge(ctx, keep_days=90, outbox=outbox) == 1
    assert list(outbox.iterdir()) == []
    assert session.query(Message).count() == 0


def test_a_night_with_nothing_to_delete_writes_nothing(session: Any, tmp_path: Path) -> None:
    queue(Channel.EMAIL)
    before = session.query(AuditEntry).count()
    session.rollback()
    with command(SYSTEM) as ctx:
        assert service.purge(ctx, keep_days=90, outbox=tmp_path) == 0
    assert session.query(AuditEntry).count() == before
    assert session.query(Message).count() == 1
