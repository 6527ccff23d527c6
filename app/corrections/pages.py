from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.corrections import queries, service
from app.corrections.queries import Preview, RequestView
from app.corrections.rules import ASKERS, DECIDERS, STATE_NAMES, deadline
from app.corrections.schemas import AskFormSchema, RefuseCorrectionSchema
from app.corrections.service import Proposal
from app.draws.rules import UnknownTableError
from app.errors import ConflictError, InvalidError, RefusedError, SaishiError
from app.extensions import limiter
from app.floor import queries as floor
from app.floor.queries import PlayerView
from app.floor.rules import UnknownPlayerKeyError
from app.judge.rules.deal_words import DEFENDERS, UNIT_NAMES
from app.results import queries as results
from app.results.queries import SheetView
from app.results.rules import Kind, board_outcome, board_result, require_may_record, violation_rule, with_deal
from app.results.rules.match_words import match_words
from app.results.schemas import BoardFormSchema, DealFormSchema
from app.results.schemas.matches import MatchDealFormSchema, MatchEndSchema
from app.standings.queries import impact as impacts
from app.web import current_actor, load_form, public, staff
from app.web.forms import load, nest
from app.web.schemas import Schema
from scoring_engine.tractor.levels import ACE, level_name

blueprint = Blueprint("corrections", __name__)

DECISION = ("seen", "reason")
"""Fields of the chief referee's form besides those of the sheet."""

STAFF = "/staff/c/<slug>/corrections"


@blueprint.get("/c/<slug>/t/<token>/correction")
@staff(*ASKERS)
def table(slug: str, token: str) -> str:
    """申请更正 by a referee, and what was asked about this table."""
    return _ask_page(slug, _sheet(slug, token), None, None)


@blueprint.post("/c/<slug>/t/<token>/correction")
@staff(*ASKERS)
def ask(slug: str, token: str) -> Response | tuple[str, int]:
    sheet = _sheet(slug, token)
    require_may_record(current_actor(), sheet.event.competition_id)
    return _asked(slug, sheet, None, url_for("corrections.table", slug=slug, token=token))


@blueprint.get("/c/<slug>/p/<token>/correction")
@public
@limiter.limit("60/minute")
def player(slug: str, token: str) -> str:
    """申请更正 by a player, with his card: of his newest table that is public."""
    card = _card(slug, token)
    return _ask_page(slug, _newest(card), card, None)


@blueprint.post("/c/<slug>/p/<token>/correction")
@public
@limiter.limit("20/minute")
def player_asks(slug: str, token: str) -> Response | tuple[str, int]:
    card = _card(slug, token)
    sheet = _newest(card)
    if sheet is None:
        return _ask_page(slug, None, card, None), 409
    return _asked(slug, sheet, card, url_for("corrections.player", slug=slug, token=token))


@blueprint.post("/c/<slug>/p/<token>/correction/<int:request_id>/withdrawal")
@public
@limiter.limit("20/minute")
def player_withdraws(slug: str, token: str, request_id: int) -> Response:
    """撤回."""
    card = _card(slug, token)
    queries.request(card.event_id, request_id)
    with command(current_actor()) as ctx:
        service.withdraw(ctx, request_id, entry_id=card.entry_id)
    flash(gettext("更正申请已撤回"), "success")
    return redirect(url_for("corrections.player", slug=slug, token=token), 303)


@blueprint.get(STAFF)
@staff(*ASKERS)
def staff_requests(slug: str) -> str:
    """更正申请: what waits for the chief referee, and what was decided."""
    competition = competitions.competition(slug)
    return render_template(
        "corrections/staff_list.html",
        competition=competition,
        requests=queries.requests(competition.event.id),
        state_names=STATE_NAMES,
    )


@blueprint.get(f"{STAFF}/<int:request_id>")
@staff(*ASKERS)
def staff_request(slug: str, request_id: int) -> str:
    """One request: the sheet, what is asked for, and what it would change."""
    view = _request(slug, request_id)
    return _request_page(slug, view, None, None, None)


@blueprint.post(f"{STAFF}/<int:request_id>/impact")
@staff(*DECIDERS)
def preview(slug: str, request_id: int) -> tuple[str, int] | str:
    """看影响: nothing is changed."""
    view = _request(slug, request_id)
    try:
        found = service.preview(view, _proposed(queries.sheet_of(view)))
    except (InvalidError, RefusedError, ConflictError) as error:
        return _request_page(slug, view, None, request.form.to_dict(), error), error.status
    return _request_page(slug, view, found, request.form.to_dict(), None)


@blueprint.post(f"{STAFF}/<int:request_id>/grant")
@staff(*DECIDERS)
def grant(slug: str, request_id: int) -> Response | tuple[str, int]:
    """准予更正."""
    view = _request(slug, request_id)
    proposal: Proposal | None = None
    try:
        proposal = _proposed(queries.sheet_of(view))
        with command(current_actor()) as ctx:
            service.grant(
                ctx,
                request_id,
                proposal=proposal,
                seen=request.form.get("seen"),
                reason=request.form.get("reason", ""),
                base_revision=request.form.get("base_revision", 0, int),
                key=request.form.get("idempotency_key", ""),
            )
    except (InvalidError, RefusedError, ConflictError) as error:
        return _request_page(
            slug, view, _shown_again(view, proposal), request.form.to_dict(), error
        ), error.status
    flash(gettext("已更正，名次正在重新计算"), "success")
    return redirect(url_for("corrections.staff_request", slug=slug, request_id=request_id), 303)


@blueprint.post(f"{STAFF}/<int:request_id>/refusal")
@staff(*DECIDERS)
def refuse(slug: str, request_id: int) -> Response | tuple[str, int]:
    """不予更正."""
    view = _request(slug, request_id)
    try:
        body = load_form(RefuseCorrectionSchema)
        with command(current_actor()) as ctx:
            service.refuse(ctx, request_id, **body)
    except (InvalidError, RefusedError, ConflictError) as error:
        return _request_page(slug, view, None, request.form.to_dict(), error), error.status
    flash(gettext("已答复，成绩不变"), "success")
    return redirect(url_for("corrections.staff_request", slug=slug, request_id=request_id), 303)


def _shown_again(view: RequestView, proposal: Proposal | None) -> Preview | None:
    """The impact as it is now, where the decision did not come through; None where there is none to show."""
    if proposal is None:
        return None
    try:
        return service.preview(view, proposal)
    except SaishiError:
        return None  # what is wrong with it is what the page says


def _asked(slug: str, sheet: SheetView, card: PlayerView | None, back: str) -> Response | tuple[str, int]:
    try:
        body = load_form(AskFormSchema)
        with command(current_actor()) as ctx:
            service.ask(
                ctx,
                sheet.table.token,
                text=body["text"],
                key=body["idempotency_key"],
                entry_id=card.entry_id if card else None,
            )
    except (InvalidError, RefusedError, ConflictError) as error:
        return _ask_page(slug, sheet, card, error), error.status
    flash(gettext("更正申请已提交，等裁判长决定"), "success")
    return redirect(back, 303)


def _ask_page(slug: str, sheet: SheetView | None, card: PlayerView | None, error: SaishiError | None) -> str:
    window = sheet.event.regulation.windows.get("correction") if sheet else None
    ends = deadline(sheet.published_at, window) if sheet else None
    told = queries.requests_of_table(sheet.table.id) if sheet else ()
    return render_template(
        "corrections/ask.html",
        competition=competitions.competition(slug),
        sheet=sheet,
        card=card,
        token=(request.view_args or {})["token"],
        shown=_shown(sheet) if sheet else None,
        ends=ends,
        open_now=sheet is not None
        and sheet.published_at is not None
        and (ends.accepts(clock.now()) if ends else not sheet.locked(clock.now())),
        requests=[each for each in told if card is None or each.asked_by_entry_id == card.entry_id],
        state_names=STATE_NAMES,
        values=request.form.to_dict(),
        errors=error.fields if error else {},
        refusal=error,
        key=request.form.get("idempotency_key") or secrets.token_hex(16),
    )


def _request_page(
    slug: str,
    view: RequestView,
    found: Preview | None,
    values: Mapping[str, Any] | None,
    error: SaishiError | None,
) -> str:
    sheet = queries.sheet_of(view)
    names = impacts.names(view.event_id)
    return render_template(
        "corrections/staff_request.html",
        competition=competitions.competition(slug),
        view=view,
        sheet=sheet,
        shown=_shown(sheet),
        preview=found,
        lines=found.impact.lines(names) if found else (),
        past=_past(view, names),
        state_names=STATE_NAMES,
        may_decide=current_actor().has(sheet.event.competition_id, *DECIDERS),
        values=values or _values(sheet, view),
        errors=error.fields if error else {},
        refusal=error,
        key=(values or {}).get("idempotency_key") or secrets.token_hex(16),
        **_editor(sheet),
    )


def _past(view: RequestView, names: Any) -> Any:
    if not view.impact:
        return ()
    return impacts.Impact(view.impact, {}, {}).lines(names)


def _shown(sheet: SheetView) -> Any:
    """What is published of a sheet, for people: a match in words; None where the deals and the outcome say it."""
    return match_words(sheet.match.score, sheet.names, sheet.rules) if sheet.match else None


def _editor(sheet: SheetView) -> dict[str, Any]:
    """What the fields of one deal, of a board or of the end of a match offer."""
    format_ = sheet.rules.match if sheet.game.kind is Kind.MATCH else None
    content = sheet.published or sheet.content
    return {
        "content": content,
        "ends_only": bool((content.outcome or {}).get("levels")),
        "violation": violation_rule(sheet.rules),
        "defenders": DEFENDERS.get(sheet.rules.game),
        "units": [(kind.value, name) for kind, name in UNIT_NAMES.items() if format_.deck.longest(kind)]
        if format_
        else [],
        "level_choices": [(level_name(level),) * 2 for level in range(format_.start, ACE + 1)]
        if format_
        else [],
    }


def _proposed(sheet: SheetView) -> Proposal:
    """What the fields make of the published sheet: one deal of it, its board, or the end of the match, is otherwise."""
    content = sheet.published or sheet.content
    if sheet.game.kind is Kind.BOARD:
        body = _fields(BoardFormSchema)
        return Proposal(outcome=board_outcome(body["result"], tuple(sheet.seats), body["violations"]))
    if sheet.game.kind is Kind.MATCH and (content.outcome or {}).get("levels"):
        said = _fields(MatchEndSchema)["outcome"]
        return Proposal(outcome={**(content.outcome or {}), **said})
    body = _fields(MatchDealFormSchema if sheet.game.kind is Kind.MATCH else DealFormSchema)
    deals = with_deal(list(content.deals), body["deal_number"], body["deal"], clause=sheet.stage.clause)
    return Proposal(deals, content.outcome)


def _fields(schema: type[Schema]) -> dict[str, Any]:
    """The form without what belongs to the decision."""
    form = request.form.copy()
    for name in DECISION:
        form.poplist(name)
    return load(schema, nest(form))


def _values(sheet: SheetView, view: RequestView) -> dict[str, Any]:
    """The fields as the request has them, where it says what the sheet should be, else as they are."""
    content = view.proposal or sheet.published or sheet.content
    if sheet.game.kind is Kind.BOARD:
        first, second = sheet.seats
        broken = (content.outcome or {}).get("violations", {})
        return {
            "result": board_result(content.outcome, tuple(sheet.seats)),
            "violations_first": broken.get(first, 0),
            "violations_second": broken.get(second, 0),
        }
    if (content.outcome or {}).get("levels"):
        said = content.outcome or {}
        levels = {f"levels-{side}": level for side, level in said["levels"].items()}
        return {**levels, "bank": said.get("bank"), "past_a": said.get("past_a")}
    before = sheet.published or sheet.content
    places = [
        number
        for number, deal in enumerate(content.deals, start=1)
        if tuple(before.deals[number - 1 : number]) != (deal,)
    ]
    number = places[0] if places else 1
    deal = content.deals[number - 1] if content.deals else {}
    bottom = deal.get("bottom") or {}
    return {
        "deal_number": number,
        **{key: ("1" if value is True else value) for key, value in deal.items() if key != "bottom"},
        "landlord": "passed_out" if deal.get("passed_out") else deal.get("landlord"),
        "unit": bottom.get("unit", "none"),
        "bottom_points": bottom.get("points"),
        "size": bottom.get("size"),
    }


def _sheet(slug: str, token: str) -> SheetView:
    sheet = results.sheet(token)
    if sheet.event.competition_id != competitions.competition_id(slug):
        raise UnknownTableError
    return sheet


def _card(slug: str, token: str) -> PlayerView:
    card = floor.player_by_token(token)
    if card.event_id != competitions.competition(slug).event.id:
        raise UnknownPlayerKeyError
    return card


def _newest(card: PlayerView) -> SheetView | None:
    tokens = queries.tables_of_player(card.entry_id)
    return results.sheet(tokens[0]) if tokens else None


def _request(slug: str, request_id: int) -> RequestView:
    return queries.request(competitions.competition(slug).event.id, request_id)
