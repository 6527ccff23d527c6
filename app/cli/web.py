"""``saishi web``: the web process alone, for systemd and containers."""

from __future__ import annotations

import click

from app.cli import preflight, processes


@click.command("web")
def command() -> None:
    """只启动网站 (the web process alone)."""
    settings = processes.settings_of_installed_database()
    try:
        preflight.check_assets()
        preflight.check_port(settings.host, settings.port)
        preflight.check_files(settings)
    except preflight.PreflightError as error:
        preflight.stop(error)
    processes.become(processes.web_argv(settings), settings)
