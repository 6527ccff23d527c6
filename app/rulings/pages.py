from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import UnknownTableError, entrant_of, entry_of
from app.errors import SaishiError
from app.registrations.rules import EntryId
from app.results import queries as results
from app.results.queries import SheetView
from app.rulings import queries, service
from app.rulings.queries import effects
from app.rulings.queries.preview import Preview, preview, withdrawal
from app.rulings.queries.suggestions import suggestions
from app.rulings.rules import EXPULSION, GIVERS, READERS, RulingKind, parse_reason
from app.rulings.rules.choices import OUTCOME_WORDS, PER, Choice, choice, choices
from app.rulings.schemas import (
    ExpelSchema,
    PreviewFormSchema,
    RuleFormSchema,
    WithdrawRulingSchema,
    wanted_of,
)
from app.rulings.service import unseated
from app.standings.queries.impact import names
from app.web import current_actor, load_form, public, staff

blueprint = Blueprint("rulings", __name__)
OF_TABLE = "/c/<slug>/t/<token>/rulings"


@blueprint.get("/c/<slug>/rulings")
@public
def show(slug: str) -> str:
    """判罚: what was ruled at which table, by which clause, and what it did; no reasons."""
    competition = competitions.competition(slug)
    return render_template(
        "rulings/show.html", competition=competition, rulings=effects.public(competition.event)
    )


@blueprint.get("/staff/c/<slug>/rulings")
@staff(*READERS)
def staff_rulings(slug: str) -> str:
    """Every ruling, the newest first."""
    return _staff_page(slug, None)


@blueprint.post("/staff/c/<slug>/rulings/expulsions")
@staff(*GIVERS)
def expel(slug: str) -> Response | tuple[str, int]:
    """取消参赛资格 of somebody who has no table now."""
    event = competitions.competition(slug).event
    try:
        body = load_form(ExpelSchema)
        with command(current_actor()) as ctx:
            made = unseated.expel_unseated(ctx, event.id, **body)
    except SaishiError as refusal:
        return _staff_page(slug, refusal), refusal.status
    flash(gettext("判罚已记下"), "success")
    return redirect(url_for("rulings.ruling", slug=slug, ruling_id=made), 303)


def _staff_page(slug: str, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    event = competition.event
    known = queries.rulings(event.id)
    offered = {each.code: each for each in choices(event.regulation)}
    is_chief = current_actor().has(competition.id, Role.CHIEF_REFEREE)
    return render_template(
        "rulings/staff_rulings.html",
        competition=competition,
        rulings=known,
        told=effects.effects(event, known),
        detail=effects.detail,
        expulsion=offered.get(EXPULSION),
        unseated=queries.unseated(event.id) if is_chief else (),
        penalties=[each for each in offered.values() if each.kind is RulingKind.PENALTY],
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )


@blueprint.get("/staff/c/<slug>/rulings/<int:ruling_id>")
@staff(*READERS)
def ruling(slug: str, ruling_id: int) -> str:
    """One ruling with its reason, and what withdrawing it would change."""
    return _ruling_page(slug, ruling_id, None)


@blueprint.post("/staff/c/<slug>/rulings/<int:ruling_id>")
@staff(*GIVERS)
def withdraw(slug: str, ruling_id: int) -> Response | tuple[str, int]:
    """撤销判罚."""
    event = competitions.competition(slug).event
    try:
        body = load_form(WithdrawRulingSchema)
        with command(current_actor()) as ctx:
            service.withdraw(ctx, event.id, ruling_id, **body)
    except SaishiError as refusal:
        return _ruling_page(slug, ruling_id, refusal), refusal.status
    flash(gettext("判罚已撤销，名次随之重新计算"), "success")
    return redirect(url_for("rulings.ruling", slug=slug, ruling_id=ruling_id), 303)


@blueprint.get(OF_TABLE)
@staff(*GIVERS)
def of_table(slug: str, token: str) -> str:
    """判罚 at one table: what was given there, and what can be given."""
    view = _own_sheet(slug, token)
    known = queries.of_table(view.table.id)
    return render_template(
        "rulings/table.html",
        competition=competitions.competition(slug),
        view=view,
        choices=choices(view.event.regulation),
        rulings=known,
        told=effects.effects(view.event, known),
        detail=effects.detail,
        suggestions=suggestions(view),
        RulingKind=RulingKind,
    )


@blueprint.get(f"{OF_TABLE}/<code>")
@staff(*GIVERS)
def new(slug: str, token: str, code: str) -> str:
    """One kind of ruling: about whom, and what it needs."""
    view = _own_sheet(slug, token)
    return _form_page(slug, view, choice(view.event.regulation, code), None, None)


@blueprint.post(f"{OF_TABLE}/<code>")
@staff(*GIVERS)
def give(slug: str, token: str, code: str) -> Response | tuple[str, int] | str:
    """First what it would do is shown; sent again from there, it is given, or changed."""
    view = _own_sheet(slug, token)
    chosen = choice(view.event.regulation, code)
    step = request.form.get("step")
    if step == "edit":
        return _form_page(slug, view, chosen, None, None)
    sent = {"code": code, "entry_ids": request.form.getlist("entry_ids")}
    try:
        if step != "give":
            body = load_form(PreviewFormSchema, **sent)
            parse_reason(body["reason"])
            entrants = [entrant_of(EntryId(each)) for each in body["entry_ids"]]
            service.require_may_rule(current_actor(), view, wanted_of(body))
            shown = preview(view, entrants, wanted_of(body))
            return _form_page(slug, view, chosen, shown, None)
        body = load_form(RuleFormSchema, **sent)
        with command(current_actor()) as ctx:
            service.rule(ctx, token, **body)
    except SaishiError as refusal:
        return _form_page(slug, view, chosen, None, refusal), refusal.status
    flash(gettext("判罚已记下"), "success")
    return redirect(url_for("rulings.of_table", slug=slug, token=token), 303)


def _own_sheet(slug: str, token: str) -> SheetView:
    view = results.sheet(token)
    if competitions.competition(slug).event.id != view.event.id:
        raise UnknownTableError
    return view


def _form_page(
    slug: str, view: SheetView, chosen: Choice, shown: Preview | None, refusal: SaishiError | None
) -> str:
    values: dict[str, Any] = request.form.to_dict()
    picked = [int(each) for each in request.values.getlist("entry_ids") if each.isdecimal()]
    if not request.form:
        values = {"minutes": request.args.get("minutes", "")}
    is_chief = current_actor().has(view.event.competition_id, Role.CHIEF_REFEREE)
    return render_template(
        "rulings/new.html",
        competition=competitions.competition(slug),
        view=view,
        chosen=chosen,
        may=is_chief or chosen.chief_only is None,
        is_chief=is_chief,
        seats=[(int(entry_of(entrant)), seat) for entrant, seat in view.seats.items()],
        picked=picked,
        several=chosen.kind is RulingKind.FORFEIT,
        penalties=[each for each in choices(view.event.regulation) if each.kind is RulingKind.PENALTY],
        per=PER[chosen.per],
        outcomes=[(code, word) for code, word in OUTCOME_WORDS.items()],
        preview=shown,
        lines=shown.impact.lines(names(view.event.id)) if shown and shown.impact else (),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=values,
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )


def _ruling_page(slug: str, ruling_id: int, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    made = queries.ruling(competition.event.id, ruling_id)
    impact, hindrance = None, None
    if made.stands:
        try:
            impact = withdrawal(made)
        except SaishiError as error:
            hindrance = error
    return render_template(
        "rulings/ruling.html",
        competition=competition,
        ruling=made,
        told=effects.effects(competition.event, [made]),
        detail=effects.detail(made),
        may_withdraw=current_actor().has(competition.id, *GIVERS),
        impact=impact,
        lines=impact.lines(names(competition.event.id)) if impact else (),
        hindrance=hindrance,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict(),
    )
