"""What everybody reads: the list, one announcement, its attachments, and what the competition's home page shows of it."""

from __future__ import annotations

from flask import Response, render_template, request
from markupsafe import Markup

from app import clock
from app.announcements import queries
from app.announcements.pages.shared import PUBLIC, blueprint
from app.announcements.rules import WRITERS, AnnouncementState
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.uploads.pages.serving import serve_public
from app.web import current_actor, public
from app.web.i18n import language


@blueprint.get(PUBLIC)
@public
def show(slug: str) -> str:
    """公告: every one that is public, pinned ones first, in pages."""
    competition = competitions.competition(slug)
    return render_template(
        "announcements/list.html",
        competition=competition,
        part=queries.public_part(competition.id, clock.now(), request.args.get("page", 1, type=int)),
        language=language(),
        may_write=current_actor().has(competition.id, *WRITERS),
    )


@blueprint.get(f"{PUBLIC}/<int:announcement_id>")
@public
def one(slug: str, announcement_id: int) -> str:
    """One announcement; of a withdrawn one, that it was withdrawn and why."""
    competition = competitions.competition(slug)
    now = clock.now()
    view = queries.readable(competition.id, announcement_id, now)
    return render_template(
        "announcements/one.html",
        competition=competition,
        view=view,
        shown=view.shown(language()),
        withdrawn=view.state(now) is AnnouncementState.WITHDRAWN,
        language=language(),
        may_write=current_actor().has(competition.id, *WRITERS),
    )


@blueprint.get(f"{PUBLIC}/<int:announcement_id>/files/<int:upload_id>")
@public
def attachment(slug: str, announcement_id: int, upload_id: int) -> Response:
    """An attachment as it was cleaned; before the publication time and after a withdrawal only for who writes."""
    competition_id = competitions.competition_id(slug)
    name, file = queries.attachment(
        competition_id,
        announcement_id,
        upload_id,
        clock.now(),
        writer=current_actor().has(competition_id, *WRITERS),
    )
    return serve_public(file, name=name)


def home_panel(competition: CompetitionView) -> Markup:
    """公告 on the competition's home page; nothing where there is none."""
    found = queries.for_home(competition.id, clock.now())
    if not found:
        return Markup("")
    return Markup(  # noqa: S704 - a template of ours, which escapes what it is given
        render_template(
            "announcements/_home.html", competition=competition, announcements=found, language=language()
        )
    )
