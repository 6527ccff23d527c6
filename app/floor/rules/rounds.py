"""A round as it is played: its moments, the state that follows from them, its clock, and who moves it on.

| rule | implemented |
|---|---|
| C 八(三), D 五3: 60 minutes a round | the clock, from the start that the chief referee gives |
| C 八(四): one announcement in the last 10 minutes, then two more deals | `call_words`; the call is refused before its time |
| A 四(二)8(九): correction within 10 minutes of publication | the round is locked when they are over |
| a text without such a window | the chief referee locks a published round |
| A, B: a number of deals | no clock, unless the committee sets one |
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.errors import InvalidError, RefusedError
from app.regulations.rules import Bilingual, Deadline, Regulation, TimeWindow
from app.text import T
from scoring_engine.tractor.matches.formats import MatchFormat

RUNNERS = (Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who opens a round, starts its clock, calls time, ends, publishes and locks it."""


CHINESE = "零一二三四五六七八九十"
"""Numbers of deals as the texts write them: 再打二副牌. The engine takes no more."""


class RunState(StrEnum):
    """How far a round is (进行中的一轮)."""

    DRAWN = "drawn"
    OPEN = "open"
    ENDED = "ended"
    PUBLISHED = "published"
    LOCKED = "locked"


RUN_STATE_NAMES: dict[RunState, T] = {
    RunState.DRAWN: T("未开赛"),
    RunState.OPEN: T("进行中"),
    RunState.ENDED: T("已结束"),
    RunState.PUBLISHED: T("已公布"),
    RunState.LOCKED: T("已锁定"),
}


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of a round; each is None until it has come."""

    scheduled_at: datetime | None = None
    opened_at: datetime | None = None
    started_at: datetime | None = None
    called_at: datetime | None = None
    ended_at: datetime | None = None
    published_at: datetime | None = None
    locked_at: datetime | None = None

    def correction_ends_at(self, window: TimeWindow | None) -> datetime | None:
        """The last moment at which a correction is asked for; None before publication, or without a window."""
        if window is None or self.published_at is None:
            return None
        return self.published_at + window.length

    def state(self, now: datetime, window: TimeWindow | None) -> RunState:
        """``window``: that of corrections, after whose last second a published round is locked; None: the text has none."""
        if self.locked_at is not None:
            return RunState.LOCKED
        if self.published_at is not None:
            ends_at = self.correction_ends_at(window)
            over = (
                ends_at is not None
                and window is not None
                and not Deadline(ends_at, window.clause).accepts(now)
            )
            return RunState.LOCKED if over else RunState.PUBLISHED
        if self.ended_at is not None:
            return RunState.ENDED
        return RunState.DRAWN if self.opened_at is None else RunState.OPEN


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round that was started: when the last deals are announced, and when time is up."""

    started_at: datetime
    ends_at: datetime
    call_at: datetime | None

    @classmethod
    def of(cls, moments: Moments, minutes: int | None, call_minutes: int | None) -> Clock | None:
        if moments.started_at is None or minutes is None:
            return None
        ends_at = moments.started_at + timedelta(minutes=minutes)
        return cls(
            moments.started_at,
            ends_at,
            None if call_minutes is None else ends_at - timedelta(minutes=call_minutes),
        )

    def seconds_left(self, now: datetime) -> int:
        """Whole seconds until time is up, rounded up; 0 afterwards."""
        left = self.ends_at - now
        return max(0, -(-left // timedelta(seconds=1)))


class RoundNotOpenError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这一轮还没有开赛。"), next_step=T("请裁判长先开赛。"))


class RoundOverError(RefusedError):
    def __init__(self, ended_at: datetime) -> None:
        super().__init__(
            T("这一轮已于 %(ended)s 结束。", ended=ended_at),
            next_step=T("结束时刻只记一次，申诉时限由它算起。"),
        )


class NoClockError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("这一轮没有时限：规程按副数比赛，组委会也没有设时间。"),
            next_step=T("需要计时的，请组委会在办赛方式中填写每轮分钟数。"),
        )


class ClockNotStartedError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这一轮还没有开始计时。"), next_step=T("请裁判长先开始计时。"))


class NothingToCallError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("这一轮没有结束前的提醒。"), next_step=T("需要提醒的，请组委会在办赛方式中填写提前几分钟。")
        )


class CalledTooEarlyError(RefusedError):
    """The announcement belongs to the last minutes (C 八(四))."""

    def __init__(self, call_at: datetime, minutes: int, clause: str | None) -> None:
        super().__init__(
            T("还没有到最后 %(minutes)s 分钟，%(at)s起才能提醒。", minutes=minutes, at=call_at), clause=clause
        )


class NotPublishedYetError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这一轮的成绩还没有全部公布，不能锁定。"), next_step=T("请先公布本轮成绩。"))


class CorrectionRunningError(RefusedError):
    """A round is not locked while somebody may still ask for a correction."""

    def __init__(self, ends_at: datetime, window: TimeWindow) -> None:
        super().__init__(
            T("更正时限到 %(ends)s 为止，此前不能锁定。", ends=ends_at),
            clause=window.clause,
            next_step=T("时限一过，本轮自动锁定。"),
        )


class RoundLockedError(RefusedError):
    """A locked round (已锁定) is changed only by a correction that was asked for in time, an appeal or a ruling."""

    def __init__(self, window: TimeWindow | None, clause: str | None) -> None:
        text = T("这一轮的成绩已锁定。")
        if window is not None:
            text = T("成绩公布 %(minutes)s 分钟内可以更正，这一轮已锁定。", minutes=window.minutes)
            clause = window.clause
        super().__init__(
            text,
            clause=clause,
            next_step=T("时限内已申请更正的，由裁判长办理；逾时只能由申诉裁决或裁判长判罚更改。"),
        )


class BadScheduleError(InvalidError):
    def __init__(self) -> None:
        text = T("这一轮已经开赛，不能再改规定的到场时间。")
        super().__init__(text, fields={"scheduled_at": text})


def require_may_run(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *RUNNERS)


def require_call_due(
    clock: Clock | None, now: datetime, call_minutes: int | None, clause: str | None
) -> None:
    """Refuse an announcement before the last minutes, or where there is nothing to announce."""
    if clock is None:
        raise ClockNotStartedError
    if clock.call_at is None or call_minutes is None:
        raise NothingToCallError
    if now < clock.call_at:
        raise CalledTooEarlyError(clock.call_at, call_minutes, clause)


def require_may_lock(moments: Moments, now: datetime, window: TimeWindow | None) -> None:
    """Refuse to lock what is not public, or may still be corrected."""
    if moments.published_at is None:
        raise NotPublishedYetError
    ends_at = moments.correction_ends_at(window)
    if window is not None and ends_at is not None and moments.state(now, window) is not RunState.LOCKED:
        raise CorrectionRunningError(ends_at, window)


def require_unlocked(
    moments: Moments, now: datetime, window: TimeWindow | None, *, clause: str | None
) -> None:
    """Refuse a change of a locked round. ``clause``: that of the stage, for a text without a window."""
    if moments.state(now, window) is RunState.LOCKED:
        raise RoundLockedError(window, clause)


def call_words(regulation: Regulation, minutes: int) -> Bilingual:
    """What is announced when the last minutes begin: what is still played by this text."""
    match = regulation.scoring_rules().scoring
    zh, en = f"本轮还剩 {minutes} 分钟", f"{minutes} minutes left in this round"
    if not isinstance(match, MatchFormat):
        return Bilingual(f"{zh}。", f"{en}.")
    if match.further_deals:
        deals = match.further_deals
        return Bilingual(
            f"{zh}：正在打的一副打完后，再打{CHINESE[deals]}副，本轮结束。",
            f"{en}: finish the deal you are playing, then play {deals} more.",
        )
    if match.time_up == "stop":
        return Bilingual(
            f"{zh}：时间一到立即停止，没有打完的一副不计。",
            f"{en}: play stops when time is up, and an unfinished deal is void.",
        )
    return Bilingual(
        f"{zh}：时间到时正在打的一副打完为止。", f"{en}: the deal that runs when time is up is the last one."
    )
