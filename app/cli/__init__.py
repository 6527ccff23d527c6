"""The command line ``saishi``.

Each command is a module of its own, imported only when it is called: ``saishi score`` never loads the web stack.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from app.settings import SettingsError

COMMANDS = {
    "demo": "app.cli.demo",
    "serve": "app.cli.serve",
    "migrate": "app.cli.migrate",
    "web": "app.cli.web",
    "worker": "app.cli.worker",
    "beat": "app.cli.beat",
    "organiser": "app.cli.organiser",
    "audit": "app.cli.audit",
    "files": "app.cli.files",
    "documents": "app.cli.reports",
    "undertaking": "app.cli.undertaking",
    "score": "app.cli.score",
    "verify": "app.cli.verify",
    "pair": "app.cli.pair",
    "judge": "app.cli.judge",
    "window": "app.cli.window",
    "simulate": "app.cli.simulate",
    "regulations": "app.cli.regulations",
}
"""Name of the command -> module that holds it as ``command``."""


class LazyGroup(click.Group):
    """Loads a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="saishi")
def cli() -> None:
    """赛事小站 Saishi: registration and results for card and board game competitions."""


def main(arguments: list[str] | None = None) -> Any:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        return cli(arguments, prog_name="saishi")
    except SettingsError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
