"""A mail server that is away holds up letters and nothing else: standings are computed while every letter still waits."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from app import jobs
from app.jobs import MAIL_JOBS, Job, Queue, send
from app.settings import Settings
from tasks.schedule import SCHEDULE
from tests import services
from tests.mail_servers import Chatting, Handler, server

LETTERS = 12
"""Three times as many as one worker sends at a time."""

PLAYED = """
import time
from datetime import UTC, datetime
from app import clock, create_app, jobs
from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import db
from app.jobs import Job
from app.notifications import service
from app.notifications.letters import Address, LetterKind
from app.notifications.models import Message
from app.notifications.rules import Recipient
from app.standings import queries
from tests.factories import results

def until(found, what):
    end = time.monotonic() + SECONDS
    while not found():
        assert time.monotonic() < end, what
        db.session.rollback()
        time.sleep(0.05)

with create_app().app_context():
    clock.move_to(datetime(2021, 10, 25, 4, tzinfo=UTC))
    drawn = results.prelim(clock.move_to)
    for number in range(LETTERS):
        with command(SYSTEM) as ctx:
            service.queue_letter(
                ctx, kind=LetterKind.CONFIRM_EMAIL, to=Recipient(None, f"leader{number}@example.org", None),
                context={"link_to": Address("/me/email/confirm/x"), "hours": 24},
            )
    jobs.send(Job.POLL_MAILBOX)
    messages = db.session.query(Message)
    until(lambda: messages.filter(Message.tries > 0).count() >= 3, "letters are on their way")
    results.confirmed(drawn.tables[0])
    wanted = competitions.event(drawn.event_id).results_version
    until(lambda: queries.at_version(drawn.event_id, wanted) is not None, "standings are there")
    assert messages.filter(Message.tries == 0).count() > 0, "no letter waits any more: this showed nothing"
    assert messages.filter(Message.sent_at.is_not(None)).count() == 0
    print("standings before letters")
"""


@contextmanager
def silent_mailbox() -> Iterator[str]:
    """Takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"imap://office:made-up-password@127.0.0.1:{listening.getsockname()[1]}/INBOX"


@pytest.mark.journey
@pytest.mark.parametrize("engines", ["one machine", "grown"])
def test_standings_are_there_while_letters_wait_for_a_server_that_never_ends(
    tmp_path: Path, engines: str
) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(services.short_folder())
        smtp = stack.enter_context(server(Handler(), kind=Chatting))
        imap = stack.enter_context(silent_mailbox())
        grown = {}
        if engines == "grown":
            grown["SAISHI_DATABASE_URL"] = stack.enter_context(services.shared_postgresql()).new_database()
            grown["SAISHI_BROKER_URL"] = stack.enter_context(services.redis())
        environment = services.environment(
            folder,
            SAISHI_SMTP_URL=smtp,
            SAISHI_IMAP_URL=imap,
            SAISHI_MAIL_TO="office@saishi.example.cn",
            SAISHI_CLOCK_FILE=str(tmp_path / "clock"),
            **grown,
        )
        services.migrate(environment)
        for only in ("work", "mail"):
            stack.enter_context(services.worker(environment, "--only", only))
        code = PLAYED.replace("SECONDS", str(services.SLOW)).replace("LETTERS", str(LETTERS))
        # a list that nobody may object to by mail: a draw would wait for the mailbox, and rightly so
        without = environment | {"SAISHI_IMAP_URL": ""}
        done = stack.enter_context(services.program(sys.executable, "-c", code, environment=without))
        assert done.wait(3 * services.SLOW) == 0, done.output
        assert "standings before letters" in done.output


def test_only_mail_goes_by_the_queue_of_mail_and_nothing_piles_up_there(tmp_path: Path) -> None:
    settings = Settings(instance=tmp_path, secret_key="k" * 48, database_url="", broker_url="memory://")
    celery = jobs.make_celery(settings)
    routed = {job: celery.amqp.router.route({}, job.value)["queue"].name for job in Job}
    assert {job for job, queue in routed.items() if queue == Queue.MAIL} == MAIL_JOBS
    assert set(routed.values()) == set(Queue)
    for row in SCHEDULE.values():
        if row["task"] in MAIL_JOBS:
            assert row["options"] == {"expires": jobs.MAIL_WAITS}


def test_a_job_of_mail_that_nobody_took_for_ten_minutes_is_dropped_and_any_other_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(instance=tmp_path, secret_key="k" * 48, database_url="", broker_url="memory://")
    was = jobs._Sender.celery
    monkeypatch.setattr(jobs._Sender, "celery", was)
    celery = jobs.configure(settings)
    send(Job.SEND_MESSAGE, message_id=1)  # by its own name: the fixtures replace jobs.send
    send(Job.RECOMPUTE_STANDINGS, event_id=1)
    with celery.connection() as connection:
        found = {}
        for queue in Queue:
            message = connection.SimpleQueue(queue.value).get(timeout=5)
            found[message.headers["task"]] = message.headers["expires"]
            message.ack()
    assert found[Job.SEND_MESSAGE]
    assert found[Job.RECOMPUTE_STANDINGS] is None
