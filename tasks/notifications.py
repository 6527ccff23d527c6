from __future__ import annotations

from celery import shared_task
from flask import current_app

from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.notifications import service


@shared_task(name=Job.SEND_MESSAGE)
def send_message(message_id: int) -> None:
    """Send one message of the outbox. Safe to run twice: the service looks at its state first."""
    settings = current_app.config["SAISHI"]
    with command(SYSTEM) as ctx:
        service.send_message(
            ctx,
            message_id,
            smtp_url=settings.smtp_url,
            sender=settings.mail_from,
            outbox=settings.instance / "outbox",
        )


@shared_task(name=Job.SWEEP_MESSAGES)
def sweep() -> None:
    """Send what the broker lost."""
    with command(SYSTEM) as ctx:
        service.sweep(ctx)
