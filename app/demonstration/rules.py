"""The dates of the seeded competitions, counted from the first start, and who may move the clock.

Nothing is guessed about working days: the competition being played had its list in public in the latest window that
the official calendar can count, even if that lies years back, the one whose list is in public now is left out where
today's year is not known, and the one whose entries are open follows a text without a list there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from app.actors import Actor, Role
from app.errors import NotFoundError
from app.text import BEIJING
from app.workdays.rules import UnknownWorkdayYearError, Window, WorkdayCalendar, publication_window

OPEN_SLUG = "demo-open"
PLAYED_SLUG = "demo-play"
PUBLISHED_SLUG = "demo-list"

CLOSING_TIME = time(18)
Dates = Mapping[str, date | datetime]


class NoDemonstrationError(NotFoundError):
    """This installation is not a demonstration; the page does not exist here."""


@dataclass(frozen=True, slots=True)
class Past:
    """What has happened already in a seeded competition, and when (up to now)."""

    calendar: Dates
    submitted_at: datetime
    decided_at: datetime
    published_at: datetime
    drawn_at: datetime
    sheets_at: datetime
    """When the first sheet was handed in; the others follow minute by minute."""


def require_demonstration(demo: bool) -> None:
    if not demo:
        raise NoDemonstrationError


def require_may_move_clock(actor: Actor) -> None:
    """The clock is everybody's, so only the organiser of the installation moves it."""
    actor.require(None, Role.ORGANISER)


def open_calendar(now: datetime) -> Dates:
    """A competition whose entries have been open for three days and close in five, at 18:00."""
    today = _day(now)
    return _calendar(
        opens=today - timedelta(days=3),
        closes=today + timedelta(days=5),
        play_from=today + timedelta(days=30),
    )


def played(now: datetime, workdays: WorkdayCalendar, length: int) -> Past:
    """A competition that began to play three hours ago, its window of ``length`` working days long over."""
    began = now - timedelta(hours=3)
    check_in = _day(began) - timedelta(days=1)
    closes, _window = latest_window(check_in, workdays, length)
    calendar = _calendar(opens=closes.date() - timedelta(days=9), closes=closes.date(), play_from=_day(began))
    return _past(calendar, closes, drawn_at=_at(check_in, time(19)), sheets_at=began + timedelta(hours=1))


def in_publication(now: datetime, workdays: WorkdayCalendar, length: int) -> Past | None:
    """A competition whose list is in public today; None where no window around today can be counted."""
    today = _day(now)
    for days_ago in (3, 2, 1, *range(4, 15)):
        closes = _at(today - timedelta(days=days_ago), CLOSING_TIME)
        try:
            window = publication_window(closes, length, workdays)
        except UnknownWorkdayYearError:
            continue
        if window.first_day <= today <= window.last_day:
            play_from = window.last_day + timedelta(days=14)
            calendar = _calendar(
                opens=closes.date() - timedelta(days=9), closes=closes.date(), play_from=play_from
            )
            return _past(calendar, closes, drawn_at=now, sheets_at=now)
    return None


def latest_window(before: date, workdays: WorkdayCalendar, length: int) -> tuple[datetime, Window]:
    """The latest 18:00 whose window of ``length`` working days can be counted and ends before ``before`` begins."""
    day = before - timedelta(days=length)
    while True:
        closes = _at(day, CLOSING_TIME)
        try:
            window = publication_window(closes, length, workdays)
        except UnknownWorkdayYearError as error:
            if error.year < min(workdays.years):
                raise
            day = min(day - timedelta(days=1), date(error.year - 1, 12, 31))
            continue
        if window.last_day < before:
            return closes, window
        day -= timedelta(days=1)


def _past(calendar: Dates, closes: datetime, *, drawn_at: datetime, sheets_at: datetime) -> Past:
    return Past(
        calendar=calendar,
        submitted_at=closes - timedelta(days=2),
        decided_at=closes + timedelta(minutes=30),
        published_at=closes + timedelta(hours=1),
        drawn_at=drawn_at,
        sheets_at=sheets_at,
    )


def _calendar(*, opens: date, closes: date, play_from: date) -> Dates:
    return {
        "notice": opens,
        "registration_opens": _at(opens, time()),
        "registration_closes": _at(closes, CLOSING_TIME),
        "check_in": play_from - timedelta(days=1),
        "play_from": play_from,
        "play_to": play_from + timedelta(days=2),
        "leave_by": _at(play_from + timedelta(days=3), time(12)),
    }


def _day(moment: datetime) -> date:
    return moment.astimezone(BEIJING).date()


def _at(day: date, clock: time) -> datetime:
    return datetime.combine(day, clock, tzinfo=BEIJING)
