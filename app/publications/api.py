from __future__ import annotations

from typing import Any

from flask import url_for

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.publications import queries, service
from app.publications.queries import PublicationView
from app.publications.schemas import PublicationListSchema, PublicationSchema
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("publications_api", __name__, description="公示 published lists and their windows")


@blueprint.post("/competitions/<slug>/publications")
@staff(Role.COMMITTEE)
@blueprint.response(201, PublicationListSchema)
def publish(slug: str) -> dict[str, Any]:
    """Publish the list of approved entrants (公示)."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        number = service.publish(ctx, event.id)
    return _whole(slug, queries.publication(event.id, number))


@blueprint.get("/competitions/<slug>/publications")
@public
@blueprint.response(200, PublicationSchema(many=True))
def list_publications(slug: str) -> list[dict[str, Any]]:
    """Every published list, the newest first."""
    event = competitions.competition(slug).event
    return [_summary(slug, each) for each in queries.publications(event.id)]


@blueprint.get("/competitions/<slug>/publications/<int:number>")
@public
@blueprint.response(200, PublicationListSchema)
def show(slug: str, number: int) -> dict[str, Any]:
    """One published list with its lines."""
    event = competitions.competition(slug).event
    return _whole(slug, queries.publication(event.id, number))


def _summary(slug: str, view: PublicationView) -> dict[str, Any]:
    return {
        "number": view.number,
        "event": view.event_name,
        "count": len(view.entries),
        "sha256": view.sha256,
        "document_url": url_for("publications.document", slug=slug, number=view.number),
        "published_at": view.published_at,
        "counted_from": view.counted_from.value,
        "first_day": view.first_day,
        "last_day": view.last_day,
        "ends_at": view.ends_at,
        "days": view.days,
        "status": view.status(clock.now()),
    }


def _whole(slug: str, view: PublicationView) -> dict[str, Any]:
    entries = [
        {"number": each.number, "entrant": f"e{each.entry_id}", "name": each.name, "unit": each.unit}
        for each in view.entries
    ]
    return _summary(slug, view) | {"entries": entries}
