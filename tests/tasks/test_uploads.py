"""The worker's seats for checks: photos take some of its threads, never all, and none that waits is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.actors import Actor
from app.cli.processes import WORKER_THREADS
from app.jobs import Job
from app.uploads import queries, service
from app.uploads.rules import UploadState
from app.uploads.service import Outcome, Postponed, Refused, Work
from tasks import uploads as tasks
from tests.conftest import NOON
from tests.factories import accounts, competitions, uploads

Jobs = list[tuple[Job, dict[str, Any]]]


@pytest.fixture
def sender(session: Any) -> Actor:
    return accounts.user(1)


def waiting(sender: Actor, count: int) -> list[queries.UploadView]:
    slug = competitions.competition().slug
    return [uploads.whole(sender, slug, uploads.photo(serial)) for serial in range(count)]


def cleanings(sent_jobs: Jobs) -> list[int]:
    return [arguments["upload_id"] for job, arguments in sent_jobs if job is Job.CLEAN_UPLOAD]


@contextmanager
def taken_seats(count: int) -> Iterator[None]:
    """As if ``count`` other threads were checking."""
    for _ in range(count):
        assert tasks._seats.acquire(blocking=False)
    try:
        yield
    finally:
        for _ in range(count):
            tasks._seats.release()


def test_photos_leave_threads_to_the_standings() -> None:
    assert 0 < tasks.SEATS <= WORKER_THREADS - 2


def test_where_every_seat_is_taken_a_check_returns_at_once_and_who_is_done_sends_for_the_one_that_waited_longest(
    sender: Actor, sent_jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = waiting(sender, 3)
    sent_jobs.clear()
    seen: list[int] = []

    def checked(work: Work, _workspace: Path) -> Outcome:
        seen.append(work.upload_id)
        if work.upload_id == first.id:
            with taken_seats(tasks.SEATS - 1):  # this one has the last
                tasks.clean.run(upload_id=second.id)
                tasks.clean.run(upload_id=third.id)
        return Refused({"reason": "empty"})

    monkeypatch.setattr(service, "check", checked)
    tasks.clean.run(upload_id=first.id)
    assert seen == [first.id]
    assert queries.mine(sender.require_signed_in(), second.token).state is UploadState.WAITING
    assert cleanings(sent_jobs) == [second.id]
    tasks.clean.run(upload_id=second.id)
    tasks.clean.run(upload_id=third.id)
    assert seen == [first.id, second.id, third.id]
    assert cleanings(sent_jobs) == [second.id, third.id]  # and nothing once none waits


def test_a_check_that_fails_gives_its_seat_back_and_sends_for_the_next(
    sender: Actor, sent_jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = waiting(sender, 2)
    sent_jobs.clear()

    def broken(_work: Work, _workspace: Path) -> Outcome:
        raise RuntimeError("a library is missing")

    monkeypatch.setattr(service, "check", broken)
    with taken_seats(tasks.SEATS - 1), pytest.raises(RuntimeError, match="library"):
        tasks.clean.run(upload_id=first.id)
    assert cleanings(sent_jobs) == [second.id]
    with taken_seats(tasks.SEATS):
        pass


def test_what_was_put_off_is_not_sent_for_before_its_time(
    sender: Actor, sent_jobs: Jobs, monkeypatch: pytest.MonkeyPatch, travel: Callable[[datetime], None]
) -> None:
    (only,) = waiting(sender, 1)
    sent_jobs.clear()
    monkeypatch.setattr(service, "check", lambda _work, _workspace: Postponed("ScannerDownError"))
    tasks.clean.run(upload_id=only.id)
    assert cleanings(sent_jobs) == []
    travel(NOON + timedelta(minutes=1))
    tasks.clean.run(upload_id=only.id)
    assert cleanings(sent_jobs) == []
