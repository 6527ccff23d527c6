"""The job that makes a letter a case is killed for good at any step: each letter is one case and one answer in the end, with its files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import services
from tests.conftest import ENGINES, ROOT

STEPS = {
    "before it is taken": ("app.mailbox.service", "take", 1, "before"),
    "taken, not committed": ("app.mailbox.service", "take", 1, "after"),
    "taken": ("app.mailbox.service", "prepare_files", 1, "before"),
    "between its files": ("app.uploads.service", "store_raw", 1, "after"),
    "its files are in the store": ("app.mailbox.service", "prepare_files", 1, "after"),
    "one file is an upload": ("app.uploads.service", "take_in", 1, "after"),
    "its files are uploads, there is no case": ("app.objections.service", "CaseLetters.take", 1, "before"),
    "the case is written, not committed": ("app.objections.service", "CaseLetters.take", 1, "after"),
    "all is written, not committed": ("app.mailbox.service", "deal_with", 1, "after"),
    "committed, nobody was told": ("app.jobs", "send", 1, "before"),
    "committed, the next jobs are half sent": ("app.jobs", "send", 1, "after"),
}
"""Where the process dies: a function, at which of its calls, before it begins or after it returned."""

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

def travel(to):
    moment[0] = to.astimezone(UTC)

"""

PREPARE = (
    BEGIN
    + """
from app.competitions import queries as competitions
from app.registrations import queries as registrations
from tests.factories import mail, publications
from tests.factories.uploads import photo

with flask_app.app_context():
    publications.published_field(travel, entrants=6)
    event = competitions.competition("beach").event
    names = [registrations.named([each.entry_id])[each.entry_id].name for each in registrations.approved_entries(event.id)]
    for number in range(int(sys.argv[1])):
        text = f"{names[number % len(names)]}不是该单位员工，见附件。第 {number} 封。"
        files = (("公函.jpg", photo(2 * number + 1)), ("证据.jpg", photo(2 * number + 2)))
        print(mail.stored(mail.letter(number, text=text, files=files)))
"""
)

KILLED = (
    BEGIN
    + """
import importlib, os, signal
from tests.factories.publications import AFTER_CLOSING
travel(AFTER_CLOSING)
incoming_id, module, name, call, when = sys.argv[1:]
owner = importlib.import_module(module)
*path, last = name.split(".")
for each in path:
    owner = getattr(owner, each)
real, calls = getattr(owner, last), [0]

def dies(*arguments, **named):
    calls[0] += 1
    mine = calls[0] == int(call)
    if mine and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*arguments, **named)
    if mine:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(owner, last, dies)
from tasks.mailbox import process
with flask_app.app_context():
    process.run(int(incoming_id))
"""
)

GO_ON = (
    BEGIN
    + """
from sqlalchemy import func, select
from app.extensions import db
from app.files import store
from app.jobs import Job
from app.mailbox.models import IncomingFile, IncomingMessage
from app.notifications.models import Message
from app.objections.models import Objection, ObjectionFile
from app.uploads import service as uploads
from app.uploads.models import StoredFile, Upload
from tasks import mailbox, notifications
from tasks import uploads as cleaning
from tests.factories.publications import AFTER_CLOSING

with flask_app.app_context():
    for minutes in (2, 4, 30):
        travel(AFTER_CLOSING + timedelta(minutes=minutes))
        for sweep in (mailbox.poll, cleaning.sweep, notifications.sweep):
            sweep.run()
        while waiting:
            job, arguments = waiting.pop(0)
            celery.tasks[job.value].run(**arguments)
    uploads.delete_orphans(datetime.now(UTC) + timedelta(hours=1))  # those of a day ago: the store counts by the wall clock
    count = lambda what: db.session.scalar(select(func.count()).select_from(what))
    print(json.dumps({
        "letters": [
            [row.state, row.case_number, row.raw_file_id]
            for row in db.session.scalars(select(IncomingMessage).order_by(IncomingMessage.id))
        ],
        "cases": [row.number for row in db.session.scalars(select(Objection).order_by(Objection.incoming_id))],
        "answers": [
            [row.kind, row.state, row.tries]
            for row in db.session.scalars(select(Message).where(Message.recipient_hash.is_not(None)))
            if row.recipient.startswith("leader") and row.recipient.endswith(".example.cn")
        ],
        "uploads": sorted(row.state for row in db.session.scalars(select(Upload))),
        "of letters": count(IncomingFile), "of cases": count(ObjectionFile),
        "objects": sorted(key for key, _ in store.keys()),
        "rows": sorted(db.session.scalars(select(StoredFile.key))),
    }))
"""
)


def run(settings: dict[str, str], code: str, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *argv],
        cwd=ROOT,
        env={**os.environ, **settings},
        timeout=300,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.journey
@pytest.mark.parametrize("engine", ENGINES)
def test_a_letter_whose_job_is_killed_at_any_step_is_one_case_with_one_answer(
    engine: str, tmp_path: Path
) -> None:
    with services.shared_postgresql() as server:
        url = server.new_database() if engine == "postgresql" else f"sqlite:///{tmp_path / 'saishi.db'}"
        settings = services.environment(
            tmp_path, SAISHI_DATABASE_URL=url, SAISHI_MAIL_TO="office@saishi.example.cn"
        )
        services.migrate(settings)
        prepared = run(settings, PREPARE, str(len(STEPS)))
        assert prepared.returncode == 0, prepared.stderr
        ids = prepared.stdout.split()[-len(STEPS) :]
        for incoming_id, (step, (module, name, call, when)) in zip(ids, STEPS.items(), strict=True):
            killed = run(settings, KILLED, incoming_id, module, name, str(call), when)
            assert killed.returncode == -signal.SIGKILL, (step, killed.stderr)
        done = run(settings, GO_ON)
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    numbers = [case for _, case, _ in found["letters"]]
    assert found["letters"] == [["processed", case, None] for case in numbers]
    assert len(set(numbers)) == len(STEPS)
    assert found["cases"] == numbers
    assert found["answers"] == [["objection_received", "sent", 1]] * len(STEPS)
    assert found["uploads"] == ["ready"] * 2 * len(STEPS)
    assert found["of letters"] == found["of cases"] == 2 * len(STEPS)
    assert found["objects"] == found["rows"], "nothing that nobody could ever find again"
