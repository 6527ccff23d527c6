"""Handing in documents, for programs: the checklist, one document, and what the committee asks for."""

from __future__ import annotations

from typing import Any

from flask import current_app

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.queries import RequestView, UnitLists
from app.documents.rules.review import REVIEWERS
from app.documents.schemas.handing_in import (
    DocumentRequestSchema,
    DocumentRequestViewSchema,
    HandInSchema,
    MyDocumentSchema,
    MyDocumentsSchema,
    row_values,
)
from app.registrations.rules import UnitMissingError
from app.web import current_actor, signed_in, staff
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint("documents_api", __name__, description="材料 documents that entrants hand in")

DOCUMENT = "/competitions/<slug>/my/documents/<string(maxlength=16):subject>/<string(maxlength=40):kind>"
REQUESTS = "/competitions/<slug>/documents/requests"


@blueprint.get("/competitions/<slug>/my/documents")
@signed_in
@blueprint.response(200, MyDocumentsSchema)
def mine(slug: str) -> UnitLists:
    """The checklists of the signed-in leader's unit and of each member."""
    lists = queries.my_lists(
        competitions.competition(slug),
        current_actor().require_signed_in(),
        clock.now(),
        warn_days=current_app.config["SAISHI"].warn_days,
    )
    if lists is None:
        raise UnitMissingError
    return lists


@blueprint.get(DOCUMENT)
@signed_in
@blueprint.response(200, MyDocumentSchema)
def mine_one(slug: str, subject: str, kind: str) -> dict[str, Any]:
    """One document of a member or of the unit, and why it is asked, who sees it, when it is deleted."""
    return _document(slug, subject, kind)


@blueprint.post(DOCUMENT)
@signed_in
@blueprint.arguments(HandInSchema)
@blueprint.response(201, MyDocumentSchema)
def hand_in(body: dict[str, Any], slug: str, subject: str, kind: str) -> dict[str, Any]:
    """Hand in a document as a new revision, or correct what was flagged; the same key again changes nothing."""
    with command(current_actor()) as ctx:
        service.hand_in(ctx, slug=slug, subject=subject, kind=kind, tokens=body.pop("uploads"), **body)
    return _document(slug, subject, kind)


@blueprint.delete(DOCUMENT)
@signed_in
@blueprint.response(204)
def withdraw(slug: str, subject: str, kind: str) -> None:
    """Take back a document that nobody has decided yet; its files are deleted."""
    with command(current_actor()) as ctx:
        service.withdraw(ctx, slug=slug, subject=subject, kind=kind)


@blueprint.get(REQUESTS)
@staff(*REVIEWERS)
@blueprint.response(200, DocumentRequestViewSchema(many=True))
def requests(slug: str) -> list[RequestView]:
    """What the committee asked for beside the days of the text."""
    return list(queries.requests(competitions.competition_id(slug)))


@blueprint.post(REQUESTS)
@staff(*REVIEWERS)
@blueprint.arguments(DocumentRequestSchema)
@blueprint.response(201, DocumentRequestViewSchema(many=True))
def ask(body: dict[str, Any], slug: str) -> list[RequestView]:
    """Ask for a document until the end of a day; asked again, the new day counts."""
    with command(current_actor()) as ctx:
        service.ask(ctx, slug=slug, **body)
    return list(queries.requests(competitions.competition_id(slug)))


def _document(slug: str, subject: str, kind: str) -> dict[str, Any]:
    settings = current_app.config["SAISHI"]
    found = queries.my_document(
        competitions.competition(slug),
        current_actor().require_signed_in(),
        subject,
        kind,
        clock.now(),
        purge_days=settings.purge_days,
        warn_days=settings.warn_days,
    )
    return {
        "subject": found.whose.subject,
        "name": found.whose.name,
        "row": found.row,
        "values": row_values(found.row),
        "revision": found.document.newest.number if found.document else 0,
        "document_id": found.document.id if found.document else None,
        "purpose": " ".join(show(each) for each in found.told),
        "deleted_on": found.deleted_on,
    }
