from __future__ import annotations

from typing import Any

from flask import url_for

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.publications import queries, service
from app.publications.queries import PublicationView
from app.publications.rules import play_crossed
from app.publications.schemas import (
    CompetitionNumberSchema,
    ListCorrectionSchema,
    ListFingerprintSchema,
    ListFinishSchema,
    ListPlanSchema,
    ListVerifiedSchema,
    PublicationListSchema,
    PublicationSchema,
)
from app.registrations import queries as registrations
from app.registrations.rules import EntryId
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("publications_api", __name__, description="公示 published lists and their windows")


@blueprint.post("/competitions/<slug>/publications")
@staff(Role.COMMITTEE)
@blueprint.response(201, PublicationListSchema)
def publish(slug: str) -> dict[str, Any]:
    """Publish the first list of approved entrants (公示)."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        number = service.publish(ctx, event.id)
    return _whole(slug, event, number)


@blueprint.post("/competitions/<slug>/publications/supplementary")
@staff(Role.COMMITTEE)
@blueprint.response(201, PublicationListSchema)
def publish_supplementary(slug: str) -> dict[str, Any]:
    """Publish whoever is approved and on no list (补充公示), with a window of its own."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        number = service.publish_supplementary(ctx, event.id)
    return _whole(slug, event, number)


@blueprint.post("/competitions/<slug>/publications/<int:number>/supersede")
@staff(Role.COMMITTEE)
@blueprint.arguments(ListCorrectionSchema)
@blueprint.response(201, PublicationListSchema)
def supersede(body: dict[str, Any], slug: str, number: int) -> dict[str, Any]:
    """Take the place of a list by a corrected one (更正名单), without whoever is left out or no longer approved."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        made = service.supersede(
            ctx,
            event.id,
            number,
            reason=body["reason"],
            left_out=[EntryId(each) for each in body["left_out"]],
        )
    return _whole(slug, event, made)


@blueprint.post("/competitions/<slug>/publications/<int:number>/finish")
@staff(Role.COMMITTEE)
@blueprint.arguments(ListFinishSchema)
@blueprint.response(200, PublicationListSchema)
def finish(body: dict[str, Any], slug: str, number: int) -> dict[str, Any]:
    """Find a list final whose window is over, without waiting for mail that cannot be read or sorted (手工确认)."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        service.finish_by_hand(ctx, event.id, number, reason=body["reason"])
    return _whole(slug, event, number)


@blueprint.get("/competitions/<slug>/publications/plan")
@staff(Role.COMMITTEE)
@blueprint.response(200, ListPlanSchema)
def plan(slug: str) -> dict[str, Any]:
    """Who is approved and on no list, and which lists no longer agree with the entries."""
    planned = queries.plan(competitions.competition(slug).event)
    return {
        "lists": [each.number for each in planned.lists],
        "unlisted": planned.unlisted,
        "added": planned.added,
        "stale": [{"number": each.number, "difference": found} for each, found in planned.stale],
    }


@blueprint.get("/competitions/<slug>/publications")
@public
@blueprint.response(200, PublicationSchema(many=True))
def list_publications(slug: str) -> list[dict[str, Any]]:
    """Every published list, the newest first."""
    event = competitions.competition(slug).event
    return [_summary(slug, event, each) for each in queries.publications(event.id)]


@blueprint.get("/competitions/<slug>/publications/<int:number>")
@public
@blueprint.response(200, PublicationListSchema)
def show(slug: str, number: int) -> dict[str, Any]:
    """One published list with its lines, and of a corrected one what is different."""
    return _whole(slug, competitions.competition(slug).event, number)


@blueprint.get("/competitions/<slug>/publications/<int:number>/verification")
@public
@blueprint.arguments(ListFingerprintSchema, location="query")
@blueprint.response(200, ListVerifiedSchema)
def verify(query: dict[str, Any], slug: str, number: int) -> dict[str, Any]:
    """Whether a fingerprint from a printed list is the one of the list that was published (核对)."""
    verified = queries.verify(competitions.competition(slug).event.id, number, query["sha"])
    return {
        "verdict": verified.verdict.value,
        "number": verified.number,
        "found": verified.found.number if verified.found else None,
        "superseded_by": verified.found.superseded_by if verified.found else None,
    }


@blueprint.get("/competitions/<slug>/competition-numbers")
@public
@blueprint.response(200, CompetitionNumberSchema(many=True))
def competition_numbers(slug: str) -> list[dict[str, Any]]:
    """The numbers that the entries play under (参赛号), in their order; of whoever is approved now."""
    event = competitions.competition(slug).event
    numbers = queries.numbers_of(event.id)
    found = [
        {
            "number": numbers[each.entry_id],
            "entrant": f"e{each.entry_id}",
            "name": each.name,
            "unit": each.unit_name,
        }
        for each in registrations.approved_entries(event.id)
        if each.entry_id in numbers
    ]
    return sorted(found, key=lambda each: each["number"])


def _summary(slug: str, event: EventView, view: PublicationView) -> dict[str, Any]:
    return {
        "number": view.number,
        "kind": view.kind.value,
        "event": view.event_name,
        "count": len(view.entries),
        "sha256": view.sha256,
        "document_url": url_for("publications.document", slug=slug, number=view.number),
        "pdf_url": url_for("publications.paper", slug=slug, number=view.number),
        "published_at": view.published_at,
        "counted_from": view.counted_from.value,
        "first_day": view.first_day,
        "last_day": view.last_day,
        "ends_at": view.ends_at,
        "days": view.days,
        "final_at": view.final_at,
        "supersedes": view.supersedes,
        "superseded_by": view.superseded_by,
        "reason": view.reason,
        "warning": play_crossed(event.regulation, view.ends_at) if view.in_force else None,
        "status": view.status(clock.now()),
    }


def _whole(slug: str, event: EventView, number: int) -> dict[str, Any]:
    view = queries.publication(event.id, number)
    numbers = queries.numbers_of(event.id)
    entries = [
        {
            "number": each.number,
            "entrant": f"e{each.entry_id}",
            "name": each.name,
            "unit": each.unit,
            "competition_number": numbers.get(each.entry_id),
        }
        for each in view.entries
    ]
    return _summary(slug, event, view) | {
        "entries": entries,
        "added": queries.added(event) if view.in_force else (),
        "difference": queries.difference_before(view),
    }
