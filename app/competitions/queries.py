from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.competitions.models import Competition, Event
from app.competitions.rules import Phase, UnknownCompetitionError, phase
from app.extensions import db
from app.regulations import queries as regulations
from app.regulations.rules import Regulation


@dataclass(frozen=True, slots=True)
class EventView:
    """One event (项目) and the frozen regulation it runs by."""

    id: int
    competition_id: int
    code: str
    name: str
    regulation_version_id: int
    regulation: Regulation
    results_version: int


@dataclass(frozen=True, slots=True)
class CompetitionView:
    id: int
    slug: str
    name: str
    place: str
    created_at: datetime
    events: tuple[EventView, ...]

    @property
    def event(self) -> EventView:
        """The first event; regulation A has one."""
        return self.events[0]

    def phase(self, now: datetime) -> Phase:
        return phase(self.event.regulation.calendar, now)


def competition(slug: str) -> CompetitionView:
    """The competition under ``/c/<slug>``. Raises ``UnknownCompetitionError``."""
    row = db.session.scalar(select(Competition).where(Competition.slug == slug))
    if row is None:
        raise UnknownCompetitionError
    return _competition(row)


def competition_by_id(competition_id: int) -> CompetitionView:
    return _competition(db.session.get_one(Competition, competition_id))


def competition_id(slug: str) -> int:
    """Raises ``UnknownCompetitionError``."""
    found = db.session.scalar(select(Competition.id).where(Competition.slug == slug))
    if found is None:
        raise UnknownCompetitionError
    return found


def competitions(search: str = "") -> tuple[CompetitionView, ...]:
    """Every competition whose name or place contains ``search``, the newest first."""
    statement = select(Competition).order_by(Competition.id.desc())
    if search:
        statement = statement.where(
            Competition.name.icontains(search, autoescape=True)
            | Competition.place.icontains(search, autoescape=True)
        )
    return tuple(_competition(row) for row in db.session.scalars(statement))


def event(event_id: int) -> EventView:
    return _event(db.session.get_one(Event, event_id))


def _competition(row: Competition) -> CompetitionView:
    return CompetitionView(
        id=row.id,
        slug=row.slug,
        name=row.name,
        place=row.place,
        created_at=row.created_at,
        events=tuple(_event(each) for each in row.events),
    )


def _event(row: Event) -> EventView:
    return EventView(
        id=row.id,
        competition_id=row.competition_id,
        code=row.code,
        name=row.name,
        regulation_version_id=row.regulation_version_id,
        regulation=regulations.version(row.regulation_version_id),
        results_version=row.results_version,
    )
