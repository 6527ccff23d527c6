"""Lists become final in a real worker: the job finds the window over, and twice is once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.competitions import queries as competitions
from app.jobs import Job
from app.publications import queries
from tasks import publications
from tasks.schedule import SCHEDULE
from tests import services
from tests.factories import publications as make

FINISHED = """
import time
from datetime import UTC, datetime
from app import clock, create_app, jobs
from app.jobs import Job
from app.extensions import db
from app.competitions import queries as competitions
from app.publications import queries
from tests.factories import publications as make

def finished():
    db.session.rollback()
    event_id = competitions.competition("beach").event.id
    return queries.publication(event_id, 1).final_at is not None and sorted(queries.numbers_of(event_id).values())

with create_app().app_context():
    clock.move_to(datetime(2021, 10, 25, 4, tzinfo=UTC))
    make.published_field(clock.move_to, 3, 1)
    clock.move_to(make.WINDOW_OVER)
    assert not finished()
    jobs.send(Job.FINISH_PUBLICATIONS)
    jobs.send(Job.FINISH_PUBLICATIONS)
    until = time.monotonic() + SECONDS
    while not finished() and time.monotonic() < until:
        time.sleep(0.1)
    assert finished() == [1, 2, 3], finished()
"""


def test_the_task_finishes_what_is_due_and_does_nothing_the_second_time(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    make.published_field(travel, 3, 1)
    assert publications.finish.run() == 0
    travel(make.WINDOW_OVER)
    assert [publications.finish.run() for _ in range(2)] == [1, 0]
    assert len(queries.numbers_of(competitions.competition("beach").event.id)) == 3


def test_the_job_runs_every_quarter_of_a_minute() -> None:
    assert {row["schedule"] for row in SCHEDULE.values() if row["task"] == Job.FINISH_PUBLICATIONS} == {15.0}


@pytest.mark.journey
@pytest.mark.parametrize("engines", ["one machine", "grown"])
def test_the_worker_of_an_installation_finishes_a_list_once(tmp_path: Path, engines: str) -> None:
    with (
        services.short_folder() as folder,
        services.shared_postgresql() as postgresql,
        services.redis() as redis,
    ):
        grown = {"SAISHI_DATABASE_URL": postgresql.new_database(), "SAISHI_BROKER_URL": redis}
        environment = services.environment(
            folder,
            SAISHI_CLOCK_FILE=str(tmp_path / "clock"),
            **(grown if engines == "grown" else {}),
        )
        services.migrate(environment)
        code = FINISHED.replace("SECONDS", str(services.SLOW))
        with (
            services.worker(environment),
            services.program(sys.executable, "-c", code, environment=environment) as done,
        ):
            assert done.wait() == 0, done.output
