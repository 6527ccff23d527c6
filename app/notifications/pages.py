"""The outbox of a competition, what letters look like, and the page where mail is stopped.

Competitions and people are later features: their names and addresses come through ``app.extensions``.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import command
from app.extensions import csrf, limiter
from app.notifications import letters, links, queries, service
from app.notifications.letters import LETTERS, LetterKind
from app.notifications.rules import (
    STAFF,
    STATE_NAMES,
    BadStopLinkError,
    Channel,
    MessageState,
    Recipient,
    require_may_read,
)
from app.notifications.schemas import ChoiceSchema, LanguageSchema, OutboxQuerySchema
from app.text import T
from app.web import current_actor, load_form, public, staff
from app.web.forms import load
from app.web.i18n import language

blueprint = Blueprint("notifications", __name__)

LETTER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""A letter has its styles in its elements, fetches nothing and may stand in a page of ours."""


@blueprint.get("/staff/c/<slug>/outbox")
@staff(*STAFF)
def outbox(slug: str) -> str:
    """发件箱: what went to whom, and what did not arrive."""
    return _outbox(current_app.extensions["saishi_competition"](slug))


@blueprint.get("/staff/outbox")
@staff(*STAFF)
def outbox_of_none() -> str:
    """The letters of no competition: confirmations, answers of the mailbox; for whoever holds a role everywhere."""
    require_may_read(current_actor(), None)
    return _outbox(None)


def _outbox(competition: Any) -> str:
    known = OutboxQuerySchema().fields  # the address may name a language too
    asked = load(OutboxQuerySchema, {key: value for key, value in request.args.items() if key in known})
    state = MessageState(asked["state"]) if "state" in asked else None
    rows = queries.outbox(competition and competition.id, state=state, before=asked.get("before"))
    place = {"slug": competition.slug} if competition else {}
    own = "" if competition else "_of_none"
    return render_template(
        "notifications/outbox.html",
        competition=competition,
        rows=rows,
        counts=queries.outbox_counts(competition and competition.id),
        state_names=STATE_NAMES,
        state=state,
        older=rows[-1].id if len(rows) == queries.PER_PAGE else None,
        email=Channel.EMAIL,
        here=partial(url_for, f"notifications.outbox{own}", **place),
        again=partial(url_for, f"notifications.resend{own}", **place),
    )


@blueprint.post("/staff/c/<slug>/outbox/<int:message_id>/resend")
@staff(*STAFF)
def resend(slug: str, message_id: int) -> Response:
    """重发: try a failed message again."""
    competition = current_app.extensions["saishi_competition"](slug)
    return _resend(competition.id, message_id, url_for("notifications.outbox", slug=slug))


@blueprint.post("/staff/outbox/<int:message_id>/resend")
@staff(*STAFF)
def resend_of_none(message_id: int) -> Response:
    """重发, of no competition."""
    return _resend(None, message_id, url_for("notifications.outbox_of_none"))


def _resend(competition_id: int | None, message_id: int, back: str) -> Response:
    with command(current_actor()) as ctx:
        service.resend(ctx, competition_id=competition_id, message_id=message_id)
    flash(gettext("已放回发件箱，马上再发一次。"), "success")
    return redirect(back, 303)


@blueprint.get("/staff/letters")
@staff(*STAFF)
def kinds() -> str:
    """邮件样式: every kind of letter."""
    everywhere = current_actor().has(None, *STAFF)
    return render_template("notifications/kinds.html", letters=LETTERS, everywhere=everywhere)


@blueprint.get("/staff/letters/<kind>")
@staff(*STAFF)
def preview(kind: str) -> str:
    """One kind of letter with made-up data, as HTML and in words."""
    wanted = request.args.get("language", language())
    return _preview(_kind(kind), wanted if wanted in letters.LANGUAGES else language())


@blueprint.get("/staff/letters/<kind>/<language>.html")
@staff(*STAFF)
def preview_html(kind: str, language: str) -> Response:
    """The letter alone, for the frame of the preview."""
    if language not in letters.LANGUAGES:
        abort(404)
    answer = Response(letters.sample(_kind(kind), language).html, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = LETTER_POLICY
    return answer


@blueprint.post("/staff/letters/<kind>/test")
@staff(*STAFF)
@limiter.limit("10/minute")
def send_sample(kind: str) -> Response:
    """试发: the letter with its made-up data, to one's own mailbox."""
    chosen, body = _kind(kind), load_form(LanguageSchema)
    with command(current_actor()) as ctx:
        service.queue_sample(ctx, kind=chosen, language=body["language"], to=_recipient())
    flash(gettext("已发到您的邮箱。"), "success")
    return redirect(url_for("notifications.preview", kind=kind, language=body["language"]), 303)


def _kind(written: str) -> LetterKind:
    if written not in set(LetterKind):
        abort(404)
    return LetterKind(written)


def _recipient() -> Recipient:
    """Where letters to the signed-in person go."""
    found: Recipient = current_app.extensions["saishi_recipient"](current_actor().require_signed_in())
    return found


def _preview(kind: LetterKind, shown: str) -> str:
    return render_template(
        "notifications/preview.html",
        kind=kind,
        letter=LETTERS[kind],
        made=letters.sample(kind, shown),
        shown=shown,
        has_mailbox=_recipient().email is not None,
    )


@blueprint.get("/mail/<token>")
@public
def choice(token: str) -> str:
    """退订: says how it is and asks. Opening it changes nothing: mail servers open links by themselves."""
    recipient_hash = links.read_token(token)
    if recipient_hash is None:
        raise BadStopLinkError
    return _choice_page(token, None)


@blueprint.post("/mail/<token>")
@public
@csrf.exempt  # a mail program sends this by itself, with no page of ours before it (RFC 8058)
@limiter.limit("60/minute")
def choose(token: str) -> str:
    """Stop such mail, or take it up again; whoever has the letter may."""
    sent: dict[str, Any] = {"choice": request.form["choice"]} if "choice" in request.form else {}
    wanted = load(ChoiceSchema, sent)["choice"]
    act = service.stop_by_token if wanted == "stop" else service.resume_by_token
    with command(current_actor()) as ctx:
        act(ctx, token=token)
    done = {"stop": T("已退订，以后不再收到这类邮件。"), "resume": T("已恢复，这类邮件会照常发送。")}
    return _choice_page(token, done[wanted])


def _choice_page(token: str, done: T | None) -> str:
    stopped = queries.has_stopped(links.read_token(token) or "")
    return render_template("notifications/choice.html", token=token, stopped=stopped, done=done)
