"""The committee's pages (组委会): the list that waits, one entry, decisions."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.registrations import queries, service
from app.registrations.pages.shared import REFUSALS, blueprint, status_of, to
from app.registrations.queries import PrivateView, ReviewView
from app.registrations.rules import (
    Decision,
    EntryId,
    EntryState,
    UnknownEntryError,
    needed_proofs,
    not_accepted,
)
from app.registrations.schemas import DecisionsSchema, EntryDecisionSchema
from app.regulations.rules.eligibility import EMPLOYMENT_NAMES, SEX_NAMES
from app.web import current_actor, load_form, staff


@blueprint.get("/staff/c/<slug>/entries")
@staff(Role.COMMITTEE)
def staff_entries(slug: str) -> str:
    """审核报名: what waits, with the judgement of each rule."""
    return _review_page(slug)


@blueprint.post("/staff/c/<slug>/decisions")
@staff(Role.COMMITTEE)
def staff_decide(slug: str) -> Answer | tuple[str, int]:
    """Decide a batch: the entries, and their revisions, are the ones the page showed."""
    try:
        body = load_form(DecisionsSchema)
        with command(current_actor()) as ctx:
            service.decide(ctx, slug=slug, **body)
    except REFUSALS as refusal:
        return _review_page(slug, refusal), status_of(refusal)
    _flash_decided(slug, len(body["decisions"]))
    return to("staff_entries", slug)


@blueprint.get("/staff/c/<slug>/entries/<int:entry_id>")
@staff(Role.COMMITTEE)
def staff_entry(slug: str, entry_id: int) -> str:
    """One entry with every eligibility rule and its clause."""
    return _entry_page(slug, entry_id)


@blueprint.post("/staff/c/<slug>/entries/<int:entry_id>")
@staff(Role.COMMITTEE)
def staff_decide_entry(slug: str, entry_id: int) -> Answer | tuple[str, int]:
    """Decide one entry, then on to the next that waits."""
    try:
        body = load_form(EntryDecisionSchema)
        decision = Decision(entry_id=EntryId(entry_id), **body)
        with command(current_actor()) as ctx:
            service.decide(ctx, slug=slug, decisions=[decision])
    except REFUSALS as refusal:
        return _entry_page(slug, entry_id, refusal), status_of(refusal)
    _flash_decided(slug, 1)
    waiting = [each for each in _handed_in(slug) if each.state is EntryState.SUBMITTED]
    if not waiting:
        return to("staff_entries", slug)
    return redirect(url_for("registrations.staff_entry", slug=slug, entry_id=waiting[0].entry_id), 303)


@blueprint.post("/staff/c/<slug>/entries/<int:entry_id>/personal-data")
@staff(Role.COMMITTEE)
def staff_personal_data(slug: str, entry_id: int) -> str:
    """Show the ID number and phone of one entry; the look is recorded, so it is never a mere link."""
    with command(current_actor()) as ctx:
        private = service.read_personal_data(ctx, slug=slug, entry_id=EntryId(entry_id))
    return _entry_page(slug, entry_id, private=private)


def _flash_decided(slug: str, count: int) -> None:
    pairs = competitions.competition(slug).event.regulation.in_pairs
    said = (
        gettext("已审核 %(count)s 对", count=count) if pairs else gettext("已审核 %(count)s 人", count=count)
    )
    flash(said, "success")


def _handed_in(slug: str) -> tuple[ReviewView, ...]:
    return queries.review_list(competitions.competition(slug).event)


def _review_page(slug: str, refusal: SaishiError | None = None) -> str:
    competition = competitions.competition(slug)
    handed_in = queries.review_list(competition.event)
    waiting = [each.entry_id for each in handed_in if each.state is EntryState.SUBMITTED]
    proofs = needed_proofs(competition.id, waiting, clock.now())
    unproven = {each for each in waiting if not_accepted(proofs, each)}
    chosen = request.args.get("state", "")
    return render_template(
        "registrations/staff_entries.html",
        competition=competition,
        counts=queries.counts(competition.event.id),
        handed_in=len(handed_in),
        entries=[each for each in handed_in if not chosen or each.state == chosen],
        unproven=unproven,
        approvable=[
            each
            for each in handed_in
            if each.state is EntryState.SUBMITTED and each.eligible and each.entry_id not in unproven
        ],
        chosen=chosen,
        pairs=competition.event.regulation.in_pairs,
        by_players=competition.event.regulation.by_players,
        sex_names=SEX_NAMES,
        employment_names=EMPLOYMENT_NAMES,
        refusal=refusal,
    )


def _entry_page(
    slug: str, entry_id: int, refusal: SaishiError | None = None, private: PrivateView | None = None
) -> str:
    competition = competitions.competition(slug)
    found = queries.review_list(competition.event, [entry_id])
    if not found:
        raise UnknownEntryError
    errors = (
        {path.removeprefix("decisions.0."): text for path, text in refusal.fields.items()} if refusal else {}
    )
    return render_template(
        "registrations/staff_entry.html",
        competition=competition,
        entry=found[0],
        by_players=competition.event.regulation.by_players,
        private=private,
        unproven=not_accepted(
            needed_proofs(competition.id, [found[0].entry_id], clock.now()), found[0].entry_id
        ),
        sex_names=SEX_NAMES,
        employment_names=EMPLOYMENT_NAMES,
        refusal=refusal,
        errors=errors,
        values=request.form.to_dict() if refusal else {},
    )
