"""The page of a unit objected to (听取意见): what it is asked, and its answer. It never says who objected."""

from __future__ import annotations

from collections.abc import Sequence

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.objections import service
from app.objections.pages.shared import EVIDENCE, REFUSALS, blueprint, sent_tokens
from app.objections.queries import own
from app.objections.rules import STATE_NAMES
from app.objections.rules.handling import LONGEST_REASONS
from app.objections.schemas.lodging import HearingAnswerSchema
from app.uploads import sending
from app.uploads.pages import FORM_MEGABYTES, field_values, without_deleted
from app.web import current_actor, signed_in
from app.web.forms import load
from app.web.requests import takes_up_to

ONE = "/c/<slug>/objections/hearings/<int:hearing_id>"


@blueprint.get(ONE)
@signed_in
def hearing(slug: str, hearing_id: int) -> str:
    """One question of the committee to the unit one leads."""
    return _page(slug, hearing_id)


@blueprint.post(ONE)
@signed_in
@takes_up_to(FORM_MEGABYTES)
def answer(slug: str, hearing_id: int) -> Answer | str | tuple[str, int]:
    tokens = sent_tokens()
    try:
        if (others := without_deleted(tokens)) is not None:
            return _page(slug, hearing_id, tokens=others)
        tokens += sending.whole(slug, EVIDENCE, request.files.getlist("files"))
        body = load(HearingAnswerSchema, {"text": request.form.get("text", ""), "evidence": tokens})
        with command(current_actor()) as ctx:
            service.answer(ctx, slug=slug, hearing_id=hearing_id, **body)
    except REFUSALS as refusal:
        return _page(slug, hearing_id, refusal, tokens), 422 if refusal.fields else refusal.status
    flash(gettext("已答复"), "success")
    return redirect(url_for("objections.hearing", slug=slug, hearing_id=hearing_id), 303)


def _page(slug: str, hearing_id: int, refusal: SaishiError | None = None, tokens: Sequence[str] = ()) -> str:
    competition = competitions.competition(slug)
    view = own.hearing(competition.id, hearing_id, current_actor().require_signed_in())
    field = field_values(slug, EVIDENCE, tokens) | {"deletes_here": True} if view.open else None
    return render_template(
        "objections/hearing.html",
        competition=competition,
        hearing=view,
        field=field,
        state_names=STATE_NAMES,
        values=request.form.to_dict(),
        errors=dict(refusal.fields) if refusal else {},
        refusal=refusal,
        longest=LONGEST_REASONS,
        now=clock.now(),
    )
