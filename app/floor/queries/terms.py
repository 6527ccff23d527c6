from __future__ import annotations

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.extensions import db
from app.floor.models import FloorTerms
from app.floor.rules import Confirmation, Publication, Terms
from app.floor.rules.terms import default_terms


def terms(event_id: int) -> Terms:
    """How the sheets of an event are confirmed and published (办赛方式): as the committee chose, else the defaults."""
    return terms_of(competitions.event(event_id))


def terms_of(event: EventView) -> Terms:
    """The same of an event that was read already."""
    return chosen_terms(event, db.session.get(FloorTerms, event.id))


def chosen_terms(event: EventView, row: FloorTerms | None) -> Terms:
    """The same where the committee's choice was read too; None where it chose nothing."""
    default = default_terms(event.regulation)
    if row is None:
        return default
    return Terms(
        Confirmation(row.confirmation),
        Publication(row.publication),
        default.round_minutes if row.round_minutes is None else row.round_minutes,
        default.call_minutes if row.call_minutes is None else row.call_minutes,
    )
