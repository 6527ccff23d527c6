"""The tables of a field: every draw of a few people, beam search and exchanges for more."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from scoring_engine.pairing.three_player_swiss.bounds import least_spread
from scoring_engine.pairing.three_player_swiss.costs import Costs, Trio
from scoring_engine.pairing.three_player_swiss.exact import cheapest, keeping_hard_rules
from scoring_engine.pairing.three_player_swiss.exchange import exchange, mend
from scoring_engine.pairing.three_player_swiss.model import TABLE
from scoring_engine.pairing.three_player_swiss.sweep import sweep

ALL_DRAWS = 12
"""Up to so many people every draw is tried."""

_STATES = 50_000
_WIDEST, _NARROWEST = 160, 40
_WIDER, _WIDER_FROM = 3, 61
"""How many times as wide a second search is, and from how many people: for fewer the first is wide enough."""

_STEPS = 60_000
"""How many seats, about, the search for a draw without a breach fills before it gives up."""

_DEEPEST = 600


@dataclass(frozen=True, slots=True)
class Found:
    """Tables, from the top. best: every draw was tried. impossible: it is certain that no draw keeps the hard rules."""

    tables: tuple[Trio, ...]
    best: bool
    impossible: bool


def best_tables(costs: Costs) -> Found:
    """The best draw found; it breaks a hard rule only where no draw without a breach was found either."""
    if costs.size <= ALL_DRAWS:
        tables = cheapest(costs)
        return Found(tuple(sorted(tables)), best=True, impossible=_breaks(costs, tables))
    width = min(_WIDEST, max(_NARROWEST, _STATES // costs.size))
    tables = _better(costs, _start(costs, width))
    if costs.size >= _WIDER_FROM and costs.parts(tables).spread > least_spread(costs.field):
        # What a narrow beam lost it may have lost early; a wider one costs time, so only where the bound says so.
        tables = min(tables, _better(costs, _start(costs, _WIDER * width)), key=costs.total)
    if not _breaks(costs, tables):
        return Found(tuple(sorted(tables)), best=False, impossible=False)
    tables = mend(costs, tables)
    impossible = max(Counter(costs.field.unit).values()) > len(tables)
    if _breaks(costs, tables) and not impossible and costs.size <= _DEEPEST:
        search = keeping_hard_rules(costs, _STEPS // len(tables))
        impossible = search.tables is None and search.complete
        if search.tables is not None:
            tables = search.tables
    return Found(tuple(sorted(_better(costs, tables))), best=False, impossible=impossible)


def _breaks(costs: Costs, tables: list[Trio]) -> bool:
    return any(costs.breaks_hard(trio) for trio in tables)


def _start(costs: Costs, width: int) -> list[Trio]:
    swept = sweep(costs, width)
    sizes = Counter(costs.field.unit)
    # A unit with a third of the people binds draws far below the place where the sweep is.
    if swept is not None and 2 * max(sizes.values()) <= costs.size // TABLE:
        return swept
    taken = one_by_one(costs)
    return taken if swept is None else min(swept, taken, key=costs.total)


def _better(costs: Costs, tables: list[Trio]) -> list[Trio]:
    """Exchanges: between any tables of a small field, between neighbours of a large one."""
    many = len(tables)
    near_pairs = many if many <= 70 else 6
    near_threes = many if many <= 14 else 4 if many <= 120 else 2
    return exchange(costs, tables, near_pairs, near_threes)


def one_by_one(costs: Costs, reach: int = 8) -> list[Trio]:
    """The best person left takes the two nearest he can, and nobody takes a table a large unit needs.

    A unit with as many people left as tables must be at each of them.
    """
    unit = costs.field.unit
    free = list(range(costs.size))
    sizes = Counter(unit)
    tables: list[Trio] = []
    while free:
        left = len(free) // TABLE
        needed = {each for each, size in sizes.items() if size >= left}
        first = free[0]
        choice: tuple[int, int, int] | None = None
        for near in (free[1 : 1 + reach], _wider(costs, free, needed)):
            choice = min(
                (
                    (costs.table((first, two, three)), two, three)
                    for two, three in combinations(near, 2)
                    if needed <= {unit[first], unit[two], unit[three]}
                ),
                default=None,
            )
            if choice is not None and choice[0] < costs.hard:
                break
        if choice is None:  # more units that must be at every table than a table has seats
            choice = (0, free[1], free[2])
        trio = (first, choice[1], choice[2])
        tables.append(trio)
        for one in trio:
            free.remove(one)
            sizes[unit[one]] -= 1
    return tables


def _wider(costs: Costs, free: list[int], needed: set[int]) -> list[int]:
    """The next many people, and of every unit that is needed the first few, ascending."""
    near = set(free[1:60])
    for each in needed:
        near.update([one for one in free[1:] if costs.field.unit[one] == each][:4])
    return sorted(near)
