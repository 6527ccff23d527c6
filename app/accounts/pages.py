from __future__ import annotations

import json
import re
from collections.abc import Mapping

from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext
from flask_login import login_user, logout_user
from werkzeug.wrappers import Response

from app.accounts import queries, service, tokens
from app.accounts.rules import CodeRefusedError, LinkRefusedError
from app.accounts.schemas import EmailSchema, LettersChoiceSchema, PhoneSchema, SignInSchema
from app.commands import command
from app.database import DecryptionError, decrypt, encrypt
from app.errors import InvalidError, TooManyRequestsError
from app.extensions import limiter
from app.text import T
from app.web import current_actor, load_form, public, signed_in

blueprint = Blueprint("accounts", __name__)

PENDING = "pending_sign_in"
"""Key of the session cookie: the number that was sent a code, encrypted."""

LOCAL_PATH = re.compile(r"/(?:[\w.~%!$&'()*+,;=:@-][\w.~%!$&'()*+,;=:@/?#-]*)?", re.ASCII)
"""A path of this site. A second slash or a backslash at its start would lead a browser to another one."""


def _next_page() -> str:
    """Where to go after signing in: a path of this site, never another site."""
    wanted = request.values.get("next", "")
    return wanted if LOCAL_PATH.fullmatch(wanted) else url_for("competitions.home")


@blueprint.get("/sign-in")
@public
def sign_in() -> str:
    """Ask for the phone number."""
    return render_template("accounts/phone.html", values={}, errors={}, next=_next_page())


@blueprint.post("/sign-in/code")
@public
@limiter.limit("60/minute")
def send_code() -> Response | tuple[str, int]:
    """Send a code and go on to the form that takes it. The number never stands in an address."""
    values = request.form.to_dict()
    try:
        body = load_form(PhoneSchema)
        with command(current_actor()) as ctx:
            code = service.request_code(ctx, **body)
    except (InvalidError, TooManyRequestsError) as error:
        if isinstance(error, TooManyRequestsError) and _pending().get("phone") == values.get("phone"):
            # the page was sent again, or the reader came back: the code that was sent still works
            return _code_page(_pending(), error.fields), error.status
        page = render_template("accounts/phone.html", values=values, errors=error.fields, next=_next_page())
        return page, error.status
    demo_code = {"code": code} if current_app.config["SAISHI"].demo else {}
    session[PENDING] = encrypt(json.dumps({"phone": values["phone"]} | demo_code))
    return redirect(url_for("accounts.code", next=_next_page()), 303)


@blueprint.get("/sign-in/code")
@public
def code() -> Response | str:
    """Ask for the code that was sent; a phone that dropped the page while the message was read finds it again."""
    pending = _pending()
    if not pending:
        return redirect(url_for("accounts.sign_in", next=_next_page()), 303)
    return _code_page(pending, {})


def _pending() -> dict[str, str]:
    """The number a code was sent to from this browser, from its encrypted cookie; empty if none."""
    try:
        pending: dict[str, str] = json.loads(decrypt(session.get(PENDING, "")))
    except (ValueError, DecryptionError):
        return {}
    return pending


def _code_page(pending: dict[str, str], errors: Mapping[str, T]) -> str:
    values = {"phone": pending.get("phone", "")}
    shown = pending.get("code")
    return render_template(
        "accounts/code.html", values=values, errors=errors, shown_code=shown, next=_next_page()
    )


@blueprint.post("/sign-in")
@public
@limiter.limit("60/minute")
def submit_code() -> Response | tuple[str, int]:
    """Check the code and start the session."""
    values = request.form.to_dict()
    try:
        body = load_form(SignInSchema)
        with command(current_actor()) as ctx:
            outcome = service.try_code(ctx, **body)
        if isinstance(outcome, CodeRefusedError):
            raise outcome
    except InvalidError as error:
        return _code_page(_pending() | {"phone": values.get("phone", "")}, error.fields), error.status
    session.pop(PENDING, None)
    _start_session(outcome)
    return redirect(_next_page(), 303)


@blueprint.post("/sign-out")
@public
def sign_out() -> Response:
    """End the session on this device."""
    logout_user()
    return redirect(url_for("competitions.home"), 303)


@blueprint.get("/demo/sign-in/<token>")
@public
def demo_sign_in(token: str) -> Response:
    """The demonstration's one-click sign-in; elsewhere these links do not exist."""
    user_id = None
    if current_app.config["SAISHI"].demo:
        user_id = tokens.read(current_app.config["SECRET_KEY"], "demo link", token, tokens.LINK_SECONDS)
    if user_id is None or queries.session_user(user_id) is None:
        raise LinkRefusedError(T("这个登录链接不可用。"), next_step=T("请用手机号和验证码登录。"))
    _start_session(user_id)
    return redirect(_next_page(), 303)


@blueprint.get("/me/email")
@signed_in
def email() -> str:
    """我的邮箱: where letters go, in which language, and which ones."""
    return _email_page({}, {})


@blueprint.post("/me/email")
@signed_in
@limiter.limit("20/minute")
def give_email() -> Response | tuple[str, int]:
    """Send the letter that asks for a confirmation."""
    try:
        body = load_form(EmailSchema)
        with command(current_actor()) as ctx:
            service.give_email(ctx, **body)
    except (InvalidError, TooManyRequestsError) as error:
        return _email_page(request.form.to_dict(), error.fields), error.status
    flash(gettext("已保存。还没有确认的邮箱，请打开我们发去的信并点“确认”。"), "success")
    return redirect(url_for("accounts.email"), 303)


@blueprint.post("/me/email/remove")
@signed_in
def remove_email() -> Response:
    """Take the address away."""
    with command(current_actor()) as ctx:
        service.remove_email(ctx)
    flash(gettext("邮箱已删除，以后用短信通知。"), "success")
    return redirect(url_for("accounts.email"), 303)


@blueprint.post("/me/letters")
@signed_in
def choose_letters() -> Response | tuple[str, int]:
    """Choose the language of letters, and which ones."""
    try:
        body = load_form(LettersChoiceSchema)
        with command(current_actor()) as ctx:
            service.choose_letters(ctx, **body)
    except InvalidError as error:
        return _email_page(request.form.to_dict(), error.fields), error.status
    flash(gettext("已保存。"), "success")
    return redirect(url_for("accounts.email"), 303)


def _email_page(values: dict[str, str], errors: Mapping[str, T]) -> str:
    settings = queries.mail_settings(current_actor().require_signed_in())
    return render_template("accounts/email.html", settings=settings, values=values, errors=errors)


@blueprint.get("/me/email/confirm/<token>")
@public
def confirm_page(token: str) -> str:
    """The page the letter leads to. Only its button confirms: mail servers open links by themselves."""
    return render_template("accounts/confirm.html", token=token)


@blueprint.post("/me/email/confirm/<token>")
@public
@limiter.limit("20/minute")
def confirm_email(token: str) -> Response:
    """Confirm; the mailbox may be read on another device than the one that is signed in."""
    with command(current_actor()) as ctx:
        service.confirm_email(ctx, token=token)
    flash(gettext("邮箱已确认，以后的通知会发到这里。"), "success")
    signed = current_actor().signed_in
    return redirect(url_for("accounts.email" if signed else "competitions.home"), 303)


def _start_session(user_id: int) -> None:
    user = queries.session_user(user_id)
    if user is not None:
        login_user(user, remember=True)
