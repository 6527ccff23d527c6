"""The job of the text check: one reader at a time in a worker, and what it could not fetch is read later."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.actors import SYSTEM, Actor
from app.commands import command
from app.documents import queries, service
from app.documents.models import DocumentReading
from app.extensions import db
from app.files import reading, store
from app.files.reading import READING, Line
from app.files.store import StoreDownError
from app.jobs import Job
from app.uploads.rules import LEASE
from tasks import documents as tasks
from tests.factories import registrations, reviews


@pytest.fixture
def leader(session: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Actor:
    monkeypatch.setattr(reading, "available", lambda: True)
    monkeypatch.setattr(reading, "read_apart", lambda *_, **__: (Line("姓名：陈大文", 990),))
    monkeypatch.setattr(tasks, "workspace", lambda: tmp_path)
    registrations.competition()
    return registrations.submitted(members=3)


def waiting(leader: Actor, member: int = 0, pages: int = 1) -> int:
    """A document that waits for its check; the number of its revision."""
    made = reviews.document(leader, member=member, pages=pages, picture=reviews.photo(90, 120))
    return queries.document(made).newest.id


def states() -> list[str]:
    return list(db.session.scalars(select(DocumentReading.state).order_by(DocumentReading.revision_id)))


def test_a_second_job_leaves_its_revision_to_who_is_reading(
    app: Flask, leader: Actor, monkeypatch: pytest.MonkeyPatch, sent_jobs: list[Any]
) -> None:
    first, second = waiting(leader), waiting(leader, 1)
    reads, go_on, at_once = threading.Event(), threading.Event(), []

    def read_apart(*_: Any, **__: Any) -> tuple[Line, ...]:
        at_once.append(threading.current_thread())
        reads.set()
        assert go_on.wait(60)
        return ()

    monkeypatch.setattr(reading, "read_apart", read_apart)
    db.session.remove()

    def job() -> None:
        with app.app_context():
            tasks.read.run(first)

    thread = threading.Thread(target=job)
    thread.start()
    assert reads.wait(60)
    sent_jobs.clear()
    tasks.read.run(second)  # comes back at once: the reader is still at the first
    assert (len(at_once), sent_jobs) == (1, [])
    go_on.set()
    thread.join()
    assert sent_jobs == [(Job.READ_DOCUMENT, {"revision_id": second})]
    tasks.read.run(second)
    assert states() == ["done", "done"]


def test_a_store_that_is_away_is_no_verdict_on_the_document(
    leader: Actor, monkeypatch: pytest.MonkeyPatch, sent_jobs: list[Any]
) -> None:
    revision = waiting(leader)
    sent_jobs.clear()

    def away(*_: Any) -> None:
        raise StoreDownError("away")

    with monkeypatch.context() as patch:
        patch.setattr(store, "read", away)
        tasks.read.run(revision)
    assert (states(), sent_jobs) == ([], [])
    with command(SYSTEM) as ctx:
        assert service.sweep_readings(ctx) == 1
    assert sent_jobs == [(Job.READ_DOCUMENT, {"revision_id": revision})]
    tasks.read.run(revision)
    assert states() == ["done"]


def test_documents_without_a_picture_are_asked_for_once_and_hold_nobody_up(
    leader: Actor, sent_jobs: list[Any]
) -> None:
    bare = [waiting(leader, member, pages=0) for member in range(2)]
    last = waiting(leader, 2)
    for _ in range(3):
        following = service.next_to_read()
        assert following is not None
        tasks.read.run(following)
    assert states() == ["failed", "failed", "done"]
    assert service.next_to_read() is None
    assert [job for job in sent_jobs if job[0] is Job.READ_DOCUMENT][-2:] == [
        (Job.READ_DOCUMENT, {"revision_id": bare[1]}),
        (Job.READ_DOCUMENT, {"revision_id": last}),
    ]


def test_without_the_extra_nobody_waits(leader: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "available", lambda: False)
    revision = waiting(leader)
    tasks.read.run(revision)
    assert service.next_to_read() is None
    assert db.session.scalar(select(func.count()).select_from(DocumentReading)) == 0


def test_a_reader_is_given_up_before_its_folder_counts_as_left() -> None:
    assert READING.patience < LEASE.total_seconds()
