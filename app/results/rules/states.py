"""How the state of a sheet moves (记分表状态), from the first deal to a confirmed result, and what is in force of it.

| state | what it means | what comes next |
|---|---|---|
| open 未开赛、进行中 | the referee writes on it | handing in |
| entered 待确认 | handed in; the sides, or a second referee, have not all said that it is right | a confirmation, a dispute |
| disputed 有争议 | a side, or the second referee, says otherwise: the chief referee was called | the chief referee's decision |
| confirmed 已确认 | everybody who has to has said that it is right | publication, at once or by the round |

Published (已公布) and locked (已锁定) are no states of their own: a sheet that is being corrected keeps its published revision in
force, and the whole round is locked.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from app.errors import RefusedError
from app.text import T


class SheetState(StrEnum):
    """Where a sheet stands (记分表状态)."""

    OPEN = "open"
    ENTERED = "entered"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"


class SheetAct(StrEnum):
    """What can be done to a sheet."""

    RECORD = "record"
    HAND_IN = "hand_in"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    UPHOLD = "uphold"
    SEND_BACK = "send_back"
    REOPEN = "reopen"
    RESTORE = "restore"
    CORRECT = "correct"


MOVES: Mapping[tuple[SheetState, SheetAct], SheetState] = {
    (SheetState.OPEN, SheetAct.RECORD): SheetState.OPEN,
    (SheetState.OPEN, SheetAct.HAND_IN): SheetState.ENTERED,
    (SheetState.ENTERED, SheetAct.CONFIRM): SheetState.CONFIRMED,
    (SheetState.ENTERED, SheetAct.DISPUTE): SheetState.DISPUTED,
    (SheetState.ENTERED, SheetAct.REOPEN): SheetState.OPEN,
    (SheetState.DISPUTED, SheetAct.UPHOLD): SheetState.ENTERED,
    (SheetState.DISPUTED, SheetAct.SEND_BACK): SheetState.OPEN,
    # only before it is public: afterwards a side asks for a correction
    (SheetState.CONFIRMED, SheetAct.DISPUTE): SheetState.DISPUTED,
    (SheetState.CONFIRMED, SheetAct.REOPEN): SheetState.OPEN,
    # back to the confirmed revision, where there is one
    (SheetState.OPEN, SheetAct.RESTORE): SheetState.ENTERED,
    (SheetState.ENTERED, SheetAct.RESTORE): SheetState.ENTERED,
    (SheetState.DISPUTED, SheetAct.RESTORE): SheetState.ENTERED,
    # what was judged elsewhere: a correction that was granted, an appeal, a ruling
    (SheetState.OPEN, SheetAct.CORRECT): SheetState.ENTERED,
    (SheetState.ENTERED, SheetAct.CORRECT): SheetState.ENTERED,
    (SheetState.DISPUTED, SheetAct.CORRECT): SheetState.ENTERED,
    (SheetState.CONFIRMED, SheetAct.CORRECT): SheetState.ENTERED,
}
"""Every move there is: nothing is confirmed that was not entered. Handing in at the table (the default of
``floor.rules.Confirmation``), upholding, restoring and correcting confirm in the same act."""


class SheetClosedError(RefusedError):
    """The sheet's state does not allow this act: a sheet for a table that is closed (已交表)."""

    def __init__(self, state: SheetState, act: SheetAct, *, clause: str | None) -> None:
        text = T("这张记分表已交，不能再改。")
        next_step: T | None = _TO_THE_CHIEF
        if state is SheetState.OPEN and act is SheetAct.REOPEN:
            text, next_step = T("这张记分表还没有交，可以直接修改。"), None
        elif state is SheetState.OPEN:
            text, next_step = T("这张记分表还没有交，没有可以确认的成绩。"), T("请等裁判员交表。")
        elif state is SheetState.DISPUTED:
            text, next_step = T("这张记分表有争议，等裁判长裁定。"), T("请裁判长在本桌页面裁定。")
        elif act in (SheetAct.UPHOLD, SheetAct.SEND_BACK):
            text, next_step = T("这张记分表没有争议，不需要裁定。"), None
        elif act in (SheetAct.CONFIRM, SheetAct.DISPUTE):
            text = T("这张记分表已经确认。")
        super().__init__(text, clause=clause, next_step=next_step, extra={"state": state.value})


_TO_THE_CHIEF = T("如需更正，请报告裁判长，由裁判长在更正时限内退回。")


def moved(state: SheetState, act: SheetAct, *, clause: str | None) -> SheetState:
    """The state after ``act``. Raises ``SheetClosedError`` where there is no such move."""
    after = MOVES.get((state, act))
    if after is None:
        raise SheetClosedError(state, act, clause=clause)
    return after
