"""The kinds of combinations (牌型) and what a play is read as."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring_engine.values import Text


class Kind(StrEnum):
    """A kind of combination; the words are those of `saishi judge`.

    The order matters where a play has several readings: the earlier kind is the play's own.
    """

    SINGLE = "single"
    PAIR = "pair"
    TRIPLE = "triple"
    BOMB = "bomb"
    ROCKET = "rocket"
    RUN = "run"
    PAIR_RUN = "pair_run"
    PLANE = "plane"
    TRIPLE_WITH_SINGLE = "triple_with_single"
    TRIPLE_WITH_PAIR = "triple_with_pair"
    PLANE_WITH_SINGLES = "plane_with_singles"
    PLANE_WITH_PAIRS = "plane_with_pairs"
    FOUR_WITH_SINGLES = "four_with_singles"
    FOUR_WITH_PAIRS = "four_with_pairs"


NAMES: Mapping[Kind, Text] = {
    Kind.SINGLE: Text("单牌", "a single"),
    Kind.PAIR: Text("对子", "a pair"),
    Kind.TRIPLE: Text("三张", "a triple"),
    Kind.BOMB: Text("炸弹", "a bomb"),
    Kind.ROCKET: Text("火箭", "the rocket"),
    Kind.RUN: Text("顺子", "a run"),
    Kind.PAIR_RUN: Text("连对", "a run of pairs"),
    Kind.PLANE: Text("飞机", "a plane"),
    Kind.TRIPLE_WITH_SINGLE: Text("三带单", "a triple with a single"),
    Kind.TRIPLE_WITH_PAIR: Text("三带对", "a triple with a pair"),
    Kind.PLANE_WITH_SINGLES: Text("飞机带单牌", "a plane with singles"),
    Kind.PLANE_WITH_PAIRS: Text("飞机带对子", "a plane with pairs"),
    Kind.FOUR_WITH_SINGLES: Text("四带两张单牌", "four with two singles"),
    Kind.FOUR_WITH_PAIRS: Text("四带两个对子", "four with two pairs"),
}

SHORTEST: Mapping[Kind, int] = {Kind.RUN: 5, Kind.PAIR_RUN: 3, Kind.PLANE: 2}
"""How many ranks in a row make the kind (A, 四(二)比赛通则4)."""

LONGEST: Mapping[Kind, int] = {Kind.RUN: 12, Kind.PAIR_RUN: 10, Kind.PLANE: 6}
"""What twenty cards and the ranks 3 … A allow."""

MOST_PLANE_WITH_SINGLES = 5
MOST_PLANE_WITH_PAIRS = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """A play read as a combination.

    length: how many ranks the main part (主体) has: 5 for 34567, 2 for 333444+69, 1 where there is no chain.
    main: index in `cards.RANKS` of the highest rank of the main part, by which plays of a kind and length compare.
    """

    kind: Kind
    length: int
    main: int
