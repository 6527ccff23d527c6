from __future__ import annotations

from typing import Any

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import DRAWERS
from app.standings.api import drawn_round
from app.standings.queries import rulings as queries
from app.standings.schemas import DrawnStageSchema
from app.standings.schemas.rulings import AcceptSchema, QuestionSchema, RefuseSchema, question_document
from app.standings.service import rulings as service
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("rulings_api", __name__, description="裁决 rulings before a round is drawn")
RULING = "/competitions/<slug>/ruling"


@blueprint.get(RULING)
@staff(*DRAWERS)
@blueprint.response(200, QuestionSchema)
def show(slug: str) -> dict[str, Any]:
    """What the chief referee has to rule on before the round that is due can be drawn, and the draw that breaks least."""
    return question_document(queries.question(competitions.competition(slug).event, clock.now()))


@blueprint.post(RULING)
@staff(Role.CHIEF_REFEREE)
@blueprint.arguments(AcceptSchema)
@blueprint.response(201, DrawnStageSchema)
def accept(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Draw the round as the draw that breaks least, with a public reason; 409 where it is no longer the one looked at."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        round_id = service.accept(ctx, event_id, **body)
    drawn = drawn_round(event_id, round_id)
    return {"stage": drawn.stage, "round": drawn.number, "tables": len(drawn.tables)}


@blueprint.post(f"{RULING}/refusal")
@staff(Role.CHIEF_REFEREE)
@blueprint.arguments(RefuseSchema)
@blueprint.response(204)
def refuse(body: dict[str, Any], slug: str) -> None:
    """Leave that draw: the commitment to its seed is withdrawn with this reason, in public, and nothing is drawn."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        service.refuse(ctx, event_id, **body)
