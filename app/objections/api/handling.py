"""Objections for programs of the committee: the queue, one case, and every act on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.objections import service
from app.objections.queries import board, cases
from app.objections.queries.board import QueueRow
from app.objections.queries.cases import CaseView
from app.objections.schemas.handling import (
    AssignmentSchema,
    CaseActSchema,
    CaseSchema,
    HearingRequestSchema,
    IdentificationSchema,
    ObjectionDecisionSchema,
    QueuedCaseSchema,
    RecusalSchema,
    RefusalSchema,
    SendingBackSchema,
)
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint(
    "objection_cases_api", __name__, description="异议办理 objections in the committee's hands"
)

QUEUE = "/competitions/<slug>/objections"
CASE = f"{QUEUE}/<string(maxlength=20):number>"


@blueprint.get(QUEUE)
@staff(Role.COMMITTEE)
@blueprint.response(200, QueuedCaseSchema(many=True))
def queue(slug: str) -> list[QueueRow]:
    """Every case, the open ones first."""
    return list(board.queue(competitions.competition_id(slug), current_actor().user_id))


@blueprint.get(CASE)
@staff(Role.COMMITTEE)
@blueprint.response(200, CaseSchema)
def show(slug: str, number: str) -> CaseView:
    """One case with all its papers; the reading is on record."""
    return _case(slug, number)


@blueprint.post(f"{CASE}/accept")
@staff(Role.COMMITTEE)
@blueprint.arguments(CaseActSchema)
@blueprint.response(200, CaseSchema)
def accept(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Take it up (受理)."""
    return _act(service.accept, slug, number, body)


@blueprint.post(f"{CASE}/refuse")
@staff(Role.COMMITTEE)
@blueprint.arguments(RefusalSchema)
@blueprint.response(200, CaseSchema)
def refuse(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Refuse it (不予受理), with what it lacks and a reason."""
    return _act(service.refuse, slug, number, body)


@blueprint.post(f"{CASE}/send-back")
@staff(Role.COMMITTEE)
@blueprint.arguments(SendingBackSchema)
@blueprint.response(200, CaseSchema)
def send_back(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Ask the reporter to complete it (要求补齐) while the window runs."""
    return _act(service.ask_to_complete, slug, number, body)


@blueprint.post(f"{CASE}/assign")
@staff(Role.COMMITTEE)
@blueprint.arguments(AssignmentSchema)
@blueprint.response(200, CaseSchema)
def assign(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Give it to a member of the committee (指定承办人)."""
    return _act(service.assign, slug, number, body)


@blueprint.post(f"{CASE}/identify")
@staff(Role.COMMITTEE)
@blueprint.arguments(IdentificationSchema)
@blueprint.response(200, CaseSchema)
def identify(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Say which unit wrote a letter (核实提出单位)."""
    return _act(service.identify, slug, number, body)


@blueprint.post(f"{CASE}/recuse")
@staff(Role.COMMITTEE)
@blueprint.arguments(RecusalSchema)
@blueprint.response(204)
def recuse(body: dict[str, Any], slug: str, number: str) -> None:
    """Leave it to the others (回避); you no longer see it."""
    with command(current_actor()) as ctx:
        service.recuse(ctx, slug=slug, number=number, **body)


@blueprint.post(f"{CASE}/hearings")
@staff(Role.COMMITTEE)
@blueprint.arguments(HearingRequestSchema)
@blueprint.response(200, CaseSchema)
def ask(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Ask a unit objected to for its answer (听取对方意见)."""
    return _act(service.ask, slug, number, body)


@blueprint.post(f"{CASE}/decision")
@staff(Role.COMMITTEE)
@blueprint.arguments(ObjectionDecisionSchema)
@blueprint.response(200, CaseSchema)
def decide(body: dict[str, Any], slug: str, number: str) -> CaseView:
    """Uphold it, with what becomes of each entry, or dismiss it; with reasons."""
    return _act(service.decide, slug, number, body)


def _act(act: Callable[..., Any], slug: str, number: str, body: dict[str, Any]) -> CaseView:
    with command(current_actor()) as ctx:
        act(ctx, slug=slug, number=number, **body)
    return _case(slug, number)


def _case(slug: str, number: str) -> CaseView:
    with command(current_actor()) as ctx:
        objection_id = service.read(ctx, slug=slug, number=number)
    return cases.case(objection_id)
