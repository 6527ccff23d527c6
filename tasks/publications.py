from __future__ import annotations

from celery import shared_task

from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.publications import service


@shared_task(name=Job.FINISH_PUBLICATIONS)
def finish() -> int:
    """Lists whose window is over and that no objection holds are final, and their entries get numbers. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.finish_due(ctx)
