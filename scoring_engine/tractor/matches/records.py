"""A match of 升级 as it was recorded, and the readers of its part of an event file.

A deal is `{"banker": "e1", "points": 110, "bottom": {"points": 20, "unit": "pair_run", "size": 2}}`; `points` are the
defenders' before the bottom, and `bottom` stands only where the defenders won the last trick. Where the hall's sheet nets
penalties, `points` may be below 0 or more than the packs hold; the table then has a note. A deal that ended otherwise
says so in `ended` and has no points; `by` names the side that gave up. `seat` (0…3 in the order of play, even for the
first side) says which player banks, where that was written down.

Readers note what has the wrong type; what cannot have happened is found by `faults_of`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from scoring_engine.documents import Node, exact_number
from scoring_engine.tractor.bottom import Bottom
from scoring_engine.tractor.levels import level_of
from scoring_engine.tractor.rows import refuse_other_keys
from scoring_engine.tractor.units import Shape, UnitKind
from scoring_engine.values import EntrantId


class Ended(StrEnum):
    """How a deal ended (一副牌的结束)."""

    PLAYED = "played"  # to the last trick
    BANK_LOST = "bank_lost"  # 庄家自动下庄
    GIVEN_UP = "given_up"  # 自动放弃, 判负
    REPLAYED = "replayed"  # 重新该局比赛: counts for nothing, nobody's turn changes
    UNFINISHED = "unfinished"  # 时间到未打完: void


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal as it is written on the score sheet; see the module."""

    banker: EntrantId | None
    points: int | None = None
    bottom: Bottom | None = None
    ended: Ended = Ended.PLAYED
    by: EntrantId | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The end of a match: levels 0…12 of both sides, who would bank next, who passed A (打过A)."""

    levels: Mapping[EntrantId, int]
    bank: EntrantId | None = None
    past_a: EntrantId | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One table of 升级. deals: None where only the end is known. announced_in: the deal that ran when time was called.

    late: minutes, exact. forfeits: sides that gave up the match (弃权).
    """

    sides: tuple[EntrantId, EntrantId]
    deals: tuple[Deal, ...] | None = ()
    end: End | None = None
    forfeits: frozenset[EntrantId] = frozenset()
    late: Mapping[EntrantId, Fraction] = field(default_factory=dict)
    announced_in: int | None = None


_DEAL_KEYS = ("banker", "points", "bottom", "ended", "by", "seat", "number", "note")
_BOTTOM_KEYS = ("points", "unit", "size")


def read_match(node: Node, sides: tuple[EntrantId, EntrantId]) -> Match | None:
    """The table of an event file between these two sides; None where something has the wrong type."""
    before = len(node.problems.found)
    deals = [_deal(part) for part in node.nodes("deals")] if node.has("deals") else None
    end = _end(node, sides) if node.has("levels") else None
    if end is None:
        for key in ("bank", "past_a"):
            if node.has(key):
                node.problems.add(node.at(key), f"有 levels 才可写 {key}。", f"{key} goes with levels.")
    forfeits = [_side(path, item, node, sides) for path, item in node.items("forfeits")]
    late = _late(node, sides) if node.has("late") else {}
    announced_in = node.integer("announced_in", 0) if node.has("announced_in") else None
    if len(node.problems.found) > before:
        return None
    played = None if deals is None else tuple(deal for deal in deals if deal is not None)
    return Match(
        sides,
        () if played is None and end is None else played,
        end,
        frozenset(side for side in forfeits if side is not None),
        late,
        announced_in,
    )


def _deal(node: Node) -> Deal | None:
    before = len(node.problems.found)
    refuse_other_keys(node, _DEAL_KEYS)
    banker, by = node.optional_text("banker"), node.optional_text("by")
    points = node.integer("points") if node.has("points") else None
    part = node.node("bottom") if node.has("bottom") else None
    bottom = None if part is None else _bottom(part)
    word = node.choice("ended", tuple(Ended)) if node.has("ended") else Ended.PLAYED
    seat = node.integer("seat", 0, 3) if node.has("seat") else None
    if len(node.problems.found) > before or word is None:
        return None
    return Deal(
        None if banker is None else EntrantId(banker),
        points,
        bottom,
        Ended(word),
        None if by is None else EntrantId(by),
        seat,
    )


def _bottom(node: Node) -> Bottom | None:
    refuse_other_keys(node, _BOTTOM_KEYS)
    points, unit = node.integer("points"), node.choice("unit", tuple(UnitKind))
    size = node.integer("size") if node.has("size") else 1
    if points is None or unit is None or size is None:
        return None
    return Bottom(points, Shape(UnitKind(unit), size))


def _side(path: str, value: object, node: Node, sides: tuple[EntrantId, EntrantId]) -> EntrantId | None:
    if isinstance(value, str) and value in sides:
        return EntrantId(value)
    node.problems.add(path, f"{value} 不在本桌。", f"{value} is not at this table.")
    return None


def _end(node: Node, sides: tuple[EntrantId, EntrantId]) -> End | None:
    part = node.node("levels")
    if part is None:
        return None
    levels: dict[EntrantId, int] = {}
    for key, value in part.value.items():
        side = _side(part.at(str(key)), key, node, sides)
        level = level_of(value) if isinstance(value, str) else None
        if level is None:
            node.problems.add(
                part.at(str(key)),
                "级数应为 2、3 … 10、J、Q、K、A。",
                "A level is one of 2, 3 … 10, J, Q, K, A.",
            )
        elif side is not None:
            levels[side] = level
    for side in sides:
        if side not in part.value:
            node.problems.add(part.at(side), f"缺少 {side} 的级数。", f"The level of {side} is missing.")
    bank, past_a = (
        _side(node.at(key), node.value[key], node, sides) if node.has(key) else None
        for key in ("bank", "past_a")
    )
    return End(levels, bank, past_a)


def _late(node: Node, sides: tuple[EntrantId, EntrantId]) -> Mapping[EntrantId, Fraction]:
    part = node.node("late")
    if part is None:
        return {}
    late: dict[EntrantId, Fraction] = {}
    for key, value in part.value.items():
        side, minutes = _side(part.at(str(key)), key, node, sides), exact_number(value)
        if minutes is None or minutes < 0:
            node.problems.add(
                part.at(str(key)), "迟到分钟数应为不小于0的数。", "Minutes late are a number not below 0."
            )
        elif side is not None:
            late[side] = minutes
    return late
