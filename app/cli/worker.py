"""``saishi worker``: the background worker alone, for installations that run web and worker apart."""

from __future__ import annotations

import click

from app.cli import preflight, processes


@click.command("worker", context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(options: tuple[str, ...]) -> None:
    """只启动后台任务 (the Celery worker alone); further options go to Celery."""
    settings = processes.settings_of_installed_database()
    try:
        preflight.check_files(settings)
    except preflight.PreflightError as error:
        preflight.stop(error)
    processes.become([*processes.worker_argv(), *options], settings)
