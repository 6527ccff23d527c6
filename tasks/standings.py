from __future__ import annotations

from celery import shared_task
from sqlalchemy.exc import OperationalError

from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.standings import service


@shared_task(
    name=Job.RECOMPUTE_STANDINGS,
    acks_late=True,
    autoretry_for=(OperationalError,),
    retry_backoff=True,
    max_retries=8,
)
def recompute(event_id: int) -> None:
    """Compute the newest results of one event. Safe to run twice: the service looks at the stored version first."""
    with command(SYSTEM) as ctx:
        service.recompute(ctx, event_id)


@shared_task(name=Job.SWEEP_STANDINGS)
def sweep() -> int:
    """Queue again what the broker or a crash lost. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.sweep(ctx)
