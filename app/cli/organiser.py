"""``saishi organiser PHONE``: name the first organiser of an installation."""

from __future__ import annotations

import click


@click.command("organiser")
@click.argument("phone")
def command(phone: str) -> None:
    """Let the person with this mobile number create competitions (主办方)."""
    from app import create_app
    from app.accounts import service
    from app.actors import SYSTEM, Role
    from app.commands import command as transaction
    from app.errors import SaishiError

    try:
        with create_app().app_context(), transaction(SYSTEM) as ctx:
            service.grant_role(ctx, phone=phone, role=Role.ORGANISER, competition_id=None)
    except SaishiError as error:
        raise click.ClickException(str(error.text)) from error
    click.echo("已授予主办方身份 (organiser role granted)")
