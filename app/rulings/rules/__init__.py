"""Rulings (判罚): what can be given, by whom, and how it is refused. Pure decisions.

| rule | implemented |
|---|---|
| what a regulation lets a referee give, its amount and effect in words | ``choices`` |
| what a ruling makes of the score sheet, and how that is taken out again | ``contents`` |
| a referee gives warnings and penalties at his table while it is played; the rest is the chief referee's | ``require_may_give`` |
| a ruling is withdrawn by whoever could give it now, with a reason | ``require_may_withdraw`` |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from app.actors import Actor, Role
from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, RefusedError
from app.text import T, holds_long_number

GIVERS = (Role.REFEREE, Role.CHIEF_REFEREE)
READERS = (Role.CHIEF_REFEREE, Role.REFEREE, Role.COMMITTEE, Role.ARBITRATION)

LATE, FORFEIT, EXPULSION = "late", "forfeit", "expulsion"
"""The codes of what is no penalty of the regulation's list."""

MOST_MINUTES = 600

NO_FORFEIT = T("规程没有写迟到和弃权怎样处理：请报告裁判长，由组委会裁定。")
"""Of a text that says nothing of lateness and forfeits (A, I-A-18)."""


class RulingKind(StrEnum):
    """What a ruling is; the value is stored."""

    PENALTY = "penalty"
    LATENESS = "lateness"
    FORFEIT = "forfeit"
    EXPULSION = "expulsion"


KIND_NAMES = {
    RulingKind.PENALTY: T("判罚"),
    RulingKind.LATENESS: T("迟到"),
    RulingKind.FORFEIT: T("判弃权"),
    RulingKind.EXPULSION: T("取消参赛资格"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A ruling as it is asked for. ``code``: a penalty of the regulation, or LATE, FORFEIT, EXPULSION; of an expulsion ``rule`` is
    the penalty it rests on. The others are what that penalty needs, as the event file names them."""

    code: str
    rule: str | None = None
    deal: int | None = None
    count: int = 1
    points: int | None = None
    outcome: str | None = None
    insisted: bool = False
    minutes: Fraction | None = None

    @property
    def kind(self) -> RulingKind:
        kinds = {
            LATE: RulingKind.LATENESS,
            FORFEIT: RulingKind.FORFEIT,
            EXPULSION: RulingKind.EXPULSION,
        }
        return kinds.get(self.code, RulingKind.PENALTY)


class UnknownRulingError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这条判罚。"), next_step=T("请从判罚列表进入。"))


class UnknownChoiceError(InvalidError):
    """A penalty that the regulation does not have, or that this game does not know."""

    def __init__(self, clause: str | None) -> None:
        text = T("本规程没有这项判罚。")
        super().__init__(text, clause=clause, fields={"code": text}, next_step=T("请从规程的罚则中选择。"))


class NotInTheEventError(InvalidError):
    def __init__(self) -> None:
        text = T("请选择参加过抽签的选手。")
        super().__init__(text, fields={"entry_id": text})


class NotAtThisTableError(InvalidError):
    def __init__(self, names: str) -> None:
        text = T("请选择这一桌的选手：%(names)s。", names=names)
        super().__init__(text, fields={"entry_ids": text})


class ParameterError(InvalidError):
    """What a penalty needs is missing, or is something it has no use for; ``fields`` says where."""

    def __init__(self, field: str, text: T, clause: str | None) -> None:
        super().__init__(text, clause=clause, fields={field: text})


class RulingReasonError(InvalidError):
    def __init__(self, text: T) -> None:
        super().__init__(text, fields={"reason": text})


class OtherTableError(ForbiddenError):
    def __init__(self) -> None:
        super().__init__(T("这一桌由其他裁判员执裁。"), next_step=T("请呼叫这一桌的裁判员，或报告裁判长。"))


class ChiefOnlyError(ForbiddenError):
    """What a referee may not decide alone; the sentence says why."""

    def __init__(self, text: T, clause: str | None) -> None:
        super().__init__(text, clause=clause, next_step=T("请报告裁判长。"))


class AlreadyExpelledError(RefusedError):
    def __init__(self, name: str) -> None:
        super().__init__(
            T("%(name)s已被取消参赛资格。", name=name), next_step=T("判罚有误的，请先撤销那一条。")
        )


class AlreadyWithdrawnError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("这条判罚已经撤销。"), next_step=T("需要时请重新作出判罚。"))


class RulingVoidError(RefusedError):
    """The round of the ruling was taken back (作废), and the ruling with it."""

    def __init__(self) -> None:
        super().__init__(T("这一轮已经作废，判罚随之失效。"), next_step=T("不需要再撤销。"))


class CostChangedError(ConflictError):
    """Since it was previewed something else was given, so it would now cost another amount; ``extra`` has both."""

    def __init__(self, previewed: str, now: str) -> None:
        super().__init__(
            T(
                "预览之后情况有变：预览时计 %(previewed)s 分，现在会计 %(now)s 分。",
                previewed=previewed,
                now=now,
            ),
            next_step=T("请再看一遍影响，然后决定。"),
            extra={"previewed": previewed, "now": now},
        )


class SheetWaitsError(RefusedError):
    """The sheet was handed in and is not confirmed yet: neither can it be written on, nor does it count."""

    def __init__(self, clause: str | None) -> None:
        super().__init__(
            T("这一桌的记分表已交、还没有确认，现在不能写入。"),
            clause=clause,
            next_step=T("请等双方确认，或由裁判长退回后再判。"),
        )


class SheetMovedError(RefusedError):
    """The sheet was changed since the ruling was written on it, so that it cannot be taken out by itself."""

    def __init__(self, clause: str | None) -> None:
        super().__init__(
            T("作出判罚之后记分表又改过，撤销后不知道原来的结果。"),
            clause=clause,
            next_step=T("请由裁判长更正这一桌的成绩，写上撤销之后的结果。"),
        )


class NothingPlayedError(RefusedError):
    """Without the ruling the sheet would be empty: the table has not been played."""

    def __init__(self, clause: str | None) -> None:
        super().__init__(
            T("撤销之后这一桌没有成绩。"),
            clause=clause,
            next_step=T("请裁判长先退回记分表，补打或补录之后再撤销。"),
        )


def parse_reason(written: str) -> str:
    """The reason of a ruling, which the staff reads. Raises ``RulingReasonError``."""
    reason = written.strip()
    if len(reason) < 2:
        raise RulingReasonError(T("请写明事实和理由。"))
    if holds_long_number(reason):
        raise RulingReasonError(T("理由里请不要写电话或证件号码。"))
    return reason


def require_may_give(
    actor: Actor,
    competition_id: int,
    *,
    chief_only: T | None,
    clause: str | None,
    referees: frozenset[int] = frozenset(),
) -> Role:
    """The role a ruling is given in. ``chief_only`` says why a referee may not give it, None where he may; ``referees`` are those
    of the table, empty where nobody was assigned. Raises ``ChiefOnlyError``, ``OtherTableError``."""
    actor.require(competition_id, *GIVERS)
    if actor.has(competition_id, Role.CHIEF_REFEREE):
        return Role.CHIEF_REFEREE
    if chief_only is not None:
        raise ChiefOnlyError(chief_only, clause)
    if referees and actor.user_id not in referees:
        raise OtherTableError
    return Role.REFEREE


IN_FORCE = T("这一桌的成绩已经公布，由裁判长决定。")
"""Why a referee neither gives nor withdraws a ruling about a table whose sheet counts already."""


def require_may_withdraw(
    actor: Actor, competition_id: int, *, made_by_id: int | None, in_force: bool, clause: str | None
) -> Role:
    """The chief referee withdraws any ruling, a referee his own while the table is played."""
    actor.require(competition_id, *GIVERS)
    if actor.has(competition_id, Role.CHIEF_REFEREE):
        return Role.CHIEF_REFEREE
    if made_by_id != actor.user_id:
        raise ChiefOnlyError(T("别人作出的判罚由裁判长撤销。"), clause)
    if in_force:
        raise ChiefOnlyError(IN_FORCE, clause)
    return Role.REFEREE
