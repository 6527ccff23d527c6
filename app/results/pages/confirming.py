"""What is said of a handed-in sheet on the referee's phone: by PIN or signature, as a dispute, and what the chief referee decides."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import entry_of, known_entrant
from app.errors import ConflictError, InvalidError, RefusedError, SaishiError
from app.results import service
from app.results.pages import tables_page
from app.results.pages.device import from_here, make_device_id
from app.results.pages.showing import match_context, own_sheet, sheet_page
from app.results.rules import CORRECTORS, RECORDERS, SheetState
from app.results.rules.confirming import DECIDERS, NotAtTableError, Said
from app.results.schemas.confirming import (
    AbsentSchema,
    DisputeDecisionSchema,
    SignatureSchema,
    TableWordSchema,
    TakeoverFormSchema,
)
from app.results.service import Spoken, Voice
from app.web import current_actor, load_form, staff

blueprint = Blueprint("confirming", __name__)

TABLE = "/c/<slug>/t/<token>"


@blueprint.post(f"{TABLE}/words")
@staff(*RECORDERS)
def say(slug: str, token: str) -> Response | tuple[str, int]:
    """A side confirms by its PIN, or a referee logs its dispute."""

    def act() -> str:
        body = load_form(TableWordSchema)
        said, note = body.pop("said"), body.pop("note")
        with command(current_actor()) as ctx:
            if said == Said.DISPUTED.value:
                spoken = service.dispute(ctx, token, note=note, **body)
            else:
                spoken = service.confirm(ctx, token, **body)
        return words_of(spoken.require())

    return _done(slug, token, act)


@blueprint.get(f"{TABLE}/sign/<entrant>")
@staff(*RECORDERS)
def signing(slug: str, token: str, entrant: str) -> str:
    """手写确认: a side reads the sheet and signs with a finger."""
    return _sign_page(slug, token, entrant, None)


@blueprint.post(f"{TABLE}/sign/<entrant>")
@staff(*RECORDERS)
def sign(slug: str, token: str, entrant: str) -> Response | tuple[str, int]:
    try:
        own_sheet(slug, token)
        body = load_form(SignatureSchema)
        voice = Voice(entry_id=int(entry_of(known_entrant(entrant))), signature=body.pop("signature"))
        with command(current_actor()) as ctx:
            spoken = service.confirm(ctx, token, voice=voice, **body)
    except (InvalidError, ConflictError, RefusedError) as refusal:
        return _sign_page(slug, token, entrant, refusal), refusal.status
    flash(words_of(spoken), "success")
    return _back(slug, token)


@blueprint.post(f"{TABLE}/confirmations-by-ruling")
@staff(*DECIDERS)
def confirm_for(slug: str, token: str) -> Response | tuple[str, int]:
    """裁判长代为确认, for a side that is away."""

    def act() -> str:
        body = load_form(AbsentSchema)
        with command(current_actor()) as ctx:
            return words_of(service.confirm_for(ctx, token, **body))

    return _done(slug, token, act)


@blueprint.post(f"{TABLE}/dispute-decisions")
@staff(*DECIDERS)
def decide(slug: str, token: str) -> Response | tuple[str, int]:
    """裁定争议."""

    def act() -> str:
        body = load_form(DisputeDecisionSchema, **from_here())
        with command(current_actor()) as ctx:
            spoken = service.decide_dispute(ctx, token, **body)
        sent_back = spoken.state is SheetState.OPEN
        return gettext("已退回本桌更正") if sent_back else gettext("已裁定维持，成绩已确认")

    return _done(slug, token, act)


@blueprint.post(f"{TABLE}/takeovers")
@staff(*RECORDERS)
def take_over(slug: str, token: str) -> Response | tuple[str, int]:
    """接管: this device writes on."""
    make_device_id()
    key = from_here().get("device_id")

    def act() -> str:
        body = load_form(TakeoverFormSchema)
        if key is None:
            return gettext("请再点一次接管")  # the device gets its key with this answer
        with command(current_actor()) as ctx:
            service.take_over(ctx, token, device=key, reason=body["takeover_reason"])
        return gettext("已接管，可以继续记分")

    return _done(slug, token, act)


@blueprint.post("/staff/c/<slug>/draws/<stage>/<int:number>/publication")
@staff(*CORRECTORS)
def publish_round(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """公布本轮成绩."""
    event = competitions.competition(slug).event
    try:
        with command(current_actor()) as ctx:
            tables = service.publish_round(ctx, event.id, stage, number)
    except RefusedError as refusal:
        return tables_page(slug, refusal), refusal.status
    done = gettext("已公布 %(count)s 桌成绩", count=len(tables)) if tables else gettext("没有待公布的成绩")
    flash(done, "success")
    return redirect(url_for("results.staff_tables", slug=slug), 303)


def words_of(spoken: Spoken) -> str:
    """What came of a word, for who gave it."""
    if spoken.state is SheetState.CONFIRMED:
        return gettext("成绩已确认")
    if spoken.state is SheetState.DISPUTED:
        return gettext("争议已记下，已通知裁判长")
    return gettext("已记下，等其他选手确认")


def _done(slug: str, token: str, act: Callable[[], str]) -> Response | tuple[str, int]:
    """The act done and the table shown; or its page again with what was refused."""
    try:
        own_sheet(slug, token)
        told = act()
    except (InvalidError, ConflictError, RefusedError) as refusal:
        page = sheet_page(slug, own_sheet(slug, token), None, request.form.to_dict(), refusal)
        return page, refusal.status
    flash(told, "success")
    return _back(slug, token)


def _back(slug: str, token: str) -> Response:
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


def _sign_page(slug: str, token: str, entrant: str, refusal: SaishiError | None) -> str:
    view = own_sheet(slug, token)
    name = view.names.get(known_entrant(entrant))
    if name is None:
        raise NotAtTableError
    return render_template(
        "results/sign.html",
        competition=competitions.competition(slug),
        view=view,
        name=name,
        entrant=entrant,
        refusal=refusal,
        **match_context(view),
        values={"strokes": request.form.get("strokes", "")},
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )
