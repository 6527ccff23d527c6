from __future__ import annotations

import secrets
from collections.abc import Callable

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app.commands import command
from app.competitions import queries as competitions
from app.draws.pages import refused
from app.draws.queries import division as queries
from app.draws.rules import DRAWERS
from app.draws.schemas.division import DivideSchema, UndivideSchema
from app.draws.service import division as service
from app.errors import SaishiError
from app.web import current_actor, load_form, staff
from app.web.schemas import Schema

blueprint = Blueprint("draw_divisions", __name__)
HERE = "/staff/c/<slug>/division"


@blueprint.post(HERE)
@staff(*DRAWERS)
def divide(slug: str) -> Answer | tuple[str, int]:
    """分组抽签."""
    return _done(slug, DivideSchema, service.divide, gettext("已分组"))


@blueprint.post(f"{HERE}/commitment")
@staff(*DRAWERS)
def commit(slug: str) -> Answer | tuple[str, int]:
    """种子承诺: fix the seed of the division before it is drawn."""
    return _done(slug, DivideSchema, service.commit_seed, gettext("种子承诺已公布"))


def _done(slug: str, schema: type[Schema], act: Callable[..., int], said: str) -> Answer | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        body = load_form(schema)
        with command(current_actor()) as ctx:
            act(ctx, event.id, **body)
    except SaishiError as refusal:
        return refused(slug, refusal)
    flash(said, "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.get(f"{HERE}/undrawing")
@staff(*DRAWERS)
def undrawing(slug: str) -> str:
    """作废分组: before the first round, with a reason that everybody reads."""
    return _page(slug, None)


@blueprint.post(f"{HERE}/undrawing")
@staff(*DRAWERS)
def take_back(slug: str) -> Answer | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        body = load_form(UndivideSchema)
        with command(current_actor()) as ctx:
            service.take_back(ctx, event.id, **body)
    except SaishiError as refusal:
        if refusal.status not in {409, 422}:
            raise
        return _page(slug, refusal), refusal.status
    flash(gettext("分组已作废，可以重新分组"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


def _page(slug: str, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    return render_template(
        "draws/undivide.html",
        competition=competition,
        division=queries.require_division(competition.event.id),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict(),
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )
