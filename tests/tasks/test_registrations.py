"""The purge task is one service call, safe to run twice, and on the schedule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.clock import BEIJING
from app.extensions import db
from app.jobs import Job
from app.registrations.models import Member
from tasks import registrations
from tasks.schedule import SCHEDULE
from tests.factories import registrations as make


def test_the_purge_task_erases_once_its_day_has_come(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    make.competition()
    make.submitted(1)
    registrations.purge.run()
    assert db.session.scalars(select(Member.id_number)).one() is not None
    travel(datetime(2022, 3, 6, 3, 40, tzinfo=BEIJING))
    for _ in range(2):
        registrations.purge.run()
    assert db.session.scalars(select(Member.id_number)).one() is None


def test_the_purge_runs_every_night() -> None:
    assert Job.PURGE_PERSONAL_DATA in {job["task"] for job in SCHEDULE.values()}
