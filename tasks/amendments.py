from __future__ import annotations

from celery import shared_task

from app.actors import SYSTEM
from app.amendments import service
from app.commands import command
from app.jobs import Job


@shared_task(name=Job.PUT_REGULATIONS_IN_FORCE)
def put_in_force() -> int:
    """Events whose next version's moment has come run by it from now on. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.put_in_force(ctx)
