from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for

from app import clock
from app.competitions import queries as competitions
from app.control import queries
from app.control.queries import Desk
from app.control.rules import READERS, Blocker
from app.web import staff
from app.web.i18n import language

blueprint = Blueprint("control", __name__)


@blueprint.get("/staff/c/<slug>/control")
@staff(*READERS)
def desk(slug: str) -> str:
    """裁判长台: the newest round at a glance; its middle part is asked for again every few seconds."""
    return render_template("control/desk.html", competition=competitions.competition(slug), part=_part(slug))


@blueprint.get("/staff/c/<slug>/control/part")
@staff(*READERS)
def part(slug: str) -> Response:
    """The part of the desk that changes; not sent again while nothing on it does."""
    answer = Response(_part(slug))
    answer.headers["X-Saishi-Now"] = clock.now().isoformat()
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def _part(slug: str) -> str:
    now = clock.now()
    found = queries.desk(slug, now)
    return render_template(
        "control/_part.html",
        competition=competitions.competition(slug),
        desk=found,
        state=found.run.state(now) if found.run else None,
        slow={each.id for each in found.calls if now - each.called_at >= queries.SLOW},
        blocker_url=_address(slug, found),
        language=language(),
        now=now,
    )


def _address(slug: str, found: Desk) -> str | None:
    """Where what holds the round up is done."""
    held: Blocker | None = found.blocker
    if held is None:
        return None
    if held.token is None:
        return url_for(held.endpoint, slug=slug)
    return url_for(held.endpoint, slug=slug, token=held.token)
