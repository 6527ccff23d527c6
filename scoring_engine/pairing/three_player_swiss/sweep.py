"""A beam search from the best to the last: the start of every larger draw.

People are seated one after the other. A state is the list of open tables, which still wait for one or two. Who comes next joins
an open table or opens one. The states are valued by what they have cost and what they will cost at least:

- an open table takes whoever is next, so it pays for the distance that has already grown;
- of the people up to the end of the same score (and up to the end of the same place) a large unit may not find enough
  tables; each one left over makes a table sit across that end.

Only the `width` best states of each step live on. Two people who break a hard rule never sit together.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from scoring_engine.pairing.three_player_swiss.costs import Costs, Trio
from scoring_engine.pairing.three_player_swiss.model import TABLE

_MOST_OPEN = 10
_LARGE_UNITS = 2
"""How many of the largest units are looked at ahead."""

_Open: TypeAlias = tuple[tuple[int, ...], ...]
_Link: TypeAlias = Any
"""The finished tables of a state, last first: None, or (two who sat, who came, the link before)."""

_Ahead: TypeAlias = list[tuple[int, list[int]]]
"""Units, each with the cost of what is left over, by how many open tables still lack it."""


def sweep(costs: Costs, width: int) -> list[Trio] | None:
    """Tables for a whole field, or None where every state came to a dead end."""
    field = costs.field
    size, pair, hard = costs.size, costs.pair, costs.hard
    unit, rank, scaled, rank_weight = field.unit, field.rank, costs.scaled, costs.weights["ranks"]
    ahead = _ahead(costs)
    states: list[tuple[int, int, _Open, _Link]] = [(0, 0, (), None)]
    for new in range(size):
        left = size - new - 1
        joining: dict[tuple[int, ...], int] = {}
        following: dict[_Open, tuple[int, _Link]] = {}
        for _, paid, tables, link in states:
            waiting = 0
            for place, table in enumerate(tables):
                cost = joining.get(table)
                if cost is None:
                    each = [pair(one, new) for one in table]
                    cost = joining[table] = -1 if max(each) >= hard else sum(each)
                if len(table) == 1:
                    waiting += 2
                    opened = (*tables[:place], (table[0], new), *tables[place + 1 :])
                    found = link
                else:
                    waiting += 1
                    opened = tables[:place] + tables[place + 1 :]
                    found = (table, new, link)
                if cost < 0:
                    continue
                known = following.get(opened)
                if known is None or paid + cost < known[0]:
                    following[opened] = (paid + cost, found)
            if waiting + 2 <= left and len(tables) < _MOST_OPEN:
                opened = (*tables, (new,))
                known = following.get(opened)
                if known is None or paid < known[0]:
                    following[opened] = (paid, link)
        if not following:
            return None
        if not left:
            return _tables(following[()][1])
        coming = new + 1
        score, place_next = scaled[coming], rank[coming]
        after = rank[min(coming + 1, size - 1)]
        least: dict[tuple[int, ...], int] = {}
        states = []
        for opened, (paid, found) in following.items():
            value = paid
            for table in opened:
                cost = least.get(table)
                if cost is None:
                    if len(table) == 1:
                        first, squares = (
                            scaled[table[0]],
                            (rank[table[0]] - after) ** 2 + (place_next - after) ** 2,
                        )
                        cost = 2 * (first - score) + rank_weight * (
                            (rank[table[0]] - place_next) ** 2 + squares
                        )
                    else:
                        cost = sum(
                            scaled[one] - score + rank_weight * (rank[one] - place_next) ** 2 for one in table
                        )
                    least[table] = cost
                value += cost
            for large, excess in ahead[new]:
                lacking = 0
                for table in opened:
                    if unit[table[0]] != large and unit[table[-1]] != large:
                        lacking += 1
                value += excess[lacking]
            states.append((value, paid, opened, found))
        if len(states) > width:
            states.sort(key=_value)
            del states[width:]
    return []


def _value(state: tuple[int, int, _Open, _Link]) -> int:
    return state[0]


def _tables(link: _Link) -> list[Trio]:
    found: list[Trio] = []
    while link is not None:
        (one, two), three, link = link
        found.append((one, two, three))
    return found[::-1]


def _ahead(costs: Costs) -> list[_Ahead]:
    """For each index just seated, what the large units among those who follow will cost at least.

    Looked at twice: up to the end of the same match points, where a table across costs their difference (after the
    lowest there is nobody, and whoever is left breaks a hard rule), and up to the end of the same place.
    """
    points, rank = costs.scaled, costs.field.rank
    rank_weight = costs.weights["ranks"]

    def by_points(one: int, other: int) -> int:
        return 2 * (points[one] - points[other])

    def by_rank(one: int, other: int) -> int:
        return 2 * rank_weight * (rank[one] - rank[other]) ** 2

    last = costs.weights["units"]
    parts = zip(_excess(costs, by_points, last, points), _excess(costs, by_rank, 0, rank), strict=True)
    return [[*first, *second] for first, second in parts]


def _excess(costs: Costs, across: Callable[[int, int], int], last: int, key: Sequence[int]) -> list[_Ahead]:
    """`_ahead` for one way of telling people apart: by `key`. across: least cost of a table over a gap of it."""
    size, unit = costs.size, costs.field.unit
    ahead: list[_Ahead] = [[] for _ in range(size)]
    sizes: Counter[int] = Counter()
    people = gap = 0
    for new in range(size - 2, -1, -1):
        coming = new + 1
        if coming == size - 1 or key[coming] != key[coming + 1]:
            sizes.clear()
            people, gap = 0, last if coming == size - 1 else across(coming, coming + 1)
        sizes[unit[coming]] += 1
        people += 1
        if not gap:
            continue
        # Some table sits across anyway where the people so far do not come out in threes.
        anyway = 1 if (people + coming) % TABLE else 0
        for large, many in sizes.most_common(_LARGE_UNITS):
            if many - people // TABLE <= anyway:
                break
            ahead[new].append(
                (
                    large,
                    [
                        gap * max(0, many - lacking - max(0, people - lacking) // TABLE - anyway)
                        for lacking in range(_MOST_OPEN + 1)
                    ],
                )
            )
    return ahead
