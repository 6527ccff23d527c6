"""Who may ask for a correction and until when, and who decides. Pure decisions.

| rule | implemented |
|---|---|
| A 四(二)8(九): within 10 minutes of publication, not afterwards | `require_in_time`; asked in time, it is decided at any time |
| a text without such a window (B, C, D) | until the chief referee locks the round |
| asked for by a player, or by a referee | who sits at the table, by his card; a referee of the competition |
| decided by the chief referee, who knows what it changes | `require_seen`: the impact that was looked at is the one there is |
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from app.actors import Actor, Role
from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.floor.rules import Moments, require_unlocked
from app.regulations.rules import Deadline, TimeWindow
from app.results.rules import RECORDERS, CorrectionClosedError
from app.text import T

ASKERS = RECORDERS
"""Who asks besides the players of the table, and reads the requests."""

DECIDERS = (Role.CHIEF_REFEREE,)

PLAYER = "player"
"""``asked_as`` of a player; a referee's is his role."""


class RequestState(StrEnum):
    """Where a request stands (更正申请)."""

    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


STATE_NAMES: dict[RequestState, T] = {
    RequestState.OPEN: T("待裁判长决定"),
    RequestState.GRANTED: T("已更正"),
    RequestState.REFUSED: T("不予更正"),
    RequestState.WITHDRAWN: T("已撤回"),
}


class NothingPublishedError(RefusedError):
    """Before publication there is nothing to correct: the sheet itself is changed, or disputed."""

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(
            T("本桌成绩还没有公布，不用申请更正。"),
            clause=clause,
            next_step=T("请在本桌直接修改；已交表的，由选手提出争议。"),
        )


class RequestClosedError(RefusedError):
    def __init__(self, state: RequestState) -> None:
        super().__init__(
            T("这份更正申请已经办完（%(state)s）。", state=STATE_NAMES[state]),
            next_step=T("请刷新本页；不服的，请提出申诉。"),
            extra={"state": state.value},
        )


class UnknownRequestError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这份更正申请。"), next_step=T("请从更正申请的列表进入。"))


class ImpactUnseenError(ConflictError):
    """What a correction changes has to be looked at before it is granted, as it is now."""

    def __init__(self) -> None:
        super().__init__(
            T("请先看这次更正的影响，再决定；还没有更正。"),
            next_step=T("影响已重新计算，请看过后再点“准予更正”。"),
        )


class NothingChangesError(InvalidError):
    def __init__(self) -> None:
        text = T("改后的内容与公布的成绩相同，没有要更正的。")
        super().__init__(text, fields={"proposal": text})


class RequestKeyUsedError(ConflictError):
    def __init__(self) -> None:
        super().__init__(T("这次提交和上一次不一样，没有保存。"), next_step=T("请刷新本页，核对后再提交。"))


def require_may_ask(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *ASKERS)


def require_may_decide(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *DECIDERS)


def deadline(published_at: datetime | None, window: TimeWindow | None) -> Deadline | None:
    """The last moment to ask; None where the text has no such window, or nothing is public."""
    if published_at is None or window is None:
        return None
    return Deadline(published_at + window.length, window.clause)


def require_in_time(
    now: datetime,
    published_at: datetime | None,
    window: TimeWindow | None,
    moments: Moments,
    *,
    clause: str,
) -> None:
    """Within the window of the sheet's publication, its last second included; without a window until the round is locked.

    Raises ``NothingPublishedError``, ``CorrectionClosedError``, ``floor.rules.RoundLockedError``.
    """
    if published_at is None:
        raise NothingPublishedError(clause=clause)
    ends = deadline(published_at, window)
    if ends is not None and window is not None:
        if not ends.accepts(now):
            raise CorrectionClosedError(ends.at, window)
        return
    require_unlocked(moments, now, window, clause=clause)


def require_open(state: RequestState) -> None:
    """Raises ``RequestClosedError``."""
    if state is not RequestState.OPEN:
        raise RequestClosedError(state)


def require_seen(seen: str | None, impact: str) -> None:
    """Raises ``ImpactUnseenError`` unless the fingerprint of the impact that was looked at is that of today's."""
    if seen != impact:
        raise ImpactUnseenError
