from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.schemas import VoidRoundSchema, void_document
from app.draws.schemas.repairs import UndrawSchema
from app.floor import queries as floor
from app.results import queries, service
from app.results.queries import EnteredTable, Loss, SheetView
from app.results.rules import CORRECTORS, RECORDERS, SheetState, require_may_record
from app.results.rules.confirming import DECIDERS
from app.results.schemas import (
    EnteredSchema,
    History,
    LossSchema,
    NewRevisionSchema,
    ReopenSchema,
    SheetHistorySchema,
    SheetSchema,
)
from app.results.schemas.confirming import (
    AbsentSchema,
    BlindEntrySchema,
    DisputeDecisionSchema,
    DisputeSchema,
    OwnSheetSchema,
    PublishedTablesSchema,
    SideWordSchema,
    SpokenSchema,
    TakeoverSchema,
)
from app.results.service import Spoken
from app.web import current_actor, public, staff
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
    """Every revision of the sheet, the oldest first; none is ever changed. Whoever could be the second referee sees none."""
    view = _own_sheet(token)
    hidden = view.awaits_second and view.content.empty
    return {"revisions": () if hidden else queries.revisions(token)}


@blueprint.post("/tables/<token>/revisions")
@staff(*RECORDERS)
@blueprint.arguments(NewRevisionSchema)
@blueprint.response(201, SheetSchema)
def revise(body: dict[str, Any], token: str) -> SheetView:
    """Record all deals of the table at once; with ``handed_in`` the sheet is entered, and by the default terms confirmed.

    409 with both versions when the sheet changed since ``base_revision``. The same ``idempotency_key`` with the same
    content is stored once.
    """
    with command(current_actor()) as ctx:
        saved = service.record_sheet(ctx, token, **body)
        # read before the command ends: what it has locked need not be read again, and the answer is of this very change
        return _seen(queries.sheet_at(saved.table))


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


@blueprint.post("/tables/<token>/confirmations")
@public
@blueprint.arguments(SideWordSchema)
@blueprint.response(201, SpokenSchema)
def confirm(body: dict[str, Any], token: str) -> Spoken:
    """A side says that the handed-in sheet is right (确认): with its card, with its PIN, or signed on a referee's device.

    409 when the sheet was changed since ``revision``. The last side's word confirms the sheet.
    """
    with command(current_actor()) as ctx:
        spoken = service.confirm(ctx, token, **body)
    return spoken.require()


@blueprint.post("/tables/<token>/disputes")
@public
@blueprint.arguments(DisputeSchema)
@blueprint.response(201, SpokenSchema)
def dispute(body: dict[str, Any], token: str) -> Spoken:
    """A side says that the handed-in sheet is wrong (争议): it is not published, and the chief referee is called.

    A referee may log it for an entrant with nothing to show.
    """
    with command(current_actor()) as ctx:
        spoken = service.dispute(ctx, token, **body)
    return spoken.require()


@blueprint.post("/tables/<token>/confirmations-by-ruling")
@staff(*DECIDERS)
@blueprint.arguments(AbsentSchema)
@blueprint.response(201, SpokenSchema)
def confirm_for(body: dict[str, Any], token: str) -> Spoken:
    """The chief referee confirms for a side that is away; without an entrant the whole sheet, which he did not write."""
    with command(current_actor()) as ctx:
        return service.confirm_for(ctx, token, **body)


@blueprint.post("/tables/<token>/dispute-decisions")
@staff(*DECIDERS)
@blueprint.arguments(DisputeDecisionSchema)
@blueprint.response(201, SpokenSchema)
def decide_dispute(body: dict[str, Any], token: str) -> Spoken:
    """The chief referee decides a dispute: the sheet stands and is confirmed, or goes back to the table."""
    with command(current_actor()) as ctx:
        return service.decide_dispute(ctx, token, **body)


@blueprint.post("/tables/<token>/blind-entries")
@staff(*RECORDERS)
@blueprint.arguments(BlindEntrySchema)
@blueprint.response(201, SpokenSchema)
def enter_blind(body: dict[str, Any], token: str) -> Spoken:
    """A second referee enters the handed-in sheet without seeing it (盲录复核): equal, it is confirmed; else it is disputed."""
    with command(current_actor()) as ctx:
        return service.enter_blind(ctx, token, **body)


@blueprint.post("/tables/<token>/takeovers")
@staff(*RECORDERS)
@blueprint.arguments(TakeoverSchema)
@blueprint.response(201, SheetSchema)
def take_over(body: dict[str, Any], token: str) -> SheetView:
    """Write on from another device (接管), with a reason; what the other one has not sent becomes a conflict when it comes."""
    with command(current_actor()) as ctx:
        service.take_over(ctx, token, **body)
    return queries.sheet(token)


@blueprint.get("/cards/<card>/sheets")
@public
@blueprint.response(200, OwnSheetSchema(many=True))
def own_sheets(card: str) -> list[SheetView]:
    """The sheets of the tables where the holder of a card (选手卡) sits, in the order drawn, once they are handed in."""
    player = floor.player_by_token(card)
    return [
        view
        for view in queries.sheets_of(player.entry_id, player.event_id)
        if view.state is not SheetState.OPEN
    ]


@blueprint.post("/competitions/<slug>/draws/<stage>/<int:number>/publication")
@staff(*CORRECTORS)
@blueprint.response(201, PublishedTablesSchema)
def publish_round(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Publish what is confirmed of a round (公布); one that is held back as a whole. Again: nothing more.

    409 names the tables that block it.
    """
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        tables = service.publish_round(ctx, event.id, stage, number)
    return {"tables": list(tables)}


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
    return _seen(view)


def _seen(view: SheetView) -> SheetView:
    return queries.blinded(view, current_actor().user_id)
