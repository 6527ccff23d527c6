"""Dividing the entrants into groups (分组) by draw, before the first round. Pure decisions.

| rule | implemented |
|---|---|
| a group has as many as the regulation says (附件2一3) | `divided`, by `scoring_engine.pairing.division` |
| as few groups as can be, or as many as the committee says | `divided`, `possible` |
| numbers that fit no groups are a question to the committee (I-B-14) | `RulingNeededError` |
| divided before the first round, and taken back before it | `NotDividedError`, `service.division` |
| who enters later goes to the smallest group | `with_late` |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from app.draws.rules import RulingNeededError
from app.draws.rules.repairs import BadChangeError, Names
from app.errors import InvalidError, NotFoundError, RefusedError
from app.text import T
from scoring_engine.pairing.division import divide, groups_possible
from scoring_engine.pairing.repairs import Placed
from scoring_engine.rules import StageRule
from scoring_engine.values import EntrantId, UnitId

DIVISION = 0
"""The number of the division among the rounds of its stage."""


class NotDividedError(RefusedError):
    """Too many for one group, and groups are possible: they are drawn before the first round."""

    def __init__(self, entrants: int, counts: Sequence[int], clause: str) -> None:
        super().__init__(
            T(
                "%(entrants)s 人要先分组，可以分成 %(counts)s 组，还没有分组抽签。",
                entrants=entrants,
                counts="、".join(map(str, counts)),
            ),
            clause=clause,
            next_step=T("请先在“抽签编排”分组抽签，再编排第 1 轮。"),
            extra={"entrants": entrants, "groups": list(counts)},
        )


class NoGroupsError(RefusedError):
    """One group is all there is, or the regulation has none."""

    def __init__(self, clause: str) -> None:
        super().__init__(
            T("现在的人数不需要分组，全体为一组。"), clause=clause, next_step=T("请直接编排第 1 轮。")
        )


class AlreadyDividedError(RefusedError):
    def __init__(self, groups: int, drawn_at: datetime, clause: str) -> None:
        super().__init__(
            T("已于 %(at)s 抽签分成 %(groups)s 组，不能重抽。", at=drawn_at, groups=groups),
            clause=clause,
            next_step=T("名单有误时，请先作废这次分组并写明原因。"),
        )


class BadGroupsError(InvalidError):
    def __init__(self, entrants: int, counts: Sequence[int]) -> None:
        text = T(
            "%(entrants)s 人可以分成 %(counts)s 组。", entrants=entrants, counts="、".join(map(str, counts))
        )
        super().__init__(text, fields={"groups": text})


class NoDivisionError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有分组抽签。"), next_step=T("请从“抽签编排”进入。"))


def possible(rule: StageRule | None, entrants: int) -> tuple[int, ...]:
    """How many groups so many can be divided into, where they are too many for one; else empty."""
    if rule is None or rule.group is None or entrants <= rule.group[1]:
        return ()
    return tuple(count for count in groups_possible(entrants, *rule.group) if count > 1)


def divided(
    entrants: Sequence[tuple[EntrantId, UnitId | None]], rule: StageRule, seed: bytes, groups: int | None
) -> tuple[tuple[EntrantId, ...], ...]:
    """The groups, each in drawn order. Raises ``RulingNeededError``, ``NoGroupsError``, ``BadGroupsError``."""
    require_divisible(len(entrants), rule, groups)
    assert rule.group is not None
    return divide(entrants, rule.group, seed, groups, rule.clause).groups


def require_divisible(entrants: int, rule: StageRule, groups: int | None = None) -> None:
    """Raises as ``divided`` does, before there is a seed."""
    if rule.group is None or (entrants <= rule.group[1] and entrants >= rule.group[0]):
        raise NoGroupsError(rule.clause)
    counts = possible(rule, entrants)
    if not counts:
        everyone = [(EntrantId(str(number)), None) for number in range(entrants)]
        ruling = divide(everyone, rule.group, bytes(1), clause=rule.clause).needs_ruling
        assert ruling is not None
        raise RulingNeededError(ruling, entrants)
    if groups is not None and groups not in counts:
        raise BadGroupsError(entrants, counts)


def with_late(groups: Mapping[EntrantId, str], late: Iterable[EntrantId]) -> dict[EntrantId, str]:
    """The group of everybody: of those who were divided, and of who enters later: one after the other each goes to the group
    with the fewest, the first of them."""
    found = dict(groups)
    sizes = dict.fromkeys(sorted(set(groups.values()), key=int), 0)
    for name in groups.values():
        sizes[name] += 1
    for entrant in late:
        if entrant in found:
            continue
        smallest = min(sizes, key=lambda name: sizes[name])
        found[entrant] = smallest
        sizes[smallest] += 1
    return found


def group_name(name: str) -> T:
    """第 1 组."""
    return T("第 %(name)s 组", name=name)


def require_groups_apart(placed: Placed, groups: Mapping[EntrantId, str], names: Names) -> None:
    """People of different groups never sit at one table, and each group keeps its byes. Raises ``BadChangeError``."""
    for table in placed.tables:
        for person in table[1:]:
            if groups.get(person) != groups.get(table[0]):
                raise BadChangeError(
                    T(
                        "%(one)s与%(other)s不在同一组，不能同桌。",
                        one=names.get(table[0], table[0]),
                        other=names.get(person, person),
                    )
                )
