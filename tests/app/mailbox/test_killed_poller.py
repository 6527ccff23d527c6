"""A poller that is killed for good at any step of its way: every message is there once, and once marked, in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests import services
from tests.conftest import ENGINES, ROOT
from tests.factories import mail
from tests.imap import Imap

STEPS = {
    "signed in": ("app.mail.fetching", "Box.uids", 1, "before"),
    "before a message is asked for": ("app.mail.fetching", "Box.content", 2, "before"),
    "a message is here": ("app.mail.fetching", "Box.content", 2, "after"),
    "its bytes are in the store": ("app.mailbox.service", "arrive", 2, "after"),
    "its row is written, not committed": ("app.mailbox.service", "store", 2, "after"),
    "committed, not marked": ("app.mail.fetching", "Box.mark", 3, "before"),
    "marked": ("app.mail.fetching", "Box.mark", 3, "after"),
    "all is done but saying so": ("app.mailbox.service", "note_success", 1, "before"),
}
"""Where the process dies: a function, at which of its calls, before it begins or after it returned. The first ``mark`` is of what an
earlier look left, so its second and third are of the first and second message."""

KILLER = """
import importlib, os, signal, sys
from tasks import flask_app
from tasks.mailbox import poll

module, name, call, when = sys.argv[1:]
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
poll()
"""

POLL = "from tasks.mailbox import poll; poll()"


def run(settings: dict[str, str], code: str, *argv: str) -> int:
    environment = {**os.environ, **settings}
    return subprocess.run(
        [sys.executable, "-c", code, *argv], cwd=ROOT, env=environment, timeout=120, check=False
    ).returncode


@pytest.mark.journey
@pytest.mark.parametrize("engine", ENGINES)
def test_a_poller_killed_at_any_step_takes_each_message_once(engine: str, imap: Imap, tmp_path: Path) -> None:
    with services.shared_postgresql() as server:
        url = server.new_database() if engine == "postgresql" else f"sqlite:///{tmp_path / 'saishi.db'}"
        settings = services.environment(
            tmp_path,
            SAISHI_DATABASE_URL=url,
            SAISHI_IMAP_URL=imap.url(),
            SAISHI_MAIL_TO="office@saishi.example.cn",
        )
        services.migrate(settings)
        engine_here = create_engine(url)
        expected = 0
        for number, (step, place) in enumerate(STEPS.items()):
            imap.put(*(mail.letter(10 * number + each) for each in range(3)))
            expected += 3
            module, name, call, when = place
            assert run(settings, KILLER, module, name, str(call), when) == -signal.SIGKILL, step
            assert run(settings, POLL) == 0, step
            with engine_here.connect() as connection:
                rows = connection.execute(
                    text("SELECT COUNT(*), COUNT(DISTINCT message_id) FROM incoming_messages")
                )
                assert tuple(rows.one()) == (expected, expected), step
                answers = connection.execute(text("SELECT COUNT(*) FROM messages")).scalar()
            assert imap.subjects() == [], step
            assert len(set(imap.subjects("Saishi-processed"))) == expected, step
            assert answers == 0, "nobody dealt with them yet"
        engine_here.dispose()
