from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, service
from app.draws.rules import DRAWERS, known_entrant, may_see_tokens
from app.draws.schemas import (
    CommitmentSchema,
    ContributionSchema,
    ExplainedTableSchema,
    PairedTableSchema,
    PersonSchema,
    RoundSchema,
    VoidRoundSchema,
    WithdrawalSchema,
    commitment_document,
    person_document,
    reason_documents,
    round_document,
    table_document,
    void_document,
)
from app.web import current_actor, public, staff
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


@blueprint.get("/competitions/<slug>/void-rounds")
@public
@blueprint.response(200, VoidRoundSchema(many=True))
def list_void_rounds(slug: str) -> list[dict[str, Any]]:
    """Every round that was taken back (作废), with its seed, result and reason."""
    event = competitions.competition(slug).event
    return [void_document(each) for each in queries.void_rounds(event.id)]


@blueprint.get("/competitions/<slug>/pairings")
@public
@blueprint.response(200, PairedTableSchema(many=True))
def pairings(slug: str) -> list[dict[str, Any]]:
    """Every table with who sits there (对阵)."""
    event = competitions.competition(slug).event
    tokens = may_see_tokens(current_actor(), event.competition_id)
    return [table_document(each, tokens=tokens) for each in queries.tables(event.id)]


@blueprint.get("/competitions/<slug>/pairings/<entrant>")
@public
@blueprint.response(200, PersonSchema)
def entrant(slug: str, entrant: str) -> dict[str, Any]:
    """Where one entrant sits (我的下一桌), why, and every earlier round, by the id of the event file (``e12``)."""
    event = competitions.competition(slug).event
    found = queries.person(event.id, known_entrant(entrant))
    return person_document(found, queries.Explained(event, found.places))


@blueprint.get("/competitions/<slug>/draws/<stage>/<int:number>/tables/<int:table>")
@public
@blueprint.response(200, ExplainedTableSchema)
def explained_table(slug: str, stage: str, number: int, table: int) -> dict[str, Any]:
    """One table and why these people share it (为什么同桌), as it was drawn."""
    event = competitions.competition(slug).event
    head, drawn = queries.standing_table(event.id, stage, number, table)
    found = queries.Explained(event, [(head.id, drawn.number)])
    return table_document(drawn, tokens=may_see_tokens(current_actor(), event.competition_id)) | {
        "reasons": reason_documents(found.table(head, drawn)),
        "figures": found.figures(head, drawn),
    }


@blueprint.get("/competitions/<slug>/commitments")
@public
@blueprint.response(200, CommitmentSchema(many=True))
def list_commitments(slug: str) -> list[dict[str, Any]]:
    """Every commitment to a seed (种子承诺), also withdrawn ones, in the order made."""
    event = competitions.competition(slug).event
    return [commitment_document(each) for each in queries.commitments(event.id)]


@blueprint.post("/competitions/<slug>/commitments/<stage>/<int:number>/contribution")
@staff(*DRAWERS)
@blueprint.arguments(ContributionSchema)
@blueprint.response(200, CommitmentSchema)
def contribute(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Write down what the public adds to the committed seed (公众数据), once, before the draw."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.contribute(ctx, event.id, stage, number, **body)
    return commitment_document(queries.last_commitment(event.id, stage, number))


@blueprint.post("/competitions/<slug>/commitments/<stage>/<int:number>/withdrawal")
@staff(*DRAWERS)
@blueprint.arguments(WithdrawalSchema)
@blueprint.response(200, CommitmentSchema)
def withdraw(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Give a commitment up before the draw (撤销承诺); its seed and the reason become public."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.withdraw_commitment(ctx, event.id, stage, number, **body)
    return commitment_document(queries.last_commitment(event.id, stage, number))
