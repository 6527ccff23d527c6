"""Names of competitions, who creates them, which calendars can be played, and the phase a calendar is in.

| rule (A) | implemented |
|---|---|
| a draw needs the published list, and the list is public for five workdays (三(四)1) | play begins after that window |
| entries come in until the deadline (三(三)1) | a competition whose deadline is over is not created |
| a text without a published list (东城区) | the draw follows from the approved entries, nothing is waited for |
| a text without a day of play (白云区) | the organiser names it before the competition is created |
| a format whose rounds cannot be drawn here yet | no competition is created with it |
| days of a year without an official calendar (公示期) | never guessed: no competition is created until they are entered |
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.clock import beijing_date
from app.errors import InvalidError, NotFoundError, RefusedError
from app.regulations.rules import Bilingual, Calendar, Regulation
from app.regulations.rules.calendar import CalendarKey
from app.text import T, until
from app.workdays.rules import UnknownWorkdayYearError, Window, WorkdayCalendar, publication_window

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,58})[a-z0-9]")

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows: with them a text reads as another one."""


class Phase(StrEnum):
    """Where the calendar of the regulation stands (日程)."""

    ANNOUNCED = "announced"
    OPEN = "open"
    CLOSED = "closed"
    PLAYING = "playing"
    OVER = "over"


PHASE_NAMES: dict[Phase, T] = {
    Phase.ANNOUNCED: T("报名未开始"),
    Phase.OPEN: T("报名中"),
    Phase.CLOSED: T("报名已截止"),
    Phase.PLAYING: T("比赛中"),
    Phase.OVER: T("已结束"),
}


class UnknownCompetitionError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有找到这个赛事。"), next_step=T("请从赛事列表进入，或核对链接。"))


class UnknownRoleError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这个身份。"), next_step=T("请刷新“人员与身份”页面核对。"))


class SlugTakenError(InvalidError):
    def __init__(self) -> None:
        text = T("这个网址已有赛事使用，请换一个。")
        super().__init__(text, fields={"slug": text})


class CalendarRefusedError(InvalidError):
    """Dates that are in order and with which the competition still could not be held."""

    def __init__(
        self, regulation: Regulation, fields: dict[str, T], clause: str, next_step: T | None = None
    ) -> None:
        super().__init__(
            next(iter(fields.values())),
            fields=fields,
            clause=clause,
            extra={"regulation": regulation.id},
            next_step=next_step or T("请按本次比赛改写日程后再提交。"),
        )


class WorkdaysMissingError(CalendarRefusedError):
    """The list would be public for days of a year whose official calendar is not known; it is entered on a page here."""

    def __init__(self, regulation: Regulation, unknown: UnknownWorkdayYearError) -> None:
        text = T(
            "名单公示 %(days)s 个工作日，会用到 %(year)s 年；该年的官方工作日安排还没有，公示期无法推算。",
            days=regulation.publication.workdays,
            year=str(unknown.year),
        )
        field = f"calendar.{CalendarKey.REGISTRATION_CLOSES}"
        super().__init__(regulation, {field: text}, regulation.publication.clause, unknown.next_step)
        self.extra |= unknown.extra


def require_may_create(actor: Actor) -> None:
    """Only organisers of the installation create competitions."""
    actor.require(None, Role.ORGANISER)


class EventDraftError(RefusedError):
    """A draft of the next version of an event's regulation: it is published there."""

    def __init__(self) -> None:
        super().__init__(
            T("这份草稿是一个已有项目的新版规程，不能另建赛事。"), next_step=T("请在该赛事的规程页公布。")
        )


class DraftChangedError(RefusedError):
    """Somebody saved the draft after it was read."""

    def __init__(self) -> None:
        super().__init__(T("草稿刚刚又有修改，还没有公布。"), next_step=T("请重新打开草稿核对后再公布。"))


def require_new_competition(event_id: int | None) -> None:
    """Refuse a draft that belongs to an event."""
    if event_id is not None:
        raise EventDraftError


def require_revision(read: int, stands: int) -> None:
    """Refuse to publish what the publisher has not seen."""
    if read != stands:
        raise DraftChangedError


def require_role(code: str) -> Role:
    """The role of an address. Raises ``UnknownRoleError``."""
    try:
        return Role(code)
    except ValueError:
        raise UnknownRoleError from None


def require_slug(slug: str) -> str:
    """A name for the address: 3 to 60 of a–z, 0–9 and hyphens."""
    if not SLUG.fullmatch(slug):
        text = T("网址只能用 3 到 60 个小写字母、数字和连字符。")
        raise InvalidError(text, fields={"slug": text})
    return slug


def not_plain(text: str) -> T | None:
    """Why ``text`` cannot be a name on a poster, or None: one line, read as it is written, with something to read."""
    if any(char in BIDI or unicodedata.category(char) in {"Cc", "Zl", "Zp"} for char in text):
        return T("含有看不见的控制字符，请重新输入。")
    if not any(unicodedata.category(char).startswith("L") for char in text):
        return T("至少要有一个汉字或字母。")
    return None


def require_runs_here(regulation: Regulation) -> None:
    """Refuse a regulation whose format cannot be drawn and played here yet."""
    if not regulation.runs_here:
        text = Bilingual(
            f"本站还不能举办“{regulation.name('zh')}”的赛制，目前只能用 saishi score 计算其成绩文件。",
            f"Competitions of the format of “{regulation.name('en')}” cannot be held here yet; "
            "saishi score computes their event files.",
        )
        raise InvalidError(text, fields={"regulation": text})


def list_window(regulation: Regulation, workdays: WorkdayCalendar) -> Window | None:
    """The days for which a list that comes out at the deadline is public (公示期); None where the text has no such list.

    Raises ``UnknownWorkdayYearError`` where they reach a year without an official calendar.
    """
    if not regulation.has("publication"):
        return None
    terms = regulation.publication
    return publication_window(
        regulation.calendar.registration_closes, terms.workdays, workdays, terms.count_deadline_day
    )


def require_days_of_play(regulation: Regulation) -> None:
    """Refuse a calendar without the days that the text left to a further notice: the competition is that notice."""
    missing = regulation.calendar.announced
    if missing:
        text = T("条文没有写这一天，请填写。")
        clause = next(iter(missing.values()))
        raise CalendarRefusedError(regulation, {f"calendar.{key}": text for key in missing}, clause)


def require_not_closed(regulation: Regulation, now: datetime) -> None:
    """Refuse a calendar, the regulation's own included, by which nobody can enter any more."""
    deadline = regulation.calendar.registration_deadline
    if not deadline.accepts(now):
        text = T("报名已于 %(closes)s 截止，请填写本次比赛自己的日程。", closes=deadline.at)
        raise CalendarRefusedError(
            regulation, {f"calendar.{CalendarKey.REGISTRATION_CLOSES}": text}, deadline.clause
        )


def require_list_days(regulation: Regulation, workdays: WorkdayCalendar) -> Window | None:
    """`list_window`, with ``WorkdaysMissingError`` where the days cannot be counted yet."""
    try:
        return list_window(regulation, workdays)
    except UnknownWorkdayYearError as unknown:
        raise WorkdaysMissingError(regulation, unknown) from unknown


def require_time_for_the_list(regulation: Regulation, window: Window) -> None:
    """Refuse play that begins before the list of entrants can be final: nothing could be drawn."""
    if regulation.calendar.play_from <= window.last_day:
        text = T(
            "名单公示 %(days)s 个工作日，到 %(end)s 才结束，此前不能抽签；比赛开始不能早于 %(first)s。",
            days=len(window.days),
            end=until(window.ends_at),
            first=window.last_day + timedelta(days=1),
        )
        raise CalendarRefusedError(
            regulation, {f"calendar.{CalendarKey.PLAY_FROM}": text}, regulation.publication.clause
        )


def phase(calendar: Calendar, now: datetime) -> Phase:
    """The phase at ``now``; the second of the deadline still belongs to the open phase."""
    today = beijing_date(now)
    if calendar.registration_opens is not None and now < calendar.registration_opens:
        return Phase.ANNOUNCED
    if calendar.registration_deadline.accepts(now):
        return Phase.OPEN
    if today < calendar.play_from:
        return Phase.CLOSED
    if today <= calendar.play_to:
        return Phase.PLAYING
    return Phase.OVER
