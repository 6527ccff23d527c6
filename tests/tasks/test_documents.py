"""The warning task is one service call, safe to run twice, and on the schedule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from app.clock import BEIJING
from app.jobs import Job
from tasks import documents
from tasks.schedule import SCHEDULE
from tests.factories import documents as make
from tests.factories import registrations


def test_the_warning_task_says_once_what_is_due(session: Any, travel: Callable[[datetime], None]) -> None:
    make.competition({"medical_certificate": {"due": "registration"}})
    registrations.member(registrations.leader(), 101)
    travel(datetime(2021, 10, 26, 9, 0, tzinfo=BEIJING))
    assert [documents.warn.run(), documents.warn.run()] == [1, 0]


def test_the_warning_runs_every_day() -> None:
    assert Job.WARN_OF_DOCUMENTS in {job["task"] for job in SCHEDULE.values()}
