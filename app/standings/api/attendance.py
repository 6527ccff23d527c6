from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import DRAWERS
from app.standings.queries import attendance as queries
from app.standings.schemas.attendance import (
    ActSchema,
    AttendanceSchema,
    MarkSchema,
    act_document,
    attendance_document,
)
from app.standings.service import attendance as service
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("attendance_api", __name__, description="出席登记 who takes part in which round")
ATTENDANCE = "/competitions/<slug>/attendance"


@blueprint.get(ATTENDANCE)
@staff(*DRAWERS)
@blueprint.response(200, AttendanceSchema)
def show(slug: str) -> dict[str, Any]:
    """Who is not paired in the round drawn next and why, and every act that stands."""
    return attendance_document(queries.board(competitions.competition(slug).event))


@blueprint.post(ATTENDANCE)
@staff(*DRAWERS)
@blueprint.arguments(MarkSchema)
@blueprint.response(201, ActSchema)
def mark(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Say of an entrant that he is absent in a round, or from a round on withdraws, returns, enters late, is reinstated.

    Rounds that are drawn stay as they are: 409. The same act twice is stored once.
    """
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        act_id = service.mark(ctx, event.id, **body)
    acts = queries.board(event).attendance.acts
    found = next((each for each in acts if each.id == act_id), None)
    # a return before the withdrawal's first round takes the withdrawal back: then nothing stands
    return act_document(found) if found else {"id": act_id, "act": body["kind"].value}


@blueprint.post(f"{ATTENDANCE}/<int:act_id>/withdrawal")
@staff(*DRAWERS)
@blueprint.response(204)
def take_back(slug: str, act_id: int) -> None:
    """Take an act back before its round is drawn."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.take_back(ctx, event.id, act_id)
