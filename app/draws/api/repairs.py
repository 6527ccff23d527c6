from __future__ import annotations

from typing import Any

from flask import current_app

from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import history as deeds
from app.draws.queries import repairs as queries
from app.draws.rules import DRAWERS
from app.draws.schemas.repairs import (
    CancelSchema,
    ChangeSchema,
    ConfirmSchema,
    DeedSchema,
    NewChangeSchema,
    PreviewSchema,
    RepairSchema,
    deed_document,
    preview_document,
    repair_document,
)
from app.draws.service import repairs as service
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("draw_repairs_api", __name__, description="人工调整 repairs of drawn rounds")
ROUND = "/competitions/<slug>/draws/<stage>/<int:number>/repair"


@blueprint.get(ROUND)
@staff(*DRAWERS)
@blueprint.response(200, RepairSchema)
def show(slug: str, stage: str, number: int) -> dict[str, Any]:
    """The open repair of a round as its changes have made it so far."""
    return _shown(slug, stage, number)


@blueprint.post(ROUND)
@staff(*DRAWERS)
@blueprint.response(201, RepairSchema)
def open_repair(slug: str, stage: str, number: int) -> dict[str, Any]:
    """Open a manual phase on a round that has not started; the open one, if there is one already."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.open_repair(ctx, event.id, stage, number)
    return _shown(slug, stage, number)


@blueprint.post(f"{ROUND}/preview")
@staff(*DRAWERS)
@blueprint.arguments(ChangeSchema)
@blueprint.response(200, PreviewSchema)
def preview(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """What one more change would make of the round; nothing is stored."""
    event = competitions.competition(slug).event
    view = queries.repair(event.id, stage, number)
    looked_at = queries.preview(view, body["change"])
    return preview_document(looked_at, queries.warnings(view.round, looked_at.placed, _event_file()))


@blueprint.post(f"{ROUND}/changes")
@staff(*DRAWERS)
@blueprint.arguments(NewChangeSchema)
@blueprint.response(201, RepairSchema)
def change(body: dict[str, Any], slug: str, stage: str, number: int) -> dict[str, Any]:
    """Make one change. 409 with both versions when somebody else's came first; the same key and content is stored once."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.change(ctx, event.id, stage, number, **body)
    return _shown(slug, stage, number)


@blueprint.post(f"{ROUND}/confirmation")
@staff(*DRAWERS)
@blueprint.arguments(ConfirmSchema)
@blueprint.response(204)
def confirm(body: dict[str, Any], slug: str, stage: str, number: int) -> None:
    """Close the repair; for a person who made none of its changes. The tables are public from now on."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.confirm(ctx, event.id, stage, number, **body)


@blueprint.post(f"{ROUND}/cancellation")
@staff(*DRAWERS)
@blueprint.arguments(CancelSchema)
@blueprint.response(204)
def cancel(body: dict[str, Any], slug: str, stage: str, number: int) -> None:
    """Give the repair up; the round stays as it was."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.cancel(ctx, event.id, stage, number, **body)


@blueprint.get("/competitions/<slug>/draws/<stage>/<int:number>/history")
@staff(*DRAWERS)
@blueprint.response(200, DeedSchema(many=True))
def history(slug: str, stage: str, number: int) -> list[dict[str, Any]]:
    """Everything done with a round, oldest first, with who and why: also changes by hand that were cancelled."""
    event = competitions.competition(slug).event
    return [deed_document(each) for each in deeds.history(event, stage, number)]


def _shown(slug: str, stage: str, number: int) -> dict[str, Any]:
    event = competitions.competition(slug).event
    view = queries.repair(event.id, stage, number)
    return repair_document(view, queries.warnings(view.round, view.placed, _event_file()))


def _event_file() -> queries.EventFile:
    found: queries.EventFile = current_app.extensions["saishi_event_file"]
    return found
