from __future__ import annotations

from celery import shared_task

from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.objections import service


@shared_task(name=Job.EXPIRE_OBJECTIONS)
def expire() -> int:
    """Refuse objections that were not completed within their window. Safe to run twice. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.expire(ctx)
