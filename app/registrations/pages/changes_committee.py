"""The committee's pages of changes after the deadline (变更申请): what waits, one application, the decision."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.errors import SaishiError
from app.registrations import queries
from app.registrations.pages.shared import REFUSALS, blueprint, status_of
from app.registrations.queries.changes import ChangeView, ProposedData
from app.registrations.queries.voiding import voided_by
from app.registrations.rules import EntryState, needed_proofs, not_accepted
from app.registrations.rules.changes import (
    KIND_NAMES,
    LONGEST_REASON,
    STATE_NAMES,
    ChangeKind,
    UnknownApplicationError,
    terms_of,
)
from app.registrations.schemas.changes import ChangeApplicationDecisionSchema
from app.registrations.service import changes as service
from app.regulations.rules.eligibility import EMPLOYMENT_NAMES, SEX_NAMES
from app.web import current_actor, load_form, staff

LIST = "/staff/c/<slug>/changes"


@blueprint.get(LIST)
@staff(Role.COMMITTEE)
def staff_changes(slug: str) -> str:
    """变更申请: those that wait first, the oldest first."""
    competition = competitions.competition(slug)
    return render_template(
        "registrations/changes/staff_list.html",
        competition=competition,
        applications=queries.applications(competition.event),
        kind_names=KIND_NAMES,
    )


@blueprint.get(f"{LIST}/<int:number>")
@staff(Role.COMMITTEE)
def staff_change(slug: str, number: int) -> str:
    """One application: what changes, every rule of eligibility of who comes, the letter."""
    return _page(slug, number)


@blueprint.post(f"{LIST}/<int:number>")
@staff(Role.COMMITTEE)
def staff_decide_change(slug: str, number: int) -> Answer | tuple[str, int]:
    """Grant or refuse. What was typed stays where the decision is refused."""
    try:
        body = load_form(ChangeApplicationDecisionSchema, voids=request.form.getlist("voids"))
        with command(current_actor()) as ctx:
            service.decide(
                ctx,
                slug=slug,
                number=number,
                address=url_for("registrations.my_change", slug=slug, number=number),
                **body,
            )
    except REFUSALS as refusal:
        return _page(slug, number, refusal), status_of(refusal)
    flash(gettext("已同意，变更已办理") if body["grant"] else gettext("已答复，领队会收到消息"), "success")
    return redirect(url_for("registrations.staff_changes", slug=slug), 303)


@blueprint.post(f"{LIST}/<int:number>/personal-data")
@staff(Role.COMMITTEE)
def staff_change_data(slug: str, number: int) -> str:
    """Show ID numbers and phones; the look is recorded, so it is never a mere link."""
    with command(current_actor()) as ctx:
        private = service.read_proposed_data(ctx, slug=slug, number=number)
    return _page(slug, number, private=private)


def _page(
    slug: str, number: int, refusal: SaishiError | None = None, private: ProposedData | None = None
) -> str:
    competition = competitions.competition(slug)
    event = competition.event
    view = queries.application(event, number)
    if view is None:
        raise UnknownApplicationError
    entry_id = view.made_entry_id or view.entry_id
    comes = view.waits and entry_id is not None and view.kind is not ChangeKind.WITHDRAW
    terms = terms_of(event.regulation, view.kind, clock.now(), drawn=event.entries_closed)
    return render_template(
        "registrations/changes/staff_one.html",
        competition=competition,
        view=view,
        own=view.leader_user_id == current_actor().user_id,
        closed=terms.refusal if view.waits else None,
        drawn=event.entries_closed,
        rejected=_rejected(event, view),
        unproven=not_accepted(needed_proofs(competition.id, [entry_id], clock.now()), entry_id)
        if comes and entry_id is not None
        else (),
        voids=voided_by(event, view.number) if view.waits else (),
        resubmission_clause=event.regulation.entry.resubmission[1]
        if event.regulation.entry.resubmission
        else None,
        private=private,
        kind_names=KIND_NAMES,
        state_names=STATE_NAMES,
        sex_names=SEX_NAMES,
        employment_names=EMPLOYMENT_NAMES,
        longest=LONGEST_REASON,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )


def _rejected(event: EventView, view: ChangeView) -> queries.ReviewView | None:
    """The entry that a granted application would approve although it was rejected."""
    if not view.waits or view.entry_id is None or view.kind is ChangeKind.WITHDRAW:
        return None
    (entry,) = queries.review_list(event, [view.entry_id])
    return entry if entry.state is EntryState.REJECTED else None
