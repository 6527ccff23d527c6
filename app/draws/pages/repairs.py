from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as Answer

from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.draws.queries import history as deeds
from app.draws.queries import repairs as queries
from app.draws.queries.repairs import Preview, RepairView
from app.draws.rules import DRAWERS, round_name
from app.draws.rules.breaches import Warnings
from app.draws.rules.repairs import BadChangeError, Change, NoRepairError, table_size
from app.draws.schemas.repairs import CancelSchema, ConfirmSchema, NewChangeSchema
from app.draws.service import repairs as service
from app.errors import SaishiError
from app.web import current_actor, load_form, staff
from app.web.forms import load

blueprint = Blueprint("draw_repairs", __name__)
ROUND = "/staff/c/<slug>/draws/<stage>/<int:number>/repair"
MOST_SEATS = 10


@blueprint.get(ROUND)
@staff(*DRAWERS)
def show(slug: str, stage: str, number: int) -> str:
    """人工调整: tap a person, then another one; the preview, the reason, and the second person's confirmation.

    A change that is looked at stands in the address: ``one`` and ``other`` are a swap of two people, ``bye`` and
    ``instead_of`` a bye, ``table_one`` and ``table_other`` tables, ``set_table`` with ``seat_0`` … a table.
    """
    return _page(slug, stage, number)


@blueprint.post(ROUND)
@staff(*DRAWERS)
def open_repair(slug: str, stage: str, number: int) -> Answer | tuple[str, int]:
    """开始调整."""
    event = competitions.competition(slug).event
    try:
        with command(current_actor()) as ctx:
            service.open_repair(ctx, event.id, stage, number)
    except SaishiError as refusal:
        return _refused(slug, stage, number, refusal)
    flash(gettext("已开始调整，公开页面显示“正在调整”"), "success")
    return _back(slug, stage, number)


@blueprint.post(f"{ROUND}/changes")
@staff(*DRAWERS)
def change(slug: str, stage: str, number: int) -> Answer | tuple[str, int]:
    """保存一项调整."""
    event = competitions.competition(slug).event
    try:
        wanted = change_in(request.form) or {}
        own = {key: request.form.get(key, "") for key in ("reason", "base_revision", "idempotency_key")}
        body = load(NewChangeSchema, {**own, **wanted})
        with command(current_actor()) as ctx:
            service.change(ctx, event.id, stage, number, **body)
    except SaishiError as refusal:
        return _refused(slug, stage, number, refusal)
    flash(gettext("已记下这项调整"), "success")
    return _back(slug, stage, number)


@blueprint.post(f"{ROUND}/confirmation")
@staff(*DRAWERS)
def confirm(slug: str, stage: str, number: int) -> Answer | tuple[str, int]:
    """确认调整: by a second person."""
    event = competitions.competition(slug).event
    try:
        body = load_form(ConfirmSchema)
        with command(current_actor()) as ctx:
            service.confirm(ctx, event.id, stage, number, **body)
    except SaishiError as refusal:
        return _refused(slug, stage, number, refusal)
    flash(gettext("调整已确认并公布"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.post(f"{ROUND}/cancellation")
@staff(*DRAWERS)
def cancel(slug: str, stage: str, number: int) -> Answer | tuple[str, int]:
    """取消调整: the round stays as it was."""
    event = competitions.competition(slug).event
    try:
        body = load_form(CancelSchema)
        with command(current_actor()) as ctx:
            service.cancel(ctx, event.id, stage, number, **body)
    except SaishiError as refusal:
        return _refused(slug, stage, number, refusal)
    flash(gettext("调整已取消，座位不变"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.get("/staff/c/<slug>/draws/<stage>/<int:number>/history")
@staff(*DRAWERS)
def history(slug: str, stage: str, number: int) -> str:
    """这一轮的记录: every commitment, draw, change by hand, cancelled ones too, and taking back, with who and why."""
    competition = competitions.competition(slug)
    return render_template(
        "draws/history.html",
        competition=competition,
        title=round_name(stage, number),
        deeds=tuple(reversed(deeds.history(competition.event, stage, number))),
    )


def change_in(given: MultiDict[str, str]) -> Change | None:
    """The change an address or a form names; None where it names none, or only its first person."""
    if given.get("one") and given.get("other"):
        return {"swap": [given["one"], given["other"]]}
    if given.get("bye"):
        instead = {"instead_of": given["instead_of"]} if given.get("instead_of") else {}
        return {"bye": given["bye"], **instead}
    if given.get("table_one") and given.get("table_other"):
        return {"swap_tables": [given.get("table_one", 0, type=int), given.get("table_other", 0, type=int)]}
    if given.get("set_table"):
        seats = [given.get(f"seat_{place}") for place in range(MOST_SEATS)]
        people = [seat for seat in seats if seat]
        return {"set_table": {"number": given.get("set_table", 0, type=int), "entrants": people}}
    return None


def _back(slug: str, stage: str, number: int) -> Answer:
    return redirect(url_for("draw_repairs.show", slug=slug, stage=stage, number=number), 303)


def _refused(slug: str, stage: str, number: int, refusal: SaishiError) -> tuple[str, int]:
    """The page again with what was refused and what was typed; what no form can mend is raised on."""
    if refusal.status not in {409, 422}:
        raise refusal
    return _page(slug, stage, number, refusal), refusal.status


def _page(slug: str, stage: str, number: int, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    round_ = queries.standing_round(competition.event.id, stage, number)
    view = queries.open_repair(competition.event.id, stage, number)
    given = request.form if request.method == "POST" else request.args
    looked_at, bad = _looked_at(view, given)
    problem = refusal or bad
    chosen = given.get("one") if view and given.get("one") in view.names else None
    return render_template(
        "draws/repair.html",
        competition=competition,
        round=round_,
        repair=view,
        preview=looked_at,
        warned=_warned(round_, looked_at or view),
        hidden_change=_hidden(given) if looked_at else {},
        chosen=chosen if looked_at is None else None,
        size=table_size(view.before) if view else 0,
        may_confirm=view is not None and current_actor().user_id not in view.authors,
        refusal=problem,
        errors=problem.fields if problem else {},
        values={**request.form.to_dict(), **request.args.to_dict()},
        key=secrets.token_hex(16),
        here=url_for("draw_repairs.show", slug=slug, stage=stage, number=number),
    )


def _looked_at(
    view: RepairView | None, given: MultiDict[str, str]
) -> tuple[Preview | None, SaishiError | None]:
    """The change in the address or form, tried on the round as it stands now."""
    wanted = change_in(given)
    if wanted is None:
        return None, None
    if view is None:
        return None, NoRepairError()
    try:
        return queries.preview(view, wanted), None
    except BadChangeError as refusal:
        return None, refusal


def _warned(round_: RoundView, shown: Preview | RepairView | None) -> Warnings:
    """What the round breaks as it is shown."""
    return (
        Warnings()
        if shown is None
        else queries.warnings(round_, shown.placed, current_app.extensions["saishi_event_file"])
    )


def _hidden(given: Mapping[str, Any]) -> dict[str, str]:
    """The fields that name the change, for the form that saves it."""
    names = {"one", "other", "bye", "instead_of", "table_one", "table_other", "set_table"}
    return {
        key: value
        for key, value in given.items()
        if key in names or (key.startswith("seat_") and key[5:].isdecimal())
    }
