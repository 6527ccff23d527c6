"""The mail worker gets SIGKILL at every step: nothing is lost, and no second letter leaves but the one that says it is one."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP
from flask import Flask

from app import clock
from app.actors import SYSTEM
from app.audit import chain
from app.audit import queries as audit
from app.commands import command
from app.jobs import Job
from app.notifications import service
from app.notifications.letters import Address, LetterKind
from app.notifications.models import Message
from app.notifications.rules import CLAIM_FOR, MessageState, Recipient
from app.notifications.transports import Transports
from tasks import notifications as tasks
from tests import services
from tests.conftest import SECRET
from tests.mail_servers import Handler, server

ADDRESS = "leader@example.org"

WORK = """
import json, sys, time
from datetime import datetime
from pathlib import Path
from tasks import notifications as tasks
from app import clock, create_app
from app.notifications import service
from app.settings import Settings

given = json.loads(sys.argv[1])
app = create_app(Settings(
    Path(given["instance"]), given["secret"], given["database"], "filesystem://", base_url="http://localhost",
    smtp_url=given["smtp"], mail_from="saishi@example.org",
))
clock.now = lambda: datetime.fromisoformat(given["now"])

def hang():
    print("in the middle", flush=True)
    time.sleep(600)

def around(name):
    real = getattr(service, name)
    def call(*args, **options):
        if given["point"] == f"before {name}":
            hang()
        done = real(*args, **options)
        if given["point"] == f"in {name}":
            args[0].session.flush()
            hang()  # written, not committed
        return done
    setattr(service, name, call)

around("claim")
around("record_delivery")
deliver = tasks.Transports.deliver

def delivering(self, message):
    if given["point"] == "before deliver":
        hang()
    deliver(self, message)

tasks.Transports.deliver = delivering
with app.app_context():
    tasks.send_message.run(given["message"])
if given["point"] == "after all":
    hang()
"""

POINTS = {
    # where it dies: how many letters the server took in the end, and which of them says it is a repeat
    "before claim": [False],
    "in claim": [False],
    "before deliver": [True],
    "MAIL": [True],
    "RCPT": [True],
    "mid-message": [True],
    "DATA": [False, True],
    "before record_delivery": [False, True],
    "in record_delivery": [False, True],
    "after all": [False],
}


class Stopping(SMTP):
    """Reads one line of a message, tells the test, and waits for the rest."""

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        await self.push("354 go on")
        await self._reader.readline()
        self.event_handler.hook("mid-message", self.session)
        self.transport.abort()


def queue() -> int:
    with command(SYSTEM) as ctx:
        queued = service.queue_letter(
            ctx,
            kind=LetterKind.CONFIRM_EMAIL,
            to=Recipient(None, ADDRESS, None),
            context={"link_to": Address("/me/email/confirm/x"), "hours": 24},
        )
    assert queued is not None
    return queued


@pytest.fixture
def deliver(
    session: Any, sent_jobs: list[Any], travel: Callable[[datetime], None], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], None]:
    """Let a worker that lives do what there is to do, for some days: nothing is ever sent a third time."""

    def work(url: str) -> None:
        monkeypatch.setattr(
            tasks, "transports", lambda: Transports(Path("unused"), "saishi@example.org", url)
        )
        for wait in (timedelta(seconds=61), CLAIM_FOR, timedelta(days=1)):
            travel(clock.now() + wait)
            sent_jobs.clear()
            tasks.sweep.run()
            for _job, arguments in list(sent_jobs):
                tasks.send_message.run(**arguments)

    return work


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_that_is_killed_loses_nothing_and_repeats_only_with_a_mark(
    app: Flask, session: Any, deliver: Callable[[str], None], point: str
) -> None:
    message_id = queue()
    own_id = session.get(Message, message_id).message_id
    session.remove()
    handler = Handler()
    process: list[services.Program] = []
    killed = threading.Event()

    def kill(step: str, _session: Any) -> None:
        if step == point and not killed.is_set():
            process[0].send(signal.SIGKILL)
            process[0].wait()
            killed.set()

    handler.hook = kill
    with server(handler, kind=Stopping if point == "mid-message" else SMTP) as url:
        given = {
            "instance": str(app.config["SAISHI"].instance),
            "secret": SECRET,
            "database": app.config["SAISHI"].database_url,
            "smtp": url,
            "now": clock.now().astimezone(UTC).isoformat(),
            "point": point,
            "message": message_id,
        }
        with services.program(sys.executable, "-c", WORK, json.dumps(given)) as running:
            process.append(running)
            if point in {"MAIL", "RCPT", "DATA", "mid-message"}:
                assert killed.wait(services.SLOW)
            else:
                running.wait_for_line("in the middle")
                running.send(signal.SIGKILL)
                assert running.wait() == -signal.SIGKILL
    handler.hook = lambda _step, _session: None
    with server(handler) as url:
        deliver(url)
    session.rollback()
    message = session.get(Message, message_id)
    assert message.state == MessageState.SENT
    assert ["X-Saishi-Repeat" in mail for mail in handler.taken] == POINTS[point]
    assert {mail["Message-ID"] for mail in handler.taken} == {f"<{own_id}>"}
    assert (message.uncertain_at is not None) == any(POINTS[point])
    assert chain.first_broken(audit.entries()) is None


@pytest.mark.parametrize("outcome", ["dies after taking it", "silent after taking it"])
def test_a_server_that_takes_a_letter_and_never_says_so_gets_it_again_with_the_mark(
    session: Any,
    travel: Callable[[datetime], None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    outcome: str,
) -> None:
    message_id = queue()
    handler = Handler(dies_at="DATA") if outcome.startswith("dies") else Handler(waits={"DATA": 3})
    with server(handler) as url:
        monkeypatch.setattr(
            tasks, "transports", lambda: Transports(tmp_path, "saishi@example.org", url, patience=0.3)
        )
        tasks.send_message.run(message_id)
        session.rollback()
        waiting = session.get(Message, message_id)
        assert (waiting.state, waiting.uncertain_at) == (MessageState.QUEUED, clock.now())
        session.remove()
        handler.dies_at, handler.waits = "", {}
        travel(clock.now() + timedelta(minutes=1))
        tasks.send_message.run(message_id)
    assert ["X-Saishi-Repeat" in mail for mail in handler.taken] == [False, True]
    assert len({mail["Message-ID"] for mail in handler.taken}) == 1


def test_a_slow_worker_whose_letter_another_took_over_cannot_call_it_failed(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    from app.notifications.rules import Refusal

    message_id = queue()
    with command(SYSTEM) as ctx:
        slow = service.claim(ctx, message_id)
    travel(clock.now() + CLAIM_FOR)
    with command(SYSTEM) as ctx:
        quick = service.claim(ctx, message_id)
    assert slow is not None
    assert quick is not None
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, slow, Refusal("RCPT 550", permanent=True))
    session.rollback()
    assert session.get(Message, message_id).state == MessageState.SENDING
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, quick, None)
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, replace(slow), Refusal("RCPT 451"))
    session.rollback()
    assert session.get(Message, message_id).state == MessageState.SENT


# --- the worker as it runs ---

QUEUE = """
from app import create_app
from app.actors import SYSTEM
from app.commands import command
from app.notifications import service
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Recipient
with create_app().app_context():
    with command(SYSTEM) as ctx:
        service.queue_letter(
            ctx, kind=LetterKind.CONFIRM_EMAIL, to=Recipient(None, "leader@example.org", None),
            context={"link_to": Address("/me/email/confirm/x"), "hours": 24},
        )
"""
SWEEP = """
from datetime import timedelta
from app import clock, create_app, jobs
from app.jobs import Job
with create_app().app_context():
    clock.move_to(clock.now() + timedelta(minutes=3))
    jobs.send(Job.SWEEP_MESSAGES)
"""


def run(code: str, environment: dict[str, str]) -> None:
    with services.program(sys.executable, "-c", code, environment=environment) as done:
        assert done.wait() == 0, done.output


@pytest.mark.journey
@pytest.mark.parametrize("engines", ["one machine", "grown"])
def test_the_worker_of_an_installation_killed_while_the_server_takes_a_letter(
    tmp_path: Path, engines: str
) -> None:
    assert Job.SWEEP_MESSAGES
    handler, workers, taken = Handler(), [], threading.Event()

    def kill(step: str, _session: Any) -> None:
        if step == "DATA" and len(handler.taken) == 1:
            os.killpg(workers[0].pid, signal.SIGKILL)
            workers[0].wait()
        if step == "DATA":
            taken.set()

    handler.hook = kill
    with (
        services.short_folder() as folder,
        server(handler) as url,
        services.shared_postgresql() as postgresql,
        services.redis() as redis,
    ):
        grown = {"SAISHI_DATABASE_URL": postgresql.new_database(), "SAISHI_BROKER_URL": redis}
        environment = services.environment(
            folder,
            SAISHI_SMTP_URL=url,
            SAISHI_CLOCK_FILE=str(tmp_path / "clock"),
            **(grown if engines == "grown" else {}),
        )
        services.migrate(environment)
        with services.worker(environment) as first:
            workers.append(first)
            run(QUEUE, environment)
            assert taken.wait(services.SLOW)
            assert not first.running
        taken.clear()
        with services.worker(environment) as second:
            run(SWEEP, environment)
            second.wait_until(lambda: len(handler.taken) == 2, what="the letter is repeated")
            run(SWEEP, environment)
            time.sleep(1)
    assert ["X-Saishi-Repeat" in mail for mail in handler.taken] == [False, True]
    assert len({mail["Message-ID"] for mail in handler.taken}) == 1
    with suppress(ProcessLookupError):
        os.killpg(workers[0].pid, signal.SIGKILL)
