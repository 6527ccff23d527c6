"""``saishi migrate``: bring the database's tables up to the program."""

from __future__ import annotations

import click

from app.cli import preflight


@click.command("migrate")
def command() -> None:
    """建立或更新数据库结构 (create or update the tables; copies a SQLite file first)."""
    settings = preflight.read_settings()
    try:
        copy = preflight.migrate_database(settings)
    except preflight.PreflightError as error:
        preflight.stop(error)
    if copy is not None:
        click.echo(f"更新前的备份 (copy made before): {copy}")
    click.echo("数据库结构已是最新 (the database is up to date)")
