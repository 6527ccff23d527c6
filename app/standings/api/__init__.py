from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, jsonify, request

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import RoundView
from app.draws.schemas import (
    CommitmentSchema,
    CommitSchema,
    DrawSchema,
    RoundSchema,
    commitment_document,
    round_document,
)
from app.results import queries as results
from app.standings import queries, service
from app.standings.rules import DRAWERS
from app.standings.schemas import DrawnStageSchema, NextStageSchema, StandingsSchema
from app.web import current_actor, public, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("standings_api", __name__, description="名次 standings, and the public event file")


@blueprint.get("/competitions/<slug>/standings")
@public
@blueprint.doc(responses={"304": {"description": "not changed since the ETag of If-None-Match"}})
@blueprint.alt_response(200, schema=StandingsSchema, success=True)
def standings(slug: str) -> Response:
    """The newest standings (名次); send ``If-None-Match`` to poll cheaply."""
    event_id = competitions.competition(slug).event.id
    tag = queries.state_tag(event_id)
    if tag in request.if_none_match:
        return _tagged(Response(status=304), tag)
    return _tagged(jsonify(_document(event_id)), tag)


@blueprint.get("/competitions/<slug>/event-file")
@public
@blueprint.doc(responses={"304": {"description": "not changed since the ETag of If-None-Match"}})
@blueprint.alt_response(200, schema={"type": "object"}, success=True)
def event_file(slug: str) -> Response:
    """The public event file (``saishi-event``): everything needed to recompute draws, scores and ranks."""
    download = queries.event_file_download(competitions.competition(slug).event.id)
    if download.sha256 in request.if_none_match:
        return _tagged(Response(status=304), download.sha256)
    response = _tagged(Response(download.content, mimetype="application/json"), download.sha256)
    response.headers["Content-Disposition"] = f'inline; filename="{slug}.json"'
    response.headers["X-Content-SHA256"] = download.sha256
    return response


@blueprint.post("/competitions/<slug>/draws")
@staff(*DRAWERS)
@blueprint.arguments(DrawSchema)
@blueprint.response(201, RoundSchema)
def draw(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Draw a stage (抽签): the first from the published list, a later one, or the next round by points, from the standings."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        round_id = service.draw_stage(ctx, event_id, **body)
    return round_document(drawn_round(event_id, round_id), tokens=True)


@blueprint.post("/competitions/<slug>/commitments")
@staff(*DRAWERS)
@blueprint.arguments(CommitSchema)
@blueprint.response(201, CommitmentSchema)
def commit(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Commit to the seed of a stage before it is drawn (种子承诺): its SHA-256 is public from now on, the seed is not."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        service.commit_stage(ctx, event_id, **body)
    return commitment_document(draws.commitments(event_id)[-1])


@blueprint.post("/competitions/<slug>/stages/next")
@staff(*DRAWERS)
@blueprint.arguments(NextStageSchema)
@blueprint.response(201, DrawnStageSchema)
def draw_next_stage(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Draw the next stage, the next round by points, or the play-off that is due; 409 names what it waits for."""
    event_id = competitions.competition(slug).event.id
    with command(current_actor()) as ctx:
        round_id = service.draw_stage(ctx, event_id, seed=body["seed"])
    drawn = drawn_round(event_id, round_id)
    return {"stage": drawn.stage, "round": drawn.number, "tables": len(drawn.tables)}


def drawn_round(event_id: int, round_id: int) -> RoundView:
    """A round that was just drawn."""
    return next(each for each in draws.rounds(event_id) if each.id == round_id)


def _tagged(response: Response, tag: str) -> Response:
    response.set_etag(tag)
    response.headers["Cache-Control"] = "no-cache"
    return response


def _document(event_id: int) -> dict[str, Any]:
    snapshot = queries.latest(event_id)
    progress = results.progress(event_id)
    document: dict[str, Any] = {
        "results_version": snapshot.results_version if snapshot else 0,
        "computed_at": snapshot.computed_at.isoformat() if snapshot else None,
        "input_sha256": snapshot.input_sha256 if snapshot else None,
        "regulation_version": snapshot.regulation_version_id if snapshot else None,
        "regulation_number": snapshot.regulation_number if snapshot else None,
        "provisional": progress.provisional or not (snapshot and snapshot.result["complete"]),
        "tables": progress.tables,
        "confirmed": progress.confirmed,
        "placings": [],
        "stages": [],
        "unplaced": [],
        "expelled": [],
        "teams": [],
        "prizes": [],
        "points": None,
    }
    if snapshot is None:
        return document
    people = queries.people(event_id)

    def named(placings: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [
            {
                **placing,
                "name": people[placing["entrant"]].name,
                "unit": people[placing["entrant"]].unit_name,
            }
            for placing in placings
        ]

    return document | {
        "placings": named(snapshot.result["placings"]),
        "stages": [{**stage, "placings": named(stage["placings"])} for stage in snapshot.result["stages"]],
        "unplaced": snapshot.result["unplaced"],
        "expelled": snapshot.result.get("expelled", []),
        "teams": [
            {**team, "name": people[team["members"][0]].unit_name} for team in snapshot.result["teams"]
        ],
        "prizes": snapshot.result.get("prizes", []),
        "points": snapshot.result.get("points"),
    }
