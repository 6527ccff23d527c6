"""Working days and the windows counted in them (domain rules E; golden rows "Windows")."""

from datetime import date, datetime, timedelta
from types import MappingProxyType

import pytest

from app.actors import ANONYMOUS, Actor, Role
from app.errors import ForbiddenError, InvalidError, SignInRequiredError
from app.text import BEIJING
from app.workdays import rules
from app.workdays.official import official_calendar
from app.workdays.rules import UnknownWorkdayYearError, WorkdayCalendar, YearDays, YearSource


def closes(day: str, hour: int = 18) -> datetime:
    return datetime.fromisoformat(day).replace(hour=hour, tzinfo=BEIJING)


@pytest.mark.parametrize(
    ("deadline", "last_day"),
    [
        ("2021-10-31", "2021-11-05"),
        ("2021-09-30", "2021-10-13"),
        ("2021-04-30", "2021-05-11"),
        ("2021-02-09", "2021-02-22"),
        ("2023-10-18", "2023-10-25"),
        ("2024-12-31", "2025-01-08"),
    ],
)
def test_five_workdays_after_the_deadline_end_on_the_published_day(deadline: str, last_day: str) -> None:
    window = rules.publication_window(closes(deadline), 5, official_calendar())
    assert window.last_day == date.fromisoformat(last_day)
    assert len(window.days) == 5
    assert window.days[-1] == window.last_day


def test_the_window_of_regulation_a_runs_from_monday_to_friday_24_o_clock() -> None:
    window = rules.publication_window(closes("2021-10-31"), 5, official_calendar())
    assert window.first_day == date(2021, 11, 1)
    assert window.ends_at.isoformat() == "2021-11-06T00:00:00+08:00"
    assert window.days == tuple(date(2021, 11, day) for day in range(1, 6))


def test_a_working_weekend_counts_and_a_statutory_holiday_does_not() -> None:
    window = rules.publication_window(closes("2021-09-30"), 5, official_calendar())
    assert date(2021, 10, 9) in window.days  # Saturday, worked instead of 10-04
    assert date(2021, 10, 7) not in window.days


def test_the_alternative_of_i_a_14_counts_the_deadline_day_if_it_is_a_workday() -> None:
    friday = rules.publication_window(closes("2021-11-05"), 5, official_calendar(), count_deadline_day=True)
    assert friday.days[0] == date(2021, 11, 5)
    sunday = rules.publication_window(closes("2021-10-31"), 5, official_calendar(), count_deadline_day=True)
    assert sunday.days[0] == date(2021, 11, 1)


def test_a_deadline_is_read_in_beijing_time() -> None:
    # 2021-10-31 18:00 in Beijing, as the database stores it
    utc = datetime.fromisoformat("2021-10-31T16:30:00+00:00")  # 00:30 of Monday in Beijing
    assert rules.publication_window(utc, 1, official_calendar()).first_day == date(2021, 11, 2)


def test_a_window_needs_a_deadline_with_a_time_zone_and_at_least_one_day() -> None:
    with pytest.raises(ValueError, match="time zone"):
        rules.publication_window(closes("2021-10-31").replace(tzinfo=None), 5, official_calendar())
    with pytest.raises(InvalidError):
        rules.publication_window(closes("2021-10-31"), 0, official_calendar())


def test_an_unknown_year_is_named_with_the_page_where_it_is_entered() -> None:
    last_known = max(official_calendar().years)
    with pytest.raises(UnknownWorkdayYearError) as refused:
        rules.publication_window(closes(f"{last_known}-12-31"), 5, official_calendar())
    assert refused.value.extra == {"year": last_known + 1, "page": "/staff/workdays"}
    assert str(last_known + 1) in str(refused.value)
    assert "/staff/workdays" in str(refused.value.next_step)


def test_a_year_before_the_first_official_one_is_unknown_too() -> None:
    with pytest.raises(UnknownWorkdayYearError) as refused:
        official_calendar().is_workday(date(2003, 12, 31))
    assert refused.value.year == 2003


def test_the_official_years_are_those_with_a_whole_notice() -> None:
    calendar = official_calendar()
    assert calendar.knows(2004)
    assert calendar.knows(2021)
    assert sorted(calendar.years) == list(range(2004, max(calendar.years) + 1))
    assert all(days.source is YearSource.OFFICIAL for days in calendar.years.values())


def notice(year: int, **days: list[str]) -> YearDays:
    fixed = [f"{year}-{month:02}-{day:02}" for month, day in rules.FIXED_HOLIDAYS]
    return rules.check_year(
        year,
        frozenset(map(date.fromisoformat, [*fixed, *days.get("holidays", [])])),
        frozenset(map(date.fromisoformat, days.get("makeup", []))),
    )


def test_an_entered_year_continues_the_official_ones() -> None:
    last_known = max(official_calendar().years)
    entered = notice(last_known + 1)
    calendar = WorkdayCalendar(MappingProxyType({**official_calendar().years, last_known + 1: entered}))
    window = rules.publication_window(closes(f"{last_known}-12-31"), 2, calendar)
    assert date(last_known + 1, 1, 1) not in window.days
    assert window.first_day > date(last_known + 1, 1, 1)


def test_a_notice_may_move_days_of_the_december_before_it() -> None:
    # As the notice for 2019 did: 2018-12-29 (Saturday) was worked, Monday the 31st was free.
    calendar = WorkdayCalendar(
        {
            2090: notice(2090),
            2091: notice(2091, holidays=["2090-12-29"], makeup=["2090-12-30"]),
        }
    )
    assert date(2090, 12, 29).weekday() == 4
    assert not calendar.is_workday(date(2090, 12, 29))
    assert calendar.is_workday(date(2090, 12, 30))


def test_day_lines_take_dates_and_ranges_as_people_write_them() -> None:
    days, problems = rules.parse_day_lines(
        ["2027-01-01..2027-01-03", "", " 2027/2/5 ", "2027年5月1日至2027年5月3日", "2027-06-09。"]
    )
    assert problems == []
    assert len(days) == 3 + 1 + 3 + 1
    assert date(2027, 5, 2) in days


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("2027-02-30", "第 1 行“2027-02-30”不是日期"),
        ("元旦", "不是日期"),
        ("2027-01-03..2027-01-01", "结束日期早于开始日期"),
        ("2027-01-01..2027-12-31", "超过 31 天"),
        ("2027-01-01..2027-01-02..2027-01-03", "不是日期"),
    ],
)
def test_a_line_that_is_no_date_is_named_by_its_number(line: str, says: str) -> None:
    days, problems = rules.parse_day_lines([line])
    assert days == frozenset()
    assert says in str(problems[0])


def test_every_wrong_line_is_reported_at_once() -> None:
    _, problems = rules.parse_day_lines(["x", "2027-01-01", "y"])
    assert [problem.params["line"] for problem in problems] == [1, 3]


FIXED = frozenset(date(2027, month, day) for month, day in rules.FIXED_HOLIDAYS)


@pytest.mark.parametrize(
    ("year", "holidays", "makeup", "field", "says"),
    [
        (1949, FIXED, frozenset(), "year", "年份"),
        (2027, FIXED | {date(2028, 1, 2)}, frozenset(), "holidays", "2028-01-02 不属于 2027 年"),
        (2027, FIXED - {date(2027, 10, 2)}, frozenset(), "holidays", "缺少法定节假日 2027-10-02"),
        (2027, frozenset(), frozenset(), "holidays", "2027-01-01"),
        (2027, FIXED, frozenset({date(2027, 10, 3)}), "makeup_workdays", "同时写为"),
        (2027, FIXED, frozenset({date(2027, 3, 1)}), "makeup_workdays", "不是周六或周日"),
        (2027, FIXED, frozenset({date(2026, 11, 1)}), "makeup_workdays", "不属于"),
    ],
)
def test_a_notice_that_cannot_be_right_is_refused_beside_its_field(
    year: int, holidays: frozenset[date], makeup: frozenset[date], field: str, says: str
) -> None:
    with pytest.raises(InvalidError) as refused:
        rules.check_year(year, holidays, makeup)
    assert list(refused.value.fields) == [field]
    assert says in str(refused.value.fields[field])


def test_organisers_and_committees_of_any_competition_enter_a_year() -> None:
    rules.require_may_enter(Actor("user", user_id=1, grants=frozenset({(7, Role.COMMITTEE)})))
    rules.require_may_enter(Actor("user", user_id=1, grants=frozenset({(None, Role.ORGANISER)})))
    with pytest.raises(SignInRequiredError):
        rules.require_may_enter(ANONYMOUS)
    with pytest.raises(ForbiddenError):
        rules.require_may_enter(Actor("user", user_id=1, grants=frozenset({(7, Role.REFEREE)})))


def test_an_official_year_is_not_overwritten() -> None:
    with pytest.raises(rules.OfficialYearError, match="2021"):
        rules.require_not_official(2021, official_calendar().years)
    rules.require_not_official(2099, official_calendar().years)


def test_consecutive_windows_never_overlap_in_their_days() -> None:
    first = rules.publication_window(closes("2021-10-31"), 5, official_calendar())
    after = rules.publication_window(first.ends_at - timedelta(seconds=1), 5, official_calendar())
    assert not set(first.days) & set(after.days)
