"""What a pair costs: one whole number in which every aim outweighs all later ones together.

| aim, in this order | cost of a pair |
|---|---|
| `REMATCH` | 1 for two who have met (only where no draw keeps every hard rule) |
| `SECOND_BYE` | 1 for a bye to who has had one (likewise) |
| `SAME_UNIT` | 1 for two of one unit, where the rule is hard (likewise) |
| `RUN` | 1 where one gets the same side too often running (likewise) |
| `BYE` | how many different scores of people who may have the bye lie below his |
| `DIFFERENCE` | the score difference |
| `SQUARES` | its square |
| `UNIT` | 1 for two of one unit, where the rule is soft |
| `FLOATS` | for unequal scores: what the float repeats for each of the two (`repeated`) |
| `BALANCE` | the squares of (first moves − second moves) of both after the round |
| `AGAIN` | how many of the two have the side of their last game again |
| `DISTANCE` | the square of the distance in drawn order; the bye stands behind everybody |
| `MARK` | the marks of both, combined bit by bit (exclusive or) |

The sum over a draw is compared aim by aim, so an aim's place value is one more than all later ones can sum up to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from scoring_engine.pairing.two_player_swiss.field import MARKS, Field, repeated
from scoring_engine.pairing.two_player_swiss.model import Drift, Side, UnitRule

Edge = tuple[int, int, int]
"""Two positions, the earlier first (the bye is position n), and the cost."""

BITS = 120
"""The matching works with 128-bit numbers and doubles the weights; more than this would overflow silently."""


class Aim(IntEnum):
    """What a draw is to keep small, the more important first."""

    REMATCH = 0
    SECOND_BYE = 1
    SAME_UNIT = 2
    RUN = 3
    BYE = 4
    DIFFERENCE = 5
    SQUARES = 6
    UNIT = 7
    FLOATS = 8
    BALANCE = 9
    AGAIN = 10
    DISTANCE = 11
    MARK = 12


@dataclass(frozen=True, slots=True)
class Costs:
    """The place value of each aim among pairs at most `band` positions apart; `left_out` are the last aims, for which
    the numbers have no room. forced: pairs that break a hard rule are there, at a cost."""

    field: Field
    band: int
    forced: bool
    value: tuple[int, ...]
    left_out: tuple[Aim, ...]

    def edges(self) -> list[Edge]:
        """Every pair the graph has, in order."""
        found = list(self._games())
        if self.field.odd:
            found.extend(self._byes())
        return found

    def _games(self) -> Iterator[Edge]:
        field, value = self.field, self.value
        size = len(field.players)
        hard_unit = field.unit_rule is UnitRule.HARD
        unit_cost = value[Aim.SAME_UNIT] if hard_unit else value[Aim.UNIT]
        skip_unit = hard_unit and not self.forced
        first, second = self._side_costs()
        down, up = self._float_costs(Drift.DOWN), self._float_costs(Drift.UP)
        distance = [value[Aim.DISTANCE] * gap * gap for gap in range(min(self.band, size) + 1)]
        mark = [value[Aim.MARK] * bits for bits in range(MARKS)]
        score, unit, bound, claim, marks = field.score, field.unit, field.bound, field.claim, field.marks
        linear, square = value[Aim.DIFFERENCE], value[Aim.SQUARES]
        for one in range(size):
            met, own_unit, own_bound, own_claim = field.met[one], unit[one], bound[one], claim[one]
            own_score, own_first, own_second = score[one], first[one], second[one]
            own_down, own_mark = down[one], marks[one]
            for other in range(one + 1, min(size, one + 1 + self.band)):
                cost = distance[other - one] + mark[own_mark ^ marks[other]]
                if other in met:
                    if not self.forced:
                        continue
                    cost += value[Aim.REMATCH]
                if own_unit == unit[other]:
                    if skip_unit:
                        continue
                    cost += unit_cost
                if own_bound and own_bound == bound[other]:
                    if not self.forced:
                        continue
                    cost += value[Aim.RUN]
                gap = own_score - score[other]
                if gap:
                    cost += gap * (linear + gap * square) + own_down + up[other]
                if own_claim < claim[other]:
                    cost += own_first + second[other]
                else:
                    cost += own_second + first[other]
                yield one, other, cost

    def _byes(self) -> Iterator[Edge]:
        field, value = self.field, self.value
        size = len(field.players)
        level = bye_levels(field)
        left = self.band
        for one in reversed(range(size)):
            if not field.may_have_bye[one] and not self.forced:
                continue
            if not left:
                return
            left -= 1
            cost = value[Aim.BYE] * level[one] + value[Aim.BALANCE] * field.imbalance[one] ** 2
            cost += value[Aim.DISTANCE] * (size - one) ** 2 + value[Aim.MARK] * field.marks[one]
            yield one, size, cost + (0 if field.may_have_bye[one] else value[Aim.SECOND_BYE])

    def _side_costs(self) -> tuple[list[int], list[int]]:
        """What it costs each to move first, and to move second."""
        balance, again = self.value[Aim.BALANCE], self.value[Aim.AGAIN]
        first: list[int] = []
        second: list[int] = []
        for player, imbalance in zip(self.field.players, self.field.imbalance, strict=True):
            last = player.sides[-1] if player.sides and self.field.options.sides else None
            weighed = self.field.options.sides
            first.append((balance * (imbalance + 1) ** 2 + again * (last is Side.FIRST)) if weighed else 0)
            second.append((balance * (imbalance - 1) ** 2 + again * (last is Side.SECOND)) if weighed else 0)
        return first, second

    def _float_costs(self, drift: Drift) -> list[int]:
        return [self.value[Aim.FLOATS] * repeated(player, drift) for player in self.field.players]


def bye_levels(field: Field) -> list[int]:
    """For each position, how many different scores of people who may have the bye lie below his."""
    scores = sorted(
        {score for score, may in zip(field.score, field.may_have_bye, strict=True) if may}, reverse=True
    )
    below: list[int] = []
    for score in field.score:
        while scores and scores[0] >= score:
            scores.pop(0)
        below.append(len(scores))
    return below


def costs_of(field: Field, band: int, *, forced: bool) -> Costs:
    """The place values for this field: the smallest that keep every aim apart; the last aims go where they are too large."""
    greatest = _greatest(field, band, forced=forced)
    games = (len(field.players) + 1) // 2
    kept = [aim for aim in Aim if greatest[aim]]
    left_out: list[Aim] = []
    while True:
        value = _place_values([greatest[aim] if aim in kept else 0 for aim in Aim], games)
        heaviest = sum(each * worth for each, worth in zip(greatest, value, strict=True))
        if heaviest.bit_length() <= BITS:
            return Costs(field, band, forced, tuple(value), tuple(reversed(left_out)))
        left_out.append(kept.pop())


def _place_values(greatest: Sequence[int], games: int) -> list[int]:
    """One more than everything later can sum up to; 0 for an aim that never costs anything."""
    value = [0] * len(greatest)
    room = 1
    for aim in reversed(Aim):
        if greatest[aim]:
            value[aim] = room
            room *= greatest[aim] * games + 1
    return value


def _greatest(field: Field, band: int, *, forced: bool) -> list[int]:
    """The most that one pair can cost of each aim."""
    size = len(field.players)
    greatest = [0] * len(Aim)
    if forced:
        greatest[Aim.REMATCH] = int(any(field.met))
        greatest[Aim.SECOND_BYE] = int(field.odd and not all(field.may_have_bye))
        greatest[Aim.RUN] = int(any(field.bound))
    crowded = int(len(set(field.unit)) < size)
    if field.unit_rule is UnitRule.SOFT:
        greatest[Aim.UNIT] = crowded
    elif forced:
        greatest[Aim.SAME_UNIT] = crowded
    if field.odd:
        greatest[Aim.BYE] = max(bye_levels(field), default=0)
    gap = max((field.score[one] - field.score[min(size - 1, one + band)] for one in range(size)), default=0)
    greatest[Aim.DIFFERENCE], greatest[Aim.SQUARES] = gap, gap * gap
    greatest[Aim.FLOATS] = sum(
        max((repeated(player, drift) for player in field.players), default=0) for drift in Drift
    )
    if field.options.sides:
        greatest[Aim.BALANCE] = 2 * (max(map(abs, field.imbalance), default=0) + 1) ** 2
        greatest[Aim.AGAIN] = 2 * any(player.sides for player in field.players)
    furthest = size if field.odd else size - 1
    greatest[Aim.DISTANCE] = furthest**2 if field.odd else min(band, furthest) ** 2
    greatest[Aim.MARK] = MARKS - 1
    return greatest
