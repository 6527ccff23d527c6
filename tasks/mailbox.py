from __future__ import annotations

from celery import shared_task
from flask import current_app

from app.actors import SYSTEM
from app.commands import command
from app.files.store import StoreDownError
from app.jobs import Job
from app.mailbox import polling, service


@shared_task(name=Job.POLL_MAILBOX)
def poll() -> int:
    """Store what is new in the mailbox, and take up what the broker lost. Safe to run twice. How many messages, for the log."""
    with command(SYSTEM) as ctx:
        service.sweep(ctx)
    return polling.poll(current_app.config["SAISHI"])


@shared_task(name=Job.PROCESS_MAIL)
def process(incoming_id: int) -> None:
    """Bring one stored message where it belongs. Safe to run twice."""
    with command(SYSTEM) as ctx:
        work = service.take(ctx, incoming_id)
    if work is None:
        return
    try:
        prepared = service.prepare_files(work)
    except StoreDownError:
        with command(SYSTEM) as ctx:
            service.put_off(ctx, incoming_id)
        return
    with command(SYSTEM) as ctx:
        service.deal_with(ctx, work, prepared, own=polling.own_addresses(current_app.config["SAISHI"]))


@shared_task(name=Job.PURGE_MAIL)
def purge() -> int:
    """Empty messages whose time is over. How many, for the log."""
    purged = 0
    while True:
        with command(SYSTEM) as ctx:
            found = service.purge(ctx, keep_days=current_app.config["SAISHI"].purge_days)
        if not found:
            return purged
        purged += found
