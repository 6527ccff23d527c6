from __future__ import annotations

from celery import shared_task
from flask import current_app

from app import clock
from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.reports import queries, service


@shared_task(name=Job.WRITE_REPORTS)
def write() -> int:
    """Tell leaders and organisers what happened since the last time. Safe to run twice. How many letters, for the log."""
    minutes, written = current_app.config["SAISHI"].report_minutes, 0
    for competition_id in queries.due_competitions(clock.now()):
        prepared = service.prepare(competition_id, clock.now(), report_minutes=minutes)
        with command(SYSTEM) as ctx:
            written += service.write(ctx, competition_id, prepared=prepared, report_minutes=minutes)
    return written


@shared_task(name=Job.WRITE_DIGESTS)
def digest() -> int:
    """The committees' digests of a workday, from 08:30 on. Safe to run twice. How many letters, for the log."""
    written = 0
    for competition_id in queries.due_digests(clock.now()):
        with command(SYSTEM) as ctx:
            written += service.tell_digest(
                ctx, competition_id, waits=current_app.extensions["saishi_waiting"]
            )
    return written
