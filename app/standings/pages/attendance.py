from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import DRAWERS, known_entrant
from app.draws.rules.attendance import AWAY_NAMES, ActKind, UnknownPersonError
from app.errors import SaishiError
from app.standings import service as standings
from app.standings.queries import attendance as queries
from app.standings.queries import rulings as ruling_queries
from app.standings.queries.attendance import AttendanceBoard, PersonState
from app.standings.schemas import NextStageSchema
from app.standings.schemas.attendance import MarkSchema
from app.standings.schemas.rulings import AcceptSchema, RefuseSchema
from app.standings.service import attendance as service
from app.standings.service import rulings as ruling_service
from app.web import current_actor, load_form, staff

blueprint = Blueprint("attendance", __name__)
HERE = "/staff/c/<slug>/attendance"
PEOPLE_A_PAGE = 50
"""A phone shows these quickly, whatever the size of the field; everybody else is found by name."""
TABLES_SHOWN = 50
LONGEST_SEARCH = 30


@dataclass(frozen=True, slots=True)
class People:
    """One page of the field: everybody, whom a search found, or who is away."""

    rows: Sequence[PersonState]
    search: str
    away: bool
    number: int
    pages: int
    total: int


@blueprint.get(HERE)
@staff(*DRAWERS)
def show(slug: str) -> str:
    """出席与裁决: who is in the round drawn next, by name; one tap says absent, one takes it back."""
    return _list(slug, None)


@blueprint.post(HERE)
@staff(*DRAWERS)
def mark(slug: str) -> Response | tuple[str, int]:
    """登记. From the list (``next`` is list) back to it as it was searched, else to the person."""
    event = competitions.competition(slug).event
    try:
        body = load_form(MarkSchema)
        with command(current_actor()) as ctx:
            service.mark(ctx, event.id, **body)
    except SaishiError as refusal:
        return _refused(slug, refusal)
    flash(gettext("已登记"), "success")
    return _back(slug)


@blueprint.post(f"{HERE}/<int:act_id>/withdrawal")
@staff(*DRAWERS)
def take_back(slug: str, act_id: int) -> Response | tuple[str, int]:
    """撤回登记."""
    event = competitions.competition(slug).event
    try:
        with command(current_actor()) as ctx:
            service.take_back(ctx, event.id, act_id)
    except SaishiError as refusal:
        return _refused(slug, refusal)
    flash(gettext("已撤回"), "success")
    return _back(slug)


@blueprint.get(f"{HERE}/<entrant>")
@staff(*DRAWERS)
def person(slug: str, entrant: str) -> str:
    """One entrant: what is said of him, and what can be said."""
    return _person(slug, entrant, None)


@blueprint.get(f"{HERE}/ruling")
@staff(*DRAWERS)
def ruling(slug: str) -> str:
    """裁决: who, which rule and clause, and the draw that breaks least, before anything is drawn."""
    return _ruling(slug, None)


@blueprint.post(f"{HERE}/ruling/commitment")
@staff(*DRAWERS)
def commit(slug: str) -> Response | tuple[str, int]:
    """公布种子承诺: fix the seed of the draw that is looked at."""
    event = competitions.competition(slug).event
    try:
        load_form(NextStageSchema)
        with command(current_actor()) as ctx:
            standings.commit_stage(ctx, event.id)
    except SaishiError as refusal:
        return _ruling_refused(slug, refusal)
    flash(gettext("种子承诺已公布"), "success")
    return redirect(url_for("attendance.ruling", slug=slug), 303)


@blueprint.post(f"{HERE}/ruling")
@staff(Role.CHIEF_REFEREE)
def accept(slug: str) -> Response | tuple[str, int]:
    """接受违反最少的编排."""
    event = competitions.competition(slug).event
    try:
        body = load_form(AcceptSchema)
        with command(current_actor()) as ctx:
            ruling_service.accept(ctx, event.id, **body)
    except SaishiError as refusal:
        return _ruling_refused(slug, refusal)
    flash(gettext("已按裁决编排并公布"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.post(f"{HERE}/ruling/refusal")
@staff(Role.CHIEF_REFEREE)
def refuse(slug: str) -> Response | tuple[str, int]:
    """不接受: the commitment is withdrawn in public, nothing is drawn."""
    event = competitions.competition(slug).event
    try:
        body = load_form(RefuseSchema)
        with command(current_actor()) as ctx:
            ruling_service.refuse(ctx, event.id, **body)
    except SaishiError as refusal:
        return _ruling_refused(slug, refusal)
    flash(gettext("没有编排，种子承诺已撤销，原因已公开"), "success")
    return redirect(url_for("attendance.show", slug=slug), 303)


def _from_list() -> bool:
    return request.form.get("next") == "list"


def _back(slug: str) -> Response:
    entrant = request.form.get("entrant") or request.args.get("entrant")
    if _from_list() or not entrant:
        return redirect(url_for("attendance.show", slug=slug, **_asked()), 303)
    return redirect(url_for("attendance.person", slug=slug, entrant=entrant), 303)


def _asked() -> dict[str, Any]:
    """What the list was asked for, to come back to it."""
    return {key: value for key in ("q", "view", "page") if (value := request.args.get(key))}


def _refused(slug: str, refusal: SaishiError) -> tuple[str, int]:
    """The page again with what was refused and what was typed; what no form can mend is raised on."""
    if refusal.status not in {409, 422}:
        raise refusal
    entrant = request.form.get("entrant") or request.args.get("entrant")
    if _from_list() or not entrant:
        return _list(slug, refusal), refusal.status
    return _person(slug, entrant, refusal), refusal.status


def _ruling_refused(slug: str, refusal: SaishiError) -> tuple[str, int]:
    if refusal.status not in {409, 422}:
        raise refusal
    return _ruling(slug, refusal), refusal.status


def _list(slug: str, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    board = queries.board(competition.event)
    return render_template(
        "standings/attendance.html",
        competition=competition,
        board=board,
        people=_people(board),
        asked=_asked(),
        away_names=AWAY_NAMES,
        refusal=refusal,
    )


def _people(board: AttendanceBoard) -> People:
    """The page or the names the request asks for; a page there is not becomes the nearest there is."""
    search = request.args.get("q", "").strip()[:LONGEST_SEARCH]
    away = request.args.get("view") == "away" and not search
    if away:
        found: Sequence[PersonState] = board.away
        total = len(found)
    else:
        wanted = search.casefold()
        names = [each for each in board.everybody if wanted in board.field[each].name.casefold()]
        total = len(names)
    pages = max(1, -(-total // PEOPLE_A_PAGE))
    number = min(max(request.args.get("page", 1, type=int), 1), pages)
    part = slice((number - 1) * PEOPLE_A_PAGE, number * PEOPLE_A_PAGE)
    rows = found[part] if away else [board.state(each) for each in names[part]]
    return People(rows, search, away, number, pages, total)


def _person(slug: str, entrant: str, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    event = competition.event
    board = queries.board(event)
    known = known_entrant(entrant)
    if known not in board.field:
        raise UnknownPersonError
    return render_template(
        "standings/attendance_person.html",
        competition=competition,
        board=board,
        state=board.state(known),
        presence=board.attendance.presences.get(known),
        played=board.attendance.drawn.get(known),
        ActKind=ActKind,
        away_names=AWAY_NAMES,
        may_rule=current_actor().has(event.competition_id, Role.CHIEF_REFEREE),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict(),
    )


def _ruling(slug: str, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    event = competition.event
    return render_template(
        "standings/ruling.html",
        competition=competition,
        question=ruling_queries.question(event, clock.now()),
        most_tables=TABLES_SHOWN,
        may_rule=current_actor().has(event.competition_id, Role.CHIEF_REFEREE),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict(),
    )
