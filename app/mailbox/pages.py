"""来信: what came by mail and nobody could place by itself. Letters that became cases are read there."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.accounts.queries import session_user
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.errors import InvalidError, SaishiError
from app.mailbox import queries, service
from app.mailbox.rules import (
    FILE_REFUSALS,
    KIND_NAMES,
    REASON_NAMES,
    STATE_NAMES,
    IncomingState,
    bound_letters,
    led_by,
    told_problems,
    why_failing,
)
from app.mailbox.rules.permissions import may_read, scopes
from app.mailbox.schemas import SHOWN, AssignSchema, SetAsideSchema
from app.notifications.rules import STATE_NAMES as ANSWER_STATES
from app.uploads import queries as uploads
from app.uploads.pages.serving import serve
from app.uploads.rules import FileRole
from app.web import current_actor, load_form, staff

blueprint = Blueprint("mailbox", __name__)

SORTERS = (Role.ORGANISER, Role.COMMITTEE)


@blueprint.get("/staff/mail")
@staff(*SORTERS)
def index() -> str:
    """Every message that this person sorts."""
    return _list(None)


@blueprint.get("/staff/c/<slug>/mail")
@staff(Role.COMMITTEE)
def of_competition(slug: str) -> str:
    """The messages of one competition."""
    return _list(slug)


@blueprint.get("/staff/mail/<int:incoming_id>")
@staff(*SORTERS)
def one(incoming_id: int) -> str:
    """A message, read; that somebody did is on record."""
    return _one(incoming_id, {}, None)


@blueprint.post("/staff/mail/<int:incoming_id>/assign")
@staff(*SORTERS)
def assign(incoming_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(AssignSchema)
        with command(current_actor()) as ctx:
            service.assign(
                ctx,
                incoming_id,
                competition_id=competitions.competition_id(body["competition"]),
                unit_id=body["unit_id"],
                case_number=body["case_number"],
            )
    except InvalidError as error:
        return _one(incoming_id, request.form.to_dict(), error), error.status
    flash(gettext("已转交，几秒后可在列表里看到结果"), "success")
    return redirect(url_for("mailbox.index"), 303)


@blueprint.post("/staff/mail/<int:incoming_id>/set-aside")
@staff(*SORTERS)
def set_aside(incoming_id: int) -> Answer | tuple[str, int]:
    try:
        body = load_form(SetAsideSchema)
        with command(current_actor()) as ctx:
            service.set_aside(ctx, incoming_id, note=body["note"])
    except InvalidError as error:
        return _one(incoming_id, request.form.to_dict(), error), error.status
    flash(gettext("已搁置"), "success")
    return redirect(url_for("mailbox.index"), 303)


@blueprint.post("/staff/mail/<int:incoming_id>/take-up")
@staff(*SORTERS)
def take_up(incoming_id: int) -> Answer:
    with command(current_actor()) as ctx:
        service.take_up(ctx, incoming_id)
    flash(gettext("已重新受理"), "success")
    return redirect(url_for("mailbox.one", incoming_id=incoming_id), 303)


@blueprint.get("/staff/mail/<int:incoming_id>/files/<int:position>/<int:page>")
@staff(*SORTERS)
def file(incoming_id: int, position: int, page: int) -> Response:
    """A page of a cleaned attachment with the reader's number across it; who looked is on record."""
    actor = current_actor()
    with command(actor) as ctx:
        upload_id = service.look_at_file(ctx, incoming_id, position)
    person = session_user(actor.require_signed_in())
    return serve(
        uploads.stored(upload_id, FileRole.PREVIEW, page),
        name=f"letter-{incoming_id}-{position}-{page}",
        reader=person.phone_masked if person else "",
    )


def _list(slug: str | None) -> str:
    state = (
        IncomingState(request.args.get("state", "triage"))
        if request.args.get("state") in _STATES
        else SHOWN[0]
    )
    mine = scopes(current_actor())
    competition = competitions.competition(slug) if slug is not None else None
    names = {each.id: each.name for each in competitions.competitions()}
    beyond = request.args.get("beyond", "")
    mail = queries.incoming(
        {competition.id} if competition else mine,
        state,
        beyond=int(beyond) if beyond.isascii() and beyond.isdigit() and len(beyond) < 10 else None,
        closed=led_by(current_actor().user_id),
    )
    return render_template(
        "mailbox/index.html",
        competition=competition,
        mail=mail,
        further=mail[-1].id if len(mail) == queries.PER_PAGE else None,
        state=state,
        states=SHOWN[:3],
        state_names=STATE_NAMES,
        kind_names=KIND_NAMES,
        reason_names=REASON_NAMES,
        names=names,
        health=queries.health(),
        why_failing=why_failing,
        now=clock.now(),
        unplaced=0 if may_read(current_actor(), None) else queries.triage_count([None]),
    )


_STATES = frozenset(state.value for state in SHOWN)


def _one(incoming_id: int, values: Mapping[str, str], refusal: SaishiError | None) -> str:
    actor = current_actor()
    with command(actor) as ctx:
        letter = service.look(ctx, incoming_id)
    letters = bound_letters()
    units = letters.units(letter.competition_id) if letters and letter.competition_id is not None else ()
    upload_ids = [each.upload_id for each in letter.files if each.upload_id is not None]
    found = competitions.competitions()
    slugs = {each.id: each.slug for each in found}
    typed = {
        "competition": slugs.get(letter.competition_id or 0, ""),
        "case_number": next(iter(letter.case_numbers), ""),
    }
    return render_template(
        "mailbox/one.html",
        letter=letter,
        detail=queries.detail(incoming_id),
        problems=told_problems(queries.detail(incoming_id).problems),
        contents=uploads.contents(upload_ids),
        refused=uploads.refused_sentences(upload_ids),
        file_refusals=FILE_REFUSALS,
        kind_names=KIND_NAMES,
        reason_names=REASON_NAMES,
        state_names=STATE_NAMES,
        answer_states=ANSWER_STATES,
        set_aside=IncomingState.SET_ASIDE,
        competitions=[(each.slug, each.name) for each in found],
        units=units,
        values={**typed, **values},
        errors=refusal.fields if refusal else {},
    )
