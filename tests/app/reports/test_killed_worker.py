"""The jobs that write reports are killed for good at any step: in the end everybody was told everything, once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import services
from tests.conftest import ENGINES, ROOT

Step = tuple[str, str, str, int, str]
"""Which job runs, and where its process dies: a function, at which of its calls, before it begins or after it returned."""

SERVICE = "app.reports.service"

LISTS: dict[str, Step] = {
    "nothing was looked at": ("write", SERVICE, "prepare", 1, "before"),
    "no file was needed": ("write", SERVICE, "prepare", 1, "after"),
    "one leader's letter is written": ("write", "app.notifications.service", "queue_letter", 1, "after"),
    "between two leaders": ("write", "app.notifications.service", "queue_letter", 2, "before"),
    "the decisions are told": ("write", SERVICE, "tell_decisions", 1, "after"),
    "the list is not told": ("write", SERVICE, "tell_lists", 1, "before"),
    "the list is told": ("write", SERVICE, "tell_lists", 1, "after"),
    "all is written, not committed": ("write", SERVICE, "write", 1, "after"),
    "committed, and no worker knows": ("write", "app.jobs", "send", 1, "before"),
    "the digest is not begun": ("digest", SERVICE, "tell_digest", 1, "before"),
    "the day is marked, nobody told": ("digest", "app.notifications.service", "queue_letter", 1, "before"),
    "one member's digest is written": ("digest", "app.notifications.service", "queue_letter", 1, "after"),
    "every digest is written, not committed": ("digest", SERVICE, "tell_digest", 1, "after"),
    "the digests are committed, one job is sent": ("digest", "app.jobs", "send", 1, "after"),
}

ROUNDS: dict[str, Step] = {
    "one file is made": ("write", "app.reports.service.files", "pdf", 1, "after"),
    "every file is made": ("write", SERVICE, "prepare", 1, "after"),
    "one leader's letter has its files": ("write", "app.notifications.service", "queue_letter", 1, "after"),
    "between two leaders": ("write", "app.notifications.service", "queue_letter", 2, "before"),
    "the round is told": ("write", SERVICE, "tell_round", 1, "after"),
    "all is written, not committed": ("write", SERVICE, "write", 1, "after"),
    "committed, two jobs are sent": ("write", "app.jobs", "send", 3, "before"),
}

BEGIN = """
import json, sys
from datetime import UTC, datetime, timedelta
from app import clock, jobs
moment = [datetime(2021, 10, 25, 4, 0, tzinfo=UTC)]
clock.now = lambda: moment[0]
jobs.send = lambda job, **arguments: waiting.append((job, arguments)) or True
waiting = []
from app.text import BEIJING
from tasks import celery, flask_app
from tests.factories.publications import AFTER_CLOSING
from tests.factories.rounds import PLAY, SLUG

def travel(to):
    moment[0] = to.astimezone(UTC)

WRITE = {"lists": AFTER_CLOSING + timedelta(hours=2), "rounds": PLAY + timedelta(hours=2)}
DIGEST = datetime(2021, 11, 1, 8, 30, tzinfo=BEIJING)
"""

PREPARE = {
    "lists": """
from tests.factories import publications, registrations, reports

with flask_app.app_context():
    travel(AFTER_CLOSING - timedelta(hours=1))
    publications.field(6, 3)
    for serial in (1, 2, 3):
        reports.mailbox(registrations.leader(serial, with_unit=False))
    reports.committee_mailbox()
    travel(AFTER_CLOSING)
    publications.publish()
""",
    "rounds": """
from tests.app.reports import test_rounds
from tests.factories import rounds

with flask_app.app_context():
    rounds.field(travel)
    test_rounds.mailboxes()
    test_rounds.played_round()
""",
}

KILLED = """
import importlib, os, signal
scenario, job, module, name, call, when = sys.argv[1:]
travel(DIGEST if job == "digest" else WRITE[scenario])
owner = importlib.import_module(module)
real, calls = getattr(owner, name), [0]

def dies(*arguments, **named):
    calls[0] += 1
    mine = calls[0] == int(call)
    if mine and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*arguments, **named)
    if mine:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(owner, name, dies)
from tasks import reports
with flask_app.app_context():
    getattr(reports, job).run()
"""

GO_ON = """
from sqlalchemy import select
from app.extensions import db
from app.notifications.models import MailFile, Message, MessageFile
from app.reports.models import Report
from tasks import notifications, reports

with flask_app.app_context():
    start = max(moment[0], WRITE[sys.argv[1]])
    for minutes in (2, 3, 20, 800):  # at last on the next day, after 08:30
        travel(start + timedelta(minutes=minutes))
        for job in (reports.write, reports.digest, reports.write, notifications.sweep):
            job.run()
        while waiting:
            job, arguments = waiting.pop(0)
            celery.tasks[job.value].run(**arguments)
    letters = [row for row in db.session.scalars(select(Message).order_by(Message.id)) if row.channel == "email" and row.key]
    print(json.dumps({
        "letters": [[row.kind, row.recipient, row.state, row.tries, row.repeats] for row in letters],
        "keys": sorted(row.key for row in letters),
        "told": sorted(db.session.scalars(select(Report.key).where(Report.written))),
        "over": sorted(db.session.scalars(select(Report.kind).where(Report.user_id.is_(None)))),
        "files": sorted(db.session.scalars(select(MailFile.id))),
        "files of letters": sorted(set(db.session.scalars(select(MessageFile.file_id)))),
        "letters with files": len(set(db.session.scalars(select(MessageFile.message_id)))),
    }))
"""


@dataclass(frozen=True)
class Scenario:
    steps: dict[str, Step]
    letters: dict[str, int]
    """How many of each kind there are in the end."""
    days: int
    """On how many days a digest was looked for."""


SCENARIOS = {
    "lists": Scenario(LISTS, {"entry_decided": 3, "list_published": 3, "digest": 1}, 1),
    "rounds": Scenario(ROUNDS, {"round_results": 3}, 0),  # a Saturday, and Dragon Boat Festival after it
}


def run(settings: dict[str, str], code: str, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BEGIN + code, *argv],
        cwd=ROOT,
        env={**os.environ, **settings},
        timeout=300,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.journey
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_report_whose_job_is_killed_at_any_step_is_told_once_to_everybody(
    engine: str, name: str, tmp_path: Path
) -> None:
    scenario = SCENARIOS[name]
    with services.shared_postgresql() as server:
        url = server.new_database() if engine == "postgresql" else f"sqlite:///{tmp_path / 'saishi.db'}"
        settings = services.environment(tmp_path, SAISHI_DATABASE_URL=url)
        services.migrate(settings)
        prepared = run(settings, PREPARE[name])
        assert prepared.returncode == 0, prepared.stderr
        for step, (job, *where) in scenario.steps.items():
            killed = run(settings, KILLED, name, job, *map(str, where))
            assert killed.returncode == -signal.SIGKILL, (step, killed.stderr)
        done = run(settings, GO_ON, name)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    counts: dict[str, int] = {}
    for kind, _, state, tries, repeats in found["letters"]:
        assert (state, tries, repeats) == ("sent", 1, 0)
        counts[kind] = counts.get(kind, 0) + 1
    assert counts == scenario.letters
    assert len({(kind, reader) for kind, reader, *_ in found["letters"]}) == len(found["letters"])
    assert found["told"] == found["keys"], "whoever has a letter was told, and the other way round"
    assert found["over"] == ["digest"] * scenario.days
    assert found["files"] == found["files of letters"]
    assert found["letters with files"] == counts.get("round_results", 0)
