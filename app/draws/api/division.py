from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import division as queries
from app.draws.rules import DRAWERS, SWISS
from app.draws.rules.division import DIVISION
from app.draws.schemas import CommitmentSchema, commitment_document
from app.draws.schemas.division import (
    DivideSchema,
    DivisionSchema,
    UndivideSchema,
    division_document,
)
from app.draws.service import division as service
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("divisions_api", __name__, description="分组 dividing the entrants into groups")
HERE = "/competitions/<slug>/division"


@blueprint.get(HERE)
@public
@blueprint.response(200, DivisionSchema)
def show(slug: str) -> dict[str, Any]:
    """The division into groups that stands, with its seed and proof; 404 where the event was not divided."""
    return division_document(queries.require_division(competitions.competition(slug).event.id))


@blueprint.get("/competitions/<slug>/void-divisions")
@public
@blueprint.response(200, DivisionSchema(many=True))
def void(slug: str) -> list[dict[str, Any]]:
    """Every division that was taken back (作废), with its seed, result and reason."""
    return [
        division_document(each) for each in queries.void_divisions(competitions.competition(slug).event.id)
    ]


@blueprint.post(HERE)
@staff(*DRAWERS)
@blueprint.arguments(DivideSchema)
@blueprint.response(201, DivisionSchema)
def divide(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Draw the entrants into groups (分组抽签) before the first round, from the committed seed where there is one."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.divide(ctx, event.id, **body)
    return division_document(queries.require_division(event.id))


@blueprint.post(f"{HERE}/commitment")
@staff(*DRAWERS)
@blueprint.arguments(DivideSchema)
@blueprint.response(201, CommitmentSchema)
def commit(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Commit to the seed of the division; public words are added, and it is withdrawn, as of round 0 of the stage."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.commit_seed(ctx, event.id, **body)
    return commitment_document(draws.last_commitment(event.id, SWISS, DIVISION))


@blueprint.post(f"{HERE}/undrawing")
@staff(*DRAWERS)
@blueprint.arguments(UndivideSchema)
@blueprint.response(201, DivisionSchema)
def take_back(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Take the division back (作废) before the first round is drawn. The same ``idempotency_key`` does it once."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        taken = service.take_back(ctx, event.id, **body)
    return division_document(next(each for each in queries.void_divisions(event.id) if each.id == taken))
