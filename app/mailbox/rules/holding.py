"""How long a letter that names no competition holds lists whose window it came in."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.clock import beijing_date
from app.text import BEIJING
from app.workdays.rules import WorkdayCalendar

UNKNOWN = timedelta(days=3)
"""Where nobody knows the workdays of the year."""

FARTHEST = 15
"""Days that are looked at for a workday: longer than any holiday."""


def unplaced_until(end: datetime, calendar: WorkdayCalendar) -> datetime:
    """Until when such a letter holds a list whose window ends at ``end``: 24:00 of the first workday after it, when somebody was there to sort it.

    Everybody's list must not wait for everybody's stray letter. What turns out later to be an objection that came in time makes
    its list open again (``publications.service.reopen``), so nothing is lost by going on.
    """
    first = beijing_date(end)
    for after in range(FARTHEST):
        day = first + timedelta(days=after)
        if not calendar.knows(day.year):
            break
        if calendar.is_workday(day):
            midnight = datetime(day.year, day.month, day.day, tzinfo=BEIJING)
            return max(midnight + timedelta(days=1), end)
    return end + UNKNOWN
