"""What a table costs, as one whole number whose digits are the aims in order.

The cost of a draw is the sum over its tables, the cost of a table the sum over its three pairs. A pair costs, each part
weighted so heavily that all the parts after it together, over a whole draw, never outweigh one step of it:

| aim | of a pair |
|---|---|
| units | 1 if both are of one unit |
| rematches, if hard | how often they have met |
| match points | their difference in steps, so a table counts its highest less its lowest twice |
| rematches, if soft | how often they have met |
| game points | the square of the difference of their places by match points, then game points |
| rematches, if last | how often they have met |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from scoring_engine.pairing.three_player_swiss.field import Field
from scoring_engine.pairing.three_player_swiss.model import Rematch

Trio: TypeAlias = tuple[int, int, int]
"""Three indexes of the field, ascending: the best first."""

_AIMS = {
    Rematch.HARD: ("units", "rematches", "spread", "ranks"),
    Rematch.SOFT: ("units", "spread", "rematches", "ranks"),
    Rematch.LAST: ("units", "spread", "ranks", "rematches"),
}


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the cost of some tables. spread: in steps, of each table its highest less its lowest."""

    units: int
    spread: int
    rematches: int
    ranks: int


class Costs:
    """The cost of every pair of a field; worked out when first asked for."""

    def __init__(self, field: Field, rematch: Rematch) -> None:
        self.field = field
        self.size = len(field.players)
        self.weights = _weights(field, rematch)
        hard = ("units", "rematches") if rematch is Rematch.HARD else ("units",)
        self.hard = min(self.weights[aim] for aim in hard)
        """A pair that costs this much or more breaks a hard rule."""
        self.scaled = [self.weights["spread"] * points for points in field.points]
        self._rows: list[dict[int, int]] = [{} for _ in field.players]

    def pair(self, one: int, other: int) -> int:
        """The cost of two indexes at one table, the smaller index first."""
        row = self._rows[one]
        cost = row.get(other)
        if cost is None:
            field = self.field
            apart = field.rank[other] - field.rank[one]
            cost = self.scaled[one] - self.scaled[other] + self.weights["ranks"] * apart * apart
            if field.unit[one] == field.unit[other]:
                cost += self.weights["units"]
            times = field.met[one].get(other)
            if times:
                cost += self.weights["rematches"] * times
            row[other] = cost
        return cost

    def table(self, trio: Sequence[int]) -> int:
        """The cost of a table of three ascending indexes."""
        best, middle, last = trio
        return self.pair(best, middle) + self.pair(best, last) + self.pair(middle, last)

    def total(self, tables: Sequence[Trio]) -> int:
        """The cost of a draw."""
        return sum(map(self.table, tables))

    def breaks_hard(self, trio: Trio) -> bool:
        """Whether two at this table may not meet."""
        return any(self.pair(*two) >= self.hard for two in combinations(trio, 2))

    def parts(self, tables: Sequence[Trio]) -> Parts:
        """The cost of some tables in its parts."""
        field = self.field
        pairs = [two for trio in tables for two in combinations(trio, 2)]
        return Parts(
            units=sum(field.unit[one] == field.unit[other] for one, other in pairs),
            spread=sum(field.points[trio[0]] - field.points[trio[-1]] for trio in tables),
            rematches=sum(field.met[one].get(other, 0) for one, other in pairs),
            ranks=sum((field.rank[one] - field.rank[other]) ** 2 for one, other in pairs),
        )


def _weights(field: Field, rematch: Rematch) -> dict[str, int]:
    """The weight of each aim: more than everything below it can come to at all pairs of a draw."""
    greatest = {
        "units": 1,
        "spread": max(field.points, default=0),
        "rematches": max((max(met.values(), default=0) for met in field.met), default=0),
        "ranks": (max(field.rank, default=0) - min(field.rank, default=0)) ** 2,
    }
    pairs = len(field.players)  # a table of three has three pairs
    weights: dict[str, int] = {}
    below = 0
    for aim in reversed(_AIMS[rematch]):
        weights[aim] = below + 1
        below += weights[aim] * pairs * greatest[aim]
    return weights
