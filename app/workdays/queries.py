"""The calendar in force: official years, and those entered where none is official."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType

from sqlalchemy import select

from app.extensions import db
from app.workdays.models import WorkdayYear
from app.workdays.official import official_calendar
from app.workdays.rules import WorkdayCalendar, YearDays, YearSource


@dataclass(frozen=True, slots=True)
class YearView:
    """One known year for the list; `source` and `entered_at` of an entered one."""

    year: int
    kind: YearSource
    holidays: tuple[date, ...]
    makeup_workdays: tuple[date, ...]
    source: str | None = None
    entered_at: datetime | None = None


def calendar() -> WorkdayCalendar:
    """Every known year. Once a year becomes official, what was entered for it no longer counts."""
    official = official_calendar().years
    entered = {
        row.year: _days(row) for row in db.session.scalars(select(WorkdayYear)) if row.year not in official
    }
    return WorkdayCalendar(MappingProxyType({**official, **entered}))


def years() -> tuple[YearView, ...]:
    """The known years, the latest first."""
    official = official_calendar().years
    entered = {row.year: row for row in db.session.scalars(select(WorkdayYear))}
    views = [_view(days) for days in official.values()]
    views += [_view(_days(row), row) for row in entered.values() if row.year not in official]
    return tuple(sorted(views, key=lambda view: view.year, reverse=True))


def entered_year(year: int) -> YearView | None:
    """A year the committee entered and that is not official, or None."""
    return next((view for view in years() if view.year == year and view.kind is YearSource.ENTERED), None)


def _days(row: WorkdayYear) -> YearDays:
    return YearDays(
        row.year,
        frozenset(map(date.fromisoformat, row.holidays)),
        frozenset(map(date.fromisoformat, row.makeup_workdays)),
        YearSource.ENTERED,
    )


def _view(days: YearDays, row: WorkdayYear | None = None) -> YearView:
    return YearView(
        year=days.year,
        kind=days.source,
        holidays=tuple(sorted(days.holidays)),
        makeup_workdays=tuple(sorted(days.makeup_workdays)),
        source=row.source if row else None,
        entered_at=row.entered_at if row else None,
    )
