"""How the days of a list are counted, and where a window stands.

| rule | implemented |
|---|---|
| five workdays after the deadline (I-A-14) | `workdays.rules.publication_window` |
| a list that comes out after the first of those days (I-A-19) | option `late_publication`, see below |
| a supplementary list (三(四)2: 另行公示) | the same number of workdays from its own publication |
| a corrected list (I-A-22) | option `corrected_window`, see below |
| a window is open from the moment its list is public until 24:00 of its last day | `window_open` |
| an objection by mail is made when it comes to its server; a list is final once the mailbox was read after 24:00 | `AWAITING_MAIL` |

`late_publication` is a reading, not a sentence of a text: "公示期为报名截止后5个工作日内" takes for granted that the list
comes out at once. If it does not, people would have fewer than five workdays to read it. `recount` (default) counts
the days from the day of publication, by the same rule as from the deadline; `from_deadline` keeps the literal dates,
as long as they are not all over.

`corrected_window`: no text says how long a list is open that takes the place of another. Whoever only left the list takes nothing
from the days the rest were open to objection, so `keep` (default) goes on with the window of the list before; where a name or
unit changed there is something new to read, and the days are counted from the correction. `recount` counts them in both cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Protocol

from app.clock import beijing_date
from app.publications.rules.refusals import WindowOverError
from app.regulations.rules import Regulation
from app.regulations.rules.calendar import CalendarKey
from app.text import BEIJING, Cited, T, until
from app.workdays.rules import Window, WorkdayCalendar, publication_window


class LatePublication(StrEnum):
    """What happens to the days when the list comes out after the first of them."""

    RECOUNT = "recount"
    FROM_DEADLINE = "from_deadline"


class CorrectedWindow(StrEnum):
    """What happens to the days when a corrected list takes the place of another from which entries were only left out."""

    KEEP = "keep"
    RECOUNT = "recount"


class CountedFrom(StrEnum):
    """What the days of a window were counted from."""

    DEADLINE = "deadline"
    PUBLICATION = "publication"
    SUPPLEMENT = "supplement"
    CORRECTION = "correction"


COUNTED_FROM_NAMES: Mapping[CountedFrom, T] = {
    CountedFrom.DEADLINE: T("自报名截止起算"),
    CountedFrom.PUBLICATION: T("公示晚于首个工作日发布，自发布之日重新起算"),
    CountedFrom.SUPPLEMENT: T("补充名单自发布之日起算"),
    CountedFrom.CORRECTION: T("更正名单自发布之日重新起算"),
}


class PublicationState(StrEnum):
    """``OBJECTED``: the window is over, and an objection made in it is not decided yet (异议处理中). ``AWAITING_MAIL``: the window is
    over, and an objection may be in the mail that came in it and that nobody has looked at (待查收来信)."""

    RUNNING = "running"
    OBJECTED = "objected"
    AWAITING_MAIL = "awaiting_mail"
    FINAL = "final"
    SUPERSEDED = "superseded"


class Timed(Protocol):
    """Whatever has a window: a list, or its row."""

    @property
    def published_at(self) -> datetime: ...
    @property
    def ends_at(self) -> datetime: ...


def window_open(publication: Timed, now: datetime) -> bool:
    """Whether an objection made at `now` is in the window: the moment of publication counts, `ends_at` does not."""
    return publication.published_at <= now < publication.ends_at


def late_publication(regulation: Regulation) -> LatePublication:
    """The reading in force (I-A-19); a regulation that leaves the option out is read as `recount`."""
    return LatePublication(str(regulation.options.get("late_publication", LatePublication.RECOUNT.value)))


def window_of(
    regulation: Regulation, calendar: WorkdayCalendar, published_at: datetime
) -> tuple[Window, CountedFrom]:
    """The publication window of a list that comes out at `published_at`.

    Raises `UnknownWorkdayYearError` when the days reach a year without an official calendar.
    """
    terms = regulation.publication

    def counted_from(moment: datetime) -> Window:
        return publication_window(moment, terms.workdays, calendar, terms.count_deadline_day)

    literal = counted_from(regulation.calendar.registration_closes)
    if published_at < midnight(literal.first_day + timedelta(days=1)):
        return literal, CountedFrom.DEADLINE
    if late_publication(regulation) is LatePublication.RECOUNT:
        return counted_from(published_at), CountedFrom.PUBLICATION
    if published_at >= literal.ends_at:
        raise WindowOverError(literal.ends_at, terms.clause)
    return literal, CountedFrom.DEADLINE


def corrected_window(regulation: Regulation) -> CorrectedWindow:
    """The reading in force (I-A-22); a regulation that leaves the option out is read as `keep`."""
    return CorrectedWindow(str(regulation.options.get("corrected_window", CorrectedWindow.KEEP.value)))


def recounted(regulation: Regulation, calendar: WorkdayCalendar, published_at: datetime) -> Window:
    """The window of a list that comes out by itself at `published_at`. Raises `UnknownWorkdayYearError`."""
    terms = regulation.publication
    return publication_window(published_at, terms.workdays, calendar, terms.count_deadline_day)


def play_crossed(regulation: Regulation, ends_at: datetime) -> T | None:
    """A sentence where a window ends after play began: whoever is on the list cannot be drawn in time."""
    key = CalendarKey.PLAY_FROM
    if key not in regulation.calendar.dates:
        return None
    begins = regulation.calendar.dates[key]
    if ends_at <= midnight(regulation.calendar.play_from):
        return None
    return Cited(
        T(
            "公示期到 %(end)s 才结束，而比赛 %(day)s就开始：名单上的选手赶不上抽签编排。",
            end=until(ends_at),
            day=regulation.calendar.play_from,
        ),
        begins.clause,
    )


def midnight(day: date) -> datetime:
    """The first instant of a day in Beijing."""
    return datetime.combine(day, time(), tzinfo=BEIJING)


def last_day_of(ends_at: datetime) -> date:
    """The day whose 24:00 is `ends_at`."""
    return beijing_date(ends_at) - timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PublicationStatus:
    """Where a window stands: `day` of `of` workdays (0 before the first), until `ends_at`, which is excluded."""

    state: PublicationState
    day: int
    of: int
    ends_at: datetime

    @property
    def running(self) -> bool:
        return self.state is PublicationState.RUNNING


def status_at(
    days: Sequence[date],
    ends_at: datetime,
    now: datetime,
    *,
    superseded: bool = False,
    objections: int = 0,
    mail: bool = False,
) -> PublicationStatus:
    """The status at `now`; on a day off the day before it counts on. `objections` is how many are open; `mail`, whether some of
    the window may still lie unread."""
    today = beijing_date(now)
    if superseded:
        state = PublicationState.SUPERSEDED
    elif now < ends_at:
        state = PublicationState.RUNNING
    elif objections:
        state = PublicationState.OBJECTED
    else:
        state = PublicationState.AWAITING_MAIL if mail else PublicationState.FINAL
    return PublicationStatus(
        state=state,
        day=sum(day <= today for day in days),
        of=len(days),
        ends_at=ends_at,
    )
