from __future__ import annotations

from celery import shared_task

from app.actors import SYSTEM
from app.appeals import service
from app.commands import command
from app.jobs import Job


@shared_task(name=Job.LAPSE_APPEALS)
def lapse() -> int:
    """End oral appeals that no written one followed in time. Safe to run twice. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.lapse(ctx)
