"""Standings as they are explained: what decided two neighbours, how the file is hashed, what comes next.

Nothing here computes a rank or a next step: everything is read from a ``saishi-score`` document of the engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from app.actors import Actor, Role
from app.draws.rules import ROUNDS_OF, stage_name
from app.draws.rules.repairs import joined
from app.errors import NotFoundError, RefusedError
from app.regulations.rules import Bilingual
from app.text import T
from scoring_engine import event_file
from scoring_engine.event_file.shown import figure_json
from scoring_engine.rules import PLAYOFF
from scoring_engine.stages.next_step import Step
from scoring_engine.tie_breaks import CRITERIA
from scoring_engine.values import points_text

OVERALL = "overall"
"""The tab of the whole event's placings, beside those of the stages."""

DRAWERS = (Role.COMMITTEE, Role.CHIEF_REFEREE)
"""Who draws the next stage."""

Figure = str | list[str] | None
"""A value of the score document: an exact decimal string, several compared in turn, or unknown."""


class NoStandingsError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("还没有名次。"), next_step=T("有一桌成绩确认后就会显示名次。"))


class UnknownPlacingError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("名次表中没有这名选手。"), next_step=T("请从名次表进入。"))


class NextStageRefusedError(RefusedError):
    """The next stage waits for sheets, a ruling or a draw; the message names tables and people."""


class AnotherStageDueError(RefusedError):
    def __init__(self, stage: str, due: str | None, clause: str | None) -> None:
        text = (
            T("现在应编排的是%(due)s，不是%(stage)s。", due=stage_name(due), stage=stage_name(stage))
            if due
            else T("比赛已经结束，没有需要编排的阶段。")
        )
        super().__init__(text, clause=clause, next_step=T("请按阶段先后编排；名次并列的先加赛。"))


@dataclass(frozen=True, slots=True)
class Difference:
    """The criterion that put one entrant behind the other, with both values.

    Of values that are compared in turn (单副最高得分依次) ``place`` is the first, from 1, that differs.
    """

    criterion: str
    above: str | None
    below: str | None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why ``above`` stands ahead of ``below`` (为什么).

    ``equal`` are the criteria before the deciding one, in which both have the same value; ``unknown`` those passed
    over because only totals were recorded. ``decided`` is None where the whole chain is equal: a shared rank (并列).
    """

    above: str
    below: str
    decided: Difference | None
    equal: tuple[tuple[str, Figure], ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next thing to do, for which stage; of a play-off, the stage whose tie it breaks.

    ``groups`` are who would sit down, best first; the draw puts the people of one group in order. ``ruling`` is what
    the text leaves open.
    """

    step: Step
    stage: str
    groups: tuple[tuple[str, ...], ...] = ()
    ruling: Mapping[str, str] | None = None

    @property
    def entrants(self) -> tuple[str, ...]:
        return tuple(entrant for group in self.groups for entrant in group)

    @property
    def to_draw(self) -> str | None:
        """The stage that can be drawn now; ``playoff`` for a play-off."""
        if self.step is Step.PLAYOFF:
            return PLAYOFF
        return self.stage if self.step in (Step.FIRST_DRAW, Step.STAGE, Step.ROUND) else None


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A table whose sheet is not confirmed, and who sits there."""

    stage: str
    number: int
    names: tuple[str, ...]

    @property
    def text(self) -> T:
        return T("%(number)s 号桌（%(names)s）", number=self.number, names="、".join(self.names))


def canonical_bytes(document: Mapping[str, Any]) -> bytes:
    """The bytes of a public document: UTF-8, no spaces, keys in the order of the format; these are hashed and sent."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def criterion_label(code: str) -> T:
    """The name of a ranking criterion (名次依据)."""
    label = CRITERIA[code].label
    return Bilingual(label.zh, label.en)


def explain(above: Mapping[str, Any], below: Mapping[str, Any]) -> Explanation:
    """What separates two placings of one ranking, in the engine's words and with its numbers as decimal strings."""
    told = event_file.why(above, below)
    decided = None
    if told.decided_by is not None:
        one, other = (None if number is None else points_text(number) for number in told.numbers)
        decided = Difference(told.decided_by, one, other, told.place)
    equal = tuple((code, figure_json(value)) for code, value in told.equal)
    return Explanation(told.first, told.second, decided, equal, told.unknown)


def neighbours(placings: Sequence[Mapping[str, Any]]) -> dict[str, Explanation]:
    """For every placing but the first, why it stands behind (or level with) the one above it, by entrant."""
    return {below["entrant"]: explain(above, below) for above, below in pairwise(placings)}


def same_group(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two placings stand in one ranking: each group (组别) has its own."""
    return one.get("group") == other.get("group")


def placing_of(placings: Sequence[Mapping[str, Any]], entrant: str) -> Mapping[str, Any]:
    """Raises ``UnknownPlacingError``."""
    for placing in placings:
        if placing["entrant"] == entrant:
            return placing
    raise UnknownPlacingError


def require_may_draw(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *DRAWERS)


def next_step(told: Mapping[str, Any]) -> NextStep:
    """What the event waits for, as a score document says it."""
    groups = tuple(tuple(group) for group in told["entrants"])
    return NextStep(Step(told["step"]), told["stage"], groups, told["needs_ruling"])


def require_no_ruling(paired: Mapping[str, Any], named: Callable[[Bilingual], Bilingual]) -> None:
    """Refuse an answer of the engine that asks the committee to rule: its words, and what the least bad draw breaks.

    ``named`` puts people's names where the engine has ids. The seed is left out: where one is committed to, nobody sees it
    before the draw, or whoever tried to draw could choose the public's words to his liking.
    """
    ruling = paired["needs_ruling"]
    if ruling is None:
        return
    report = paired["report"]
    broken = [named(Bilingual(each["message"], each["message_en"])) for each in report.get("broken", ())]
    suggestion = ruling.get("suggestion")
    steps: list[T] = [named(Bilingual(suggestion, ruling["suggestion_en"]))] if suggestion else []
    if broken:
        steps.append(T("违反最少的编排仍然：%(broken)s", broken=joined(broken)))
    if "least_bad" in report:
        steps.append(T("公布种子承诺之后，由裁判长在“出席与裁决”接受或不接受违反最少的编排"))
    raise NextStageRefusedError(
        named(Bilingual(ruling["reason"], ruling["reason_en"])),
        clause=ruling["clause"],
        next_step=T("请组委会裁定。%(suggestion)s", suggestion=joined(steps))
        if steps
        else T("请组委会裁定。"),
        extra={"needs_ruling": ruling}
        | ({"least_bad": _without_seed(report)} if "least_bad" in report else {}),
    )


def _without_seed(report: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in report["least_bad"].items() if key != "seed"}


def require_ready(upcoming: NextStep, waiting: Sequence[WaitingTable], *, clause: str) -> None:
    """Refuse unless a stage or a play-off can be drawn now; the message names the tables and people it waits for."""
    stage = stage_name(upcoming.stage)
    if upcoming.step is Step.FIRST_DRAW:
        raise NextStageRefusedError(
            T("%(stage)s还没有抽签。", stage=stage), clause=clause, next_step=T("请先在“抽签编排”抽签。")
        )
    if upcoming.step is Step.SHEETS and not waiting:
        raise NextStageRefusedError(T("%(stage)s还没有打完。", stage=stage), clause=clause)
    if upcoming.step is Step.SHEETS:
        raise NextStageRefusedError(
            T(
                "%(stage)s还有 %(count)s 桌没有确认：%(tables)s。",
                stage=stage,
                count=len(waiting),
                tables=joined([each.text for each in waiting]),
            ),
            clause=clause,
            next_step=T("请等这些桌交表后再编排下一轮。")
            if upcoming.stage in ROUNDS_OF
            else T("请等这些桌交表后再编排下一阶段。"),
            extra={"waiting": [{"table": each.number, "names": list(each.names)} for each in waiting]},
        )
    if upcoming.step is Step.RULING:
        assert upcoming.ruling is not None
        ruling = upcoming.ruling
        suggestion = ruling.get("suggestion")
        raise NextStageRefusedError(
            Bilingual(ruling["reason"], ruling["reason_en"]),
            clause=ruling["clause"],
            next_step=Bilingual(suggestion, ruling["suggestion_en"]) if suggestion else T("请组委会裁定。"),
        )
    if upcoming.step is Step.OVER:
        text = T("%(stage)s已结束，没有下一阶段。", stage=stage)
        if upcoming.stage in ROUNDS_OF:
            text = T("%(stage)s的各轮已全部编排，没有下一轮。", stage=stage)
        raise NextStageRefusedError(text, clause=clause)
