from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.actors import Role
from app.competitions.models import Competition, Event
from app.competitions.rules import Phase, UnknownCompetitionError, list_window, phase
from app.extensions import db
from app.regulations import queries as regulations
from app.regulations.rules import Regulation
from app.text import T
from app.waiting import Waiting
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError


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
    entries_closed: bool
    """Whether the first draw was made, after which no entry is decided any more."""

    @property
    def title(self) -> T | str:
        """The name; where it is the regulation's own, in the reader's language."""
        own = self.regulation.event
        return own if self.name == own.zh else self.name


@dataclass(frozen=True, slots=True)
class CompetitionView:
    id: int
    slug: str
    name: str
    place: str
    created_at: datetime
    rehearsal: bool
    """Whether it is only practised (演练): said on every page, and it can be deleted whole."""

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
    row = db.session.get(Competition, competition_id)
    if row is None:  # a rehearsal that was deleted meanwhile
        raise UnknownCompetitionError
    return _competition(row)


def competition_id(slug: str) -> int:
    """Raises ``UnknownCompetitionError``."""
    found = db.session.scalar(select(Competition.id).where(Competition.slug == slug))
    if found is None:
        raise UnknownCompetitionError
    return found


def event_is_there(event_id: int) -> bool:
    """False for one of a rehearsal that was deleted since."""
    return db.session.scalar(select(Event.id).where(Event.id == event_id)) is not None


def is_rehearsal(competition_id: int) -> bool:
    """Whether it is only practised (演练)."""
    return bool(db.session.scalar(select(Competition.rehearsal).where(Competition.id == competition_id)))


def competitions(search: str = "") -> tuple[CompetitionView, ...]:
    """Every competition whose name or place contains ``search``, the newest first."""
    statement = select(Competition).order_by(Competition.id.desc())
    if search:
        statement = statement.where(
            Competition.name.icontains(search, autoescape=True)
            | Competition.place.icontains(search, autoescape=True)
        )
    return tuple(_competition(row) for row in db.session.scalars(statement))


def workdays_problem(regulation: Regulation) -> UnknownWorkdayYearError | None:
    """The year whose calendar of workdays is missing for the publication of this regulation's list, if one is."""
    try:
        list_window(regulation, workdays.calendar())
    except UnknownWorkdayYearError as error:
        return error
    return None


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """While entries are open: that the days of the publication cannot be counted yet."""
    if phase(event.regulation.calendar, now) not in {Phase.ANNOUNCED, Phase.OPEN}:
        return ()
    problem = workdays_problem(event.regulation)
    return (missing_year(problem),) if problem else ()


def missing_year(problem: UnknownWorkdayYearError) -> Waiting:
    """A year of workdays that somebody has to enter, as the board shows it."""
    return Waiting(
        T("缺少 %(year)s 年的工作日安排，公示期无法推算", year=str(problem.year)),
        T("去录入工作日安排"),
        "workdays.index",
        (Role.ORGANISER, Role.COMMITTEE),
        values={"year": problem.year},
    )


def address_of_event(event_id: int) -> str:
    """The address of the competition an event belongs to."""
    return db.session.execute(
        select(Competition.slug)
        .join(Event, Event.competition_id == Competition.id)
        .where(Event.id == event_id)
    ).scalar_one()


def event(event_id: int) -> EventView:
    """Raises ``UnknownCompetitionError`` where a rehearsal was deleted meanwhile."""
    row = db.session.get(Event, event_id)
    if row is None:
        raise UnknownCompetitionError
    return _event(row)


def _competition(row: Competition) -> CompetitionView:
    return CompetitionView(
        id=row.id,
        slug=row.slug,
        name=row.name,
        place=row.place,
        created_at=row.created_at,
        rehearsal=row.rehearsal,
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
        entries_closed=row.entries_closed_at is not None,
    )
