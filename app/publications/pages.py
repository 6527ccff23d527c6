from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.errors import RefusedError
from app.publications import queries, service
from app.publications.queries import PublicationView
from app.publications.rules import COUNTED_FROM_NAMES, objection_terms
from app.regulations.rules import Bilingual
from app.web import current_actor, public, staff
from app.web.i18n import show as show_text
from app.web.links import external_url

blueprint = Blueprint("publications", __name__)


@blueprint.get("/c/<slug>/publications")
@public
def show(slug: str) -> str:
    """公示: the newest list, and links to earlier ones."""
    found = queries.publications(competitions.competition(slug).event.id)
    return _list_page(slug, found[0] if found else None, found[1:])


@blueprint.get("/c/<slug>/publications/<int:number>")
@public
def listing(slug: str, number: int) -> str:
    """One list by its number, the address a printed list names."""
    return _list_page(slug, queries.publication(competitions.competition(slug).event.id, number), ())


@blueprint.get("/c/<slug>/publications/<int:number>.json")
@public
def document(slug: str, number: int) -> Response:
    """The canonical text of a list: the SHA-256 of this very file is the one shown."""
    publication = queries.publication(competitions.competition(slug).event.id, number)
    answer = Response(publication.canonical.encode(), mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}-publication-{number}.json"'
    return answer


@blueprint.get("/staff/c/<slug>/publication")
@staff(Role.COMMITTEE)
def staff_publication(slug: str) -> str:
    """Publish the list, or see how long it still runs."""
    return _staff_page(slug, None)


@blueprint.post("/staff/c/<slug>/publication")
@staff(Role.COMMITTEE)
def publish(slug: str) -> Answer | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        with command(current_actor()) as ctx:
            service.publish(ctx, event.id)
    except RefusedError as refusal:
        return _staff_page(slug, refusal), refusal.status
    flash(gettext("名单已公示"), "success")
    return redirect(url_for("publications.staff_publication", slug=slug), 303)


def _list_page(slug: str, publication: PublicationView | None, earlier: tuple[PublicationView, ...]) -> str:
    competition = competitions.competition(slug)
    regulation = competition.event.regulation
    now = clock.now()
    return render_template(
        "publications/show.html",
        competition=competition,
        publication=publication,
        event_name=_event_name(publication, regulation.event) if publication else "",
        status=publication.status(now) if publication else None,
        counted_from_names=COUNTED_FROM_NAMES,
        earlier=earlier,
        address=external_url("publications.listing", slug=slug, number=publication.number)
        if publication
        else "",
        has_publication=regulation.has("publication"),
        objection_terms=objection_terms(regulation.objections) if regulation.has("objections") else (),
        objections_clause=regulation.objections.clause if regulation.has("objections") else None,
        closes_at=regulation.calendar.registration_closes,
        now=now,
    )


def _event_name(publication: PublicationView, event: Bilingual) -> str:
    """The frozen name of the event; where that is the regulation's, in the reader's language."""
    return show_text(event) if publication.event_name == event.zh else publication.event_name


def _staff_page(slug: str, refusal: RefusedError | None) -> str:
    competition = competitions.competition(slug)
    now = clock.now()
    publication = queries.latest(competition.event.id)
    regulation = competition.event.regulation
    if not regulation.has("publication"):
        return render_template("publications/none.html", competition=competition)
    return render_template(
        "publications/staff_publication.html",
        competition=competition,
        publication=publication,
        status=publication.status(now) if publication else None,
        readiness=None if publication else queries.readiness(competition.event.id, now),
        refusal=refusal,
        counted_from_names=COUNTED_FROM_NAMES,
        workdays=regulation.publication.workdays,
        now=now,
    )
