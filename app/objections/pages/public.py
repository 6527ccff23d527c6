"""What the page of a list shows of objections, which it asks through the application: lists come first and know none."""

from __future__ import annotations

from flask import render_template
from markupsafe import Markup

from app import clock
from app.competitions.queries import CompetitionView
from app.objections.queries.public import outcomes
from app.publications.queries import PublicationView
from app.publications.rules import window_open


def panel(competition: CompetitionView, publication: PublicationView) -> Markup:
    """The way to object while the window of this list runs, and what was decided in the event, without names."""
    open_now = publication.in_force and publication.final_at is None and window_open(publication, clock.now())
    shown = render_template(
        "objections/_public.html",
        competition=competition,
        publication=publication,
        may_object=open_now and competition.event.regulation.has("objections"),
        decided=outcomes(publication.event_id),
    )
    return Markup(shown)  # noqa: S704 - our own template, which escapes what it shows
