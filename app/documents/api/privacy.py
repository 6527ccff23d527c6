"""What is kept of people, for programs: the day of the purge, holds and signed reports."""

from __future__ import annotations

import json
from typing import Any

from flask import Response, current_app

from app import clock
from app.accounts.rules import masked_phone
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.documents.handing_out import address_of_answer, copy, copy_unit, published
from app.documents.queries import deletions as deletion_queries
from app.documents.queries import privacy as queries
from app.documents.queries import purging
from app.documents.queries.deletions import RequestView
from app.documents.rules import Subject
from app.documents.rules.privacy import NoUnitError
from app.documents.rules.purging import READERS
from app.documents.schemas.privacy import (
    DeletionAnsweredSchema,
    DeletionAnswerSchema,
    DeletionRequestSchema,
    DeletionSchema,
    HeldMemberSchema,
    HeldUnitSchema,
    PurgeHoldSchema,
    PurgeSchema,
    SignedReportSchema,
    UnitDeletionSchema,
)
from app.documents.service import deletions
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.registrations.queries import held
from app.registrations.queries.held import HeldMember
from app.registrations.rules import masked_id_number
from app.web import current_actor, signed_in, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("privacy_api", __name__, description="个人信息 what is kept of people")

OWN = "/competitions/<slug>/my/data"
PURGE = "/competitions/<slug>/purge"


@blueprint.get(f"{OWN}")
@signed_in
@blueprint.response(200, HeldMemberSchema(many=True))
def own_data(slug: str) -> list[dict[str, Any]]:
    """The members for whom you act, and what is held of each; numbers masked."""
    members = held.my_members(competitions.competition(slug), current_actor().require_signed_in())
    return [_held(each) for each in members]


@blueprint.get(f"{OWN}/unit")
@signed_in
@blueprint.response(200, HeldUnitSchema)
def own_unit(slug: str) -> dict[str, Any]:
    """What is held of your unit itself (报名表, 密封件), and who looked at it, the newest first."""
    unit = held.my_unit(competitions.competition(slug), current_actor().require_signed_in())
    if unit is None:
        raise NoUnitError
    return {
        "id": unit.id,
        "name": unit.name,
        "contact_name": unit.contact_name,
        "contact_phone": masked_phone(unit.contact_phone) if unit.contact_phone else None,
        "documents": queries.kept_documents(Subject(unit_id=unit.id)),
        "access_log": queries.access_log_of_unit(unit),
        "deletion_requests": deletion_queries.requests_of(Subject(unit_id=unit.id)),
    }


@blueprint.post(f"{OWN}/unit/copy")
@signed_in
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="application/zip")
def own_unit_copy(slug: str) -> Response:
    """Everything held of your unit itself: data.json and the cleaned files, made on demand; it is recorded."""
    return copy_unit(slug)


@blueprint.post(f"{OWN}/unit/deletions")
@signed_in
@blueprint.arguments(UnitDeletionSchema)
@blueprint.response(200, DeletionAnsweredSchema)
def ask_unit_deletion(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Ask to delete a document of your unit itself (删除请求): done at once, or answered by the committee."""
    with command(current_actor()) as ctx:
        came = deletions.ask_of_unit(ctx, slug=slug, published=published, **body)
    return {"answer": came.value}


@blueprint.get(f"{OWN}/<int:member_id>")
@signed_in
@blueprint.response(200, HeldMemberSchema)
def own_member(slug: str, member_id: int) -> dict[str, Any]:
    """What is held of one member, and who looked at it, when, in which role, the newest first."""
    member = held.my_member(competitions.competition(slug), current_actor().require_signed_in(), member_id)
    return _held(member) | {
        "access_log": queries.access_log(member),
        "deletion_requests": deletion_queries.requests_of(Subject(member_id=member.id)),
    }


@blueprint.post(f"{OWN}/<int:member_id>/copy")
@signed_in
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="application/zip")
def own_copy(slug: str, member_id: int) -> Response:
    """Everything held of a member (个人信息副本): data.json and the cleaned files, made on demand; it is recorded."""
    return copy(slug, member_id)


@blueprint.post(f"{OWN}/<int:member_id>/deletions")
@signed_in
@blueprint.arguments(DeletionSchema)
@blueprint.response(200, DeletionAnsweredSchema)
def ask_deletion(body: dict[str, Any], slug: str, member_id: int) -> dict[str, Any]:
    """Ask to delete a document or everything of a member (删除请求): done at once, or answered by the committee."""
    with command(current_actor()) as ctx:
        came = deletions.ask(ctx, slug=slug, member_id=member_id, published=published, **body)
    return {"answer": came.value}


@blueprint.get("/competitions/<slug>/deletions")
@staff(*READERS)
@blueprint.response(200, DeletionRequestSchema(many=True))
def deletion_requests(slug: str) -> list[RequestView]:
    """Every request to delete, open ones first, the oldest first."""
    return list(deletion_queries.requests(competitions.competition(slug)))


@blueprint.post("/competitions/<slug>/deletions/<int:request_id>/answer")
@staff(*READERS)
@blueprint.arguments(DeletionAnswerSchema)
@blueprint.response(204)
def answer_deletion(body: dict[str, Any], slug: str, request_id: int) -> None:
    """Answer a request: what was asked is deleted, or it is refused with a reason. Who asked gets a message."""
    address = address_of_answer(slug)
    with command(current_actor()) as ctx:
        deletions.answer(ctx, slug=slug, request_id=request_id, address=address, published=published, **body)


@blueprint.get(PURGE)
@staff(*READERS)
@blueprint.response(200, PurgeSchema)
def show_purge(slug: str) -> dict[str, Any]:
    """The day on which documents, ID numbers and phones are deleted, what holds it back, and the reports."""
    return _purge(slug)


@blueprint.put(f"{PURGE}/hold")
@staff(Role.ORGANISER)
@blueprint.arguments(PurgeHoldSchema)
@blueprint.response(200, PurgeSchema)
def hold_purge(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Hold the purge back (暂缓删除) while an objection or appeal is open; held again, the new day counts."""
    with command(current_actor()) as ctx:
        registrations_service.hold(ctx, slug=slug, **body)
    return _purge(slug)


@blueprint.delete(f"{PURGE}/hold")
@staff(Role.ORGANISER)
@blueprint.response(204)
def release_purge(slug: str) -> None:
    """End a hold; the next night deletes what is due."""
    with command(current_actor()) as ctx:
        registrations_service.release_hold(ctx, slug=slug)


@blueprint.get(f"{PURGE}/reports/<int:report_id>")
@staff(*READERS)
@blueprint.response(200, SignedReportSchema)
def purge_report(slug: str, report_id: int) -> dict[str, Any]:
    """A signed report of what was deleted: counts, and the hash and sort of each file."""
    found: dict[str, Any] = json.loads(purging.report(competitions.competition(slug), report_id).file)
    return found


def _purge(slug: str) -> dict[str, Any]:
    competition = competitions.competition(slug)
    purge_days = current_app.config["SAISHI"].purge_days
    return {
        "purge_days": purge_days,
        "purge_day": registrations.purge_day_of(competition, purge_days),
        "hold": registrations.hold_of(competition.id, clock.now()),
        "open_objections": current_app.extensions["saishi_open_objections"](competition.id),
        "reports": [
            {
                "id": each.id,
                "made_at": each.made_at,
                "files": each.report["file_count"],
                "public_key": each.public_key,
            }
            for each in purging.reports(competition)
        ],
    }


def _held(member: HeldMember) -> dict[str, Any]:
    return {
        "id": member.id,
        "name": member.name,
        "id_number": masked_id_number(member.id_number) if member.id_number else None,
        "phone": masked_phone(member.phone) if member.phone else None,
        "documents": queries.kept_documents(Subject(member_id=member.id)),
    }
