"""When the personal data of a competition is erased, and what holds it back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from sqlalchemy import select

from app.clock import beijing_date
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.extensions import db
from app.registrations.models import Member, PurgeHold, Unit
from app.registrations.rules import purge_day


@dataclass(frozen=True, slots=True)
class HoldView:
    """Why the purge waits, and through which day (Beijing)."""

    reason: str = field(repr=False)
    until: date
    held_at: datetime


def purge_day_of(competition: CompetitionView, purge_days: int) -> date:
    """The first day on which the personal data of a competition is erased, unless it is held back."""
    return purge_day([event.regulation.calendar.play_to for event in competition.events], purge_days)


def hold_of(competition_id: int, now: datetime) -> HoldView | None:
    """What holds the purge back today; None where nothing does, or no longer."""
    row = db.session.get(PurgeHold, competition_id)
    if row is None or row.until < beijing_date(now):
        return None
    return HoldView(row.reason, row.until, row.held_at)


def is_purge_due(competition_id: int, now: datetime, purge_days: int) -> bool:
    """Whether the day of the purge has come and nothing holds it back."""
    competition = competitions.competition_by_id(competition_id)
    return beijing_date(now) >= purge_day_of(competition, purge_days) and hold_of(competition_id, now) is None


def with_personal_data() -> tuple[int, ...]:
    """Competitions where an ID number or a contact is still kept."""
    return tuple(
        db.session.scalars(
            select(Unit.competition_id)
            .outerjoin(Member, Member.unit_id == Unit.id)
            .where((Unit.contact_phone.is_not(None)) | (Member.id_number.is_not(None)))
            .distinct()
            .order_by(Unit.competition_id)
        )
    )
