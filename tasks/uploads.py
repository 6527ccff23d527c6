from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import BoundedSemaphore

import structlog
from celery import Task, shared_task
from celery.signals import worker_ready
from flask import current_app

from app import clock, jobs
from app.actors import SYSTEM
from app.commands import command
from app.files import store
from app.files.store import StoreDownError
from app.jobs import Job
from app.uploads import service
from app.uploads.rules import KEPT

SEATS = 2
"""Checks at a time in one worker. Its other threads are for everything else: standings never wait behind photos."""

_seats = BoundedSemaphore(SEATS)

FORGETTING_TRIES, FORGETTING_PAUSE = 4, timedelta(seconds=30)


class _Away:
    """Until when the jobs of this process need not ask the store: it was away a moment ago."""

    until = datetime.min.replace(tzinfo=UTC)


def workspace() -> Path:
    """Where checks have their private folders."""
    return Path(current_app.config["SAISHI"].instance) / "checking"


@shared_task(name=Job.CLEAN_UPLOAD)
def clean(upload_id: int) -> None:
    """Check one upload: claim it, clean it, note what came of it. Safe to run twice.

    Where every seat is taken the upload goes on waiting in its table; who has a seat sends for it when he is done.
    """
    if not _seats.acquire(blocking=False):
        return
    try:
        _clean(upload_id)
    finally:
        # looked for once the seat is free: what is turned away from now on finds the seat itself
        _seats.release()
        waiting = service.next_waiting(clock.now())
        if waiting is not None:
            jobs.send(Job.CLEAN_UPLOAD, upload_id=waiting)


def _clean(upload_id: int) -> None:
    with command(SYSTEM) as ctx:
        work = service.take(ctx, upload_id)
    if work is None:
        return
    outcome = service.check(work, workspace())
    with command(SYSTEM) as ctx:
        service.record_check(ctx, work, outcome)


@shared_task(name=Job.SWEEP_UPLOADS)
def sweep() -> int:
    """Check what the broker or a crash lost, and remove what dead checks left. How many, for the log."""
    removed = service.remove_left_folders(workspace(), clock.now())
    with command(SYSTEM) as ctx:
        return service.sweep(ctx) + removed


@shared_task(name=Job.TIDY_UPLOADS)
def tidy() -> int:
    """Delete uploads nobody needs and objects without a row. How many of the uploads, for the log."""
    expired = 0
    while True:
        with command(SYSTEM) as ctx:
            found = service.expire(ctx)
        if not found:
            break
        expired += found
    # the store counts by the wall clock, whatever a demonstration's clock says
    orphans = service.delete_orphans(clock.now() - clock.offset() - KEPT)
    with command(SYSTEM) as ctx:
        service.record_orphans(ctx, orphans)
    return expired


@shared_task(name=Job.FORGET_FILES, bind=True, max_retries=FORGETTING_TRIES)
def forget_files(task: Task, keys: list[str]) -> None:
    """Delete objects whose rows are gone; nobody can read them any more.

    Asking a store that is away keeps a thread waiting for many seconds. So it is asked again after minutes, by one job for all,
    and what is left then is found by the sweep of orphans (``tidy``).
    """
    now = clock.now()
    if now >= _Away.until:
        try:
            store.delete(keys)
        except StoreDownError:
            _Away.until = now + FORGETTING_PAUSE
        else:
            return
    if task.request.retries >= FORGETTING_TRIES:
        structlog.get_logger().warning("files_left_to_the_sweep", count=len(keys))
        return
    raise task.retry(countdown=FORGETTING_PAUSE.total_seconds() * 2**task.request.retries)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    """A worker that was killed left its folder: the next one looks at once."""
    from tasks import flask_app

    with flask_app.app_context():
        service.remove_left_folders(workspace(), clock.now())
