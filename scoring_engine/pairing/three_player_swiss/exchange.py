"""Exchanges between two or three tables: the people of the tables are seated anew in the best of all ways."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from scoring_engine.pairing.three_player_swiss.costs import Costs, Trio


def _splits(people: int) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """All ways to seat so many people (6 or 9) at tables of three; each table is a set of bits."""

    def ways(free: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not free:
            yield ()
            return
        first, *others = free
        for two in combinations(others, 2):
            table = 1 << first | 1 << two[0] | 1 << two[1]
            for more in ways(tuple(one for one in others if one not in two)):
                yield (table, *more)

    by_first: dict[int, list[tuple[int, ...]]] = {}
    for first, *more in ways(tuple(range(people))):
        by_first.setdefault(first, []).append(tuple(more))
    return tuple((first, tuple(more)) for first, more in by_first.items())


_OF_NINE = _splits(9)
_TRIOS_OF_NINE = tuple(
    (1 << one | 1 << two | 1 << three, one, two, three) for one, two, three in combinations(range(9), 3)
)


def _seat_nine(costs: Costs, nine: Sequence[int], before: int) -> list[Trio] | None:
    """The best tables of nine ascending indexes, or None where nothing costs less than `before`."""
    pair = costs.pair
    between = [[pair(one, other) for other in nine[place + 1 :]] for place, one in enumerate(nine)]
    table = {
        bits: between[one][two - one - 1] + between[one][three - one - 1] + between[two][three - two - 1]
        for bits, one, two, three in _TRIOS_OF_NINE
    }
    best, found = before, None
    for first, ways in _OF_NINE:
        room = best - table[first]
        for second, third in ways:
            cost = table[second] + table[third]
            if cost < room:
                room, found = cost, (first, second, third)
        best = table[first] + room
    if found is None:
        return None
    seated = [tuple(one for place, one in enumerate(nine) if bits >> place & 1) for bits in found]
    return [(one, two, three) for one, two, three in seated]


def _seat_six(costs: Costs, six: Sequence[int], before: int) -> list[Trio] | None:
    """As `_seat_nine`, for two tables."""
    pair = costs.pair
    a, b, c, d, e, f = six
    ab, ac, ad, ae, af = pair(a, b), pair(a, c), pair(a, d), pair(a, e), pair(a, f)
    bc, bd, be, bf = pair(b, c), pair(b, d), pair(b, e), pair(b, f)
    cd, ce, cf = pair(c, d), pair(c, e), pair(c, f)
    de, df, ef = pair(d, e), pair(d, f), pair(e, f)
    ways = (
        ab + ac + bc + de + df + ef,
        ab + ad + bd + ce + cf + ef,
        ab + ae + be + cd + cf + df,
        ab + af + bf + cd + ce + de,
        ac + ad + cd + be + bf + ef,
        ac + ae + ce + bd + bf + df,
        ac + af + cf + bd + be + de,
        ad + ae + de + bc + bf + cf,
        ad + af + df + bc + be + ce,
        ae + af + ef + bc + bd + cd,
    )
    best = min(ways)
    if best >= before:
        return None
    two, three = tuple(combinations(range(1, 6), 2))[ways.index(best)]
    rest = [six[place] for place in range(1, 6) if place not in (two, three)]
    return [(a, six[two], six[three]), (rest[0], rest[1], rest[2])]


def exchange(costs: Costs, tables: list[Trio], near_pairs: int, near_threes: int) -> list[Trio]:
    """Exchange until nothing gets better, between tables that are at most so many apart, by their best person."""
    tables = sorted(tables)
    while _pass(costs, tables, 2, near_pairs) or _pass(costs, tables, 3, near_threes):
        tables.sort()
    return tables


def _pass(costs: Costs, tables: list[Trio], together: int, near: int) -> bool:
    """One exchange of every few tables together; whether anything got better."""
    seat = _seat_six if together == 2 else _seat_nine
    prices = [costs.table(trio) for trio in tables]
    better = False
    for first in range(len(tables)):
        reach = range(first + 1, min(len(tables), first + 1 + near))
        for others in combinations(reach, together - 1):
            group = (first, *others)
            people = sorted(one for place in group for one in tables[place])
            seated = seat(costs, people, sum(prices[place] for place in group))
            if seated is not None:
                better = True
                for place, trio in zip(group, seated, strict=True):
                    tables[place] = trio
                    prices[place] = costs.table(trio)
    return better


def mend(costs: Costs, tables: list[Trio]) -> list[Trio]:
    """Exchange each table that breaks a hard rule with every other, however far, until nothing gets better.

    Where no unit has more people than there are tables, this ends without two of one unit at a table: a table with
    two of a unit always finds one without that unit, and giving it one of the two breaks less.
    """
    tables = sorted(tables)
    better = True
    while better:
        better = False
        for first in range(len(tables)):
            for other in range(len(tables)):
                if other == first or not costs.breaks_hard(tables[first]):
                    continue
                people = sorted(tables[first] + tables[other])
                seated = _seat_six(costs, people, costs.table(tables[first]) + costs.table(tables[other]))
                if seated is not None:
                    tables[first], tables[other] = seated
                    better = True
    return sorted(tables)
