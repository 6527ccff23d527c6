from __future__ import annotations

from celery import shared_task
from flask import current_app

from app.actors import SYSTEM
from app.commands import command
from app.documents import service
from app.jobs import Job


@shared_task(name=Job.WARN_OF_DOCUMENTS)
def warn() -> int:
    """Tell leaders which documents end or are due soon. Safe to run twice. How many messages, for the log."""
    with command(SYSTEM) as ctx:
        return service.warn(ctx, warn_days=current_app.config["SAISHI"].warn_days)
