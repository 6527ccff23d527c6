"""``saishi documents``: does a purge report (删除报告) still say what was signed, and by whom?"""

from __future__ import annotations

import click

from app.cli.documents import print_document, read_text, refuse
from app.documents.rules.purging import ReportUnreadableError, check
from app.settings import Settings, SettingsError
from app.signing import Signer


@click.group("documents")
def command() -> None:
    """材料：核对删除报告 (documents: check a purge report)."""


@command.command("verify-report")
@click.argument("file")
def verify_report(file: str) -> None:
    """核对删除报告的签名，并说明是不是本站的密钥 (check a report's signature, and whether the key is this instance's).

    FILE is a downloaded report, or - for standard input. Needs no database. Exit 1 if the signature does not fit; another
    instance's report that fits exits 0 and says so.
    """
    text = read_text(file)
    try:
        found = check(text)
    except ReportUnreadableError:
        refuse(f"{file}: 这不是一份删除报告 (this is no purge report)。")
    ours = _public_key()
    print_document(
        {
            "signature": "fits" if found.fits else "does not fit",
            "public_key": found.public_key,
            "key": "unknown" if ours is None else "this instance" if ours == found.public_key else "another",
            "competition": found.report.get("competition"),
            "made_at": found.report.get("made_at"),
            "file_count": found.report.get("file_count"),
            "rows": found.report.get("rows"),
        }
    )
    if not found.fits:
        click.echo(
            "签名与内容不符：报告被改动过，或不完整 (the signature does not fit: the report was changed or is not whole)",
            err=True,
        )
    raise SystemExit(0 if found.fits else 1)


def _public_key() -> str | None:
    """This installation's key; None where there is no secret key, and none is made for this."""
    try:
        settings = Settings.from_environment()
        if not settings.secret_key and not (settings.instance / "secret_key").exists():
            return None
        return Signer(settings.with_secret().secret_key).public_key
    except SettingsError as error:
        refuse(str(error))
