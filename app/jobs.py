"""Background jobs (后台任务): their names and how they are sent.

A job is only a name and small ids; what it does is one service call in ``tasks/``. Sending may fail (broker down):
the command has already been committed, so the failure is logged and the periodic sweep does the work later.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from app import job_files
from app.settings import Settings

log = structlog.get_logger()

POLL_SECONDS = 0.05
"""How often the filesystem transport looks for messages: 28 ms median delay, against 620 ms by default."""


MAIL_WAITS = 600
"""Seconds that a job of the mail queue may wait. What waited longer is asked for again by a sweep or by the next poll, so that a
mail server that is away for a day leaves no queue of a day behind."""


class Queue(StrEnum):
    """Who waits for whom: what is in one queue never waits for what is in the other, each has a worker of its own."""

    WORK = "saishi"
    MAIL = "saishi-mail"


class Job(StrEnum):
    """Every task name; ``tests/architecture`` holds it against the tasks that exist."""

    RECOMPUTE_STANDINGS = "standings.recompute"
    SEND_MESSAGE = "notifications.send_message"
    SWEEP_STANDINGS = "standings.sweep"
    SWEEP_MESSAGES = "notifications.sweep"
    PURGE_MESSAGES = "notifications.purge"
    PURGE_PERSONAL_DATA = "registrations.purge"
    WARN_OF_DOCUMENTS = "documents.warn"
    MAKE_SIGNED_SHEET = "documents.make_sheet"
    READ_DOCUMENT = "documents.read"
    SWEEP_DOCUMENTS = "documents.sweep"
    FINISH_PUBLICATIONS = "publications.finish"
    PUT_REGULATIONS_IN_FORCE = "amendments.put_in_force"
    PURGE_SIGN_IN_CODES = "accounts.purge_codes"
    CLEAN_UPLOAD = "uploads.clean"
    POLL_MAILBOX = "mailbox.poll"
    PROCESS_MAIL = "mailbox.process"
    PURGE_MAIL = "mailbox.purge"
    WRITE_REPORTS = "reports.write"
    WRITE_DIGESTS = "reports.digest"
    SWEEP_UPLOADS = "uploads.sweep"
    TIDY_UPLOADS = "uploads.tidy"
    FORGET_FILES = "uploads.forget_files"
    EXPIRE_OBJECTIONS = "objections.expire"
    LAPSE_APPEALS = "appeals.lapse"
    HAND_IN_SPECIMENS = "demonstration.hand_in_specimens"
    SEND_SPECIMEN_LETTER = "demonstration.send_specimen_letter"
    RECEIVE_SPECIMEN_MAIL = "demonstration.receive_specimen_mail"
    PUBLISH_SPECIMEN_NOTICE = "demonstration.publish_specimen_notice"


MAIL_JOBS = frozenset({Job.SEND_MESSAGE, Job.POLL_MAILBOX, Job.PROCESS_MAIL})
"""What talks to a stranger's server, or opens a stranger's letter: it may take minutes, while standings have to be there in a second."""


class _Sender:
    celery: Celery | None = None


def make_celery(settings: Settings) -> Celery:
    """A Celery application on the broker of ``settings``; used by the senders and by the worker."""
    celery = Celery("saishi", set_as_current=False)
    celery.conf.update(
        broker_url=settings.broker_url,
        task_ignore_result=True,
        task_acks_late=True,
        task_default_queue=Queue.WORK.value,
        # both named, so that a worker which is told of none takes jobs of both
        task_queues={each.value: {"exchange": each.value, "routing_key": each.value} for each in Queue},
        task_routes={job.value: {"queue": Queue.MAIL.value} for job in MAIL_JOBS},
        task_serializer="json",
        accept_content=["json"],
        timezone="Asia/Shanghai",
        enable_utc=True,
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=2,
        broker_transport_options={"socket_connect_timeout": 2, "socket_timeout": 10},
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        beat_schedule_filename=str(settings.instance / "beat-schedule"),
    )
    if settings.broker_url.startswith("filesystem:"):
        folders = {name: settings.instance / "broker" / name for name in ("queue", "processed", "control")}
        try:
            for folder in folders.values():
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:  # the site takes sheets without it; sending says so each time
            log.warning("job_folder_unusable", folder=str(folders["queue"].parent), reason=error.strerror)
        job_files.install()
        celery.conf.broker_url = "filesystem://localhost//"  # the host means nothing; without one kombu warns
        celery.conf.broker_transport_options = _filesystem_options(folders)
    return celery


def _filesystem_options(folders: dict[str, Path]) -> dict[str, Any]:
    return {
        "data_folder_in": str(folders["queue"]),
        "data_folder_out": str(folders["queue"]),
        "processed_folder": str(folders["processed"]),
        "control_folder": str(folders["control"]),
        "store_processed": False,
        "polling_interval": POLL_SECONDS,
    }


def configure(settings: Settings) -> Celery:
    """Bind this process's sender; called once by ``create_app``."""
    _Sender.celery = make_celery(settings)
    return _Sender.celery


def send(job: Job, **arguments: Any) -> bool:
    """Queue ``job``. Returns False, after logging, when the broker cannot take it."""
    if _Sender.celery is None:
        raise RuntimeError("jobs.configure() was not called")
    try:
        expires = MAIL_WAITS if job in MAIL_JOBS else None
        _Sender.celery.send_task(job.value, kwargs=arguments, retry=False, expires=expires)
    except (OperationalError, OSError) as error:
        log.warning("job_not_sent", job=job.value, reason=type(error).__name__)
        return False
    return True
