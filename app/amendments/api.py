"""Versions and drafts of an event's regulation as JSON."""

from __future__ import annotations

from typing import Any

from flask import url_for

from app import clock
from app.amendments import queries, service
from app.amendments.rules import NoDraftError
from app.amendments.rules.impact import public_impact
from app.amendments.schemas import (
    DraftSchema,
    EditionSchema,
    ProspectSchema,
    PublishSchema,
    SaveDraftSchema,
    StartDraftSchema,
    WholeEditionSchema,
)
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.regulations import library
from app.regulations import queries as regulations
from app.regulations import service as regulations_service
from app.regulations.queries import DraftView, EditionView
from app.regulations.rules.drafts import DRAFTERS
from app.regulations.rules.errors import MOST_TOLD
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint(
    "amendments_api", __name__, description="规程版本 versions and drafts of a regulation"
)


@blueprint.get("/competitions/<slug>/regulation/versions")
@public
@blueprint.response(200, EditionSchema(many=True))
def list_versions(slug: str) -> list[dict[str, Any]]:
    """Every version of the regulation with its notice (公告), the first one first."""
    event = competitions.competition(slug).event
    return [_notice(slug, event, each) for each in regulations.editions(event.id)]


@blueprint.get("/competitions/<slug>/regulation/versions/<int:number>")
@public
@blueprint.response(200, WholeEditionSchema)
def show_version(slug: str, number: int) -> dict[str, Any]:
    """One version: its notice, its whole document, and what it says otherwise than the one before."""
    event = competitions.competition(slug).event
    edition = regulations.edition(event.id, number)
    return _notice(slug, event, edition) | {
        "document": edition.regulation.document,
        "differences": list(queries.differences(edition)),
    }


@blueprint.post("/competitions/<slug>/regulation/draft")
@staff(*DRAFTERS)
@blueprint.arguments(StartDraftSchema)
@blueprint.response(201, DraftSchema)
def start_draft(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Begin the draft of the next version, or go on with the open one (起草)."""
    event = competitions.competition(slug).event
    begin = library.load(body["regulation"]) if body["regulation"] else None
    with command(current_actor()) as ctx:
        draft_id = regulations_service.start_draft(ctx, event_id=event.id, regulation=begin)
    return _draft(regulations.draft(draft_id))


@blueprint.get("/competitions/<slug>/regulation/draft")
@staff(*DRAFTERS)
@blueprint.response(200, DraftSchema)
def show_draft(slug: str) -> dict[str, Any]:
    """The open draft, with everything that stands in the way of publishing it."""
    return _draft(_open_draft(slug))


@blueprint.put("/competitions/<slug>/regulation/draft")
@staff(*DRAFTERS)
@blueprint.arguments(SaveDraftSchema)
@blueprint.response(200, DraftSchema)
def save_draft(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Save the draft. Where somebody saved since ``base_revision`` the answer is 409 with both documents."""
    draft = _open_draft(slug)
    with command(current_actor()) as ctx:
        regulations_service.save_draft(ctx, draft.id, body["document"], body["base_revision"])
    return _draft(regulations.draft(draft.id))


@blueprint.delete("/competitions/<slug>/regulation/draft")
@staff(*DRAFTERS)
@blueprint.response(204)
def discard_draft(slug: str) -> None:
    """Give the draft up (放弃); it stays on record."""
    draft = _open_draft(slug)
    with command(current_actor()) as ctx:
        regulations_service.discard_draft(ctx, draft.id)


@blueprint.get("/competitions/<slug>/regulation/draft/impact")
@staff(*DRAFTERS)
@blueprint.response(200, ProspectSchema)
def show_impact(slug: str) -> dict[str, Any]:
    """What publishing the draft now would do: parts, ruling or not, everything it affects, clause by clause."""
    draft = _open_draft(slug)
    prospect = queries.prospect(competitions.competition(slug).event, draft, clock.now())
    return {
        "revision": draft.revision,
        "changed": list(prospect.parts),
        "ruling": prospect.ruling,
        "impact": prospect.impact,
        "differences": list(prospect.differences),
    }


@blueprint.post("/competitions/<slug>/regulation/draft/publish")
@staff(*DRAFTERS)
@blueprint.arguments(PublishSchema)
@blueprint.response(201, EditionSchema)
def publish(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Publish the draft as the next version (公布新版规程)."""
    draft = _open_draft(slug)
    with command(current_actor()) as ctx:
        service.publish(ctx, draft.id, **body)
    event = competitions.competition(slug).event
    return _notice(slug, event, regulations.editions(event.id)[-1])


def _open_draft(slug: str) -> DraftView:
    draft = regulations.open_draft(competitions.competition(slug).event.id)
    if draft is None:
        raise NoDraftError
    return draft


def _draft(draft: DraftView) -> dict[str, Any]:
    found = queries.problems(draft)
    return {
        "id": draft.id,
        "revision": draft.revision,
        "base_sha256": draft.base_sha256,
        "started_at": draft.started_at,
        "saved_at": draft.saved_at,
        "document": draft.document,
        "problems": found[:MOST_TOLD],
        "problem_count": len(found),
    }


def _notice(slug: str, event: EventView, edition: EditionView) -> dict[str, Any]:
    return {
        "number": edition.number,
        "sha256": edition.sha256,
        "document_url": url_for("amendments.document", slug=slug, number=edition.number),
        "page_url": url_for("amendments.version", slug=slug, number=edition.number),
        "pdf_url": url_for("amendments.printed", slug=slug, number=edition.number),
        "reason": edition.reason,
        "ruling": edition.ruling,
        "published_at": edition.published_at,
        "published_as": edition.published_as.value if edition.published_as else None,
        "in_force_from": edition.in_force_from,
        "in_force": edition.number == queries.in_force(event.id, clock.now()).number,
        "impact": public_impact(edition.impact) if edition.impact else None,
    }
