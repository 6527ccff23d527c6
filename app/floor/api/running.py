from __future__ import annotations

from typing import Any

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries.repairs import standing_round
from app.floor import queries, service
from app.floor.api.shared import blueprint
from app.floor.rules import RUNNERS
from app.floor.rules.hall import PLACERS
from app.floor.rules.terms import TERM_MAKERS
from app.floor.schemas import (
    AssignRefereesSchema,
    FloorNoticeSchema,
    FloorSchema,
    FloorTermsSchema,
    FloorTermsViewSchema,
    NewFloorNoticeSchema,
    RoundRunSchema,
    RoundScheduleSchema,
    TableRefereesSchema,
    notice_document,
    run_document,
    terms_document,
)
from app.web import current_actor, public, staff

ROUND = "/competitions/<slug>/rounds/<stage>/<int:number>"


@blueprint.get("/competitions/<slug>/floor")
@public
@blueprint.response(200, FloorSchema)
def floor(slug: str) -> dict[str, Any]:
    """The terms, every round as it is played, and what is announced now (赛场)."""
    event, now = competitions.competition(slug).event, clock.now()
    return {
        "terms": terms_document(queries.terms(event.id)),
        "rounds": [run_document(each, now) for each in queries.runs(event.id)],
        "notices": [notice_document(each) for each in queries.notices(event.id, now)],
    }


@blueprint.put("/competitions/<slug>/floor/terms")
@staff(*TERM_MAKERS)
@blueprint.arguments(FloorTermsSchema)
@blueprint.response(200, FloorTermsViewSchema)
def set_terms(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Choose how sheets are confirmed and published from now on (办赛方式), and the clock of a round."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.set_terms(ctx, event.id, **body)
    return terms_document(queries.terms(event.id))


@blueprint.put(f"{ROUND}/schedule")
@staff(*RUNNERS)
@blueprint.arguments(RoundScheduleSchema)
@blueprint.response(200, RoundRunSchema)
def schedule(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Say when players have to be there (规定的到场时间), before the round is open."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.schedule_round(ctx, event.id, stage, number, **body)
    return _run(event.id, stage, number)


@blueprint.post(f"{ROUND}/opening")
@staff(*RUNNERS)
@blueprint.response(200, RoundRunSchema)
def open_round(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Open a round (开赛)."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.open_round(ctx, event.id, stage, number)
    return _run(event.id, stage, number)


@blueprint.post(f"{ROUND}/clock")
@staff(*RUNNERS)
@blueprint.response(200, RoundRunSchema)
def start_clock(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Start the clock of a round (开始计时), which opens it."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.start_clock(ctx, event.id, stage, number)
    return _run(event.id, stage, number)


@blueprint.post(f"{ROUND}/time-call")
@staff(*RUNNERS)
@blueprint.response(200, RoundRunSchema)
def call_time(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Announce the last minutes to every phone, in the words of the regulation."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.call_time(ctx, event.id, stage, number)
    return _run(event.id, stage, number)


@blueprint.post(f"{ROUND}/end")
@staff(*RUNNERS)
@blueprint.response(200, RoundRunSchema)
def end_round(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Record the end of a round (本轮结束), from which appeals count."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.end_round(ctx, event.id, stage, number)
    return _run(event.id, stage, number)


@blueprint.post(f"{ROUND}/lock")
@staff(*RUNNERS)
@blueprint.response(200, RoundRunSchema)
def lock_round(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Lock a published round (锁定); a correction window that is over does it by itself."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.lock_round(ctx, event.id, stage, number)
    return _run(event.id, stage, number)


@blueprint.get(f"{ROUND}/referees")
@staff(*PLACERS)
@blueprint.response(200, TableRefereesSchema(many=True))
def list_referees(slug: str, stage: str, number: int) -> list[dict[str, Any]]:
    """Who referees at each table of a round (执裁安排), by the ids of the competition's people."""
    return _referees(competitions.competition(slug).event.id, stage, number)


@blueprint.put(f"{ROUND}/referees")
@staff(*PLACERS)
@blueprint.arguments(AssignRefereesSchema)
@blueprint.response(200, TableRefereesSchema(many=True))
def assign_referees(body: dict[str, Any], slug: str, stage: str, number: int) -> list[dict[str, Any]]:
    """Put referees at tables, in place of whoever was there; tables that are not named stay as they are."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.assign_referees(ctx, event.id, stage, number, **body)
    return _referees(event.id, stage, number)


@blueprint.post(f"{ROUND}/referees/spread")
@staff(*PLACERS)
@blueprint.response(200, TableRefereesSchema(many=True))
def spread_referees(slug: str, stage: str, number: int) -> list[dict[str, Any]]:
    """Put all referees at the tables of a round, as evenly as it goes."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.spread_referees(ctx, event.id, stage, number)
    return _referees(event.id, stage, number)


@blueprint.get("/competitions/<slug>/notices")
@public
@blueprint.response(200, FloorNoticeSchema(many=True))
def list_notices(slug: str) -> list[dict[str, Any]]:
    """What every phone shows now (赛场广播), the newest first."""
    event = competitions.competition(slug).event
    return [notice_document(each) for each in queries.notices(event.id, clock.now())]


@blueprint.post("/competitions/<slug>/notices")
@staff(*PLACERS)
@blueprint.arguments(NewFloorNoticeSchema)
@blueprint.response(201, FloorNoticeSchema)
def announce(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Say something to every phone."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        notice_id = service.announce(ctx, event.id, **body)
    return notice_document(next(each for each in queries.all_notices(event.id) if each.id == notice_id))


@blueprint.post("/competitions/<slug>/notices/<int:notice_id>/withdrawal")
@staff(*PLACERS)
@blueprint.response(200, FloorNoticeSchema(many=True))
def withdraw_notice(slug: str, notice_id: int) -> list[dict[str, Any]]:
    """Take an announcement off every phone; what they show then."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.withdraw_notice(ctx, event.id, notice_id)
    return [notice_document(each) for each in queries.notices(event.id, clock.now())]


def _run(event_id: int, stage: str, number: int) -> dict[str, Any]:
    return run_document(queries.run_of(event_id, stage, number), clock.now())


def _referees(event_id: int, stage: str, number: int) -> list[dict[str, Any]]:
    tables = standing_round(event_id, stage, number).tables
    found = queries.referees(table.id for table in tables)
    return [{"table": table.number, "referees": list(found.get(table.id, ()))} for table in tables]
