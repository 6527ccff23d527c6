"""How little the match points can spread: a bound that holds for every draw of a field.

The spread of a draw is the sum, over each gap between two neighbouring scores, of the gap times the tables that sit
across it. With `above` people over the gap, of T tables some k sit across, some a above and T − k − a below. Those
across hold one or two of the people above: k ≤ above − 3a ≤ 2k. Tables above hold three units each, so there are no more
than the largest t with Σ min(size of unit above, t) ≥ 3t; below alike. And every table holds a unit once, so those above
and across are at least as many as the largest unit above. The least k that fits is counted for every gap by itself.
"""

from collections import Counter

from scoring_engine.pairing.three_player_swiss.field import Field
from scoring_engine.pairing.three_player_swiss.model import TABLE


def least_spread(field: Field) -> int:
    """A number of steps that no draw without two of one unit at a table can spread less than."""
    size = len(field.players)
    tables = size // TABLE
    above: Counter[int] = Counter()
    below = Counter(field.unit)
    if tables < max(below.values(), default=0):
        return 0  # no draw keeps the units apart
    total = 0
    for place in range(1, size):
        unit = field.unit[place - 1]
        above[unit] += 1
        below[unit] -= 1
        if not below[unit]:
            del below[unit]
        gap = field.points[place - 1] - field.points[place]
        if gap:
            total += gap * _least_across(place, size, above, below)
    return total


def _least_across(place: int, size: int, above: Counter[int], below: Counter[int]) -> int:
    tables = size // TABLE
    most_above, most_below = _full_tables(above, place), _full_tables(below, size - place)
    widest_above, widest_below = max(above.values()), max(below.values())
    for across in range(tables + 1):
        fewest = max(0, tables - across - most_below, widest_above - across, -((2 * across - place) // TABLE))
        most = min(most_above, tables - across, tables - widest_below, (place - across) // TABLE)
        if fewest <= most:
            return across
    return tables


def _full_tables(sizes: Counter[int], people: int) -> int:
    """How many tables of three different units these people can fill."""
    tables = people // TABLE
    large = [size for size in sizes.values() if size > 1]
    alone = len(sizes) - len(large)
    while alone + sum(min(size, tables) for size in large) < TABLE * tables:
        tables -= 1
    return tables
