"""The hall for referees: the queue of calls, who has arrived, and 我的桌."""

from __future__ import annotations

from math import ceil

from flask import render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import clock
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.draws import queries as draws
from app.draws.rules import UnknownTableError, entry_of, known_entrant
from app.errors import SaishiError
from app.floor import queries, service
from app.floor.pages.shared import answer, blueprint, chosen_run, new_key, round_key
from app.floor.rules.hall import ARRIVAL_WAY_NAMES, CALL_KIND_NAMES, HALL_STAFF
from app.floor.schemas import (
    CloseRefereeCallSchema,
    NewArrivalSchema,
    NewRefereeCallSchema,
    TakeBackArrivalSchema,
)
from app.publications import queries as publications
from app.web import current_actor, load_form, staff

ROUND = "/staff/c/<slug>/floor/<stage>/<int:number>"


@blueprint.get("/staff/c/<slug>/floor/calls")
@staff(*HALL_STAFF)
def calls(slug: str) -> str:
    """呼叫队列: first come first served."""
    return _calls(competitions.competition(slug), None)


def _calls(competition: CompetitionView, refusal: SaishiError | None) -> str:
    return render_template(
        "floor/calls.html",
        competition=competition,
        calls=queries.open_calls(competition.event.id),
        kind_names=CALL_KIND_NAMES,
        now=clock.now(),
        me=current_actor().user_id,
        may_take=lambda call: call.may_take(current_actor(), competition.id),
        sheet_address=_sheet_address,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
        at=(request.view_args or {}).get("call_id"),
    )


@blueprint.post("/staff/c/<slug>/floor/calls/<int:call_id>/take")
@staff(*HALL_STAFF)
def take_call(slug: str, call_id: int) -> Response | tuple[str, int]:
    """接单."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.take_call(ctx, call_id, event_id=event_id)

    return answer(slug, _calls, act, gettext("已接单"), url_for("floor.calls", slug=slug))


@blueprint.post("/staff/c/<slug>/floor/calls/<int:call_id>/close")
@staff(*HALL_STAFF)
def close_call(slug: str, call_id: int) -> Response | tuple[str, int]:
    """办结."""

    def act(ctx: CommandContext, event_id: int) -> None:
        service.close_call(ctx, call_id, event_id=event_id, **load_form(CloseRefereeCallSchema))

    return answer(slug, _calls, act, gettext("已办结"), url_for("floor.calls", slug=slug))


@blueprint.get("/staff/c/<slug>/floor/arrivals")
@staff(*HALL_STAFF)
def arrivals(slug: str) -> str:
    """到场: table by table, one tap a person; only who is missing, or everybody."""
    return _arrivals(competitions.competition(slug), None)


def _arrivals(competition: CompetitionView, refusal: SaishiError | None) -> str:
    event = competition.event
    asked = request.view_args or {}
    key = f"{asked['stage']}-{asked['number']}" if "stage" in asked else request.args.get("round", "")
    run = chosen_run(event.id, key)
    drawn = draws.round_of(event.id, run.stage, run.number) if run else None
    there = queries.arrival_views(run.round_id) if run else {}
    everybody = request.args.get("view") == "all"
    mine = request.args.get("view") == "mine"
    own = (
        {table.id for table in queries.tables_of_referee(event.id, current_actor().user_id or 0)}
        if mine
        else set()
    )
    tables = [
        table
        for table in (drawn.tables if drawn else ())
        if (not mine or table.id in own)
        and (everybody or mine or any(seat.entry_id not in there for seat in table.seats))
    ]
    return render_template(
        "floor/arrivals.html",
        competition=competition,
        run=run,
        tables=tables,
        total=sum(len(table.seats) for table in drawn.tables) if drawn else 0,
        there=there,
        late={entry_id: ceil(minutes) for entry_id, minutes in queries.minutes_late(run.round_id).items()}
        if run
        else {},
        way_names=ARRIVAL_WAY_NAMES,
        numbers=publications.numbers_of(event.id),
        view="all" if everybody else "mine" if mine else "",
        round_key=round_key,
        refusal=refusal,
    )


@blueprint.post(f"{ROUND}/arrivals")
@staff(*HALL_STAFF)
def record_arrival(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """登记到场."""

    def act(ctx: CommandContext, event_id: int) -> None:
        body = load_form(NewArrivalSchema)
        entry_id = entry_of(known_entrant(body.pop("entrant")))
        service.record_arrival(ctx, queries.run_of(event_id, stage, number).round_id, entry_id, **body)

    return answer(slug, _arrivals, act, "", _arrivals_address(slug, stage, number))


@blueprint.post(f"{ROUND}/arrivals/withdrawal")
@staff(*HALL_STAFF)
def take_back_arrival(slug: str, stage: str, number: int) -> Response | tuple[str, int]:
    """撤回到场."""

    def act(ctx: CommandContext, event_id: int) -> None:
        entry_id = entry_of(known_entrant(load_form(TakeBackArrivalSchema)["entrant"]))
        service.take_back_arrival(ctx, queries.run_of(event_id, stage, number).round_id, entry_id)

    return answer(slug, _arrivals, act, gettext("已撤回"), _arrivals_address(slug, stage, number))


def _arrivals_address(slug: str, stage: str, number: int) -> str:
    view = request.args.get("view")
    shown = view if view in {"all", "mine"} else None
    return url_for("floor.arrivals", slug=slug, round=f"{stage}-{number}", view=shown)


@blueprint.get("/staff/c/<slug>/floor/mine")
@staff(*HALL_STAFF)
def mine(slug: str) -> str:
    """我的桌: where this referee is, with the sheet of each table, and the calls from there."""
    return _mine(competitions.competition(slug), None)


def _mine(competition: CompetitionView, refusal: SaishiError | None) -> str:
    event = competition.event
    tables = queries.tables_of_referee(event.id, current_actor().user_id or 0)
    newest = queries.current(event.id)
    now = tuple(table for table in tables if newest is not None and table.round_id == newest.round_id)
    own = {table.id for table in now}
    return render_template(
        "floor/mine.html",
        competition=competition,
        run=newest,
        tables=now,
        earlier=tuple(table for table in tables if table not in now),
        there=queries.arrivals(newest.round_id) if newest else {},
        calls=tuple(each for each in queries.open_calls(event.id) if each.table.id in own),
        sheet_address=_sheet_address,
        now=clock.now(),
        keys={table.id: new_key() for table in now},
        refusal=refusal,
    )


@blueprint.post("/staff/c/<slug>/floor/tables/<token>/calls")
@staff(*HALL_STAFF)
def call_chief(slug: str, token: str) -> Response | tuple[str, int]:
    """请裁判长: a referee calls to his table."""

    def act(ctx: CommandContext, event_id: int) -> None:
        table = draws.table_by_token(token)
        if table.event_id != event_id:
            raise UnknownTableError
        service.call_referee(ctx, table.id, **load_form(NewRefereeCallSchema))

    return answer(slug, _mine, act, gettext("已请裁判长"), url_for("floor.mine", slug=slug))


def _sheet_address(slug: str, token: str) -> str:
    # the score sheet's page belongs to results, which stand to the right of the floor; its address is fixed
    return f"{url_for('competitions.show', slug=slug)}/t/{token}"
