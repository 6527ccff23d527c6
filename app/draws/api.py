from __future__ import annotations

from typing import Any

from app.competitions import queries as competitions
from app.draws import queries
from app.draws.rules import may_see_tokens
from app.draws.schemas import PairedTableSchema, RoundSchema, round_document, table_document
from app.web import current_actor, public
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("draws_api", __name__, description="抽签编排 draws and pairings")


@blueprint.get("/competitions/<slug>/draws")
@public
@blueprint.response(200, RoundSchema(many=True))
def list_draws(slug: str) -> list[dict[str, Any]]:
    """Every drawn round with its seed and proof."""
    event = competitions.competition(slug).event
    tokens = may_see_tokens(current_actor(), event.competition_id)
    return [round_document(each, tokens=tokens) for each in queries.rounds(event.id)]


@blueprint.get("/competitions/<slug>/pairings")
@public
@blueprint.response(200, PairedTableSchema(many=True))
def pairings(slug: str) -> list[dict[str, Any]]:
    """Every table with who sits there (对阵)."""
    event = competitions.competition(slug).event
    tokens = may_see_tokens(current_actor(), event.competition_id)
    return [table_document(each, tokens=tokens) for each in queries.tables(event.id)]
