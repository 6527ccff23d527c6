"""What is kept of people, for programs: the day of the purge, holds and signed reports."""

from __future__ import annotations

import json
from typing import Any

from flask import current_app

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.documents.queries import purging
from app.documents.rules.purging import READERS
from app.documents.schemas.privacy import PurgeHoldSchema, PurgeSchema, SignedReportSchema
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.web import current_actor, staff
from app.web.api import ApiBlueprint

blueprint = ApiBlueprint("privacy_api", __name__, description="个人信息 what is kept of people")

PURGE = "/competitions/<slug>/purge"


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
