"""Commands of the outbox: what is put in, how it leaves, what comes back, who stops it, what is deleted."""

from app.notifications.service.choices import resume, resume_by_token, stop, stop_by_token
from app.notifications.service.delivering import claim, record_bounce, record_delivery, resend, sweep
from app.notifications.service.keeping import forget_people, purge
from app.notifications.service.queueing import queue_letter, queue_message, queue_sample

__all__ = [
    "claim",
    "forget_people",
    "purge",
    "queue_letter",
    "queue_message",
    "queue_sample",
    "record_bounce",
    "record_delivery",
    "resend",
    "resume",
    "resume_by_token",
    "stop",
    "stop_by_token",
    "sweep",
]
