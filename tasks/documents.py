from __future__ import annotations

from celery import shared_task
from flask import current_app, url_for

from app.actors import SYSTEM
from app.commands import command
from app.documents import service
from app.files.store import StoreDownError
from app.jobs import Job
from tasks.uploads import workspace


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
    made = service.make_sheet(work, workspace(), verification_address())
    with command(SYSTEM) as ctx:
        service.keep_sheet(ctx, work, made)


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
        return service.sweep_sheets(ctx)
