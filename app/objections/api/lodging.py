"""Objections (异议) for programs of units: object, complete, withdraw, answer; and what the public reads."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.commands import command
from app.competitions import queries as competitions
from app.objections import lodging, service
from app.objections.queries import own
from app.objections.queries.own import HearingPage, ReceiptView
from app.objections.queries.public import PublicOutcome, outcomes
from app.objections.rules import CaseState
from app.objections.schemas.lodging import (
    HearingAnswerSchema,
    HearingSchema,
    NewObjectionSchema,
    ObjectionAdditionSchema,
    ObjectionReceiptSchema,
    ObjectionWithdrawalSchema,
    PublicOutcomeSchema,
)
from app.web import current_actor, public, signed_in
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("objections_api", __name__, description="异议 objections to a published list")

MINE = "/competitions/<slug>/my/objections"
ONE = f"{MINE}/<string(maxlength=43):token>"
HEARINGS = "/competitions/<slug>/my/hearings"


@blueprint.post(MINE)
@signed_in
@blueprint.arguments(NewObjectionSchema)
@blueprint.response(201, ObjectionReceiptSchema)
def lodge(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Object to entries of a list (提出异议); the same key again is the same case."""
    return _own(slug, lodging.send(slug, **body))


@blueprint.get(MINE)
@signed_in
@blueprint.response(200, ObjectionReceiptSchema(many=True))
def mine(slug: str) -> list[dict[str, Any]]:
    """What you lodged, the newest first."""
    user_id = current_actor().require_signed_in()
    return [_receipt(each) for each in own.mine(competitions.competition_id(slug), user_id)]


@blueprint.get(ONE)
@signed_in
@blueprint.response(200, ObjectionReceiptSchema)
def receipt(slug: str, token: str) -> dict[str, Any]:
    """One objection by its token."""
    return _own(slug, token)


@blueprint.post(f"{ONE}/additions")
@signed_in
@blueprint.arguments(ObjectionAdditionSchema)
@blueprint.response(200, ObjectionReceiptSchema)
def complete(body: dict[str, Any], slug: str, token: str) -> dict[str, Any]:
    """Add what is lacking (补齐) while the window runs, or more evidence while it is handled."""
    with command(current_actor()) as ctx:
        service.complete(ctx, slug=slug, token=token, **body)
    return _own(slug, token)


@blueprint.post(f"{ONE}/withdrawal")
@signed_in
@blueprint.arguments(ObjectionWithdrawalSchema)
@blueprint.response(200, ObjectionReceiptSchema)
def withdraw(body: dict[str, Any], slug: str, token: str) -> dict[str, Any]:
    """Take an objection back (撤回) while it is open."""
    with command(current_actor()) as ctx:
        service.withdraw(ctx, slug=slug, token=token, **body)
    return _own(slug, token)


@blueprint.get(HEARINGS)
@signed_in
@blueprint.response(200, HearingSchema(many=True))
def hearings(slug: str) -> list[HearingPage]:
    """What the committee asked your unit, the newest first."""
    user_id = current_actor().require_signed_in()
    return list(own.my_hearings(competitions.competition_id(slug), user_id))


@blueprint.get(f"{HEARINGS}/<int:hearing_id>")
@signed_in
@blueprint.response(200, HearingSchema)
def hearing(slug: str, hearing_id: int) -> HearingPage:
    """One question to your unit."""
    user_id = current_actor().require_signed_in()
    return own.hearing(competitions.competition_id(slug), hearing_id, user_id)


@blueprint.post(f"{HEARINGS}/<int:hearing_id>/answer")
@signed_in
@blueprint.arguments(HearingAnswerSchema)
@blueprint.response(200, HearingSchema)
def answer(body: dict[str, Any], slug: str, hearing_id: int) -> HearingPage:
    """Answer it (答复), once."""
    with command(current_actor()) as ctx:
        service.answer(ctx, slug=slug, hearing_id=hearing_id, **body)
    user_id = current_actor().require_signed_in()
    return own.hearing(competitions.competition_id(slug), hearing_id, user_id)


@blueprint.get("/competitions/<slug>/objections/files/<int:file_id>/<int:page>/<any(preview,thumbnail):what>")
@signed_in
def picture(slug: str, file_id: int, page: int, what: str) -> Response:
    """One page of a file that you may see, with your number across it; the look is on record."""
    return lodging.picture(slug, file_id, page, what)


@blueprint.get("/competitions/<slug>/objections/outcomes")
@public
@blueprint.response(200, PublicOutcomeSchema(many=True))
def public_outcomes(slug: str) -> list[PublicOutcome]:
    """Decided objections, in summaries without names."""
    return list(outcomes(competitions.competition(slug).event.id))


def _own(slug: str, token: str) -> dict[str, Any]:
    user_id = current_actor().user_id
    return _receipt(own.receipt(competitions.competition_id(slug), token, user_id))


def _receipt(view: ReceiptView) -> dict[str, Any]:
    incomplete = view.state is CaseState.INCOMPLETE and view.against is not None
    return {
        **{name: getattr(view, name) for name in ObjectionReceiptSchema().fields if hasattr(view, name)},
        "names": view.names,
        "complete_until": view.against.view.ends_at if incomplete and view.against else None,
    }
