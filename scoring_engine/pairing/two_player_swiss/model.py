"""What the two-player Swiss pairing is given: people with their history, and how the regulation pairs them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring_engine.values import EntrantId, Points, UnitId


class Side(StrEnum):
    """Who moves first at a table (先手、后手): black in Go, red in Xiangqi."""

    FIRST = "first"
    SECOND = "second"


class Drift(StrEnum):
    """A float (浮动): met somebody with fewer points (down), or with more (up)."""

    DOWN = "down"
    UP = "up"


class UnitRule(StrEnum):
    """How strictly people of one unit are kept apart (同单位回避)."""

    HARD = "hard"  # never; points yield to it
    SOFT = "soft"  # only among the draws with the least score difference
    OFF = "off"


class Order(StrEnum):
    """Who is whose natural opponent among equal points."""

    LOTS = "lots"  # 抽签: neighbours in drawn order
    HALF_SPLIT = "half_split"  # 1 v n/2+1, by starting number


class FirstRound(StrEnum):
    """How round 1 is paired."""

    DRAW = "draw"
    HALF_SPLIT = "half_split"
    ACCELERATED = "accelerated"  # the upper half of the starting numbers plays among itself, for some rounds


@dataclass(frozen=True, slots=True)
class SwissPlayer:
    """One entrant before the round to be paired.

    points: what he is paired by. number: his starting number (序号), None for who has none; late entrants have none.
    opponents: everybody he was paired with, in any order, also where the game was a forfeit. sides: the sides of the
    games he played, oldest first; rounds without a game are left out. byes: how many he had. forfeit_wins: games won
    because the opponent did not appear. floats: one per earlier round, oldest first, None where he met equal points or
    nobody. available: takes part in this round; False for who is absent, withdrawn, or not paired after forfeits.
    """

    id: EntrantId
    unit: UnitId | None = None
    points: Points = 0
    number: int | None = None
    opponents: tuple[EntrantId, ...] = ()
    sides: tuple[Side, ...] = ()
    byes: int = 0
    forfeit_wins: int = 0
    floats: tuple[Drift | None, ...] = ()
    available: bool = True


@dataclass(frozen=True, slots=True)
class SwissOptions:
    """How the regulation pairs two at a table; every field is an option of a silent sentence.

    unit: see UnitRule; unit_rounds: in how many first rounds it holds, None in all. sides: whether first moves are
    balanced at all (no in 升级, where nobody moves first). longest_run: how often running one may have the same side.
    forfeit_win_is_bye: who won by a forfeit gets no bye. later_rounds: the order among equal points after round 1.
    accelerated_rounds and accelerated_points: how many rounds the upper half is lifted by how many points;
    upper_half: the last starting number of the upper half, None for half of the numbers given.
    clause: where the regulation says how it is paired; it stands in every question to the committee.
    """

    unit: UnitRule = UnitRule.HARD
    unit_rounds: int | None = None
    sides: bool = True
    longest_run: int = 2
    forfeit_win_is_bye: bool = False
    first_round: FirstRound = FirstRound.DRAW
    later_rounds: Order = Order.LOTS
    accelerated_rounds: int = 2
    accelerated_points: Points = 2
    upper_half: int | None = None
    clause: str = ""

    def __post_init__(self) -> None:
        if self.longest_run < 1:
            raise ValueError(f"the same side {self.longest_run} times running")
        if self.accelerated_rounds < 0 or (self.unit_rounds is not None and self.unit_rounds < 0):
            raise ValueError("a negative number of rounds")

    def unit_rule(self, number: int) -> UnitRule:
        """What holds in this round."""
        if self.unit_rounds is not None and number > self.unit_rounds:
            return UnitRule.OFF
        return self.unit

    def order(self, number: int) -> Order:
        """The order among equal points in this round."""
        split = self.first_round is FirstRound.HALF_SPLIT and number == 1
        if split or (self.first_round is FirstRound.ACCELERATED and number <= self.accelerated_rounds):
            return Order.HALF_SPLIT
        return Order.LOTS if number == 1 else self.later_rounds

    def lifted(self, players: Sequence[SwissPlayer], number: int) -> int:
        """The last starting number that is lifted in this round; 0 where nobody is."""
        if self.first_round is not FirstRound.ACCELERATED or number > self.accelerated_rounds:
            return 0
        if self.upper_half is not None:
            return self.upper_half
        numbers = sorted(player.number for player in players if player.number is not None)
        return numbers[(len(numbers) - 1) // 2] if numbers else 0


def check_players(players: Sequence[SwissPlayer]) -> None:
    """Raises ValueError for input no tournament can have: an id twice, a number twice, oneself as an opponent."""
    ids = [player.id for player in players]
    if len(set(ids)) != len(ids):
        raise ValueError("an entrant stands twice in the draw")
    numbers = [player.number for player in players if player.number is not None]
    if len(set(numbers)) != len(numbers):
        raise ValueError("a starting number stands twice in the draw")
    for player in players:
        if player.id in player.opponents:
            raise ValueError(f"{player.id} is among the opponents of {player.id}")
        if not isinstance(player.points, int | Fraction):
            raise TypeError(f"the points of {player.id} are neither int nor Fraction")
        if player.byes < 0 or player.forfeit_wins < 0:
            raise ValueError(f"{player.id} has a negative number of byes or forfeit wins")
