"""``saishi audit``: is the chain of audit entries (操作记录) whole?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

from app.cli import preflight, processes
from app.cli.preflight import PreflightError

Entry = TypeVar("Entry")


class Counted:
    """Passes entries on and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def each(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self.count += 1
            yield entry


@click.command("audit")
def command() -> None:
    """核对操作记录的哈希链；断了则退出码为 1 (check the hash chain of the audit entries; exit 1 if broken)."""
    settings = processes.settings_of_installed_database()
    from app import create_app
    from app.audit import chain, queries

    counted = Counted()
    try:
        with create_app(settings).app_context(), preflight.database_faults(settings):
            entries = counted.each(queries.entries())
            first_broken = chain.first_broken(entries)
            for _ in entries:  # what stands behind the break is counted too
                pass
    except PreflightError as error:
        preflight.stop(error)
    click.echo(json.dumps({"entries": counted.count, "first_broken": first_broken}, indent=2))
    raise SystemExit(0 if first_broken is None else 1)
