from __future__ import annotations

from celery import shared_task
from flask import current_app

from app.actors import SYSTEM
from app.commands import command
from app.jobs import Job
from app.notifications import service
from app.notifications.transports import DeliveryError, Transports


def transports() -> Transports:
    """Where this installation's messages go."""
    settings = current_app.config["SAISHI"]
    return Transports(
        outbox=settings.instance / "outbox",
        sender=settings.mail_from,
        smtp_url=settings.smtp_url,
        sms_url=settings.sms_url,
        smtp_ca=settings.smtp_ca,
        reply_to=settings.mail_to,
    )


@shared_task(name=Job.SEND_MESSAGE)
def send_message(message_id: int) -> None:
    """Send one message of the outbox: claim it, send it, note how it went. Safe to run twice."""
    with command(SYSTEM) as ctx:
        message = service.claim(ctx, message_id)
    if message is None:
        return
    refusal = None
    try:
        transports().deliver(message)
    except DeliveryError as error:
        refusal = error.refusal
    with command(SYSTEM) as ctx:
        service.record_delivery(ctx, message, refusal)


@shared_task(name=Job.SWEEP_MESSAGES)
def sweep() -> int:
    """Send what the broker lost. How many, for the log."""
    with command(SYSTEM) as ctx:
        return service.sweep(ctx)


@shared_task(name=Job.PURGE_MESSAGES)
def purge() -> None:
    """Delete messages that have done their work."""
    settings = current_app.config["SAISHI"]
    with command(SYSTEM) as ctx:
        service.purge(ctx, keep_days=settings.purge_days, outbox=settings.instance / "outbox")
