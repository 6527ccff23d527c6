"""``saishi organiser PHONE``: name the first organiser of an installation."""

from __future__ import annotations

import click

from app.cli import preflight
from app.cli.preflight import PreflightError
from app.settings import Settings
from app.text import T


@click.command("organiser")
@click.argument("phone")
def command(phone: str) -> None:
    """让这个手机号成为主办方，可以创建赛事 (let this mobile number create competitions)."""
    settings = preflight.read_settings()
    try:
        preflight.prepare_database(settings)
        grant(settings, phone)
    except PreflightError as error:
        preflight.stop(error)
    click.echo("已授予主办方身份 (organiser role granted)")


def grant(settings: Settings, phone: str) -> None:
    """Give the role, in a command of its own. Raises ``PreflightError`` with the refusal."""
    from app import create_app
    from app.accounts import service
    from app.actors import SYSTEM, Role
    from app.commands import command as transaction
    from app.errors import SaishiError

    with create_app(settings).app_context(), preflight.database_faults(settings):
        try:
            with transaction(SYSTEM) as ctx:
                service.grant_role(ctx, phone=phone, role=Role.ORGANISER, competition_id=None)
        except SaishiError as error:
            raise PreflightError(_in_both_languages(error.text)) from error


def _in_both_languages(sentence: T) -> str:
    from flask_babel import force_locale

    from app.web.i18n import show

    with force_locale("en"):
        return f"{sentence} ({show(sentence)})"
