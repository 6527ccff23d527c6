from __future__ import annotations

from typing import Any

from flask import current_app

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, service
from app.draws.queries import RoundView, TableView
from app.draws.rules import DRAWERS, may_see_tokens
from app.draws.schemas import DrawSchema, PairedTableSchema, RoundSchema
from app.registrations.queries import EntrantView
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("draws_api", __name__, description="抽签编排 draws and pairings")


@blueprint.post("/competitions/<slug>/draws")
@staff(*DRAWERS)
@blueprint.arguments(DrawSchema)
@blueprint.response(201, RoundSchema)
def draw(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Draw a stage (抽签): the first from the published list, a later one from the standings."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        round_id = service.draw_stage(
            ctx, event.id, pair_of=current_app.extensions.get("saishi_next_round"), **body
        )
    return _round(next(each for each in queries.rounds(event.id) if each.id == round_id), tokens=True)


@blueprint.get("/competitions/<slug>/draws")
@public
@blueprint.response(200, RoundSchema(many=True))
def list_draws(slug: str) -> list[dict[str, Any]]:
    """Every drawn round with its seed and proof."""
    event = competitions.competition(slug).event
    tokens = may_see_tokens(current_actor(), event.competition_id)
    return [_round(each, tokens=tokens) for each in queries.rounds(event.id)]


@blueprint.get("/competitions/<slug>/pairings")
@public
@blueprint.response(200, PairedTableSchema(many=True))
def pairings(slug: str) -> list[dict[str, Any]]:
    """Every table with who sits there (对阵)."""
    event = competitions.competition(slug).event
    tokens = may_see_tokens(current_actor(), event.competition_id)
    return [_table(each, tokens=tokens) for each in queries.tables(event.id)]


def _seat(view: EntrantView) -> dict[str, str]:
    return {"entrant": f"e{view.entry_id}", "name": view.name, "unit": view.unit_name}


def _table(view: TableView, *, tokens: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "stage": view.stage,
        "round": view.round_number,
        "number": view.number,
        "seats": [_seat(each) for each in view.seats],
    }
    return shown | ({"token": view.token} if tokens else {})


def _round(view: RoundView, *, tokens: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "stage": view.stage,
        "round": view.number,
        "drawn_at": view.drawn_at,
        "seed": view.seed,
        "entrants": view.entrants,
        "entrants_sha256": view.entrants_sha256,
        "proof": view.proof,
        "tables": [_table(each, tokens=tokens) for each in view.tables],
        "direct": [_seat(each) for each in view.direct],
    }
    return shown | ({"publication": view.publication_number} if view.publication_number else {})
