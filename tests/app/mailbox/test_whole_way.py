"""A letter's whole way in an installation: mailbox, beat, worker, case, and the answer in the sender's mailbox."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import services
from tests.conftest import ROOT
from tests.factories import mail
from tests.factories.uploads import photo
from tests.imap import imap_server
from tests.mail_servers import Handler, server

PREPARE = """
from app import clock
from app.competitions import queries as competitions
from app.registrations import queries as registrations
from tasks import flask_app
from tests.conftest import NOON
from tests.factories import publications

with flask_app.app_context():
    clock.move_to(NOON)
    publications.published_field(clock.move_to, entrants=6)
    event = competitions.competition("beach").event
    entry = registrations.approved_entries(event.id)[0].entry_id
    print(registrations.named([entry])[entry].name)
"""


@pytest.mark.journey
def test_a_letter_in_the_mailbox_is_answered_with_the_number_of_its_case(tmp_path: Path) -> None:
    handler = Handler()
    with services.short_folder() as folder, server(handler) as smtp, imap_server() as imap:
        environment = services.environment(
            folder,
            SAISHI_SMTP_URL=smtp,
            SAISHI_IMAP_URL=imap.url(),
            SAISHI_MAIL_TO="office@saishi.example.cn",
            SAISHI_MAIL_FROM="saishi@saishi.example.cn",
            SAISHI_CLOCK_FILE=str(tmp_path / "clock"),
        )
        services.migrate(environment)
        prepared = subprocess.run(
            [sys.executable, "-c", PREPARE],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        player = prepared.stdout.splitlines()[-1]
        imap.put(
            mail.letter(text=f"{player}不是该单位员工，见附件。", files=(("公函.jpg", photo()),)),
            mail.letter(2, subject="自动回复：休假", headers="Auto-Submitted: auto-replied\r\n"),
        )
        with services.worker(environment) as worker, services.beat(environment):
            worker.wait_until(lambda: handler.taken, within=180, what="the letter is answered")
            worker.wait_until(lambda: not imap.subjects(), what="both are moved")
        assert imap.unseen("Saishi-processed") == 0
    [answer] = handler.taken
    assert handler.recipients == ["leader1@unit1.example.cn"]
    assert answer["In-Reply-To"] == "<1@unit1.example.cn>"
    assert answer["Auto-Submitted"]
    assert "2021-0001" in answer["Subject"]
    assert "made-up pass" not in worker.output
    assert player not in worker.output
