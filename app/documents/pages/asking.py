"""The committee asks for a document (要求提交材料)."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries, service
from app.documents.pages.shared import REFUSALS, blueprint
from app.documents.rules.review import REVIEWERS
from app.documents.schemas.handing_in import DocumentRequestSchema
from app.errors import NotFoundError, SaishiError
from app.regulations.rules import DOCUMENT_KINDS
from app.web import current_actor, load_form, staff
from app.web.i18n import show

REQUESTS = "/staff/c/<slug>/documents/requests"


@blueprint.get(REQUESTS)
@staff(*REVIEWERS)
def asked(slug: str) -> str:
    """What was asked for, and the form to ask for more."""
    return _page(slug)


@blueprint.post(REQUESTS)
@staff(*REVIEWERS)
def ask(slug: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(DocumentRequestSchema)
        with command(current_actor()) as ctx:
            service.ask(ctx, slug=slug, **body)
    except (*REFUSALS, NotFoundError) as refusal:
        return _page(slug, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("已要求提交，领队会在材料清单中看到"), "success")
    return redirect(url_for("documents.asked", slug=slug), 303)


def _page(slug: str, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    units = queries.unit_lists(competition, clock.now())
    whose = {str(some.subject): f"{some.name}（{unit.unit_name}）" for unit in units for some in unit.lists}
    kinds = dict.fromkeys(each.rule.kind for each in queries.demands(competition.events))
    return render_template(
        "documents/requests.html",
        competition=competition,
        kinds=[(kind, show(DOCUMENT_KINDS[kind])) for kind in kinds],
        kind_names=DOCUMENT_KINDS,
        whose=whose,
        requests=queries.requests(competition.id),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )
