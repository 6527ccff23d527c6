from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.schemas import VoidRoundSchema, void_document
from app.draws.schemas.repairs import UndrawSchema
from app.results import queries, service
from app.results.queries import EnteredTable, Loss, SheetView
from app.results.rules import CORRECTORS, RECORDERS, require_may_record
from app.results.schemas import (
    EnteredSchema,
    History,
    LossSchema,
    NewRevisionSchema,
    ReopenSchema,
    SheetHistorySchema,
    SheetSchema,
)
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("results_api", __name__, description="成绩 score sheets of the tables")


@blueprint.get("/tables/<token>")
@staff(*RECORDERS)
@blueprint.response(200, SheetSchema)
def show(token: str) -> SheetView:
    """A table's score sheet as it stands."""
    return _own_sheet(token)


@blueprint.get("/tables/<token>/revisions")
@staff(*RECORDERS)
@blueprint.response(200, SheetHistorySchema)
def revisions(token: str) -> History:
    """Every revision of the sheet, the oldest first; none is ever changed."""
    _own_sheet(token)
    return {"revisions": queries.revisions(token)}


@blueprint.post("/tables/<token>/revisions")
@staff(*RECORDERS)
@blueprint.arguments(NewRevisionSchema)
@blueprint.response(201, SheetSchema)
def revise(body: dict[str, Any], token: str) -> SheetView:
    """Record all deals of the table at once; with ``handed_in`` the sheet is entered and confirmed.

    409 with both versions when the sheet changed since ``base_revision``. The same ``idempotency_key`` with the same
    content is stored once.
    """
    with command(current_actor()) as ctx:
        service.record_sheet(ctx, token, **body)
    return queries.sheet(token)


@blueprint.post("/tables/<token>/reopening")
@staff(*CORRECTORS)
@blueprint.arguments(ReopenSchema)
@blueprint.response(201, SheetSchema)
def reopen(body: dict[str, Any], token: str) -> SheetView:
    """Give a confirmed sheet back for correction (更正), within the correction window."""
    with command(current_actor()) as ctx:
        service.reopen(ctx, token, **body)
    return queries.sheet(token)


@blueprint.post("/tables/<token>/restoration")
@staff(*CORRECTORS)
@blueprint.arguments(ReopenSchema)
@blueprint.response(201, SheetSchema)
def restore(body: dict[str, Any], token: str) -> SheetView:
    """Put the confirmed scores of a re-opened sheet back in force (恢复已确认的成绩)."""
    with command(current_actor()) as ctx:
        service.restore(ctx, token, **body)
    return queries.sheet(token)


UNDRAWING = "/competitions/<slug>/draws/<stage>/<int:number>/undrawing"


@blueprint.get(UNDRAWING)
@staff(*CORRECTORS)
@blueprint.response(200, LossSchema)
def loss(slug: str, stage: str, number: int) -> Loss:
    """What taking the round back (作废) would lose: tables, deals, and the later rounds that hang on it."""
    return queries.loss(competitions.competition(slug).event.id, stage, number)


@blueprint.post(UNDRAWING)
@staff(*CORRECTORS)
@blueprint.arguments(UndrawSchema)
@blueprint.response(201, VoidRoundSchema)
def undraw(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Take a round's draw back; once scores were entered, the chief referee, with the number of deals.

    409 when the round was drawn again since. The same ``idempotency_key`` does it once.
    """
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        round_id = service.undraw(ctx, event.id, stage, number, **body)
    return void_document(draws.void_round(event.id, round_id))


@blueprint.get("/competitions/<slug>/void-rounds/<int:round_id>/sheets")
@staff(*RECORDERS)
@blueprint.response(200, EnteredSchema(many=True))
def void_sheets(slug: str, round_id: int) -> list[EnteredTable]:
    """What had been entered in a round that was taken back; it counts for nothing."""
    event = competitions.competition(slug).event
    return list(queries.entered(draws.void_round(event.id, round_id)))


def _own_sheet(token: str) -> SheetView:
    view = queries.sheet(token)
    require_may_record(current_actor(), view.event.competition_id)
    return view
