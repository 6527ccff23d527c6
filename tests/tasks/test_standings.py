"""The tasks are thin: one service call each, safe to run twice, tried again when the database is busy."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy.exc import OperationalError

from app.jobs import Job
from app.standings import queries
from tasks import standings
from tasks.schedule import SCHEDULE
from tests.factories import results


def test_the_recompute_task_stores_the_snapshot_and_does_nothing_the_second_time(
    session: Any, travel: Callable[[datetime], None]
) -> None:
    drawn = results.prelim(travel)
    results.confirmed(drawn.tables[0])
    for _ in range(2):
        standings.recompute.run(event_id=drawn.event_id)
    snapshot = queries.latest(drawn.event_id)
    assert snapshot is not None
    assert len(snapshot.result["tables"]) == 3


def test_the_sweep_task_queues_a_lost_job_again(
    session: Any, travel: Callable[[datetime], None], sent_jobs: list[tuple[Job, dict[str, Any]]]
) -> None:
    drawn = results.prelim(travel)
    results.confirmed(drawn.tables[0])
    sent_jobs.clear()
    standings.sweep.run()
    assert sent_jobs == [(Job.RECOMPUTE_STANDINGS, {"event_id": drawn.event_id})]


def test_the_recompute_task_is_acknowledged_late_and_tried_again_when_the_database_is_busy() -> None:
    assert standings.recompute.acks_late
    assert OperationalError in standings.recompute.autoretry_for


def test_the_sweep_runs_every_quarter_of_a_minute() -> None:
    every = {row["task"]: row["schedule"] for row in SCHEDULE.values()}
    assert every[Job.SWEEP_STANDINGS.value] == 15.0
