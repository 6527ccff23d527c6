"""The bottom of 升级: what its points are multiplied by when the defenders win the last trick (抠底, 挖底).

| rule | clause |
|---|---|
| 单张 ×2, 对子 ×3, 刻子 ×4; 二连对 ×5, each further pair +1; 二连刻 ×6, each further triple +2 | C 八(十八), I-C-5 |
| 单张 ×2, 对子 ×4, 连对 ×8, 三连对 ×16, each further pair twice as much | D 五15, I-D-12 |
| a throw, or a ruff of one: its best unit | I-C-12, I-D-12 (option throw_digs) |
| 3 packs, 6 bottom cards, 300 points; 2 packs, 8 bottom cards, 200 points | C 八(六), 八(七), 八(十一)1; D 五11 |

Multipliers are data: rows `{"unit", "factor"}`; a run has `size` too, and its longest row `add` or `times` for each
further pair or triple.

Not here: who wins the last trick and with what (tricks.bottom_dug gives the shape).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring_engine.documents import Node
from scoring_engine.tractor.rows import raise_problems, refuse_other_keys, step_fault, table_node
from scoring_engine.tractor.units import Shape, UnitKind
from scoring_engine.values import Text

PLAYERS = 4
PACK = 54  # a pack with both jokers
PACK_POINTS = 100  # four 5s, four 10s, four kings
MOST_POINTS_OF_A_CARD = 10
PLACES_OF_TRUMPS = 16  # 2…A without the level, other level cards, trump level, both jokers: the longest run

RUNS = (UnitKind.PAIR_RUN, UnitKind.TRIPLE_RUN)


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of one table (用牌): so many packs and so many bottom cards (底牌)."""

    decks: int
    bottom_cards: int

    @classmethod
    def read(cls, node: Node) -> "Deck | None":
        """The deck of an object with `decks` and `bottom_cards`; None where something is wrong."""
        decks, bottom_cards = node.integer("decks", 2, 3), node.integer("bottom_cards", 1, PACK)
        if decks is None or bottom_cards is None:
            return None
        if (decks * PACK - bottom_cards) % PLAYERS:
            node.problems.add(
                node.at("bottom_cards"),
                f"{decks}副牌留{bottom_cards}张底牌，四人分不匀。",
                f"{decks} packs less {bottom_cards} bottom cards do not give four players the same number.",
            )
            return None
        return cls(decks, bottom_cards)

    @property
    def points(self) -> int:
        """All the points there are (I-C-6): 300 in C, 200 in D."""
        return self.decks * PACK_POINTS

    @property
    def hand(self) -> int:
        """Cards of one player: 39 in C, 25 in D."""
        return (self.decks * PACK - self.bottom_cards) // PLAYERS

    @property
    def most_bottom_points(self) -> int:
        """The most points the bottom cards can hold: 10 a card, and never more than the packs have."""
        return min(self.bottom_cards * MOST_POINTS_OF_A_CARD, self.points)

    def longest(self, kind: UnitKind) -> int:
        """The longest run a hand can be; 1 for a single, a pair and a triple, 0 for what the packs do not have."""
        width = Shape(kind).width
        if width > self.decks:
            return 0
        return min(PLACES_OF_TRUMPS, self.hand // width) if kind in RUNS else 1


@dataclass(frozen=True, slots=True)
class Bottom:
    """The bottom as the defenders won it (抠底): its points, and the shape that won the last trick."""

    points: int
    shape: Shape


@dataclass(frozen=True, slots=True)
class BottomRow:
    """One multiplier; add, times: what a run gains with each further pair or triple beyond `size`."""

    kind: UnitKind
    size: int
    factor: int
    add: int
    times: int

    def at(self, size: int) -> int:
        """The multiplier of a run of this size."""
        further = size - self.size
        growth: int = self.times**further
        return self.factor * growth + self.add * further


_ROW_KEYS = ("unit", "size", "factor", "add", "times")


@dataclass(frozen=True, slots=True)
class BottomMultipliers:
    """The multipliers of one regulation (抠底倍数): every shape the deck can form has one."""

    rows: tuple[BottomRow, ...]
    deck: Deck
    clause: str

    @classmethod
    def from_rows(
        cls, rows: Sequence[Mapping[str, Any]], deck: Deck, clause: str, path: str = "$"
    ) -> "BottomMultipliers":
        """The multipliers of these rows. Raises DocumentError with every problem."""
        node = table_node(rows, path, clause=clause)
        multipliers = cls.read(node, deck)
        raise_problems(node.problems)
        assert multipliers is not None
        return multipliers

    @classmethod
    def read(cls, node: Node, deck: Deck) -> "BottomMultipliers | None":
        """The multipliers of an object `{"clause", "rows"}`; None where something is wrong, noted in the problems."""
        before = len(node.problems.found)
        clause = node.text("clause")
        rows = [_row(part, deck) for part in node.nodes("rows", required=True)]
        whole = [row for row in rows if row is not None]
        if len(node.problems.found) == before:
            _lint(whole, node, deck)
        if len(node.problems.found) > before or clause is None:
            return None
        return cls(
            tuple(sorted(whole, key=lambda row: (list(UnitKind).index(row.kind), row.size))), deck, clause
        )

    def of(self, shape: Shape) -> int:
        """The multiplier of a shape. Raises ValueError for one the deck cannot form (`shape_fault`)."""
        if (fault := shape_fault(shape, self.deck)) is not None:
            raise ValueError(fault.zh)
        return _factor(shape, self.rows)

    def of_throw(self, shapes: Sequence[Shape], throw_digs: str) -> Shape:
        """The unit of a throw, or of a ruff of one, that counts: the best or (option throw_digs) the least."""
        if not shapes or throw_digs not in ("best_unit", "least_unit"):
            raise ValueError(f"{len(shapes)} units, throw_digs {throw_digs!r}")
        return (max if throw_digs == "best_unit" else min)(shapes, key=self.of)

    def won(self, bottom: Bottom | None) -> int:
        """The points the bottom brings the defenders; 0 where the banker's side won the last trick."""
        return 0 if bottom is None else bottom.points * self.of(bottom.shape)


def _factor(shape: Shape, rows: Sequence[BottomRow]) -> int:
    row = max(
        (row for row in rows if row.kind is shape.kind and row.size <= shape.size), key=lambda row: row.size
    )
    return row.at(shape.size)


def shape_fault(shape: Shape, deck: Deck) -> Text | None:
    """Why no last trick can be won with this shape, or None."""
    longest, run = deck.longest(shape.kind), shape.kind in RUNS
    if not longest:
        return Text(
            f"{deck.decks}副牌没有{'连刻' if run else '刻子'}。",
            f"{deck.decks} packs have no {shape.kind.value}.",
        )
    least = 2 if run else 1
    if shape.size in range(least, longest + 1):
        return None
    if run:
        return Text(
            f"连牌为{least}—{longest}连，不能是{shape.size}。",
            f"A run is of {least}…{longest}, not {shape.size}.",
        )
    return Text(f"{shape.name.zh}的 size 只能是1。", f"The size of {shape.name.en} is 1.")


def bottom_faults(bottom: Bottom, deck: Deck) -> list[tuple[str, Text]]:
    """What makes this bottom impossible, as (key of the bottom, sentence)."""
    faults: list[tuple[str, Text]] = []
    if (fault := step_fault(bottom.points)) is not None:
        faults.append(("points", fault))
    elif bottom.points not in range(deck.most_bottom_points + 1):
        most = deck.most_bottom_points
        text = Text(
            f"{deck.bottom_cards}张底牌的分数为0—{most}，不能是{bottom.points}。",
            f"{deck.bottom_cards} bottom cards hold 0…{most} points, not {bottom.points}.",
        )
        faults.append(("points", text))
    if (fault := shape_fault(bottom.shape, deck)) is not None:
        faults.append(("unit" if not deck.longest(bottom.shape.kind) else "size", fault))
    return faults


def _row(node: Node, deck: Deck) -> BottomRow | None:
    before = len(node.problems.found)
    refuse_other_keys(node, _ROW_KEYS)
    unit, factor = node.choice("unit", tuple(UnitKind)), node.integer("factor", 1, 1000)
    if unit is None or factor is None:
        return None
    kind = UnitKind(unit)
    size: int | None = 1
    if kind in RUNS:
        size = node.integer("size", 2, PLACES_OF_TRUMPS)
    add = node.integer("add", 0, 1000) if node.has("add") else 0
    times = node.integer("times", 1, 10) if node.has("times") else 1
    if kind not in RUNS:
        for key in ("size", "add", "times"):
            if node.has(key):
                node.problems.add(node.at(key), f"{unit} 没有 {key}。", f"A {unit} has no {key}.")
    if node.has("add") and node.has("times"):
        node.problems.add(node.path, "add 与 times 只能写一个。", "Only one of add and times can stand.")
    if size is not None and (fault := shape_fault(Shape(kind, size), deck)) is not None:
        node.problems.add(node.at("unit"), fault.zh, fault.en)
    if len(node.problems.found) > before or size is None or add is None or times is None:
        return None
    return BottomRow(kind, size, factor, add, times)


def _lint(rows: Sequence[BottomRow], node: Node, deck: Deck) -> None:
    """Every kind the deck has, each size once and from the shortest; the longest run grows; more is never worth less."""
    path, before = node.at("rows"), len(node.problems.found)
    for kind in UnitKind:
        own = sorted((row for row in rows if row.kind is kind), key=lambda row: row.size)
        if not own and deck.longest(kind):
            node.problems.add(path, f"缺少 {kind} 的倍数。", f"The multiplier of {kind} is missing.")
        first = 2 if kind in RUNS else 1
        if own and [row.size for row in own] != list(range(first, first + len(own))):
            node.problems.add(
                path,
                f"{kind} 的各行应从{first}起依次递增，各一次。",
                f"The rows of {kind} must go up from {first}, each size once.",
            )
        for index, row in enumerate(own):
            last = index == len(own) - 1
            grows = bool(row.add) or row.times > 1
            if kind in RUNS and grows != last:
                node.problems.add(
                    path,
                    f"{kind} 最长的一行、也只有这一行，要写 add 或 times。",
                    f"The longest row of {kind}, and no other, needs add or times.",
                )
    if len(node.problems.found) > before:
        return
    chains = [
        [
            Shape(kind, size)
            for kind in kinds
            for size in range(2 if kind in RUNS else 1, deck.longest(kind) + 1)
        ]
        for kinds in (
            (UnitKind.SINGLE, UnitKind.PAIR, UnitKind.PAIR_RUN),
            (UnitKind.PAIR, UnitKind.TRIPLE, UnitKind.TRIPLE_RUN),
        )
    ]
    for chain in chains:
        factors = [_factor(shape, rows) for shape in chain if deck.longest(shape.kind)]
        if factors != sorted(factors):
            node.problems.add(
                path, "牌型越大，倍数不能越小。", "A higher unit cannot have a smaller multiplier."
            )
