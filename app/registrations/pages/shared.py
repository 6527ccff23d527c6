"""What the pages of leaders and of the committee share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, current_app, redirect, render_template, url_for
from werkzeug.wrappers import Response as Answer

from app import clock
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.errors import ConflictError, InvalidError, RefusedError, SaishiError
from app.registrations import queries
from app.registrations.queries import MyRegistration
from app.regulations.rules.eligibility import EMPLOYMENT_NAMES
from app.web import current_actor

blueprint = Blueprint("registrations", __name__)

REFUSALS = (InvalidError, RefusedError, ConflictError)
"""What a form answers with itself, typed values kept; anything else is a page of its own."""


def to(endpoint: str, slug: str) -> Answer:
    return redirect(url_for(f"registrations.{endpoint}", slug=slug), 303)


def status_of(refusal: SaishiError) -> int:
    """A form with a wrong field is 422, whatever made it wrong."""
    return 422 if refusal.fields else refusal.status


def own(slug: str) -> tuple[CompetitionView, MyRegistration]:
    """A competition, and what the signed-in person has handed in there."""
    competition = competitions.competition(slug)
    return competition, queries.my(current_actor().require_signed_in(), competition)


def competition_numbers(competition: CompetitionView) -> Mapping[int, int]:
    """The competition numbers (参赛号) by entry, as far as they are given."""
    found: Mapping[int, int] = current_app.extensions["saishi_competition_numbers"](competition.event.id)
    return found


def step_page(
    step: str,
    competition: CompetitionView,
    mine: MyRegistration,
    refusal: SaishiError | None = None,
    values: dict[str, str] | None = None,
    **more: Any,
) -> str:
    """A page of the registration, with what each of them shows."""
    now = clock.now()
    regulation = competition.event.regulation
    calendar = regulation.calendar
    documents = current_app.extensions["saishi_documents"](
        competition, current_actor().require_signed_in(), now
    )
    return render_template(
        f"registrations/{step}.html",
        step=step,
        competition=competition,
        documents=documents.lists,
        documents_url=documents.url,
        missing_documents=documents.missing_with_entry,
        purposes=documents.purposes,
        mine=mine,
        refusal=refusal,
        errors=refusal.fields if refusal else {},
        values=values or {},
        employment_names=EMPLOYMENT_NAMES,
        closes_at=calendar.registration_closes,
        may_change=(calendar.registration_opens or now) <= now
        and calendar.registration_deadline.accepts(now),
        asks_employment=regulation.asks_employment,
        pairs=regulation.in_pairs,
        by_players=regulation.by_players,
        declared_rules=regulation.declared_rules,
        team=None if regulation.in_pairs else regulation.teams,
        resubmission_terms=regulation.entry.resubmission_terms(),
        now=now,
        **more,
    )
