"""Standings as they are explained: what decided two neighbours, how the file is hashed, what comes next.

Nothing here computes a rank: everything is read from a ``saishi-score`` document of the engine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from app.actors import Actor, Role
from app.draws.rules import stage_name
from app.errors import NotFoundError, RefusedError
from app.regulations.rules import Bilingual
from app.text import T
from scoring_engine.rules import ScoringRules
from scoring_engine.tie_breaks import CRITERIA

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


class Step(StrEnum):
    """What the event waits for."""

    FIRST_DRAW = "first_draw"
    SHEETS = "sheets"
    RULING = "ruling"
    PLAYOFF = "playoff"
    STAGE = "stage"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next thing to do, for which stage; ``entrants`` are who would sit down, ``ruling`` what the text leaves open."""

    step: Step
    stage: str
    entrants: tuple[str, ...] = ()
    ruling: Mapping[str, str] | None = None


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
    """What separates two placings of one ranking, read from their values."""
    lower = {value["criterion"]: value for value in below["values"]}
    equal: list[tuple[str, Figure]] = []
    unknown: list[str] = []
    decided = None
    for value in above["values"]:
        code = value["criterion"]
        other = lower.get(code)
        if other is None or not (value.get("counted", True) and other.get("counted", True)):
            unknown.append(code)
        elif value["value"] == other["value"]:
            equal.append((code, value["value"]))
        else:
            decided = _difference(code, value["value"], other["value"])
            break
    return Explanation(above["entrant"], below["entrant"], decided, tuple(equal), tuple(unknown))


def _difference(code: str, above: Figure, below: Figure) -> Difference:
    if not isinstance(above, list) or not isinstance(below, list):
        return Difference(code, _single(above), _single(below))
    place = next(
        (index for index, (one, other) in enumerate(zip(above, below, strict=False)) if one != other),
        min(len(above), len(below)),
    )
    return Difference(code, _at(above, place), _at(below, place), place + 1)


def _single(value: Figure) -> str | None:
    return value[0] if isinstance(value, list) else value


def _at(values: Sequence[str], place: int) -> str | None:
    return values[place] if place < len(values) else None


def neighbours(placings: Sequence[Mapping[str, Any]]) -> dict[str, Explanation]:
    """For every placing but the first, why it stands behind (or level with) the one above it, by entrant."""
    return {below["entrant"]: explain(above, below) for above, below in pairwise(placings)}


def placing_of(placings: Sequence[Mapping[str, Any]], entrant: str) -> Mapping[str, Any]:
    """Raises ``UnknownPlacingError``."""
    for placing in placings:
        if placing["entrant"] == entrant:
            return placing
    raise UnknownPlacingError


def require_may_draw(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *DRAWERS)


def qualified(stage: Mapping[str, Any], rules: ScoringRules) -> tuple[str, ...]:
    """Who goes on from a decided stage, in seeding order: by its placings; direct entrants last, or first (I-A-5)."""
    through = set(stage["advance"])
    order = [placing["entrant"] for placing in stage["placings"] if placing["entrant"] in through]
    direct = list(stage["direct"])
    return tuple(direct + order if rules.option("direct_seeding") == "first" else order + direct)


def next_step(
    result: Mapping[str, Any] | None, rules: ScoringRules, drawn: Sequence[str], waiting: Sequence[str]
) -> NextStep:
    """What the event waits for, from its newest snapshot.

    ``drawn`` are the stages of the drawn rounds, ``waiting`` those of the tables that are not confirmed.
    """
    codes = [str(stage.code) for stage in rules.stages]
    if codes[0] not in drawn:
        return NextStep(Step.FIRST_DRAW, codes[0])
    current = max(index for index, code in enumerate(codes) if code in drawn)
    code = codes[current]
    if waiting or result is None:
        return NextStep(Step.SHEETS, waiting[0] if waiting else code)
    stage = next(each for each in result["stages"] if each["code"] == code)
    if stage["needs_ruling"] is not None:
        return NextStep(Step.RULING, code, ruling=stage["needs_ruling"])
    due = next((each for each in stage["playoffs"] if "winners" not in each), None)
    if due is not None:
        return NextStep(Step.PLAYOFF, code, tuple(sorted(due["entrants"])))
    if current == len(codes) - 1:
        return NextStep(Step.OVER, code)
    return NextStep(Step.STAGE, codes[current + 1], qualified(stage, rules))


def listed(texts: Sequence[T]) -> T:
    """Several texts as one."""
    phrase = texts[0]
    for text in texts[1:]:
        phrase = T("%(left)s；%(right)s", left=phrase, right=text)
    return phrase


def require_ready(upcoming: NextStep, waiting: Sequence[WaitingTable], *, clause: str) -> None:
    """Refuse unless a stage or a play-off can be drawn now; the message names the tables and people it waits for."""
    stage = stage_name(upcoming.stage)
    if upcoming.step is Step.FIRST_DRAW:
        raise NextStageRefusedError(
            T("%(stage)s还没有抽签。", stage=stage), clause=clause, next_step=T("请先在“抽签编排”抽签。")
        )
    if upcoming.step is Step.SHEETS:
        raise NextStageRefusedError(
            T(
                "%(stage)s还有 %(count)s 桌没有确认：%(tables)s。",
                stage=stage,
                count=len(waiting),
                tables=listed([each.text for each in waiting]),
            ),
            clause=clause,
            next_step=T("请等这些桌交表后再编排下一阶段。"),
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
        raise NextStageRefusedError(T("%(stage)s已结束，没有下一阶段。", stage=stage), clause=clause)
