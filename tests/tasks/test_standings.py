"""The tasks are thin: one service call each, safe to run twice, tried again when the database is busy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from app.competitions import queries as competitions
from app.jobs import Job
from app.standings import queries
from app.standings.queries import computing
from app.standings.queries.computing import Computed
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


def test_a_sheet_that_comes_in_while_the_standings_are_computed_waits_for_nothing_and_is_in_the_next(
    app: Flask, travel: Callable[[datetime], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        drawn = results.prelim(travel)
        results.confirmed(drawn.tables[0])
    whole = computing.computed

    def slowly(event_id: int) -> Computed | None:
        before = competitions.event(event_id).results_version
        if before == drawn_version:
            run_apart(app, lambda: results.confirmed(drawn.tables[1]))
            assert competitions.event(event_id).results_version == before, "it reads of one moment"
        return whole(event_id)

    with app.app_context():
        drawn_version = competitions.event(drawn.event_id).results_version
    monkeypatch.setattr(computing, "computed", slowly)
    with app.app_context():
        standings.recompute.run(event_id=drawn.event_id)
        first = queries.at_version(drawn.event_id, drawn_version)
        assert first is not None
        assert [len(each["deals"]) for each in first.result["tables"]].count(10) == 1
        standings.recompute.run(event_id=drawn.event_id)
        newest = queries.latest(drawn.event_id)
        assert newest is not None
        assert newest.results_version == drawn_version + 1
        assert [len(each["deals"]) for each in newest.result["tables"]].count(10) == 2


def test_of_many_jobs_at_once_each_finds_its_version_stored_and_none_twice(
    app: Flask, travel: Callable[[datetime], None]
) -> None:
    with app.app_context():
        drawn = results.prelim(travel, 27)

    def one(place: int) -> None:
        results.confirmed(drawn.tables[place])
        standings.recompute.run(event_id=drawn.event_id)

    threads = [
        threading.Thread(target=in_context, args=(app, lambda place=place: one(place))) for place in range(9)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with app.app_context():
        newest = queries.latest(drawn.event_id)
        assert newest is not None
        assert newest.results_version == competitions.event(drawn.event_id).results_version
        assert [len(each["deals"]) for each in newest.result["tables"]].count(10) == 9


def test_a_computation_that_fails_leaves_the_event_to_the_next_job(
    app: Flask, travel: Callable[[datetime], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        drawn = results.prelim(travel)
        results.confirmed(drawn.tables[0])
        with monkeypatch.context() as broken:
            broken.setattr(computing, "computed", lambda _event_id: 1 // 0)
            with pytest.raises(ZeroDivisionError):
                standings.recompute.run(event_id=drawn.event_id)
        standings.recompute.run(event_id=drawn.event_id)
        assert queries.latest(drawn.event_id) is not None


def in_context(app: Flask, act: Callable[[], object]) -> None:
    with app.app_context():
        act()


def run_apart(app: Flask, act: Callable[[], object]) -> None:
    """On a connection of its own, as another process would."""
    thread = threading.Thread(target=in_context, args=(app, act))
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


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
