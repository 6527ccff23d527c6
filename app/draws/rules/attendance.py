"""Who takes part in which round of a stage paired by points (出席登记). Pure decisions.

| rule | implemented |
|---|---|
| absent (缺席) in one round; withdrawn (退赛) from a round on; back again (恢复参赛); entering later (补报、迟到入场) | `Presence` |
| rounds that are drawn stay as they were drawn | `require_undrawn` |
| the list a seed was committed for stays that list | `require_list_kept` |
| after forfeits running only the chief referee lets somebody be paired again (恢复编排, I-B-19) | `require_may_reinstate` |
| until which round somebody may enter late | `require_in_time`, by the option `latest_entry_round` |

What stands in the event file is what the engine pairs by: `enters_in`, `withdrawn_after`, `absent`, `reinstated`. Who came
back after rounds without him was absent in those.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.actors import Actor, Role
from app.draws.rules import DRAWERS, SWISS, entry_of, round_name
from app.draws.rules.division import DIVISION
from app.errors import InvalidError, NotFoundError, RefusedError
from app.regulations.rules import Regulation
from app.text import T, holds_long_number
from scoring_engine.event_file.swiss_draws.history import Away
from scoring_engine.rules import StageRule
from scoring_engine.values import EntrantId

LATEST_ENTRY = "latest_entry_round"
"""The option that says until which round somebody may enter late; a regulation without it sets no such bound."""


class ActKind(StrEnum):
    """What is said of one entrant and one round; the value is stored."""

    ABSENT = "absent"
    WITHDRAWN = "withdrawn"
    RETURNED = "returned"
    ENTERS = "enters"
    REINSTATED = "reinstated"


KIND_NAMES: Mapping[ActKind, T] = {
    ActKind.ABSENT: T("缺席"),
    ActKind.WITHDRAWN: T("退赛"),
    ActKind.RETURNED: T("恢复参赛"),
    ActKind.ENTERS: T("补报、迟到入场"),
    ActKind.REINSTATED: T("弃权后恢复编排"),
}

AWAY_NAMES: Mapping[Away, T] = {
    Away.NOT_ENTERED: T("还没有入场"),
    Away.WITHDRAWN: T("已退赛"),
    Away.ABSENT: T("缺席"),
    Away.BYE_REQUESTED: T("申请轮空"),
    Away.STANDS_OUT: T("连续弃权"),
}

NEEDS_REASON = frozenset(ActKind) - {ActKind.ABSENT}


@dataclass(frozen=True, slots=True)
class Act:
    """One thing said of an entrant: of a round, or from that round on."""

    entrant: EntrantId
    kind: ActKind
    number: int


@dataclass(frozen=True, slots=True)
class Presence:
    """When one entrant takes part. gaps: rounds from … to before … he had withdrawn for, None where he has not come back."""

    enters_in: int = 1
    gaps: tuple[tuple[int, int | None], ...] = ()
    absent: frozenset[int] = field(default_factory=frozenset)
    reinstated: frozenset[int] = field(default_factory=frozenset)

    def gap_at(self, number: int) -> tuple[int, int] | None:
        """The rounds he is out of and comes back from, if this is one of them."""
        closed = ((start, end) for start, end in self.gaps if end is not None)
        return next((gap for gap in closed if gap[0] <= number < gap[1]), None)

    @property
    def withdrawn_from(self) -> int | None:
        """The first round he is out of for good."""
        return self.gaps[-1][0] if self.gaps and self.gaps[-1][1] is None else None

    def away_in(self, number: int) -> Away | None:
        """Why he is not paired in a round; None where he is, his forfeits apart."""
        if self.withdrawn_from is not None and number >= self.withdrawn_from:
            return Away.WITHDRAWN
        if number < self.enters_in:
            return Away.NOT_ENTERED
        if number in self.absent or any(start <= number < (end or number) for start, end in self.gaps):
            return Away.ABSENT
        return None

    def entrant_json(self) -> dict[str, int]:
        """What the event file says of the entrant."""
        last = None if self.withdrawn_from is None else self.withdrawn_from - 1
        if last is not None and last < self.enters_in:
            return {"withdrawn_after": 0 if self.enters_in > 1 else last}  # he never came
        shown = {"enters_in": self.enters_in} if self.enters_in > 1 else {}
        return shown if last is None else {**shown, "withdrawn_after": last}


def presences(acts: Iterable[Act]) -> dict[EntrantId, Presence]:
    """Everybody of whom something is said. The order of acts does not matter."""
    found: dict[EntrantId, list[Act]] = {}
    for act in acts:
        found.setdefault(act.entrant, []).append(act)
    return {entrant: _presence(own) for entrant, own in found.items()}


def _presence(acts: Iterable[Act]) -> Presence:
    by_kind: dict[ActKind, list[int]] = {kind: [] for kind in ActKind}
    for act in sorted(acts, key=lambda act: act.number):
        by_kind[act.kind].append(act.number)
    back = by_kind[ActKind.RETURNED]
    gaps: list[tuple[int, int | None]] = []
    for start in by_kind[ActKind.WITHDRAWN]:
        gaps.append((start, next((number for number in back if number > start), None)))
    return Presence(
        enters_in=max(by_kind[ActKind.ENTERS], default=1),
        gaps=tuple(gaps),
        absent=frozenset(by_kind[ActKind.ABSENT]),
        reinstated=frozenset(by_kind[ActKind.REINSTATED]),
    )


def round_json(everybody: Mapping[EntrantId, Presence], number: int) -> dict[str, list[EntrantId]]:
    """What the event file says of a round: who is absent and who is reinstated, by entry; keys without anybody left out."""
    order = sorted(everybody, key=entry_of)
    shown = {
        "absent": [each for each in order if everybody[each].away_in(number) is Away.ABSENT],
        "reinstated": [
            each
            for each in order
            if number in everybody[each].reinstated and everybody[each].away_in(number) is None
        ],
    }
    return {key: people for key, people in shown.items() if people}


class NotByPointsError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("本项目不是积分编排，没有逐轮的出席登记。"),
            next_step=T("未到场的选手在记分表上按规程处理；名单在抽签前由审核决定。"),
        )


class UnknownPersonError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("名单中没有这名选手。"), next_step=T("请按姓名查找。"))


class UnknownActError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这条出席登记，或已经撤回。"), next_step=T("请重新打开出席页。"))


class RoundIsDrawnError(RefusedError):
    """Attendance of a drawn round stays as it was when it was drawn."""

    def __init__(self, number: int, clause: str | None) -> None:
        super().__init__(
            T("第 %(number)s 轮已经编排，出席登记不能再改。", number=number),
            clause=clause,
            next_step=T("请登记以后的轮次；要改这一轮，先由裁判长作废它。"),
            extra={"round": number},
        )


class NoSuchRoundError(InvalidError):
    def __init__(self, rounds: int, clause: str | None) -> None:
        text = T("本项目共 %(rounds)s 轮。", rounds=rounds)
        super().__init__(text, clause=clause, fields={"round": text})


class ActReasonMissingError(InvalidError):
    def __init__(self) -> None:
        text = T("请写明原因。")
        super().__init__(text, fields={"reason": text})


class PrivateActReasonError(InvalidError):
    def __init__(self) -> None:
        text = T("原因里请不要写电话或证件号码。")
        super().__init__(text, fields={"reason": text})


class CommittedListError(RefusedError):
    """A seed was committed to for this list, so the list stays."""

    def __init__(self, number: int) -> None:
        super().__init__(
            T(
                "%(round)s的种子已经承诺，名单随承诺冻结，这项登记会改变名单。",
                round=round_name(SWISS, number),
            ),
            next_step=T("请先在“抽签编排”撤销承诺并写明原因，登记之后再重新承诺。"),
            extra={"round": number},
        )


class AlreadyInError(RefusedError):
    """Late entry of somebody who has played."""

    def __init__(self, name: str, number: int) -> None:
        super().__init__(
            T("%(name)s第 %(number)s 轮已经参赛，不是补报。", name=name, number=number),
            next_step=T("某一轮不能到场，请登记缺席。"),
        )


class NotInError(RefusedError):
    """Somebody the rounds were drawn without, of whom nothing is said yet."""

    def __init__(self, name: str) -> None:
        super().__init__(
            T("%(name)s不在已经编排的名单中。", name=name), next_step=T("请先登记补报，写明从第几轮起参赛。")
        )


class TooLateToEnterError(RefusedError):
    def __init__(self, latest: int, clause: str | None) -> None:
        text = (
            T("补报最迟从第 %(latest)s 轮起参赛。", latest=latest)
            if latest > 1
            else T("第 1 轮编排之后不接受补报。")
        )
        super().__init__(text, clause=clause, next_step=T("以规程的选项为准，由组委会解释。"))


class WithdrawnError(RefusedError):
    def __init__(self, name: str, number: int) -> None:
        super().__init__(
            T("%(name)s从第 %(number)s 轮起已经退赛。", name=name, number=number),
            next_step=T("请先登记恢复参赛。"),
        )


class ReturnStandsError(RefusedError):
    """Withdrawing in the middle of rounds he is out of already, after which he comes back."""

    def __init__(self, name: str, gap: tuple[int, int]) -> None:
        start, back = gap
        super().__init__(
            T(
                "%(name)s从第 %(start)s 轮起退赛，第 %(back)s 轮恢复参赛。",
                name=name,
                start=start,
                back=back,
            ),
            next_step=T("不再恢复的，请撤回恢复参赛的登记；以后才退赛的，请登记恢复之后的轮次。"),
        )


class NotWithdrawnError(RefusedError):
    def __init__(self, name: str) -> None:
        super().__init__(
            T("%(name)s没有退赛，不需要恢复。", name=name),
            next_step=T("连续弃权的，由裁判长登记“弃权后恢复编排”。"),
        )


class NotStandingOutError(RefusedError):
    def __init__(self, name: str, number: int, clause: str | None) -> None:
        super().__init__(
            T("%(name)s第 %(number)s 轮照常编排，没有因连续弃权停止编排。", name=name, number=number),
            clause=clause,
            next_step=T("不需要登记。"),
        )


class OtherActsStandError(RefusedError):
    """Taking a late entry back while other things are said of the same person."""

    def __init__(self, name: str) -> None:
        super().__init__(
            T("%(name)s还有其他登记，不能撤回补报。", name=name), next_step=T("请先撤回他的其他登记。")
        )


def require_may_mark(actor: Actor, competition_id: int) -> None:
    """The committee and the chief referee keep attendance."""
    actor.require(competition_id, *DRAWERS)


def require_may_reinstate(actor: Actor, competition_id: int) -> None:
    """Letting somebody be paired again after forfeits is a ruling of the chief referee."""
    actor.require(competition_id, Role.CHIEF_REFEREE)


def swiss_stage(regulation: Regulation) -> StageRule:
    """The stage paired by points. Raises ``NotByPointsError`` where there is none."""
    stage = next((stage for stage in regulation.stages if stage.kind == SWISS), None)
    if stage is None:
        raise NotByPointsError
    return stage


def require_undrawn(number: int, last_drawn: int, clause: str | None) -> None:
    """Raises ``RoundIsDrawnError``."""
    if number <= last_drawn:
        raise RoundIsDrawnError(number, clause)


def require_round(number: int, stage: StageRule) -> None:
    """Raises ``NoSuchRoundError``."""
    if not 1 <= number <= stage.rounds:
        raise NoSuchRoundError(stage.rounds, stage.clause)


def require_in_time(regulation: Regulation, number: int) -> None:
    """Late entries come in until the round the regulation's option says. Raises ``TooLateToEnterError``."""
    latest = regulation.options.get(LATEST_ENTRY)
    if latest is not None and number > int(latest):
        raise TooLateToEnterError(int(latest), regulation.clause_of(f"interpretations.{LATEST_ENTRY}"))


def require_list_kept(before: Presence | None, after: Presence | None, committed: Collection[int]) -> None:
    """A round whose seed is committed to keeps its list. ``None`` is somebody the list does not have.

    Raises ``CommittedListError``.
    """
    for number in sorted(committed):
        if _listed(before, number) != _listed(after, number):
            raise CommittedListError(number)


def _listed(presence: Presence | None, number: int) -> tuple[bool, bool]:
    if presence is None:
        return False, False
    if number == DIVISION:  # groups are made of whoever plays from round 1 on, an absence there aside
        return presence.away_in(1) in {None, Away.ABSENT}, False
    return presence.away_in(number) is None, number in presence.reinstated


def parse_act_reason(kind: ActKind, written: str | None) -> str | None:
    """Why, for the staff alone except where it is a ruling. Raises ``ActReasonMissingError``, ``PrivateActReasonError``."""
    reason = (written or "").strip()
    if not reason and kind in NEEDS_REASON:
        raise ActReasonMissingError
    if holds_long_number(reason):
        raise PrivateActReasonError
    return reason or None


def act_name(kind: ActKind, number: int) -> T:
    """An act in words."""
    if kind is ActKind.ABSENT:
        return T("第 %(number)s 轮缺席", number=number)
    if kind is ActKind.WITHDRAWN:
        return T("从第 %(number)s 轮起退赛", number=number)
    if kind is ActKind.RETURNED:
        return T("从第 %(number)s 轮起恢复参赛", number=number)
    if kind is ActKind.ENTERS:
        return T("从第 %(number)s 轮起参赛（补报、迟到入场）", number=number)
    return T("从第 %(number)s 轮起恢复编排（裁判长裁定）", number=number)
