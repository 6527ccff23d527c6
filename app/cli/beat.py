"""``saishi beat``: the clock of the periodic jobs alone; exactly one may run."""

from __future__ import annotations

import click

from app.cli import processes


@click.command("beat")
def command() -> None:
    """只启动定时任务 (Celery beat alone; run exactly one)."""
    settings = processes.settings_of_installed_database()
    processes.become(processes.beat_argv(settings), settings)
