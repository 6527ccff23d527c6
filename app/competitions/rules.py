"""Names of competitions, who creates them, and in which phase of its calendar a competition is."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.errors import InvalidError, NotFoundError
from app.regulations.rules import Calendar
from app.text import BEIJING, T

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,58})[a-z0-9]")


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


class SlugTakenError(InvalidError):
    def __init__(self) -> None:
        text = T("这个网址已有赛事使用，请换一个。")
        super().__init__(text, fields={"slug": text})


def require_may_create(actor: Actor) -> None:
    """Only organisers of the installation create competitions."""
    actor.require(None, Role.ORGANISER)


def require_slug(slug: str) -> str:
    """A name for the address: 3 to 60 of a–z, 0–9 and hyphens."""
    if not SLUG.fullmatch(slug):
        text = T("网址只能用 3 到 60 个小写字母、数字和连字符。")
        raise InvalidError(text, fields={"slug": text})
    return slug


def phase(calendar: Calendar, now: datetime) -> Phase:
    """The phase at ``now``; the second of the deadline still belongs to the open phase."""
    if now < calendar.registration_opens:
        return Phase.ANNOUNCED
    if calendar.registration_deadline.accepts(now):
        return Phase.OPEN
    if now < datetime.combine(calendar.play_from, time(), BEIJING):
        return Phase.CLOSED
    if now < datetime.combine(calendar.play_to + timedelta(days=1), time(), BEIJING):
        return Phase.PLAYING
    return Phase.OVER
