from __future__ import annotations

from threading import BoundedSemaphore

import structlog
from celery import shared_task
from celery.signals import worker_ready
from flask import current_app, url_for

from app import jobs
from app.actors import SYSTEM
from app.commands import command
from app.documents import service
from app.files import reading
from app.files.store import StoreDownError
from app.jobs import Job
from tasks.uploads import workspace

_reading_seat = BoundedSemaphore(1)


@shared_task(name=Job.WARN_OF_DOCUMENTS)
def warn() -> int:
    """Tell leaders which documents end or are due soon. Safe to run twice. How many messages, for the log."""
    with command(SYSTEM) as ctx:
        return service.warn(ctx, warn_days=current_app.config["SAISHI"].warn_days)


@shared_task(name=Job.MAKE_SIGNED_SHEET, autoretry_for=(StoreDownError,), retry_backoff=True, max_retries=3)
def make_sheet(revision_id: int) -> None:
    """Make the PDF of a signed undertaking. Safe to run twice."""
    with command(SYSTEM) as ctx:
        work = service.sheet_to_make(ctx, revision_id)
    if work is None:
        return
    try:
        made = service.make_sheet(work, workspace(), verification_address())
    except StoreDownError:
        with command(SYSTEM) as ctx:
            service.give_sheet_back(ctx, work)
        raise
    with command(SYSTEM) as ctx:
        service.keep_sheet(ctx, work, made)


@shared_task(name=Job.READ_DOCUMENT)
def read(revision_id: int) -> None:
    """Compare a document's text with what was typed, where the extra is installed. Safe to run twice.

    One at a time in a worker: a reader fills 650 MB, and takes a minute where a standing has to be there in a second. Where
    the seat is taken the revision goes on waiting; who has it sends for the next when he is done.
    """
    if not _reading_seat.acquire(blocking=False):
        return
    try:
        done = _read(revision_id)
    finally:
        _reading_seat.release()
    waiting = (
        service.next_to_read() if done else None
    )  # where it was not done, the sweep comes by in a minute
    if waiting is not None:
        jobs.send(Job.READ_DOCUMENT, revision_id=waiting)


def _read(revision_id: int) -> bool:
    """Whether the revision is done with; not where its pictures could not be fetched."""
    with command(SYSTEM) as ctx:
        work = service.reading_to_make(ctx, revision_id)
    if work is None:
        return True
    try:
        found = service.read(work, workspace())
    except StoreDownError:
        structlog.get_logger().warning("text_check_waits", reason="store down")
        with command(SYSTEM) as ctx:
            service.give_reading_back(ctx, work)
        return False
    with command(SYSTEM) as ctx:
        service.record_reading(ctx, work, found)
    return True


def verification_address() -> str:
    """The page where a fingerprint is checked; empty where the installation has no address of its own."""
    base: str = current_app.config["SAISHI"].base_url
    if not base:
        return ""
    with current_app.test_request_context():
        return base + url_for("documents.verify")


@shared_task(name=Job.SWEEP_DOCUMENTS)
def sweep() -> int:
    """Do what of documents the broker or a crash lost. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.sweep_sheets(ctx) + service.sweep_readings(ctx)


@worker_ready.connect
def say_whether_texts_are_checked(**_: object) -> None:
    """The extra is optional: the operator sees once which it is."""
    structlog.get_logger().info("text_check", available=reading.available())
