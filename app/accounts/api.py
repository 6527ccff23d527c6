from __future__ import annotations

from typing import Any

from flask import current_app

from app.accounts import service, tokens
from app.accounts.rules import CODE_LIFETIME, CodeRefusedError
from app.accounts.schemas import CodeSentSchema, PhoneSchema, SessionSchema, SignInSchema
from app.commands import command
from app.extensions import limiter
from app.web import current_actor, public
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
