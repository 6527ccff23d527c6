"""``saishi worker``: a background worker alone, for installations that run web and workers apart."""

from __future__ import annotations

import click

from app.cli import preflight, processes
from app.jobs import Queue

QUEUES = {"work": (Queue.WORK,), "mail": (Queue.MAIL,)}


@click.command("worker", context_settings={"ignore_unknown_options": True})
@click.option(
    "--only",
    type=click.Choice(list(QUEUES)),
    help="mail 只收发邮件，work 只做其余任务 (mail alone, or everything else); run one of each",
)
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(only: str | None, options: tuple[str, ...]) -> None:
    """只启动后台任务 (a Celery worker alone); further options go to Celery.

    Without --only it does both, and standings may then wait for a mail server that is away.
    """
    settings = processes.settings_of_installed_database()
    try:
        preflight.check_files(settings)
    except preflight.PreflightError as error:
        preflight.stop(error)
    processes.become([*processes.worker_argv(*QUEUES.get(only or "", tuple(Queue))), *options], settings)
