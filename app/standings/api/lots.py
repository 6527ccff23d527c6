from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import DRAWERS
from app.draws.schemas import ContributionSchema, WithdrawalSchema
from app.standings.queries import lots as queries
from app.standings.schemas.lots import LotsSchema, LotsSeedSchema, lots_document
from app.standings.service import lots as service
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("lots_api", __name__, description="抽签定名次 lots that decide equal ranks")
LOTS = "/competitions/<slug>/lots"


@blueprint.get(LOTS)
@public
@blueprint.response(200, LotsSchema(many=True))
def show(slug: str) -> list[dict[str, Any]]:
    """Every lots draw and every commitment to one, also withdrawn ones, in the order made."""
    return [lots_document(each) for each in queries.all_lots(competitions.competition(slug).event.id)]


@blueprint.post(LOTS)
@staff(*DRAWERS)
@blueprint.arguments(LotsSeedSchema)
@blueprint.response(201, LotsSchema)
def draw(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Draw the lots of those whom nothing else separates, once: from the committed seed where there is one."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        service.draw_lots(ctx, event_id, **body)
    return lots_document(queries.all_lots(event_id)[-1])


@blueprint.post(f"{LOTS}/commitment")
@staff(*DRAWERS)
@blueprint.arguments(LotsSeedSchema)
@blueprint.response(201, LotsSchema)
def commit(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Commit to the seed before the lots are drawn; its SHA-256 and the list are public from now on."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        service.commit_lots(ctx, event_id, **body)
    return lots_document(queries.all_lots(event_id)[-1])


@blueprint.post(f"{LOTS}/contribution")
@staff(*DRAWERS)
@blueprint.arguments(ContributionSchema)
@blueprint.response(200, LotsSchema)
def contribute(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Write down what the public adds to the committed seed, once, before the lots are drawn."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        service.contribute_to_lots(ctx, event_id, **body)
    return lots_document(queries.all_lots(event_id)[-1])


@blueprint.post(f"{LOTS}/withdrawal")
@staff(*DRAWERS)
@blueprint.arguments(WithdrawalSchema)
@blueprint.response(200, LotsSchema)
def withdraw(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Give the commitment up before the lots are drawn; its seed and the reason become public."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        service.withdraw_lots(ctx, event_id, **body)
    return lots_document(queries.all_lots(event_id)[-1])
