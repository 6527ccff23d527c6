"""公示, for everybody: the lists, what is different on a corrected one, paper, and whether paper is what was published."""

from __future__ import annotations

from flask import Response, current_app, render_template, request
from markupsafe import Markup

from app import clock
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.errors import InvalidError
from app.publications import printing, queries
from app.publications.pages.shared import blueprint, event_name
from app.publications.queries import PublicationView
from app.publications.rules import COUNTED_FROM_NAMES, KIND_NAMES, objection_terms, play_crossed
from app.web import public
from app.web.i18n import language
from app.web.links import external_url
from app.web.printing import pdf


@blueprint.get("/c/<slug>/publications")
@public
def show(slug: str) -> str:
    """公示: the list that says who may play, with links to every other."""
    competition = competitions.competition(slug)
    lists = queries.publications(competition.event.id)
    return _list_page(competition, queries.foremost(lists), lists)


@blueprint.get("/c/<slug>/publications/<int:number>")
@public
def listing(slug: str, number: int) -> str:
    """One list by its number, the address a printed list names."""
    competition = competitions.competition(slug)
    publication = queries.publication(competition.event.id, number)
    return _list_page(competition, publication, queries.publications(competition.event.id))


@blueprint.get("/c/<slug>/publications/<int:number>.json")
@public
def document(slug: str, number: int) -> Response:
    """The canonical text of a list: the SHA-256 of this very file is the one shown."""
    publication = queries.publication(competitions.competition(slug).event.id, number)
    answer = Response(publication.canonical.encode(), mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}-publication-{number}.json"'
    return answer


@blueprint.get("/c/<slug>/publications/<int:number>.pdf")
@public
def paper(slug: str, number: int) -> Response:
    """A list on A4 with room for the seal; its QR code leads to the page that says whether it is the published one."""
    competition = competitions.competition(slug)
    publication = queries.publication(competition.event.id, number)
    sheet = printing.list_sheet(
        competition,
        publication,
        queries.difference_before(publication),
        event=event_name(publication, competition.event.regulation.event),
        address=external_url("publications.verify", slug=slug, number=number, sha=publication.sha256),
    )
    return pdf(sheet, f"{slug}-publication-{number}-{language()}")


@blueprint.get("/c/<slug>/publications/<int:number>/verify")
@public
def verify(slug: str, number: int) -> tuple[str, int]:
    """核对: whether the fingerprint on a printed list is the one of the list that was published."""
    competition = competitions.competition(slug)
    publication = queries.publication(competition.event.id, number)
    written = request.args.get("sha", "")
    verified, refusal = None, None
    if written:
        try:
            verified = queries.verify(competition.event.id, number, written)
        except InvalidError as error:
            refusal = error
    page = render_template(
        "publications/verify.html",
        competition=competition,
        publication=publication,
        verified=verified,
        refusal=refusal,
        values={"sha": written[:100]},
        errors=refusal.fields if refusal else {},
    )
    return page, refusal.status if refusal else 200


def home_panel(competition: CompetitionView) -> Markup:
    """公示 on the competition's home page: which list can be objected to now and until when; nothing where none can."""
    now = clock.now()
    found = queries.running(competition.event.id, now)
    if not found:
        return Markup("")
    shown = render_template(
        "publications/_home.html", competition=competition, lists=found, kind_names=KIND_NAMES, now=now
    )
    return Markup(shown)  # noqa: S704 - a template of ours, which escapes what it is given


def _list_page(
    competition: CompetitionView, publication: PublicationView | None, lists: tuple[PublicationView, ...]
) -> str:
    regulation = competition.event.regulation
    now = clock.now()
    slug = competition.slug
    about_objections = current_app.extensions.get("saishi_objections_panel")
    return render_template(
        "publications/show.html",
        competition=competition,
        publication=publication,
        event_name=event_name(publication, regulation.event) if publication else "",
        status=publication.status(now) if publication else None,
        difference=queries.difference_before(publication) if publication else None,
        warning=play_crossed(regulation, publication.ends_at)
        if publication and publication.in_force
        else None,
        added=queries.added(competition.event) if publication and publication.in_force else (),
        changes_clause=regulation.registration.changes_clause,
        competition_numbers=queries.numbers_of(competition.event.id) if publication else {},
        counted_from_names=COUNTED_FROM_NAMES,
        kind_names=KIND_NAMES,
        others=[each for each in lists if publication and each.number != publication.number],
        address=external_url("publications.listing", slug=slug, number=publication.number)
        if publication
        else "",
        has_publication=regulation.has("publication"),
        objection_terms=objection_terms(regulation.objections) if regulation.has("objections") else (),
        objections_clause=regulation.objections.clause if regulation.has("objections") else None,
        objections_panel=about_objections(competition, publication)
        if about_objections and publication
        else "",
        closes_at=regulation.calendar.registration_closes,
        now=now,
    )
