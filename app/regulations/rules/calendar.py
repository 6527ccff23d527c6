"""The regulation's calendar (日程): every date with its clause, and what "up to and including" means.

A deadline is written to the second it ends with: at 18:00 an entry at 18:00:00 (any part of that second) is in
time and one at 18:00:01 is late. A date without a time ends at 24:00 of its day.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Any

from app.text import BEIJING, T


class CalendarKey(StrEnum):
    """The dates a regulation fixes, in the order in which they must fall."""

    NOTICE = "notice"
    REGISTRATION_OPENS = "registration_opens"
    REGISTRATION_CLOSES = "registration_closes"
    CHECK_IN = "check_in"
    PLAY_FROM = "play_from"
    PLAY_TO = "play_to"
    LEAVE_BY = "leave_by"


CALENDAR_KEYS: Mapping[CalendarKey, T] = {
    CalendarKey.NOTICE: T("通知发布"),
    CalendarKey.REGISTRATION_OPENS: T("报名开始"),
    CalendarKey.REGISTRATION_CLOSES: T("报名截止"),
    CalendarKey.CHECK_IN: T("报到"),
    CalendarKey.PLAY_FROM: T("比赛开始"),
    CalendarKey.PLAY_TO: T("比赛结束"),
    CalendarKey.LEAVE_BY: T("离会"),
}

MOMENTS = frozenset({CalendarKey.REGISTRATION_OPENS, CalendarKey.REGISTRATION_CLOSES, CalendarKey.LEAVE_BY})
"""Keys that carry a time of day; the others are days."""

MAY_BE_ANNOUNCED = frozenset({CalendarKey.PLAY_FROM, CalendarKey.PLAY_TO})
"""Dates that a text may leave to a further notice: their row has a clause and no `at` until an organiser gives one."""

FIRST_YEAR, LAST_YEAR = 2000, 2100
"""A year outside of these is a slip of the hand."""


class YearOutOfRangeError(ValueError):
    """A date that can be read and cannot be meant."""

    def __init__(self) -> None:
        self.text = T("年份应在 %(first)s 至 %(last)s 之间。", first=str(FIRST_YEAR), last=str(LAST_YEAR))
        super().__init__(str(self.text))


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment up to and including which something may be done."""

    at: datetime
    clause: str

    def accepts(self, moment: datetime) -> bool:
        """Whether `moment` is in time: the deadline's own second still counts."""
        return moment - self.at < timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """One date of the calendar: a day, or a moment (aware, Beijing time)."""

    key: CalendarKey
    at: date | datetime
    clause: str

    @property
    def label(self) -> T:
        return CALENDAR_KEYS[self.key]


@dataclass(frozen=True, slots=True)
class Calendar:
    """All dates of a regulation. `calendar["check_in"]` gives one; the properties give the usual ones."""

    dates: Mapping[CalendarKey, CalendarDate]
    announced: Mapping[CalendarKey, str] = field(default_factory=dict)
    """Dates that the text leaves to a further notice, each with its clause."""

    @classmethod
    def of(cls, table: Mapping[str, Mapping[str, Any]]) -> "Calendar":
        return cls(
            {
                key: CalendarDate(key, _read(key, table[key]["at"]), table[key]["clause"])
                for key in CalendarKey
                if key in table and "at" in table[key]
            },
            {key: table[key]["clause"] for key in CalendarKey if key in table and "at" not in table[key]},
        )

    def __getitem__(self, key: str) -> date | datetime:
        return self.dates[CalendarKey(key)].at

    def moment(self, key: str) -> datetime:
        """A key's moment; of a day its first instant in Beijing."""
        at = self[key]
        return at if isinstance(at, datetime) else datetime.combine(at, time(), tzinfo=BEIJING)

    def day(self, key: str) -> date:
        """A key's day in Beijing."""
        at = self[key]
        return at.astimezone(BEIJING).date() if isinstance(at, datetime) else at

    @property
    def registration_opens(self) -> datetime | None:
        """报名开始; None where the text names no day: entries are open as soon as the competition is there."""
        if CalendarKey.REGISTRATION_OPENS not in self.dates:
            return None
        return self.moment(CalendarKey.REGISTRATION_OPENS)

    @property
    def registration_closes(self) -> datetime:
        return self.moment(CalendarKey.REGISTRATION_CLOSES)

    @property
    def registration_deadline(self) -> Deadline:
        """报名截止, with its clause."""
        closing = self.dates[CalendarKey.REGISTRATION_CLOSES]
        return Deadline(self.registration_closes, closing.clause)

    @property
    def check_in(self) -> date:
        return self.day(CalendarKey.CHECK_IN)

    @property
    def play_from(self) -> date:
        return self.day(CalendarKey.PLAY_FROM)

    @property
    def play_to(self) -> date:
        return self.day(CalendarKey.PLAY_TO)

    def clause(self, key: str) -> str:
        return self.dates[CalendarKey(key)].clause

    def in_order(self) -> tuple[CalendarDate, ...]:
        """Every date, in the order of the keys."""
        return tuple(self.dates[key] for key in CalendarKey if key in self.dates)

    def problems(self) -> dict[str, T]:
        """Dates that fall before the one they must follow, as `{key: sentence}`."""
        found: dict[str, T] = {}
        dates = self.in_order()
        for earlier, later in pairwise(dates):
            if isinstance(earlier.at, datetime) and isinstance(later.at, datetime):
                wrong = later.at <= earlier.at
            else:
                wrong = self.day(later.key) < self.day(earlier.key)
            if wrong:
                found[later.key] = T(
                    "%(later)s不能早于%(earlier)s：%(at)s。",
                    later=later.label,
                    earlier=earlier.label,
                    at=earlier.at,
                )
        return found


def parse(key: CalendarKey, text: Any) -> date | datetime:
    """A calendar value as it is written: ISO text, or the value itself.

    Raises ValueError if it is not the kind the key needs, YearOutOfRangeError if nobody can mean it.
    """
    try:
        value = _read(key, text)
    except OverflowError:  # the first and last hours that Python knows have no Beijing time
        raise YearOutOfRangeError from None
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise YearOutOfRangeError
    return value


def _read(key: CalendarKey, text: Any) -> date | datetime:
    """What a frozen document says, whatever its year: it was accepted by the checks of its day."""
    if isinstance(text, datetime):
        value: date | datetime = text
    elif isinstance(text, date):
        value = text
    elif isinstance(text, str):
        value = datetime.fromisoformat(text) if len(text) > len("2021-10-31") else date.fromisoformat(text)
    else:
        raise ValueError("neither a date nor a moment")
    if key in MOMENTS:
        if not isinstance(value, datetime):
            raise ValueError("a moment is needed")
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        return value.astimezone(BEIJING)
    if isinstance(value, datetime):
        raise ValueError("a day is needed")
    return value
