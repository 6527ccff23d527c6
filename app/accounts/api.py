from __future__ import annotations

from typing import Any

from flask import current_app

from app.accounts import queries, service, tokens
from app.accounts.queries import MailSettings
from app.accounts.rules import CODE_LIFETIME, CodeRefusedError
from app.accounts.schemas import (
    CodeSentSchema,
    ConfirmationSchema,
    EmailSchema,
    LettersChoiceSchema,
    MailSettingsSchema,
    PhoneSchema,
    SessionSchema,
    SignInSchema,
)
from app.commands import command
from app.extensions import limiter
from app.web import current_actor, public, signed_in
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("accounts_api", __name__, description="账号 sign-in by phone and one-time code")


@blueprint.post("/sign-in/codes")
@public
@limiter.limit("60/minute")
@blueprint.arguments(PhoneSchema)
@blueprint.response(202, CodeSentSchema)
def send_code(body: dict[str, Any]) -> dict[str, Any]:
    """Send a one-time code (验证码) to a phone."""
    with command(current_actor()) as ctx:
        code = service.request_code(ctx, **body)
    shown = {"code": code} if current_app.config["SAISHI"].demo else {}
    return {"expires_in": int(CODE_LIFETIME.total_seconds())} | shown


@blueprint.post("/sign-in/sessions")
@public
@limiter.limit("60/minute")
@blueprint.arguments(SignInSchema)
@blueprint.response(201, SessionSchema)
def sign_in(body: dict[str, Any]) -> dict[str, Any]:
    """Sign in: exchange phone and code for a bearer token."""
    with command(current_actor()) as ctx:
        outcome = service.try_code(ctx, **body)
    if isinstance(outcome, CodeRefusedError):
        raise outcome
    token = tokens.issue(current_app.config["SECRET_KEY"], "bearer", outcome)
    return {"token": token, "user_id": outcome, "expires_in": tokens.BEARER_SECONDS}


@blueprint.get("/me/email")
@signed_in
@blueprint.response(200, MailSettingsSchema)
def mail_settings() -> MailSettings:
    """One's e-mail address, and what one has chosen about letters (我的邮箱)."""
    return queries.mail_settings(current_actor().require_signed_in())


@blueprint.put("/me/email")
@signed_in
@limiter.limit("20/minute")
@blueprint.arguments(EmailSchema)
@blueprint.response(202, MailSettingsSchema)
def give_email(body: dict[str, Any]) -> MailSettings:
    """Note an e-mail address; a letter to it asks for a confirmation."""
    with command(current_actor()) as ctx:
        service.give_email(ctx, **body)
    return queries.mail_settings(current_actor().require_signed_in())


@blueprint.delete("/me/email")
@signed_in
@blueprint.response(204)
def remove_email() -> None:
    """Take one's address away; text messages are sent again."""
    with command(current_actor()) as ctx:
        service.remove_email(ctx)


@blueprint.post("/me/email/confirmations")
@public
@limiter.limit("20/minute")
@blueprint.arguments(ConfirmationSchema)
@blueprint.response(204)
def confirm_email(body: dict[str, Any]) -> None:
    """Confirm an address with the token of the letter that was sent to it."""
    with command(current_actor()) as ctx:
        service.confirm_email(ctx, **body)


@blueprint.put("/me/letters")
@signed_in
@blueprint.arguments(LettersChoiceSchema)
@blueprint.response(200, MailSettingsSchema)
def choose_letters(body: dict[str, Any]) -> MailSettings:
    """Choose the language of letters, and whether those one can do without are sent."""
    with command(current_actor()) as ctx:
        service.choose_letters(ctx, **body)
    return queries.mail_settings(current_actor().require_signed_in())
