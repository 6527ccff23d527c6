"""Level tables of 升级: the defenders' points of a deal -> who goes up, by how many levels, who banks (升降级).

| rule | clause |
|---|---|
| 庄家升级, 防家上台, 防家升级, open at both ends: each further 60 points one level more | C 八(七), I-C-4 |
| 庄家 at most 6 levels, 旁家 at most 8; below 0 as 0 | D 五13, 五14, I-D-3 |
| a level is an index 0…12 for 2…A; it stops at A | I-C-13, I-D-13 |
| 必打: a level that is left only by holding the bank at it and winning | D 五3, I-D-2 |

A table is data: rows from the lowest points to the highest, `{"from", "to", "side", "levels"}`, both bounds included. The
first has no `from` and the last no `to`; either may have `every` – so many points further out, one level more –, else its
levels are the cap. `lint` finds gaps, overlaps and whatever else makes a table unusable; a `LevelTable` has passed it.

Not here: penalties and the bottom, which are in the points already (penalties.py, bottom.py); who banks next (matches).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.tractor.cards import RANK_SIGNS
from scoring_engine.tractor.rows import (
    STEP,
    multiple_of_five,
    raise_problems,
    refuse_other_keys,
    step_fault,
    table_node,
)
from scoring_engine.values import Text

ACE = 12
"""The last level (A)."""
PAST_A = ("from_a", "from_any")
MOST_LEVELS = 13

_LEVEL_WORDS = {"10": 8, **{sign: level for level, sign in enumerate(RANK_SIGNS)}}


class Side(StrEnum):
    """The two sides of a deal (庄家, 防家 or 旁家)."""

    BANKER = "banker"
    DEFENDERS = "defenders"


def level_name(level: int) -> str:
    """0…12 -> "2"…"10", "J", "Q", "K", "A"."""
    sign = RANK_SIGNS[level]
    return "10" if sign == "T" else sign


def level_of(name: str) -> int | None:
    """The index of a level's name; "10" and "T" are the same, anything else is None."""
    return _LEVEL_WORDS.get(name)


class ImpossiblePointsError(ValueError):
    """Points that no deal of 升级 can have; `text` says why."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.zh)


@dataclass(frozen=True, slots=True)
class LevelResult:
    """What a deal gives. up: who goes up, None where nobody does; defenders_take_bank: 防家上台, 庄家下台."""

    up: Side | None
    levels: int
    defenders_take_bank: bool
    clause: str


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One column of the printed table: points low…high, None where it is open."""

    low: int | None
    high: int | None
    side: Side
    levels: int
    every: int | None
    clause: str

    def holds(self, points: int) -> bool:
        """Whether these points fall into the row."""
        return (self.low is None or self.low <= points) and (self.high is None or points <= self.high)

    def levels_at(self, points: int) -> int:
        """The levels for points of this row, one more for each `every` further out."""
        if self.every is None:
            return self.levels
        distance = (
            self.high - points if self.low is None and self.high is not None else points - (self.low or 0)
        )
        return self.levels + distance // self.every

    @property
    def _merit(self) -> tuple[bool, int]:
        """Rises with what the row is worth to the defenders."""
        return (True, self.levels) if self.side is Side.DEFENDERS else (False, -self.levels)


_ROW_KEYS = ("from", "to", "side", "levels", "every", "clause")


@dataclass(frozen=True, slots=True)
class LevelTable:
    """A level table that has passed `lint`: every multiple of 5 is in exactly one row."""

    rows: tuple[LevelRow, ...]

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]], clause: str, path: str = "$") -> "LevelTable":
        """The table of these rows; `clause` is that of rows without one. Raises DocumentError with every problem."""
        node = table_node(rows, path, clause=clause)
        table = cls.read(node)
        raise_problems(node.problems)
        assert table is not None
        return table

    @classmethod
    def read(cls, node: Node) -> "LevelTable | None":
        """The table of an object `{"clause", "rows"}`; None where something is wrong, noted in the node's problems."""
        before = len(node.problems.found)
        clause = node.text("clause")
        nodes = list(node.nodes("rows", required=True))
        rows = [_row(part, clause or "", index, len(nodes)) for index, part in enumerate(nodes)]
        whole = [row for row in rows if row is not None]
        if len(node.problems.found) == before:
            lint(whole, node)
        return cls(tuple(whole)) if len(node.problems.found) == before else None

    def row_of(self, points: int) -> LevelRow:
        """The row of these points. Raises ImpossiblePointsError for what is no multiple of 5."""
        if isinstance(points, bool) or not isinstance(points, int):
            raise ImpossiblePointsError(Text("分数应为整数。", "Points are a whole number."))
        if (fault := step_fault(points)) is not None:
            raise ImpossiblePointsError(fault)
        return next(row for row in self.rows if row.holds(points))

    def result(self, points: int) -> LevelResult:
        """Who goes up, for the defenders' points with bottom and penalties. Raises ImpossiblePointsError."""
        row = self.row_of(points)
        levels = row.levels_at(points)
        return LevelResult(row.side if levels else None, levels, row.side is Side.DEFENDERS, row.clause)


def _row(node: Node, clause: str, index: int, rows: int) -> LevelRow | None:
    """One row; only the first is open below and only the last above, and only those may grow."""
    before = len(node.problems.found)
    refuse_other_keys(node, _ROW_KEYS)
    low = _bound(node, "from", is_open=index == 0)
    high = _bound(node, "to", is_open=index == rows - 1)
    side, levels = node.choice("side", tuple(Side)), node.integer("levels", 0, MOST_LEVELS)
    every = multiple_of_five(node, "every", STEP) if node.has("every") else None
    own = node.text("clause") if node.has("clause") else clause
    if node.has("every") and 0 < index < rows - 1:
        node.problems.add(
            node.at("every"),
            "只有第一行和最后一行可以写 every。",
            "Only the first and the last row can grow (every).",
        )
    if low is not None and high is not None and low > high:
        node.problems.add(
            node.at("to"), f"起点{low}大于终点{high}。", f"The row starts at {low}, above its end {high}."
        )
    if len(node.problems.found) > before or side is None or levels is None or own is None:
        return None
    return LevelRow(low, high, Side(side), levels, every, own)


def _bound(node: Node, key: str, *, is_open: bool) -> int | None:
    if not is_open:
        return multiple_of_five(node, key)
    if node.has(key):
        row = Text("第一行", "The first row") if key == "from" else Text("最后一行", "The last row")
        node.problems.add(
            node.at(key),
            f"{row.zh}没有 {key}：判罚和抠底使得分没有界限。",
            f"{row.en} has no {key}: with penalties and the bottom, points have no bound.",
        )
    return None


def lint(rows: Sequence[LevelRow], node: Node) -> None:
    """Note what makes these rows no table: gaps, overlaps, shared bounds, results that fall, a side without a row."""
    for index, (row, following) in enumerate(pairwise(rows), start=1):
        path = f"{node.at('rows')}[{index}]"
        assert row.high is not None  # only the ends are open
        assert following.low is not None
        if following.low == row.high:
            node.problems.add(
                f"{path}.from",
                f"{row.high}分同时在两行中：上一行到{row.high}，本行应从{row.high + STEP}起。",
                f"{row.high} is in two rows: the row before ends at {row.high}, this one must start at {row.high + STEP}.",
            )
        elif following.low < row.high:
            node.problems.add(
                f"{path}.from",
                f"与上一行重叠：{following.low}—{row.high}分在两行中。",
                f"It overlaps the row before: {following.low}…{row.high} is in both.",
            )
        elif following.low > row.high + STEP:
            first, last = row.high + STEP, following.low - STEP
            zh, en = (f"{first}", f"{first}") if first == last else (f"{first}—{last}", f"{first}…{last}")
            node.problems.add(
                f"{path}.from",
                f"与上一行之间有空缺：{zh}分不在任何一行。",
                f"A gap before this row: {en} is in no row.",
            )
        if following._merit <= row._merit:
            node.problems.add(
                f"{path}.levels",
                "防家得分越多，结果应越有利于防家；结果相同的两行应并为一行。",
                "More points must be worth more to the defenders; rows of equal worth are one row.",
            )
    for side in Side:
        if all(row.side is not side for row in rows):
            zh = "庄家" if side is Side.BANKER else "防家"
            node.problems.add(node.at("rows"), f"没有{zh}的一行。", f"There is no row for the {side.value}.")


@dataclass(frozen=True, slots=True)
class Climb:
    """A side after a deal. level: where it stands; levels: what the deal gave it; past_a: it passed A (打过A).

    `levels` is what the table gives, less what a 必打 level holds back; a side stopped at A only by the cap keeps the
    table's number.
    """

    level: int
    levels: int
    past_a: bool = False


def climb(
    level: int,
    levels: int,
    *,
    banking: bool,
    must_play: Collection[int] = (),
    past_a: str = "from_a",
) -> Climb:
    """A side at `level` that a deal gives so many levels.

    must_play: levels that are left only by a side that held the bank there in this deal; on the way up they are not
    skipped (必打, I-D-2). past_a: "from_a" – a side passes A only from A, otherwise it stops there (I-C-13, I-D-13) –
    or "from_any": levels beyond A pass it from anywhere. Raises ValueError outside 0…12 or for levels below 0.
    """
    if level not in range(ACE + 1) or levels < 0 or past_a not in PAST_A:
        raise ValueError(f"level {level}, up {levels}, past_a {past_a!r}")
    at = level
    for _ in range(levels):
        if at in must_play and not (banking and at == level):
            return Climb(at, at - level)
        if at == ACE:
            return Climb(ACE, levels, at == level or past_a == "from_any")
        at += 1
    return Climb(at, levels)
