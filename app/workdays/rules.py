"""Which day is a working day, and when a window of working days ends (domain rules E, I-A-14).

| rule | implemented |
|---|---|
| the day of the deadline does not count (民法典 201) | yes, `count_deadline_day` is the named alternative |
| 调休 working weekends count, statutory holidays do not | yes |
| the window ends at 24:00 of day N (民法典 203) | yes, as 00:00 of the following day, Beijing time |
| a year without an official calendar | refused with the year, never guessed |
| half working days, company holidays | not implemented: no text speaks of them |
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.errors import InvalidError, RefusedError
from app.text import BEIJING, T

WORKDAYS_PAGE = "/staff/workdays"

# Days whose date the law fixes (全国年节及纪念日放假办法): a list without them is not the State Council's notice.
FIXED_HOLIDAYS = ((1, 1), (5, 1), (10, 1), (10, 2), (10, 3))

FIRST_YEAR_OF_NOTICES = 2000
LAST_YEAR_ACCEPTED = 2100
LONGEST_RANGE_DAYS = 31

_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?")
_RANGE_SIGN = re.compile(r"\s*(?:\.\.+|…+|~|～|至|到|—+|–)\s*")


class YearSource(StrEnum):
    """Where a year's days come from."""

    OFFICIAL = "official"  # shipped with chinesecalendar
    ENTERED = "entered"  # typed from the State Council's notice


@dataclass(frozen=True, slots=True)
class YearDays:
    """One year's notice: its days off (放假) and the weekends worked instead (调休上班)."""

    year: int
    holidays: frozenset[date]
    makeup_workdays: frozenset[date]
    source: YearSource


class UnknownWorkdayYearError(RefusedError):
    """A window reaches a year whose official calendar is not known."""

    def __init__(self, year: int) -> None:
        self.year = year
        super().__init__(
            T("没有 %(year)s 年的官方工作日安排，无法推算工作日。", year=str(year)),
            next_step=T(
                "请组委会在 %(page)s 录入国务院办公厅公布的 %(year)s 年放假安排。",
                year=str(year),
                page=WORKDAYS_PAGE,
            ),
            extra={"year": year, "page": WORKDAYS_PAGE},
        )


class OfficialYearError(RefusedError):
    """Somebody tries to overwrite a year that is official."""

    def __init__(self, year: int) -> None:
        super().__init__(
            T("%(year)s 年已有官方工作日安排，不能手工修改。", year=str(year)),
            next_step=T("如国务院办公厅调整了该年安排，请升级程序所带的官方日历。"),
            extra={"year": year},
        )


@dataclass(frozen=True, slots=True)
class WorkdayCalendar:
    """The known years. `is_workday` answers for them and refuses every other year."""

    years: Mapping[int, YearDays]

    def knows(self, year: int) -> bool:
        """Whether the year is official or entered."""
        return year in self.years

    def is_workday(self, day: date) -> bool:
        """Whether people work on this day (工作日)."""
        if day.year not in self.years:
            raise UnknownWorkdayYearError(day.year)
        # The notice of a year may also move days of the December before it (New Year of 2019: 29 and 31
        # December 2018), and the later notice is the one in force.
        for year in (day.year + 1, day.year):
            notice = self.years.get(year)
            if notice is None:
                continue
            if day in notice.makeup_workdays:
                return True
            if day in notice.holidays:
                return False
        return day.weekday() < 5


@dataclass(frozen=True, slots=True)
class Window:
    """A window of working days (公示期): it ends at 24:00 of its last day."""

    first_day: date
    last_day: date
    ends_at: datetime
    days: tuple[date, ...]


def publication_window(
    closes_at: datetime,
    workdays: int,
    calendar: WorkdayCalendar,
    count_deadline_day: bool = False,
) -> Window:
    """The window of `workdays` working days after a deadline (报名截止后N个工作日内).

    `count_deadline_day` is the alternative of I-A-14: the deadline's own day counts if it is a working day.
    """
    if closes_at.tzinfo is None:
        raise ValueError("a deadline without a time zone")
    if workdays < 1:
        raise InvalidError(T("工作日数必须是正整数。"), fields={"workdays": T("工作日数必须是正整数。")})
    deadline_day = closes_at.astimezone(BEIJING).date()
    day = deadline_day if count_deadline_day else deadline_day + timedelta(days=1)
    counted: list[date] = []
    while len(counted) < workdays:
        if calendar.is_workday(day):
            counted.append(day)
        day += timedelta(days=1)
    last_day = counted[-1]
    return Window(
        first_day=counted[0],
        last_day=last_day,
        ends_at=datetime.combine(last_day + timedelta(days=1), time(), tzinfo=BEIJING),
        days=tuple(counted),
    )


def parse_day_lines(lines: Iterable[str]) -> tuple[frozenset[date], list[T]]:
    """Read one date or one range per line (`2027-01-01..2027-01-03`); also every problem, with its line number."""
    days: set[date] = set()
    problems: list[T] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip().strip(",，;；、。")
        if not text:
            continue
        ends = [_parse_date(part) for part in _RANGE_SIGN.split(text)]
        if len(ends) > 2 or any(end is None for end in ends):
            problems.append(
                T(
                    "第 %(line)s 行“%(text)s”不是日期；请写 2027-01-01 或 2027-01-01..2027-01-03。",
                    line=number,
                    text=text[:40],
                )
            )
            continue
        first, last = ends[0], ends[-1]
        assert first is not None
        assert last is not None
        if last < first:
            problems.append(T("第 %(line)s 行的结束日期早于开始日期。", line=number))
        elif (last - first).days >= LONGEST_RANGE_DAYS:
            problems.append(
                T("第 %(line)s 行超过 %(days)s 天，请检查年份和月份。", line=number, days=LONGEST_RANGE_DAYS)
            )
        else:
            days.update(first + timedelta(days=offset) for offset in range((last - first).days + 1))
    return frozenset(days), problems


def _parse_date(text: str) -> date | None:
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    try:
        return date(*(int(part) for part in match.groups()))
    except ValueError:
        return None


def check_year(year: int, holidays: frozenset[date], makeup_workdays: frozenset[date]) -> YearDays:
    """One year's notice as typed, or an InvalidError with every problem beside its field."""
    fields: dict[str, T] = {}
    if not FIRST_YEAR_OF_NOTICES <= year <= LAST_YEAR_ACCEPTED:
        fields["year"] = T(
            "年份应在 %(first)s 至 %(last)s 之间。",
            first=str(FIRST_YEAR_OF_NOTICES),
            last=str(LAST_YEAR_ACCEPTED),
        )
    else:
        holiday_problem = _holiday_problem(year, holidays)
        if holiday_problem is not None:
            fields["holidays"] = holiday_problem
        makeup_problem = _makeup_problem(year, holidays, makeup_workdays)
        if makeup_problem is not None:
            fields["makeup_workdays"] = makeup_problem
    if fields:
        raise InvalidError(T("工作日安排有误，未保存。"), fields=fields)
    return YearDays(year, holidays, makeup_workdays, YearSource.ENTERED)


def _foreign_days(year: int, days: frozenset[date]) -> list[date]:
    """Days a notice of this year cannot speak of: only the year itself and the December before it."""
    return sorted(day for day in days if day.year != year and (day.year, day.month) != (year - 1, 12))


def _holiday_problem(year: int, holidays: frozenset[date]) -> T | None:
    foreign = _foreign_days(year, holidays)
    if foreign:
        return T("%(days)s 不属于 %(year)s 年。", days=_listed(foreign), year=str(year))
    missing = [
        date(year, month, day) for month, day in FIXED_HOLIDAYS if date(year, month, day) not in holidays
    ]
    if missing:
        return T("缺少法定节假日 %(days)s，请核对国务院办公厅通知。", days=_listed(missing))
    return None


def _makeup_problem(year: int, holidays: frozenset[date], makeup_workdays: frozenset[date]) -> T | None:
    foreign = _foreign_days(year, makeup_workdays)
    if foreign:
        return T("%(days)s 不属于 %(year)s 年。", days=_listed(foreign), year=str(year))
    both = sorted(holidays & makeup_workdays)
    if both:
        return T("%(days)s 同时写为放假和调休上班。", days=_listed(both))
    on_weekdays = sorted(day for day in makeup_workdays if day.weekday() < 5)
    if on_weekdays:
        return T("%(days)s 不是周六或周日，本来就上班。", days=_listed(on_weekdays))
    return None


def _listed(days: Iterable[date]) -> str:
    return "、".join(day.isoformat() for day in days)


def require_may_enter(actor: Actor) -> None:
    """Organisers and committees enter a year, of whichever competition: the calendar is everybody's."""
    roles = (Role.ORGANISER, Role.COMMITTEE)
    if not actor.competitions_with(*roles):
        actor.require(None, *roles)


def require_not_official(year: int, official_years: Iterable[int]) -> None:
    """An official year is never overwritten by hand."""
    if year in official_years:
        raise OfficialYearError(year)
