"""公示, for the committee (组委会): publish, supplement, correct."""

from __future__ import annotations

from collections.abc import Callable

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as Answer

from app import clock
from app.actors import Role
from app.commands import CommandContext, command
from app.competitions import queries as competitions
from app.errors import InvalidError, RefusedError, SaishiError
from app.mailbox import queries as mailbox
from app.mailbox.rules import why_failing
from app.mailbox.rules.permissions import may_read
from app.publications import queries, service
from app.publications.pages.shared import blueprint
from app.publications.rules import COUNTED_FROM_NAMES, KIND_NAMES, PublicationState, play_crossed
from app.publications.schemas import CorrectionFormSchema, FinishFormSchema
from app.registrations import queries as registrations
from app.text import T
from app.web import current_actor, load_form, staff


@blueprint.get("/staff/c/<slug>/publication")
@staff(Role.COMMITTEE)
def staff_publication(slug: str) -> str:
    """Publish the first list, or see how the lists stand and what they lack."""
    return _staff_page(slug, None)


@blueprint.post("/staff/c/<slug>/publication")
@staff(Role.COMMITTEE)
def publish(slug: str) -> Answer | tuple[str, int]:
    """The first list (公示名单)."""
    return _act(slug, service.publish, gettext("名单已公示"))


@blueprint.post("/staff/c/<slug>/publication/supplementary")
@staff(Role.COMMITTEE)
def publish_supplementary(slug: str) -> Answer | tuple[str, int]:
    """A supplementary list (补充公示) of whoever is approved and on no list."""
    return _act(slug, service.publish_supplementary, gettext("补充名单已公示"))


@blueprint.get("/staff/c/<slug>/publication/<int:number>/correction")
@staff(Role.COMMITTEE)
def correction(slug: str, number: int) -> str:
    """What would be different on a corrected list (更正名单), and the form that publishes it."""
    return _correction_page(slug, number, None)


@blueprint.post("/staff/c/<slug>/publication/<int:number>/correction")
@staff(Role.COMMITTEE)
def supersede(slug: str, number: int) -> Answer | tuple[str, int]:
    """Take the place of a list by a corrected one; the lines to leave out are named by their numbers on it."""
    event = competitions.competition(slug).event
    try:
        form = load_form(CorrectionFormSchema)
        with command(current_actor()) as ctx:
            made = service.supersede(
                ctx,
                event.id,
                number,
                reason=form["reason"],
                left_out=queries.entries_at(event.id, number, form["lines"]),
            )
    except (InvalidError, RefusedError) as refusal:
        return _correction_page(slug, number, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("更正名单已公示"), "success")
    return redirect(url_for("publications.listing", slug=slug, number=made), 303)


@blueprint.get("/staff/c/<slug>/publication/<int:number>/finish")
@staff(Role.COMMITTEE)
def finishing(slug: str, number: int) -> str:
    """What a list whose window is over still waits for, and the form that goes on without it."""
    return _finishing_page(slug, number, None)


@blueprint.post("/staff/c/<slug>/publication/<int:number>/finish")
@staff(Role.COMMITTEE)
def finish(slug: str, number: int) -> Answer | tuple[str, int]:
    """Find a list final without waiting for mail that cannot be read or sorted (手工确认)."""
    event = competitions.competition(slug).event
    try:
        form = load_form(FinishFormSchema)
        with command(current_actor()) as ctx:
            service.finish_by_hand(ctx, event.id, number, reason=form["reason"])
    except (InvalidError, RefusedError) as refusal:
        return _finishing_page(slug, number, refusal), 422 if refusal.fields else refusal.status
    flash(gettext("名单已确认"), "success")
    return redirect(url_for("publications.staff_publication", slug=slug), 303)


def _act(slug: str, act: Callable[[CommandContext, int], int], done: str) -> Answer | tuple[str, int]:
    event = competitions.competition(slug).event
    try:
        with command(current_actor()) as ctx:
            act(ctx, event.id)
    except RefusedError as refusal:
        return _staff_page(slug, refusal), refusal.status
    flash(done, "success")
    return redirect(url_for("publications.staff_publication", slug=slug), 303)


def _staff_page(slug: str, refusal: RefusedError | None) -> str:
    competition = competitions.competition(slug)
    now = clock.now()
    regulation = competition.event.regulation
    if not regulation.has("publication"):
        return render_template("publications/none.html", competition=competition)
    planned = queries.plan(competition.event)
    return render_template(
        "publications/staff_publication.html",
        competition=competition,
        planned=planned,
        statuses=[(each, each.status(now)) for each in planned.lists],
        stale={each.number: found for each, found in planned.stale},
        warnings={
            each.number: warning
            for each in planned.lists
            if (warning := play_crossed(regulation, each.ends_at)) is not None
        },
        changes_clause=regulation.registration.changes_clause,
        drawn=competition.event.entries_closed,
        eligibility=registrations.eligibility_counts(competition.event),
        readiness=None if planned.lists else queries.readiness(competition.event.id, now),
        supplement=queries.supplement(competition.event, planned, now) if planned.unlisted else None,
        refusal=refusal,
        mailbox_error=_mailbox_error(),
        sorts_everywhere=may_read(current_actor(), None),
        counted_from_names=COUNTED_FROM_NAMES,
        kind_names=KIND_NAMES,
        workdays=regulation.publication.workdays,
        now=now,
    )


def _correction_page(slug: str, number: int, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    publication = queries.publication(competition.event.id, number)
    planned = queries.plan(competition.event)
    return render_template(
        "publications/correction.html",
        competition=competition,
        publication=publication,
        stale=next((found for each, found in planned.stale if each.number == number), None),
        drawn=competition.event.entries_closed,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )


def _finishing_page(slug: str, number: int, refusal: SaishiError | None) -> str:
    competition = competitions.competition(slug)
    publication = queries.publication(competition.event.id, number)
    return render_template(
        "publications/finishing.html",
        competition=competition,
        publication=publication,
        waits=publication.status(clock.now()).state is PublicationState.AWAITING_MAIL,
        mailbox_error=_mailbox_error(),
        sorts_everywhere=may_read(current_actor(), None),
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=request.form.to_dict() if refusal else {},
    )


def _mailbox_error() -> T | None:
    """Why the mailbox cannot be read, where it cannot."""
    health = mailbox.health()
    return why_failing(health.error) if health is not None and health.error else None
