from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app.commands import command
from app.competitions import queries as competitions
from app.errors import InvalidError
from app.rehearsals import queries, service
from app.rehearsals.rules import DELETERS, require_rehearsal
from app.rehearsals.schemas import ConfirmedSchema
from app.text import T
from app.web import current_actor, load_form, staff

blueprint = Blueprint("rehearsals", __name__)


@blueprint.get("/staff/c/<slug>/rehearsal")
@staff(*DELETERS)
def show(slug: str) -> str:
    """演练: what is deleted, and the form that deletes it."""
    return _page(slug, {}, {})


@blueprint.post("/staff/c/<slug>/rehearsal")
@staff(*DELETERS)
def delete_whole(slug: str) -> Response | tuple[str, int]:
    try:
        name = load_form(ConfirmedSchema)["name"]
        with command(current_actor()) as ctx:
            service.delete_whole(ctx, competitions.competition_id(slug), name=name)
    except InvalidError as error:
        return _page(slug, request.form.to_dict(), error.fields), error.status
    flash(gettext("这场演练已整场删除"), "success")
    return redirect(url_for("competitions.board"), 303)


def _page(slug: str, values: Mapping[str, str], errors: Mapping[str, T]) -> str:
    competition = competitions.competition(slug)
    require_rehearsal(competition.rehearsal)
    return render_template(
        "rehearsals/show.html",
        competition=competition,
        contents=queries.contents(competition.id),
        values=values,
        errors=errors,
    )
