"""When a list may be published, how its days are counted, and the text whose SHA-256 is shown.

| rule | implemented |
|---|---|
| published only after the registration deadline, its own second included (三(三)1) | yes |
| every entry decided first, at least one approved (三(四)1) | yes |
| five workdays after the deadline (I-A-14) | `workdays.rules.publication_window` |
| a list that comes out after the first of those days (I-A-19) | option `late_publication`, see below |
| a text without a publication (东城区) | nothing is published, see `NoPublicationError` |
| supplementary lists for late changes | not here yet: one list for each event |

`late_publication` is a reading, not a sentence of a text: "公示期为报名截止后5个工作日内" takes for granted that the list
comes out at once. If it does not, people would have fewer than five workdays to read it. `recount` (default) counts
the days from the day of publication, by the same rule as from the deadline; `from_deadline` keeps the literal dates,
as long as they are not all over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from app.actors import Actor, Role
from app.clock import beijing_date
from app.errors import NotFoundError, RefusedError
from app.regulations.rules import Objections, Regulation, canonical_json
from app.regulations.rules.terms import OBJECTORS
from app.text import BEIJING, T, until
from app.workdays.rules import Window, WorkdayCalendar, publication_window

FORMAT = "saishi-publication"
FORMAT_VERSION = 1


class LatePublication(StrEnum):
    """What happens to the days when the list comes out after the first of them."""

    RECOUNT = "recount"
    FROM_DEADLINE = "from_deadline"


class CountedFrom(StrEnum):
    """What the days of a window were counted from."""

    DEADLINE = "deadline"
    PUBLICATION = "publication"


COUNTED_FROM_NAMES: Mapping[CountedFrom, T] = {
    CountedFrom.DEADLINE: T("自报名截止起算"),
    CountedFrom.PUBLICATION: T("公示晚于首个工作日发布，自发布之日重新起算"),
}


class PublicationState(StrEnum):
    RUNNING = "running"
    FINAL = "final"


class NoPublicationError(RefusedError):
    """The text has no published list: who may play follows from the review alone."""

    def __init__(self) -> None:
        super().__init__(
            T("规程没有公示名单的条文，不需要公示。"), next_step=T("报名截止、审核完成后可以直接编排。")
        )


class RegistrationStillOpenError(RefusedError):
    def __init__(self, closes_at: datetime, clause: str) -> None:
        super().__init__(
            T("报名尚未截止，%(closes)s 以后才能公示名单。", closes=closes_at),
            clause=clause,
            next_step=T("请在报名截止、审核完成后再公示。"),
        )


class ReviewPendingError(RefusedError):
    """Entries that nobody decided yet would be missing from the list without a reason."""

    def __init__(self, waiting: int, clause: str) -> None:
        super().__init__(
            T("还有 %(count)s 名队员等待审核，不能公示名单。", count=waiting),
            clause=clause,
            next_step=T("请先在工作台“审核报名”中逐一通过或不通过。"),
            extra={"waiting": waiting},
        )


class NothingToPublishError(RefusedError):
    def __init__(self, clause: str) -> None:
        super().__init__(
            T("没有审核通过的队员，无名单可公示。"),
            clause=clause,
            next_step=T("请先在工作台“审核报名”中逐一通过或不通过。"),
        )


class AlreadyPublishedError(RefusedError):
    def __init__(self, number: int, published_at: datetime, clause: str) -> None:
        super().__init__(
            T("第 %(number)s 号名单已于 %(at)s 公示，公示后不能修改或重发。", number=number, at=published_at),
            clause=clause,
            next_step=T("名单有误的，请按规程处理异议。"),
            extra={"number": number},
        )


class WindowOverError(RefusedError):
    """The literal window ended before the list came out: nobody could have objected."""

    def __init__(self, ends_at: datetime, clause: str) -> None:
        super().__init__(
            T(
                "自报名截止起算的公示期已于 %(end)s 结束，此时公示将没有人能提出异议。",
                end=until(ends_at),
            ),
            clause=clause,
            next_step=T("请主办方将规程选项 late_publication 改为 recount。"),
        )


class UnknownPublicationError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这份公示名单。"), next_step=T("请从公示页进入。"))


def require_may_publish(actor: Actor, competition_id: int) -> None:
    """The organising committee reviews and publishes (三(四)1)."""
    actor.require(competition_id, Role.COMMITTEE)


def require_publishable(regulation: Regulation, *, now: datetime, waiting: int, approved: int) -> None:
    """Refuse while entries still come in, while one waits for review, or when none was approved."""
    deadline = regulation.calendar.registration_deadline
    if deadline.accepts(now):
        raise RegistrationStillOpenError(deadline.at, deadline.clause)
    if waiting:
        raise ReviewPendingError(waiting, regulation.publication.clause)
    if not approved:
        raise NothingToPublishError(regulation.publication.clause)


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


def status_at(days: Sequence[date], ends_at: datetime, now: datetime) -> PublicationStatus:
    """The status at `now`; on a day off the day before it counts on."""
    today = beijing_date(now)
    return PublicationStatus(
        state=PublicationState.RUNNING if now < ends_at else PublicationState.FINAL,
        day=sum(day <= today for day in days),
        of=len(days),
        ends_at=ends_at,
    )


def canonical_listing(document: Mapping[str, Any]) -> str:
    """The one spelling of a list that is stored, offered for download and hashed: keys sorted, no spaces, UTF-8."""
    return canonical_json(document)


def objection_terms(objections: Objections) -> tuple[T, ...]:
    """Who may object, and what an objection must carry, in the reader's words."""
    terms = [T("公示期内对运动员资格持有异议的，%(who)s均可向组委会提出举报。", who=OBJECTORS[objections.by])]
    if objections.written:
        terms.append(T("须以书面形式提出。"))
    if objections.seal:
        terms.append(T("材料须加盖公章。"))
    if objections.evidence:
        terms.append(T("须提供可供核实的依据。"))
    return tuple(terms)
