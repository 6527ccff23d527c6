"""``saishi undertaking``: does the fingerprint of an undertaking, or its PDF, belong to a text signed here?"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import click

from app.cli import preflight, processes
from app.cli.documents import refuse
from app.cli.preflight import PreflightError


@click.command("undertaking")
@click.argument("fingerprint_or_pdf")
def command(fingerprint_or_pdf: str) -> None:
    """核对承诺书：64 位指纹或 PDF 文件；不是本站签署的则退出码为 1 (check an undertaking by its fingerprint or PDF; exit 1 if it was not signed here)."""
    fingerprint = fingerprint_or_pdf
    if not re.fullmatch(r"[0-9A-Fa-f\s]{64,}", fingerprint):
        try:
            fingerprint = hashlib.sha256(Path(fingerprint_or_pdf).read_bytes()).hexdigest()
        except (OSError, ValueError):
            refuse(f"{fingerprint_or_pdf}: 不是 64 位指纹，也不是能读取的文件。")
    settings = processes.settings_of_installed_database()
    from app import create_app
    from app.documents import queries

    try:
        with create_app(settings).app_context(), preflight.database_faults(settings):
            found = queries.verified(fingerprint)
    except PreflightError as error:
        preflight.stop(error)
    answer = (
        {"known": False}
        if found is None
        else {
            "known": True,
            "competition": found.competition,
            "signed_on": found.signed_on.isoformat(),
            "sha256": found.sha256,
            "newest": found.newest,
            "returned": found.returned,
        }
    )
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
    raise SystemExit(1 if found is None else 0)
