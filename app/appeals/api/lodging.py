"""Appeals (申诉) for programs of who appeals: the clocks, a written appeal, its receipt; and what the public reads."""

from __future__ import annotations

from typing import Any

from flask import Response

from app.appeals import sending, service
from app.appeals.queries import own, rounds
from app.appeals.queries.own import AppealReceipt, PublicAppeal
from app.appeals.queries.rounds import RoundClock
from app.appeals.schemas.lodging import (
    AppealAdditionSchema,
    AppealClockSchema,
    AppealReceiptSchema,
    AppealWithdrawalSchema,
    CardAppealSchema,
    NewAppealSchema,
    PublicAppealSchema,
    WrittenAppealSchema,
)
from app.commands import command
from app.competitions import queries as competitions
from app.floor import queries as floor
from app.web import current_actor, public, signed_in
from app.web.api import ApiBlueprint
from app.web.i18n import language

blueprint = ApiBlueprint("appeals_api", __name__, description="申诉 appeals")

ALL = "/competitions/<slug>/appeals"
MINE = "/competitions/<slug>/my/appeals"
ONE = f"{ALL}/r/<string(maxlength=43):token>"
CARD = "/competitions/<slug>/p/<string(maxlength=43):card>/appeals"


@blueprint.get(f"{ALL}/clocks")
@public
@blueprint.response(200, AppealClockSchema(many=True))
def clocks(slug: str) -> list[dict[str, Any]]:
    """Until when one may appeal about each round, the newest first; 409 where the regulation has no appeals."""
    return [_clock(each) for each in rounds.of_event(competitions.competition(slug).event)]


@blueprint.get(f"{ALL}/outcomes")
@public
@blueprint.response(200, PublicAppealSchema(many=True))
def outcomes(slug: str) -> list[PublicAppeal]:
    """Decided appeals, in summaries without names."""
    return list(own.outcomes(competitions.competition(slug).event.id))


@blueprint.post(MINE)
@signed_in
@blueprint.arguments(NewAppealSchema)
@blueprint.response(201, AppealReceiptSchema)
def hand_in(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Hand in a written appeal for an entry you lead; the same key again is the same appeal."""
    made = sending.hand_in(slug, current_actor(), language=language(), **body)
    return _own(slug, own.token_of(made.appeal_id), pending=made.pending)


@blueprint.get(MINE)
@signed_in
@blueprint.response(200, AppealReceiptSchema(many=True))
def mine(slug: str) -> list[dict[str, Any]]:
    """The appeals of entries you lead, the newest first."""
    user_id = current_actor().require_signed_in()
    competition = competitions.competition(slug)
    return [_receipt(each) for each in own.mine(competition.id, competition.event.id, user_id)]


@blueprint.post(CARD)
@public
@blueprint.arguments(CardAppealSchema)
@blueprint.response(201, AppealReceiptSchema)
def hand_in_by_card(body: dict[str, Any], slug: str, card: str) -> dict[str, Any]:
    """Hand in a written appeal as the player whose card this is."""
    made = sending.hand_in(slug, current_actor(), language=language(), **sending.by_card(body, card))
    return _own(slug, own.token_of(made.appeal_id))


@blueprint.get(CARD)
@public
@blueprint.response(200, AppealReceiptSchema(many=True))
def of_card(slug: str, card: str) -> list[dict[str, Any]]:
    """The appeals of the player whose card this is."""
    competitions.competition_id(slug)
    return [_receipt(each) for each in own.of_entry(floor.player_by_token(card).entry_id)]


@blueprint.get(ONE)
@public
@blueprint.response(200, AppealReceiptSchema)
def receipt(slug: str, token: str) -> dict[str, Any]:
    """One appeal by the token of its receipt; its texts only for who appeals."""
    return _own(slug, token)


@blueprint.post(f"{ONE}/written")
@public
@blueprint.arguments(WrittenAppealSchema)
@blueprint.response(200, AppealReceiptSchema)
def write(body: dict[str, Any], slug: str, token: str) -> dict[str, Any]:
    """Hand in the written appeal to an oral one that was logged."""
    made = sending.hand_in_for(slug, current_actor(), token=token, **body)
    return _own(slug, token, pending=made.pending)


@blueprint.post(f"{ONE}/additions")
@public
@blueprint.arguments(AppealAdditionSchema)
@blueprint.response(200, AppealReceiptSchema)
def add(body: dict[str, Any], slug: str, token: str) -> dict[str, Any]:
    """Add evidence (补充证据) while it is not decided."""
    with command(current_actor()) as ctx:
        service.add(ctx, slug=slug, token=token, **body)
    return _own(slug, token)


@blueprint.post(f"{ONE}/withdrawal")
@public
@blueprint.arguments(AppealWithdrawalSchema)
@blueprint.response(200, AppealReceiptSchema)
def withdraw(body: dict[str, Any], slug: str, token: str) -> dict[str, Any]:
    """Take an appeal back (撤回) until it is decided."""
    with command(current_actor()) as ctx:
        service.withdraw(ctx, slug=slug, token=token, **body)
    return _own(slug, token)


@blueprint.get(f"{ALL}/files/<int:file_id>/<int:page>/<any(preview,thumbnail):what>")
@signed_in
def picture(slug: str, file_id: int, page: int, what: str) -> Response:
    """One page of a file that you may see, with your number across it; the look is on record."""
    return sending.picture(slug, current_actor(), file_id, page, what)


def _own(slug: str, token: str, *, pending: bool = False) -> dict[str, Any]:
    user_id = current_actor().user_id
    return _receipt(own.receipt(competitions.competition_id(slug), token, user_id), pending=pending)


def _receipt(view: AppealReceipt, *, pending: bool = False) -> dict[str, Any]:
    head = view.head
    return {
        "number": head.number,
        "token": view.token,
        "state": head.state,
        "subject": head.subject,
        "stage": head.stage,
        "round": head.round_number,
        "table": head.table,
        "entry_id": head.entry.entry_id,
        "oral_at": head.oral_at,
        "oral_until": head.clocks.oral.at if head.clocks.oral else None,
        "written_at": head.written_at,
        "written_until": head.clocks.written.at if head.clocks.written else None,
        "hearing_at": head.hearing_at,
        "hearing_place": head.hearing_place,
        "fee_received": head.received,
        "fee_held": head.held,
        "decided_at": head.decided_at,
        "decision": view.decision,
        "summary": view.summary,
        "text": view.text,
        "papers": view.papers,
        "steps": view.steps,
        "fees": view.fees,
        "pending": pending,
    }


def _clock(each: RoundClock) -> dict[str, Any]:
    oral, written = each.clocks.oral, each.clocks.written
    return {
        "stage": each.head.stage,
        "round": each.head.number,
        "ended_at": each.ended_at,
        "oral_until": oral.at if oral else None,
        "written_until": written.at if written else None,
        "fee": each.clocks.terms.fen,
        "clause": each.clocks.terms.clause,
    }
