from __future__ import annotations

from celery import shared_task

from app.accounts import service
from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job


@shared_task(name=Job.PURGE_SIGN_IN_CODES)
def purge_codes() -> None:
    """Forget one-time codes a day after they were sent."""
    with command(SYSTEM) as ctx:
        service.purge_codes(ctx)
