from __future__ import annotations

import secrets
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of, round_name
from app.draws.schemas.repairs import UndrawSchema
from app.errors import ConflictError, InvalidError, RefusedError, SaishiError
from app.results import queries, service
from app.results.pages.device import from_here, make_device_id
from app.results.pages.phone import require_same_account
from app.results.pages.showing import conflict_page, held, own_sheet, sheet_page
from app.results.rules import (
    CORRECTORS,
    RECORDERS,
    Content,
    Kind,
    SheetConflictError,
    SheetState,
    board_outcome,
    game_of,
    match_sheet,
    score,
    totals,
)
from app.results.rules.confirming import SheetHeldError
from app.results.rules.match_words import match_words
from app.results.schemas import (
    AbsencesFormSchema,
    BoardFormSchema,
    DealFormSchema,
    HandInFormSchema,
    ReopenSchema,
)
from app.results.service import Saved
from app.web import current_actor, load_form, staff
from scoring_engine.rules import ScoringRules

blueprint = Blueprint("results", __name__)
blueprint.register_error_handler(SheetHeldError, held)
blueprint.before_request(require_same_account)


@blueprint.get("/c/<slug>/t/<token>")
@staff(*RECORDERS)
def sheet(slug: str, token: str) -> str:
    """本桌: one deal per screen, the summary once all are in; ``?deal=n`` opens one to correct it."""
    make_device_id()
    view = own_sheet(slug, token)
    return sheet_page(slug, view, request.args.get("deal", type=int))


@blueprint.post("/c/<slug>/t/<token>/deals")
@staff(*RECORDERS)
def record_deal(slug: str, token: str) -> Response | tuple[str, int]:
    """Record or replace one deal, then show the next."""
    number = request.form.get("deal_number", type=int)
    try:
        own_sheet(slug, token)
        body = load_form(DealFormSchema, **from_here())
        with command(current_actor()) as ctx:
            service.record_deal(ctx, token, **body)
    except SheetConflictError as error:
        return conflict_page(slug, token, error, number), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), number, request.form.to_dict(), error)
        return page, error.status
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


@blueprint.post("/c/<slug>/t/<token>/result")
@staff(*RECORDERS)
def record_board(slug: str, token: str) -> Response | tuple[str, int]:
    """The result of a board, handed in at once: 先手胜, 和棋, 后手胜, 弃权."""
    try:
        view = own_sheet(slug, token)
        body = load_form(BoardFormSchema, **from_here())
        outcome = board_outcome(body["result"], tuple(view.seats), body["violations"])
        with command(current_actor()) as ctx:
            saved = service.record_sheet(
                ctx, token, outcome=outcome, handed_in=True, checked=body["checked"], sent=body["sent"]
            )
    except SheetConflictError as error:
        return conflict_page(slug, token, error, None), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), None, request.form.to_dict(), error)
        return page, error.status
    flash(_handed_in(saved), "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


@blueprint.post("/c/<slug>/t/<token>/absences")
@staff(*RECORDERS)
def record_absences(slug: str, token: str) -> Response | tuple[str, int]:
    """弃权与迟到 at a table of 快乐二打一; the deals stay as they are."""
    try:
        own_sheet(slug, token)
        body = load_form(AbsencesFormSchema, **from_here())
        with command(current_actor()) as ctx:
            service.record_outcome(ctx, token, **body)
    except SheetConflictError as error:
        return conflict_page(slug, token, error, None), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), None, request.form.to_dict(), error)
        return page, error.status
    flash(gettext("弃权与迟到已记下"), "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


@blueprint.post("/c/<slug>/t/<token>/hand-in")
@staff(*RECORDERS)
def hand_in(slug: str, token: str) -> Response | tuple[str, int]:
    """交表."""
    try:
        own_sheet(slug, token)
        body = load_form(HandInFormSchema, **from_here())
        with command(current_actor()) as ctx:
            saved = service.hand_in(ctx, token, **body)
    except SheetConflictError as error:
        return conflict_page(slug, token, error, None), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), None, {}, error)
        return page, error.status
    flash(_handed_in(saved), "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


def _handed_in(saved: Saved) -> str:
    if saved.state is SheetState.ENTERED:
        return gettext("已交表，等待确认")
    return gettext("已交表，成绩已确认")


@blueprint.post("/c/<slug>/t/<token>/reopen")
@staff(*CORRECTORS)
def reopen(slug: str, token: str) -> Response | tuple[str, int]:
    """退回更正."""
    try:
        own_sheet(slug, token)
        body = load_form(ReopenSchema, **from_here())
        with command(current_actor()) as ctx:
            service.reopen(ctx, token, **body)
    except SheetConflictError as error:
        return conflict_page(slug, token, error, None), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), None, request.form.to_dict(), error)
        return page, error.status
    flash(gettext("已退回，可以更正"), "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


@blueprint.post("/c/<slug>/t/<token>/restore")
@staff(*CORRECTORS)
def restore(slug: str, token: str) -> Response | tuple[str, int]:
    """恢复已确认的成绩."""
    try:
        own_sheet(slug, token)
        body = load_form(ReopenSchema, **from_here())
        with command(current_actor()) as ctx:
            service.restore(ctx, token, **body)
    except SheetConflictError as error:
        return conflict_page(slug, token, error, None), error.status
    except InvalidError as error:
        page = sheet_page(slug, own_sheet(slug, token), None, request.form.to_dict(), error)
        return page, error.status
    flash(gettext("已恢复确认的成绩"), "success")
    return redirect(url_for("results.sheet", slug=slug, token=token), 303)


@blueprint.get("/c/<slug>/t/<token>/history")
@staff(*RECORDERS)
def history(slug: str, token: str) -> str:
    """Every revision of the sheet; older ones stay readable."""
    view = own_sheet(slug, token)
    seats = tuple(view.seats)
    told: list[tuple[Any, Any, Any]] = []
    hidden = view.awaits_second and view.content.empty
    for revision in () if hidden else reversed(queries.revisions(token)):
        if view.match is not None:
            match = match_sheet(Content(revision.deals, revision.outcome), view.names, view.rules)
            told.append((revision, match_words(match.score, view.names, view.rules), []))
            continue
        points = [score(deal, seats, view.rules).points for deal in revision.deals]
        sums = {entrant: sum(each[entrant] for each in points) for entrant in seats}
        told.append((revision, sums, list(zip(revision.deals, points, strict=True))))
    return render_template(
        "results/history.html",
        competition=competitions.competition(slug),
        view=view,
        told=told,
        back_url=url_for("results.sheet", slug=slug, token=token),
    )


@blueprint.get("/staff/c/<slug>/tables-state")
@staff(*RECORDERS)
def staff_tables(slug: str) -> str:
    """Which tables are open, which are confirmed, and for whom the stage waits."""
    return tables_page(slug)


def tables_page(slug: str, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    rounds: dict[tuple[str, int], list[queries.TableState]] = {}
    for each in queries.table_states(competition.event.id):
        rounds.setdefault((each.table.stage, each.table.round_number), []).append(each)
    return render_template(
        "results/staff_tables.html",
        competition=competition,
        rounds=rounds,
        progress=queries.progress(competition.event.id),
        refusal=refusal,
        may_publish=current_actor().has(competition.id, *CORRECTORS),
    )


@blueprint.get("/staff/c/<slug>/draws/<stage>/<int:number>/undrawing")
@staff(*CORRECTORS)
def undrawing(slug: str, stage: str, number: int) -> str:
    """作废: what would no longer count, before anybody decides."""
    return _undraw_page(slug, stage, number, None)


@blueprint.post("/staff/c/<slug>/draws/<stage>/<int:number>/undrawing")
@staff(*CORRECTORS)
def undraw(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        body = load_form(UndrawSchema)
        with command(current_actor()) as ctx:
            service.undraw(ctx, event.id, stage, number, **body)
    except (InvalidError, RefusedError, ConflictError) as refusal:
        return _undraw_page(slug, stage, number, refusal), refusal.status
    flash(gettext("这一轮已作废，可以重新承诺种子并抽签"), "success")
    return redirect(url_for("draws.staff_draws", slug=slug), 303)


@blueprint.get("/staff/c/<slug>/void-rounds/<int:round_id>")
@staff(*RECORDERS)
def void_round(slug: str, round_id: int) -> str:
    """What had been entered in a round that was taken back."""
    competition = competitions.competition(slug)
    round_ = draws.void_round(competition.event.id, round_id)
    rules = competition.event.regulation.scoring_rules()
    entered = [(each, _told(each, rules)) for each in queries.entered(round_)]
    return render_template(
        "results/void_round.html",
        competition=competition,
        round=round_,
        entered=entered,
        entrant_of=entrant_of,
    )


def _told(entered: queries.EnteredTable, rules: ScoringRules) -> Any:
    """What had been entered at a table: the totals of its seats, or a match in words."""
    seats = queries.seats_of(entered.table)
    if game_of(rules).kind is not Kind.MATCH:
        return totals(entered.deals, tuple(seats), rules)
    names = {entrant: seat.name for entrant, seat in seats.items()}
    match = match_sheet(Content(entered.deals, entered.outcome), names, rules)
    return match_words(match.score, names, rules)


def _undraw_page(slug: str, stage: str, number: int, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    loss = queries.loss(competition.event.id, stage, number)
    role = Role.CHIEF_REFEREE
    return render_template(
        "results/undraw.html",
        competition=competition,
        loss=loss,
        may_act=not loss.started or current_actor().has(competition.id, role),
        round_name=round_name,
        plays_deals=game_of(competition.event.regulation.scoring_rules()).plays_deals,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict(),
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )
