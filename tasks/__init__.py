"""Background work (后台任务): the Celery application of the worker and of beat.

A task is one service call and safe to run twice. ``saishi worker`` and ``saishi beat`` start here.
"""

from __future__ import annotations

from typing import Any

from celery import Task
from celery.signals import worker_ready

from app import create_app, garbage, logs
from app.jobs import Job
from tasks.schedule import SCHEDULE

flask_app = create_app()
celery = flask_app.extensions["saishi_celery"]


class ContextTask(Task):
    """A task that runs in the application's context, with a session of its own."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with flask_app.app_context():
            return self.run(*args, **kwargs)


@worker_ready.connect
def settle(**_: Any) -> None:
    """Every task is imported now."""
    garbage.settle()


celery.Task = ContextTask
celery.set_default()
celery.conf.beat_schedule = SCHEDULE
logs.configure_celery(
    {
        Job.SWEEP_MESSAGES,
        Job.SWEEP_STANDINGS,
        Job.SWEEP_UPLOADS,
        Job.POLL_MAILBOX,
        Job.EXPIRE_OBJECTIONS,
        Job.LAPSE_APPEALS,
        Job.WRITE_REPORTS,
        Job.WRITE_DIGESTS,
    }
)
celery.conf.imports = (
    "tasks.notifications",
    "tasks.accounts",
    "tasks.registrations",
    "tasks.documents",
    "tasks.publications",
    "tasks.objections",
    "tasks.appeals",
    "tasks.standings",
    "tasks.amendments",
    "tasks.reports",
    "tasks.uploads",
    "tasks.mailbox",
    "tasks.demonstration",
)

__all__ = ["Job", "celery"]
