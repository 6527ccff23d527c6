"""A visitor finds letters to sort, taken in and dealt with as those of a mailbox are, and once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.demonstration import rules, service
from app.extensions import db
from app.jobs import Job
from app.mailbox.models import IncomingMessage
from app.mailbox.queries import outstanding
from app.objections.models import Objection
from app.publications import queries as publications
from app.text import BEIJING
from tasks.demonstration import receive_specimen_mail
from tasks.mailbox import process

START = datetime(2026, 11, 30, 12, 0, tzinfo=BEIJING)
Travel = Callable[[datetime], None]


@pytest.mark.usefixtures("own_store")
def test_letters_of_every_kind_are_there_and_hold_no_list(
    session: Any, travel: Travel, sent_jobs: list[Any]
) -> None:
    travel(START)
    assert receive_specimen_mail.run() == 0, "there is no demonstration yet"
    with command(SYSTEM) as ctx:
        service.seed(ctx)
    for _ in range(2):
        assert receive_specimen_mail.run() == 4
    for incoming_id in {given["incoming_id"] for job, given in sent_jobs if job is Job.PROCESS_MAIL}:
        process.run(incoming_id)
    rows = db.session.scalars(select(IncomingMessage).order_by(IncomingMessage.id)).all()
    assert [(row.kind, row.state) for row in rows] == [
        ("letter", "triage"),
        ("list", "triage"),
        ("automatic", "set_aside"),
        ("letter", "processed"),
    ]
    played = competitions.competition(rules.PLAYED_SLUG)
    listed = competitions.competition(rules.PUBLISHED_SLUG)
    assert rows[0].competition_id == played.id
    case = db.session.scalars(select(Objection)).one()
    assert (rows[3].case_number, case.state) == (case.number, "incomplete")
    (view,) = publications.in_force(listed.event.id)
    assert not outstanding(listed.id, view.published_at, view.ends_at)
