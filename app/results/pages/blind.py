"""重录核对: a second referee enters a handed-in sheet without seeing what the first wrote."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import command
from app.competitions import queries as competitions
from app.errors import ConflictError, ForbiddenError, InvalidError, RefusedError, SaishiError
from app.results import service
from app.results.pages.device import from_here
from app.results.pages.showing import own_sheet
from app.results.queries import SheetView
from app.results.rules import RECORDERS, SheetState, board_outcome, violation_rule
from app.results.schemas.confirming import BlindFormSchema
from app.web import current_actor, load_form, staff
from scoring_engine.tractor.levels import ACE, level_name

blueprint = Blueprint("confirming_blind", __name__)

MOST_ROWS = 100


@blueprint.get("/c/<slug>/t/<token>/blind")
@staff(*RECORDERS)
def blind(slug: str, token: str) -> str:
    """``?rows=n`` has more rows, where deals were played again (流局重打)."""
    return _page(slug, token, None)


@blueprint.post("/c/<slug>/t/<token>/blind")
@staff(*RECORDERS)
def enter(slug: str, token: str) -> Response | tuple[str, int]:
    try:
        view = own_sheet(slug, token)
        body = load_form(BlindFormSchema, **from_here())
        outcome = _outcome(view, body)
        with command(current_actor()) as ctx:
            spoken = service.enter_blind(ctx, token, deals=body["deals"], outcome=outcome, sent=body["sent"])
    except (InvalidError, ConflictError, RefusedError, ForbiddenError) as refusal:
        return _page(slug, token, refusal), refusal.status
    if spoken.state is SheetState.DISPUTED:
        flash(gettext("两次录入不一致，已通知裁判长"), "error")
    else:
        flash(gettext("两次录入一致，成绩已确认"), "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


def _outcome(view: SheetView, body: Mapping[str, Any]) -> dict[str, Any]:
    if view.game.plays_deals:
        return dict(body["said"])
    return board_outcome(body["result"], tuple(view.seats), body["violations"]) if body["result"] else {}


def _page(slug: str, token: str, refusal: SaishiError | None) -> str:
    view = own_sheet(slug, token)
    rows = request.values.get("rows", default=0, type=int)
    return render_template(
        "results/blind.html",
        competition=competitions.competition(slug),
        view=view,
        rows=min(MOST_ROWS, max(rows, view.deals_wanted)) if view.game.counts_deals else 0,
        violation=violation_rule(view.rules),
        levels=[level_name(level) for level in range(view.rules.match.start, ACE + 1)] if view.match else (),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict(),
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )
