"""我的: how each entry of the leader stands, and where changes after the deadline are applied for."""

from __future__ import annotations

from flask import Response, current_app, url_for

from app import clock
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.registrations.pages.shared import blueprint, competition_numbers, own, step_page
from app.registrations.queries import MyRegistration
from app.registrations.rules.changes import KIND_NAMES, ChangeKind, shown_state, terms_of
from app.text import T
from app.web import public, signed_in
from app.web.links import external_url, qr_svg


@blueprint.get("/c/<slug>/my")
@signed_in
def my(slug: str) -> str:
    """我的: each member's way from 已提交 to 已确认."""
    competition, mine = own(slug)
    published = current_app.extensions["saishi_shown_states"](competition.event.id, clock.now())
    shown = {
        entry.entry_id: shown_state(entry.state, published.get(entry.entry_id), late=entry.late)
        for entry in mine.entries
    }
    closed = not competition.event.regulation.calendar.registration_deadline.accepts(clock.now())
    return step_page(
        "my",
        competition,
        mine,
        shown=shown,
        listed=closed and competition.event.regulation.has("publication"),
        competition_numbers=competition_numbers(competition),
        changes_url=_changes_url(slug, mine, closed=closed),
        changes_now=_changes_now(competition),
    )


@blueprint.get("/c/<slug>/my/qr.svg")
@public
def my_qr(slug: str) -> Response:
    """A QR code of the address of 我的; it holds nobody's data."""
    competitions.competition_id(slug)
    return Response(qr_svg(external_url("registrations.my", slug=slug)), mimetype="image/svg+xml")


def _changes_url(slug: str, mine: MyRegistration, *, closed: bool) -> str | None:
    """Where changes after the deadline are applied for, once it is past, by whoever has handed in."""
    return url_for("registrations.my_changes", slug=slug) if closed and mine.number else None


def _changes_now(competition: CompetitionView) -> list[T]:
    """The names of the changes that are possible now."""
    event = competition.event
    return [
        KIND_NAMES[kind]
        for kind in ChangeKind
        if terms_of(event.regulation, kind, clock.now(), drawn=event.entries_closed).refusal is None
    ]
