from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask_login import login_user, logout_user
from werkzeug.wrappers import Response

from app.accounts import queries, service, tokens
from app.accounts.rules import CodeRefusedError, LinkRefusedError
from app.accounts.schemas import PhoneSchema, SignInSchema
from app.commands import command
from app.errors import InvalidError, TooManyRequestsError
from app.extensions import limiter
from app.text import T
from app.web import current_actor, load_form, public

blueprint = Blueprint("accounts", __name__)


def _next_page() -> str:
    """Where to go after signing in: a path of this site, never another site."""
    wanted = request.values.get("next", "")
    parts = urlsplit(wanted)
    # "//host" and "/\host" would lead a browser to another site
    local = wanted.startswith("/") and not parts.scheme and not parts.netloc and "\\" not in wanted
    return wanted if local else url_for("competitions.home")


@blueprint.get("/sign-in")
@public
def sign_in() -> str:
    """Ask for the phone number."""
    return render_template("accounts/phone.html", values={}, errors={}, next=_next_page())


@blueprint.post("/sign-in/code")
@public
@limiter.limit("60/minute")
def send_code() -> tuple[str, int]:
    """Send a code and ask for it. The number stays in the form, never in the address."""
    values = request.form.to_dict()
    try:
        body = load_form(PhoneSchema)
        with command(current_actor()) as ctx:
            code = service.request_code(ctx, **body)
    except (InvalidError, TooManyRequestsError) as error:
        page = render_template("accounts/phone.html", values=values, errors=error.fields, next=_next_page())
        return page, error.status
    shown = code if current_app.config["SAISHI"].demo else None
    return render_template(
        "accounts/code.html", values=values, errors={}, shown_code=shown, next=_next_page()
    ), 200


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
        page = render_template(
            "accounts/code.html", values=values, errors=error.fields, shown_code=None, next=_next_page()
        )
        return page, error.status
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


def _start_session(user_id: int) -> None:
    user = queries.session_user(user_id)
    if user is not None:
        login_user(user, remember=True)
