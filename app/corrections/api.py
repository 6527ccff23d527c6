from __future__ import annotations

from typing import Any

from app.commands import command
from app.competitions import queries as competitions
from app.corrections import queries, service
from app.corrections.queries import RequestView
from app.corrections.rules import ASKERS, DECIDERS, NothingChangesError
from app.corrections.schemas import (
    AskForCorrectionSchema,
    CorrectionImpactSchema,
    CorrectionRequestSchema,
    GrantCorrectionSchema,
    ProposedSheetSchema,
    RefuseCorrectionSchema,
)
from app.corrections.service import Proposal
from app.results import queries as results
from app.results.rules import require_may_record
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("corrections_api", __name__, description="更正 corrections of published results")

REQUEST = "/competitions/<slug>/corrections/<int:request_id>"


@blueprint.post("/tables/<token>/corrections")
@staff(*ASKERS)
@blueprint.arguments(AskForCorrectionSchema)
@blueprint.response(201, CorrectionRequestSchema)
def ask(body: dict[str, Any], token: str) -> RequestView:
    """Ask for a correction of a published sheet, within the regulation's window after its publication."""
    sheet = results.sheet(token)
    require_may_record(current_actor(), sheet.event.competition_id)
    sent = body["sent"]
    with command(current_actor()) as ctx:
        request_id = service.ask(
            ctx,
            token,
            text=body["text"],
            key=sent.idempotency_key,
            proposal=body["proposal"],
            client_time=sent.client_time,
        )
    return queries.request(sheet.event.id, request_id)


@blueprint.get("/competitions/<slug>/corrections")
@staff(*ASKERS)
@blueprint.response(200, CorrectionRequestSchema(many=True))
def requests(slug: str) -> list[RequestView]:
    """Every request of the event, the open ones first."""
    return list(queries.requests(competitions.competition(slug).event.id))


@blueprint.post(f"{REQUEST}/impact")
@staff(*DECIDERS)
@blueprint.arguments(ProposedSheetSchema)
@blueprint.response(200, CorrectionImpactSchema)
def impact(body: dict[str, Any], slug: str, request_id: int) -> dict[str, Any]:
    """What a correction would change: ranks, who goes on, prizes, tables of rounds that are drawn. Nothing is stored."""
    view = queries.request(competitions.competition(slug).event.id, request_id)
    found = service.preview(view, _proposal(body))
    return {"impact": found.impact.document, "fingerprint": found.fingerprint}


@blueprint.post(f"{REQUEST}/grant")
@staff(*DECIDERS)
@blueprint.arguments(GrantCorrectionSchema)
@blueprint.response(200, CorrectionRequestSchema)
def grant(body: dict[str, Any], slug: str, request_id: int) -> RequestView:
    """Correct the sheet; it is confirmed and published at once, and the standings follow."""
    event_id = competitions.competition(slug).event.id
    queries.request(event_id, request_id)
    with command(current_actor()) as ctx:
        service.grant(
            ctx,
            request_id,
            proposal=_proposal(body),
            seen=body["seen"],
            reason=body["reason"],
            base_revision=body["sent"].base_revision,
            key=body["sent"].idempotency_key,
        )
    return queries.request(event_id, request_id)


@blueprint.post(f"{REQUEST}/refusal")
@staff(*DECIDERS)
@blueprint.arguments(RefuseCorrectionSchema)
@blueprint.response(200, CorrectionRequestSchema)
def refuse(body: dict[str, Any], slug: str, request_id: int) -> RequestView:
    """Leave the result as it is."""
    event_id = competitions.competition(slug).event.id
    queries.request(event_id, request_id)
    with command(current_actor()) as ctx:
        service.refuse(ctx, request_id, reason=body["reason"])
    return queries.request(event_id, request_id)


@blueprint.post(f"{REQUEST}/withdrawal")
@staff(*ASKERS)
@blueprint.response(200, CorrectionRequestSchema)
def withdraw(slug: str, request_id: int) -> RequestView:
    """Take one's own request back."""
    event_id = competitions.competition(slug).event.id
    queries.request(event_id, request_id)
    with command(current_actor()) as ctx:
        service.withdraw(ctx, request_id)
    return queries.request(event_id, request_id)


def _proposal(body: dict[str, Any]) -> Proposal:
    if body["proposal"] is None:
        raise NothingChangesError
    proposal: Proposal = body["proposal"]
    return proposal
