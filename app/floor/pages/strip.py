"""赛场广播 on every page: a place that the page's script fills and keeps filled; nothing is asked while nobody plays."""

from __future__ import annotations

from typing import Any

from flask import Response, render_template, request, url_for
from markupsafe import Markup, escape

from app import clock
from app.competitions.queries import CompetitionView
from app.competitions.rules import Phase
from app.floor import queries
from app.floor.pages.shared import blueprint
from app.web import public
from app.web.i18n import language


@blueprint.get("/c/<slug>/strip")
@public
def strip(slug: str) -> Response:
    """A part of a page: announcements and the clock that runs; not sent again while nothing on it changes."""
    now = clock.now()
    answer = Response(
        render_template("floor/_strip.html", strip=queries.strip(slug, now), language=language())
    )
    answer.headers["X-Saishi-Now"] = now.isoformat()  # in the page it would make every answer a new one
    answer.headers["X-Robots-Tag"] = "noindex"
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def strip_place(competition: Any) -> Markup:
    """Where the strip goes on a page of this competition (``layout/base.html``); nothing before and after the days of play."""
    if not isinstance(competition, CompetitionView) or competition.phase(clock.now()) is not Phase.PLAYING:
        return Markup()
    address = escape(url_for("floor.strip", slug=competition.slug))
    return Markup('<div class="hall-strip" data-strip="{}" aria-live="polite" hidden></div>').format(address)
