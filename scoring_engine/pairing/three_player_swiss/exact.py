"""Searches that leave nothing out: the best draw of a few people, and whether any draw keeps the hard rules."""

from dataclasses import dataclass

from scoring_engine.pairing.three_player_swiss.costs import Costs, Trio
from scoring_engine.pairing.three_player_swiss.model import TABLE


def cheapest(costs: Costs) -> list[Trio]:
    """The draw of least cost, of all there are. Among several the one whose first tables come first in order.

    By the sets of those who have a seat: the best one without a seat takes any two others.
    """
    everybody = (1 << costs.size) - 1
    known: dict[int, tuple[int, list[Trio]]] = {everybody: (0, [])}

    def best(seated: int) -> tuple[int, list[Trio]]:
        if seated in known:
            return known[seated]
        free = [place for place in range(costs.size) if not seated >> place & 1]
        found: tuple[int, list[Trio]] | None = None
        for at, two in enumerate(free[1:], start=1):
            for three in free[at + 1 :]:
                trio = (free[0], two, three)
                cost, more = best(seated | 1 << free[0] | 1 << two | 1 << three)
                cost += costs.table(trio)
                if found is None or cost < found[0]:
                    found = (cost, [trio, *more])
        assert found is not None
        known[seated] = found
        return found

    return best(0)[1]


@dataclass(frozen=True, slots=True)
class Search:
    """What a search for a draw that keeps every hard rule gave. complete: nothing was left out for want of time."""

    tables: list[Trio] | None
    complete: bool


def keeping_hard_rules(costs: Costs, most_steps: int) -> Search:
    """Look for any draw without a breach: whoever has the fewest people left to meet is seated first."""
    size = costs.size
    may_meet = [0] * size
    for one in range(size):
        for other in range(one + 1, size):
            if costs.pair(one, other) < costs.hard:
                may_meet[one] |= 1 << other
                may_meet[other] |= 1 << one
    steps = 0
    dead: set[int] = set()

    def seat(free: int) -> list[Trio] | None:
        nonlocal steps
        if not free:
            return []
        if free in dead or steps >= most_steps:
            return None
        steps += 1
        first = min(_bits(free), key=lambda one: ((may_meet[one] & free).bit_count(), one))
        near = sorted(_bits(may_meet[first] & free), key=lambda other: costs.pair(*sorted((first, other))))
        for at, two in enumerate(near):
            for three in near[at + 1 :]:
                if may_meet[two] >> three & 1:
                    rest = seat(free & ~(1 << first | 1 << two | 1 << three))
                    if rest is not None:
                        one, middle, last = sorted((first, two, three))
                        return [(one, middle, last), *rest]
        dead.add(free)
        return None

    tables = seat((1 << size) - 1) if size % TABLE == 0 else None
    return Search(tables, complete=tables is not None or steps < most_steps)


def _bits(people: int) -> list[int]:
    found = []
    while people:
        low = people & -people
        found.append(low.bit_length() - 1)
        people ^= low
    return found
