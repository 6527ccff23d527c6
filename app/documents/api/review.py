"""The reviewers' desk for programs: the queue, claims, decisions, batches, pictures and who looked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response, url_for

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.documents import reviewing
from app.documents.queries import desk as desks
from app.documents.queries import looks
from app.documents.queries import review as queries
from app.documents.queries.review import QueueRow
from app.documents.queries.statistics import Statistics, statistics
from app.documents.rules import DocumentId
from app.documents.rules.review import REVIEWERS, places_of, reasons_for
from app.documents.schemas.review import (
    DocumentBatchSchema,
    DocumentDecisionSchema,
    DocumentDeskSchema,
    DocumentLookSchema,
    DocumentQueueArgsSchema,
    DocumentQueueSchema,
    DocumentStatisticsSchema,
    NextDocumentSchema,
    TakeBackDecisionSchema,
    TakenDocumentSchema,
)
from app.documents.service import review as service
from app.web import current_actor, signed_in, staff
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint("document_review_api", __name__, description="材料审核 review of documents")

QUEUE = "/competitions/<slug>/documents/review"
DOCUMENT = "/competitions/<slug>/documents/<int:document_id>"


@blueprint.get(QUEUE)
@staff(*REVIEWERS)
@blueprint.arguments(DocumentQueueArgsSchema, location="query")
@blueprint.response(200, DocumentQueueSchema)
def queue(args: dict[str, Any], slug: str) -> dict[str, Any]:
    """Documents (材料), the oldest first; without a filter those that wait for review."""
    found = queries.queue(competitions.competition(slug), args["wanted"], clock.now(), args["page"])
    return {
        "documents": [_row(row) for row in found.rows],
        "matching": found.matching,
        "page": found.page,
        "pages": found.pages,
        "states": {state.value: count for state, count in found.states.items()},
        "kinds": dict(found.kinds),
        "claimed": found.claimed,
        "oldest": found.oldest,
    }


@blueprint.post(f"{QUEUE}/next")
@staff(*REVIEWERS)
@blueprint.arguments(NextDocumentSchema)
@blueprint.response(200, TakenDocumentSchema)
def claim_next(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Take the oldest document that nobody has; ``document`` is null where none is left."""
    with command(current_actor()) as ctx:
        found = service.claim_next(ctx, slug=slug, **body)
    return {"document": None if found is None else _desk(slug, found)}


@blueprint.post(f"{QUEUE}/acceptances")
@staff(*REVIEWERS)
@blueprint.arguments(DocumentBatchSchema)
@blueprint.response(204)
def accept_all(body: dict[str, Any], slug: str) -> None:
    """Accept several documents (批量通过), all or none: only what you looked at and what satisfies the regulation."""
    with command(current_actor()) as ctx:
        service.accept_all(ctx, slug=slug, **body)


@blueprint.get(f"{QUEUE}/statistics")
@staff(*REVIEWERS)
@blueprint.response(200, DocumentStatisticsSchema)
def show_statistics(slug: str) -> Statistics:
    """How many documents are missing, wait, or are decided, by kind and by unit."""
    return statistics(competitions.competition(slug), clock.now())


@blueprint.get(f"{DOCUMENT}/review")
@staff(*REVIEWERS)
@blueprint.response(200, DocumentDeskSchema)
def desk(slug: str, document_id: int) -> dict[str, Any]:
    """One document: what was typed, what the regulation says, the addresses of its pictures, earlier decisions."""
    return _desk(slug, document_id)


@blueprint.put(f"{DOCUMENT}/claim")
@staff(*REVIEWERS)
@blueprint.response(200, DocumentDeskSchema)
def claim(slug: str, document_id: int) -> dict[str, Any]:
    """Take a document for review, or renew the claim; 409 while another reviewer has it."""
    with command(current_actor()) as ctx:
        service.claim(ctx, slug=slug, document_id=DocumentId(document_id))
    return _desk(slug, document_id)


@blueprint.delete(f"{DOCUMENT}/claim")
@staff(*REVIEWERS)
@blueprint.response(204)
def release(slug: str, document_id: int) -> None:
    """Give a document back."""
    with command(current_actor()) as ctx:
        service.release(ctx, slug=slug, document_id=DocumentId(document_id))


@blueprint.post(f"{DOCUMENT}/decisions")
@staff(*REVIEWERS)
@blueprint.arguments(DocumentDecisionSchema)
@blueprint.response(201, DocumentDeskSchema)
def decide(body: dict[str, Any], slug: str, document_id: int) -> dict[str, Any]:
    """Accept, send back (with a reason by place) or reject the revision that was looked at; needs the claim."""
    address = reviewing.leader_address(slug, document_id)
    with command(current_actor()) as ctx:
        service.decide(ctx, slug=slug, document_id=DocumentId(document_id), address=address, **body)
    return _desk(slug, document_id)


@blueprint.post(f"{DOCUMENT}/take-back")
@staff(*REVIEWERS)
@blueprint.arguments(TakeBackDecisionSchema)
@blueprint.response(200, DocumentDeskSchema)
def take_back(body: dict[str, Any], slug: str, document_id: int) -> dict[str, Any]:
    """Take the decision back, with a reason, until the list is published."""
    address = reviewing.leader_address(slug, document_id)
    with command(current_actor()) as ctx:
        service.take_back(
            ctx,
            slug=slug,
            document_id=DocumentId(document_id),
            address=address,
            listed=reviewing.is_listed,
            **body,
        )
    return _desk(slug, document_id)


@blueprint.get(f"{DOCUMENT}/access-log")
@signed_in
@blueprint.response(200, DocumentLookSchema(many=True))
def access_log(slug: str, document_id: int) -> list[looks.Look]:
    """Who looked at the document or decided on it, the newest first; for its leader and the reviewers."""
    competition = competitions.competition(slug)
    looks.require_reader(current_actor(), competition, document_id)
    return list(looks.access_log(document_id, named=current_actor().has(competition.id, *REVIEWERS)))


@blueprint.get(
    f"{DOCUMENT}/files/<int:revision>/<int:position>/<int:page>/<any(preview,thumbnail,content):what>"
)
@signed_in
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="image/jpeg")
def picture(slug: str, document_id: int, **place: Any) -> Response:
    """One page of a document with your number across it, or the whole file (page 0); every look is recorded.

    For the reviewers and the unit's leader; a PDF comes as it is.
    """
    return reviewing.picture(slug, document_id, **place)


def _row(row: QueueRow) -> dict[str, Any]:
    user_id = current_actor().user_id
    return {name: getattr(row, name) for name in ROW} | {
        "state": row.state.value,
        "claimed_until": row.claim.until if row.claim else None,
        "mine": row.claim is not None and row.claim.by == user_id,
        "own_unit": row.leader_user_id == user_id,
    }


ROW = (
    "id",
    "kind",
    "kind_name",
    "name",
    "of_unit",
    "unit_id",
    "unit_name",
    "revision",
    "pages",
    "handed_in_at",
    "valid_to",
    "expiring",
    "verdicts",
    "claimed_by",
)


def _desk(slug: str, document_id: int) -> dict[str, Any]:
    found = desks.desk(competitions.competition(slug), document_id, clock.now())
    return {
        "document": _row(found.row),
        "revision": found.revision,
        "member_id": found.member_id,
        "employment": found.employment,
        "values": dict(found.values),
        "reading": found.reading,
        "reasons": {place: list(reasons_for(place, found.fields)) for place in places_of(found.fields)},
        "pictures": [_picture(slug, document_id, each) for each in found.pictures],
        "decisions": found.decisions,
    }


def _picture(slug: str, document_id: int, picture: desks.Picture) -> dict[str, Any]:
    def address(what: str) -> str:
        return url_for(
            "document_review_api.picture",
            slug=slug,
            document_id=document_id,
            revision=picture.revision,
            position=picture.position,
            page=0 if what == "content" else picture.page,
            what=what,
        )

    addresses = {f"{what}_url": address(what) for what in ("preview", "thumbnail", "content")}
    return asdict(picture) | addresses | {"notes": [show(note) for note in picture.notes]}
