"""The committee's pages: the queue of cases, and one case with its papers and every act on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.clock import beijing
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.objections import service
from app.objections.pages.shared import REFUSALS, blueprint
from app.objections.queries import board, cases, people
from app.objections.queries.cases import CaseView
from app.objections.rules import (
    FILE_NAMES,
    OUTCOME_NAMES,
    REQUIREMENT_NAMES,
    STATE_NAMES,
    STEP_NAMES,
    CaseState,
    Outcome,
    Requirement,
)
from app.objections.rules.after_draw import after_draw
from app.objections.rules.handling import LONGEST_NOTE, LONGEST_REASONS, LONGEST_SUMMARY
from app.objections.rules.refusals import ConflictOfInterestError
from app.objections.rules.states import TO_COMPLETE
from app.objections.schemas.handling import (
    AssignmentSchema,
    CaseActSchema,
    HearingRequestSchema,
    IdentificationSchema,
    ObjectionDecisionSchema,
    RecusalSchema,
    RefusalSchema,
    SendingBackSchema,
)
from app.registrations import queries as registrations
from app.waiting import age
from app.web import current_actor, load_form, staff
from app.web.forms import load
from app.web.i18n import show
from app.web.schemas import Schema

QUEUE = "/staff/c/<slug>/objections"
CASE = f"{QUEUE}/<string(maxlength=20):number>"


@blueprint.get(QUEUE)
@staff(Role.COMMITTEE)
def staff_queue(slug: str) -> str:
    """办理异议: the open cases first, by what is due first."""
    competition, now = competitions.competition(slug), clock.now()
    return render_template(
        "objections/staff_queue.html",
        competition=competition,
        rows=board.queue(competition.id, current_actor().user_id),
        state_names=STATE_NAMES,
        requirement_names=REQUIREMENT_NAMES,
        has_objections=competition.event.regulation.has("objections"),
        now=now,
        age=age,
    )


@blueprint.get(CASE)
@staff(Role.COMMITTEE)
def staff_case(slug: str, number: str) -> str:
    """One case: who objects to whom and why, its papers, the record, what can be done next."""
    return _page(slug, number)


@blueprint.post(f"{CASE}/accept")
@staff(Role.COMMITTEE)
def accept(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(slug, number, CaseActSchema, service.accept, gettext("已受理"))


@blueprint.post(f"{CASE}/refuse")
@staff(Role.COMMITTEE)
def refuse(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(
        slug,
        number,
        RefusalSchema,
        service.refuse,
        gettext("已定为不予受理，提交人会收到通知"),
        form="refuse",
    )


@blueprint.post(f"{CASE}/send-back")
@staff(Role.COMMITTEE)
def send_back(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(
        slug,
        number,
        SendingBackSchema,
        service.ask_to_complete,
        gettext("已通知提交人补齐"),
        form="send_back",
    )


@blueprint.post(f"{CASE}/assign")
@staff(Role.COMMITTEE)
def assign(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(slug, number, AssignmentSchema, service.assign, gettext("已指定承办人"), form="assign")


@blueprint.post(f"{CASE}/identify")
@staff(Role.COMMITTEE)
def identify(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(slug, number, IdentificationSchema, service.identify, gettext("已核实"), form="identify")


@blueprint.post(f"{CASE}/hearings")
@staff(Role.COMMITTEE)
def ask(slug: str, number: str) -> Answer | tuple[str, int]:
    return _act(slug, number, HearingRequestSchema, service.ask, gettext("已向对方征求意见"), form="ask")


@blueprint.post(f"{CASE}/recuse")
@staff(Role.COMMITTEE)
def recuse(slug: str, number: str) -> Answer | tuple[str, int]:
    try:
        body = load_form(RecusalSchema)
        with command(current_actor()) as ctx:
            service.recuse(ctx, slug=slug, number=number, **body)
    except ConflictOfInterestError:
        raise
    except REFUSALS as refusal:
        return _page(slug, number, refusal, "recuse"), 422 if refusal.fields else refusal.status
    flash(gettext("已回避，这件异议由其他成员办理"), "success")
    return redirect(url_for("objections.staff_queue", slug=slug), 303)


@blueprint.post(f"{CASE}/decision")
@staff(Role.COMMITTEE)
def decide(slug: str, number: str) -> Answer | tuple[str, int]:
    """成立 or 不成立. What was typed stays where it is refused."""
    return _act(
        slug,
        number,
        ObjectionDecisionSchema,
        service.decide,
        gettext("决定已生效，双方会收到通知"),
        form="decide",
    )


_CODES = ("requirements",)


def _sent(schema: type[Schema]) -> dict[str, Any]:
    """The form as the schema takes it: boxes of one kind are a list, outcomes rows of entries."""
    known = schema().fields
    sent: dict[str, Any] = {
        name: request.form.get(name, "") for name in known if name not in (*_CODES, "entries")
    }
    if "requirements" in known:
        sent["requirements"] = request.form.getlist("requirements")
    if "after_draw" in known:
        sent["after_draw"] = "after_draw" in request.form
    if "entries" in known:
        sent["entries"] = [
            {
                "entry_id": name.removeprefix("outcome-"),
                "outcome": value,
                "names": [each for each in request.form.getlist(f"names-{name[8:]}") if each.strip()],
            }
            for name, value in request.form.items()
            if name.startswith("outcome-")
        ]
    return sent


def _act(
    slug: str,
    number: str,
    schema: type[Schema],
    act: Callable[..., Any],
    done: str,
    *,
    form: str = "",
) -> Answer | tuple[str, int]:
    try:
        body = load(schema, _sent(schema))
        with command(current_actor()) as ctx:
            act(ctx, slug=slug, number=number, **body)
    except ConflictOfInterestError:
        raise  # there is no page of the case for him
    except REFUSALS as refusal:
        return _page(slug, number, refusal, form), 422 if refusal.fields else refusal.status
    flash(done, "success")
    return redirect(url_for("objections.staff_case", slug=slug, number=number), 303)


def _page(slug: str, number: str, refusal: SaishiError | None = None, form: str = "") -> str:
    """Read the case, which is written down, and show it; ``form`` is the act that was refused."""
    with command(current_actor()) as ctx:
        objection_id = service.read(ctx, slug=slug, number=number)
    competition, now = competitions.competition(slug), clock.now()
    view = cases.case(objection_id)
    regulation = competition.event.regulation
    return render_template(
        "objections/staff_case.html",
        competition=competition,
        case=view,
        clause=regulation.objections.clause if regulation.has("objections") else None,
        form=form,
        colleagues=_colleagues(view),
        units=_units(view) if view.unit_id is None else [],
        looks=cases.access_log(objection_id),
        unasked=[(each.unit_id, each.name) for each in view.unasked],
        outcomes={
            entry.entry_id: [
                (each.value, show(OUTCOME_NAMES[each]))
                for each in (Outcome.WITHDRAWN, Outcome.CORRECTED, Outcome.KEPT)
                if entry.stands or each is not Outcome.CORRECTED
            ]
            for entry in view.entries
        },
        requirements=list(Requirement),
        to_complete=TO_COMPLETE,
        drawn=competition.event.entries_closed,
        decided_after_draw=any(step.details.get("after_draw") for step in view.steps),
        changes_clause=regulation.registration.changes_clause,
        after_draw=after_draw(regulation) if competition.event.entries_closed else (),
        window_open=view.against is not None and view.against.open_at(now),
        unheard=[each for each in view.concerned if not _is_heard(view, each.unit_id)],
        case_states=CaseState,
        state_names=STATE_NAMES,
        step_names=STEP_NAMES,
        requirement_names=REQUIREMENT_NAMES,
        file_names=FILE_NAMES,
        outcome_names=OUTCOME_NAMES,
        values=request.form.to_dict(),
        ticked=request.form.getlist("requirements"),
        typed_names={each.entry_id: request.form.getlist(f"names-{each.entry_id}") for each in view.entries},
        errors=dict(refusal.fields) if refusal else {},
        refusal=refusal,
        due_default=f"{beijing(now + timedelta(days=2)):%Y-%m-%dT18:00}",
        longest=LONGEST_REASONS,
        longest_summary=LONGEST_SUMMARY,
        longest_note=LONGEST_NOTE,
        now=now,
        age=age,
    )


def _is_heard(view: CaseView, unit_id: int) -> bool:
    now = clock.now()
    return any(each.unit.unit_id == unit_id and each.heard.counts(now) for each in view.hearings)


def _colleagues(view: CaseView) -> list[tuple[int, str]]:
    """The members of the committee who may handle the case, by their masked numbers."""
    return [(user_id, people.shown_person(user_id) or "") for user_id in sorted(people.handlers_of(view.id))]


def _units(view: CaseView) -> list[tuple[int, str]]:
    """The units that take part and are not objected to, for a letter whose unit is not known."""
    concerned = {each.unit_id for each in view.concerned}
    return [
        (each.id, each.name)
        for each in registrations.led_units(view.competition_id)
        if each.id not in concerned
    ]
