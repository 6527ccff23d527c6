"""The official years that `chinesecalendar` ships (国务院办公厅放假安排).

The package answers for any day between its first and its last holiday, also in a year of which it holds only New
Year's Day. Here a year is official only if its National Day is in the table, which every yearly notice contains.
"""

from functools import cache
from types import MappingProxyType

from chinese_calendar import constants

from app.workdays.rules import WorkdayCalendar, YearDays, YearSource


@cache
def official_calendar() -> WorkdayCalendar:
    """All years whose notice is in the package."""
    years = sorted({day.year for day in constants.holidays if (day.month, day.day) == (10, 1)})
    return WorkdayCalendar(
        MappingProxyType(
            {
                year: YearDays(
                    year=year,
                    holidays=frozenset(day for day in constants.holidays if day.year == year),
                    makeup_workdays=frozenset(day for day in constants.workdays if day.year == year),
                    source=YearSource.OFFICIAL,
                )
                for year in years
            }
        )
    )
