"""``saishi demo`` (演示): the site with made-up competitions on a movable clock, and a sign-in link for every role."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import click
import qrcode
from qrcode.constants import ERROR_CORRECT_L
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from app.cli import preflight
from app.cli.preflight import PreflightError
from app.cli.serve import addresses, run
from app.demonstration.rules import PLAYED_SLUG
from app.settings import Settings

Links = list[tuple[str, str]]


@click.command("demo")
def command() -> None:
    """启动演示 (seed a demonstration once, then start it like `saishi serve`)."""
    settings = preflight.read_settings(demo=True)
    # letters are written where no request says which address the site has
    sited = replace(settings, base_url=addresses(settings)[0])
    try:
        preflight.check_start(settings)
        if not is_written(settings):
            write(sited)
        # the links are made while the children start: a second start must not wait for this process's imports
        status = run(sited, lambda: click.echo(banner(settings, sign_in_links(settings))))
    except PreflightError as error:
        preflight.stop(error)
    raise SystemExit(status)


def is_written(settings: Settings) -> bool:
    """Whether the demonstration is in the database, asked without loading the application."""
    engine = create_engine(settings.database_url, poolclass=NullPool)
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT 1 FROM competitions WHERE slug = :slug"), {"slug": PLAYED_SLUG}
        ).first()
    return found is not None


def write(settings: Settings) -> None:
    """Write the demonstration.

    Raises ``PreflightError`` where the database holds somebody's own competitions: everyone may sign in as anyone.
    """
    from app import create_app
    from app.actors import SYSTEM
    from app.commands import command as transaction
    from app.demonstration import queries, service

    with create_app(settings).app_context():
        if queries.holds_other_data():
            raise PreflightError(
                f"数据文件夹 {settings.instance} 里已有真实赛事，不能用作演示；请用 SAISHI_INSTANCE 另选文件夹"
                " (this data folder holds your own competitions; choose another for the demonstration)"
            )
        click.echo("写入演示数据… (writing the demonstration)")
        with transaction(SYSTEM) as ctx:
            service.seed(ctx)


def sign_in_links(settings: Settings) -> Links:
    """One sign-in link per role, with its name; the worker is told to hand in the documents."""
    from app import create_app, jobs
    from app.demonstration import pages
    from app.jobs import Job

    site = addresses(settings)[0]
    with create_app(settings).test_request_context(base_url=site):
        # at every start: where the documents are here already nothing happens, where the worker was stopped it goes on
        jobs.send(Job.HAND_IN_SPECIMENS, site=site)
        jobs.send(Job.SEND_SPECIMEN_LETTER)
        jobs.send(Job.PUBLISH_SPECIMEN_NOTICE)
        jobs.send(Job.RECEIVE_SPECIMEN_MAIL)
        return [(str(member.name), link) for member, link in pages.sign_in_links(external=True)]


def banner(settings: Settings, links: Links) -> str:
    """What the terminal shows once the site answers."""
    known = addresses(settings)
    entry = f"{known[0]}/demo"
    lines = [
        "",
        f"赛事小站演示已启动 (the demonstration is running): {'  '.join(known)}",
        f"演示入口 (entry page): {entry}",
        _qr(entry),
        "登录链接 (one sign-in link per role):",
        *(f"  {name}  {link}" for name, link in links),
        "Ctrl-C 停止 (stops it)",
    ]
    return "\n".join(lines)


def _qr(address: str) -> str:
    """The address as a QR code of half blocks, or nothing where the terminal cannot show them."""
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_L, border=2)
    code.add_data(address)
    picture = io.StringIO()
    code.print_ascii(out=picture, invert=True)
    return picture.getvalue().rstrip("\n")
