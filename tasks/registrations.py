from __future__ import annotations

from celery import shared_task
from flask import current_app

from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.registrations import service


@shared_task(name=Job.PURGE_PERSONAL_DATA)
def purge() -> None:
    """Erase ID numbers and phones some days after the play dates. Safe to run twice."""
    with command(SYSTEM) as ctx:
        service.purge_personal_data(ctx, purge_days=current_app.config["SAISHI"].purge_days)
