"""Reports by mail (邮件报告) as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import current_app

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import limiter
from app.reports import queries, service
from app.reports.queries.final import final_report
from app.reports.rules import READERS
from app.reports.schemas import ReportsSchema, SentSchema
from app.web import current_actor, staff
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint("reports_api", __name__, description="邮件报告 what was told to whom by mail")


@blueprint.get("/competitions/<slug>/reports")
@staff(*READERS)
@blueprint.response(200, ReportsSchema)
def reports(slug: str) -> dict[str, Any]:
    """Which reports went out when (邮件报告), the newest first; no reader is named."""
    competition = competitions.competition(slug)
    return {
        "reports": [
            asdict(row)
            | {
                "name": show(row.name),
                "about": show(row.about) if row.about else None,
                "kind": row.kind.value,
            }
            for row in queries.rows(competition.id)
        ],
        "over": any(final_report(competition, event) for event in competition.events),
    }


@blueprint.post("/competitions/<slug>/reports")
@staff(*READERS)
@limiter.limit("6/minute")
@blueprint.response(200, SentSchema)
def send(slug: str) -> dict[str, Any]:
    """Write now what would wait for its hour (立即发送); what was told already is not told again."""
    competition_id = competitions.competition_id(slug)
    minutes = current_app.config["SAISHI"].report_minutes
    prepared = service.prepare(competition_id, clock.now(), report_minutes=minutes, at_once=True)
    with command(current_actor()) as ctx:
        letters = service.send_now(
            ctx,
            competition_id,
            prepared=prepared,
            waits=current_app.extensions["saishi_waiting"],
            report_minutes=minutes,
        )
    return {"letters": letters}
