from __future__ import annotations

from fractions import Fraction
from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of, entry_of, known_entrant
from app.floor import queries, service
from app.floor.api.shared import blueprint
from app.floor.rules.hall import HALL_STAFF, UnknownCallError
from app.floor.schemas import (
    ArrivalsSchema,
    CloseRefereeCallSchema,
    MyTableSchema,
    NewArrivalSchema,
    NewRefereeCallSchema,
    RefereeCallSchema,
    TakeBackArrivalSchema,
    arrival_document,
    call_document,
    my_table_document,
)
from app.web import current_actor, staff

ROUND = "/competitions/<slug>/rounds/<stage>/<int:number>"


@blueprint.get("/competitions/<slug>/my-tables")
@staff(*HALL_STAFF)
@blueprint.response(200, MyTableSchema(many=True))
def my_tables(slug: str) -> list[dict[str, Any]]:
    """The tables where one referees (我的桌), the newest round first, with the tokens of their sheets."""
    event = competitions.competition(slug).event
    own = queries.tables_of_referee(event.id, current_actor().user_id or 0)
    return [my_table_document(each) for each in own]


@blueprint.get("/competitions/<slug>/calls")
@staff(*HALL_STAFF)
@blueprint.response(200, RefereeCallSchema(many=True))
def list_calls(slug: str) -> list[dict[str, Any]]:
    """The queue of calls (呼叫队列), first come first served."""
    return [call_document(each) for each in queries.open_calls(competitions.competition(slug).event.id)]


@blueprint.post("/tables/<token>/calls")
@staff(*HALL_STAFF)
@blueprint.arguments(NewRefereeCallSchema)
@blueprint.response(201, RefereeCallSchema)
def call_from_table(body: dict[str, Any], token: str) -> dict[str, Any]:
    """A referee calls to his table; players call by their own cards."""
    table = draws.table_by_token(token)
    with command(current_actor()) as ctx:
        call_id = service.call_referee(ctx, table.id, **body)
    return _call(call_id)


@blueprint.post("/competitions/<slug>/calls/<int:call_id>/taking")
@staff(*HALL_STAFF)
@blueprint.response(200, RefereeCallSchema)
def take_call(slug: str, call_id: int) -> dict[str, Any]:
    """Say that one goes there (接单)."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.take_call(ctx, call_id, event_id=event.id)
    return _call(call_id)


@blueprint.post("/competitions/<slug>/calls/<int:call_id>/closing")
@staff(*HALL_STAFF)
@blueprint.arguments(CloseRefereeCallSchema)
@blueprint.response(200, RefereeCallSchema)
def close_call(body: dict[str, Any], slug: str, call_id: int) -> dict[str, Any]:
    """Say that it is dealt with (办结), and what came of it."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.close_call(ctx, call_id, event_id=event.id, **body)
    return _call(call_id)


@blueprint.get(f"{ROUND}/arrivals")
@staff(*HALL_STAFF)
@blueprint.response(200, ArrivalsSchema)
def list_arrivals(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Who has arrived at a round (到场), when, and how many minutes late; and who is missing."""
    return _arrivals(competitions.competition(slug).event.id, stage, number)


@blueprint.post(f"{ROUND}/arrivals")
@staff(*HALL_STAFF)
@blueprint.arguments(NewArrivalSchema)
@blueprint.response(201, ArrivalsSchema)
def record_arrival(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Note that an entrant has come; who has arrived already stays arrived at that moment."""
    event = competitions.competition(slug).event
    entry_id = _entry(body.pop("entrant"))
    with command(current_actor()) as ctx:
        service.record_arrival(ctx, queries.run_of(event.id, stage, number).round_id, entry_id, **body)
    return _arrivals(event.id, stage, number)


@blueprint.post(f"{ROUND}/arrivals/withdrawal")
@staff(*HALL_STAFF)
@blueprint.arguments(TakeBackArrivalSchema)
@blueprint.response(200, ArrivalsSchema)
def take_back_arrival(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Take an arrival back that was noted by mistake."""
    event = competitions.competition(slug).event
    entry_id = _entry(body["entrant"])
    with command(current_actor()) as ctx:
        service.take_back_arrival(ctx, queries.run_of(event.id, stage, number).round_id, entry_id)
    return _arrivals(event.id, stage, number)


def _entry(written: str) -> int:
    """Raises ``UnknownEntrantError``."""
    return entry_of(known_entrant(written))


def _call(call_id: int) -> dict[str, Any]:
    found = queries.call(call_id)
    if found is None:
        raise UnknownCallError
    return call_document(found)


def _arrivals(event_id: int, stage: str, number: int) -> dict[str, Any]:
    run = queries.run_of(event_id, stage, number)
    late = queries.minutes_late(run.round_id)
    there = sorted(queries.arrival_views(run.round_id).values(), key=lambda each: (each.at, each.entry_id))
    return {
        "scheduled_at": run.moments.scheduled_at,
        "arrived": [arrival_document(each, late.get(each.entry_id, Fraction(0))) for each in there],
        "missing": [entrant_of(each) for each in queries.missing(run.round_id)],
    }
