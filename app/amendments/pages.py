from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import ROLE_NAMES
from app.amendments import queries, service
from app.amendments.rules import RULERS, NoDraftError
from app.amendments.rules.parts import PARTS
from app.amendments.rules.sentences import impact_lines
from app.amendments.schemas import PublishSchema
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.regulations import printing
from app.regulations import queries as regulations
from app.regulations import service as regulations_service
from app.regulations.library.writing import dump_toml
from app.regulations.rules import canonical_json
from app.regulations.rules.drafts import DRAFTERS
from app.web import current_actor, load_form, public, staff
from app.web.i18n import language
from app.web.printing import pdf

blueprint = Blueprint("amendments", __name__)


@blueprint.get("/c/<slug>/regulation/versions/<int:number>")
@public
def version(slug: str, number: int) -> str:
    """One version: its notice (公告), what it says otherwise, what it affected, and all its clauses."""
    competition = competitions.competition(slug)
    edition = regulations.edition(competition.event.id, number)
    return render_template(
        "amendments/version.html",
        competition=competition,
        edition=edition,
        editions=regulations.editions(competition.event.id),
        current=queries.in_force(competition.event.id, clock.now()),
        regulation=edition.regulation,
        page=regulations.rules_page(edition.regulation),
        differences=queries.differences(edition),
        lines=impact_lines(edition.impact, queries.public_names(competition.event.id))
        if edition.impact
        else (),
        role_names=ROLE_NAMES,
        now=clock.now(),
    )


@blueprint.get("/c/<slug>/regulation/versions/<int:number>.json")
@public
def document(slug: str, number: int) -> Response:
    """The canonical JSON of a version: the SHA-256 of this very file is the one shown."""
    edition = regulations.edition(competitions.competition(slug).event.id, number)
    answer = Response(canonical_json(edition.regulation.document).encode(), mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}-regulation-{number}.json"'
    return answer


@blueprint.get("/c/<slug>/regulation/versions/<int:number>.pdf")
@public
def printed(slug: str, number: int) -> Response:
    """One version on paper (A4), with the notices that led to it."""
    competition = competitions.competition(slug)
    edition = regulations.edition(competition.event.id, number)
    made = printing.rules_sheet(
        regulations.rules_page(edition.regulation),
        competition=competition.name,
        editions=regulations.editions(competition.event.id)[:number],
    )
    return pdf(made, f"{slug}-regulation-{number}-{language()}")


@blueprint.get("/c/<slug>/regulation/versions/<int:number>.toml")
@public
def toml(slug: str, number: int) -> Response:
    """A version as a TOML file, to keep or to begin another regulation from."""
    edition = regulations.edition(competitions.competition(slug).event.id, number)
    answer = Response(dump_toml(edition.regulation.document), content_type="application/toml; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{slug}-regulation-{number}.toml"'
    return answer


@blueprint.get("/staff/c/<slug>/regulation")
@staff(*DRAFTERS)
def staff_regulation(slug: str) -> str:
    """The versions of the regulation, and the draft of the next one."""
    competition = competitions.competition(slug)
    return render_template(
        "amendments/staff.html",
        competition=competition,
        editions=regulations.editions(competition.event.id),
        current=queries.in_force(competition.event.id, clock.now()),
        draft=regulations.open_draft(competition.event.id),
        now=clock.now(),
    )


@blueprint.post("/staff/c/<slug>/regulation")
@staff(*DRAFTERS)
def begin(slug: str) -> Answer:
    """起草: begin the draft of the next version, or go on with the one there is."""
    event = competitions.competition(slug).event
    with command(current_actor()) as ctx:
        draft_id = regulations_service.start_draft(ctx, event_id=event.id)
    return redirect(url_for("regulation_drafts.show", draft_id=draft_id), 303)


@blueprint.post("/staff/c/<slug>/regulation/discard")
@staff(*DRAFTERS)
def discard(slug: str) -> Answer:
    """Give the draft up."""
    draft = regulations.open_draft(competitions.competition(slug).event.id)
    if draft is not None:
        with command(current_actor()) as ctx:
            regulations_service.discard_draft(ctx, draft.id)
        flash(gettext("草稿已放弃"), "success")
    return redirect(url_for("amendments.staff_regulation", slug=slug), 303)


@blueprint.get("/staff/c/<slug>/regulation/publish")
@staff(*DRAFTERS)
def review(slug: str) -> str:
    """核对影响: everything that publishing the draft would change, before it is done."""
    return _review(slug, {}, None)


@blueprint.post("/staff/c/<slug>/regulation/publish")
@staff(*DRAFTERS)
def publish(slug: str) -> Answer | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        body = load_form(PublishSchema)
        draft = regulations.open_draft(event.id)
        if draft is None:
            raise NoDraftError
        with command(current_actor()) as ctx:
            service.publish(ctx, draft.id, **body)
    except NoDraftError:
        raise
    except SaishiError as error:
        if error.status not in (409, 422):
            raise
        return _review(slug, request.form.to_dict(), error), error.status
    number = regulations.editions(event.id)[-1].number
    flash(gettext("规程第 %(number)s 版已公布", number=number), "success")
    return redirect(url_for("amendments.version", slug=slug, number=number), 303)


def _review(slug: str, values: Mapping[str, str], refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    draft = regulations.open_draft(competition.event.id)
    if draft is None:
        raise NoDraftError
    found = queries.review(competition.event, draft, clock.now())
    prospect = found.prospect
    return render_template(
        "amendments/review.html",
        competition=competition,
        draft=draft,
        prospect=prospect,
        problem=found.refusal,
        lines=impact_lines(prospect.impact, queries.staff_names(competition.event.id)) if prospect else (),
        differences=prospect.differences if prospect else (),
        parts=[PARTS[code].name for code in prospect.parts] if prospect else [],
        may_rule=current_actor().has(competition.id, *RULERS),
        values=values,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        now=clock.now(),
    )
