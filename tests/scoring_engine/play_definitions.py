"""The combinations once more, straight from their definitions: slow, and independent of the engine's table.

`readings` tries every way of calling some of the cards the main part and the rest wings.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st

from scoring_engine.landlord.cards import RANKS
from scoring_engine.landlord.plays import JokerWings, Kind, PlayRules, Reading

PACK = [rank for rank in RANKS[:13] for _ in range(4)] + ["B", "R"]
ROW = RANKS[:12]


def hands(most: int = 20) -> st.SearchStrategy[list[str]]:
    """Cards of one pack; many of few ranks, so that combinations are not rare."""
    few_ranks = st.sets(st.sampled_from(RANKS), min_size=1, max_size=8).flatmap(
        lambda ranks: st.permutations([rank for rank in PACK if rank in ranks])
    )
    return st.tuples(few_ranks, st.integers(1, most)).map(lambda drawn: drawn[0][: drawn[1]])


def readings(play: list[str], rules: PlayRules) -> set[Reading]:
    """Every reading of these cards under the rules."""
    held = Counter(play)
    found: set[Reading] = set()

    def add(kind: Kind, length: int, highest: str) -> None:
        found.add(Reading(kind, length, RANKS.index(highest)))

    if len(held) == 1:
        ((rank, number),) = held.items()
        add((Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.BOMB)[number - 1], 1, rank)
    if sorted(play) == ["B", "R"]:
        add(Kind.ROCKET, 1, "R")
    for copies, kind, shortest in ((1, Kind.RUN, 5), (2, Kind.PAIR_RUN, 3), (3, Kind.PLANE, 2)):
        for row in rows(shortest):
            if held == Counter(row * copies):
                add(kind, len(row), row[-1])
    for rank in RANKS[:13]:
        for copies in (3, 4):
            carried = held - Counter(rank * copies)
            if held[rank] < copies or carried[rank]:
                continue
            if copies == 3:
                if sorted(carried.values()) == [1]:
                    add(Kind.TRIPLE_WITH_SINGLE, 1, rank)
                if sorted(carried.values()) == [2]:
                    add(Kind.TRIPLE_WITH_PAIR, 1, rank)
            else:
                distinct = sorted(carried.values()) == [1, 1]
                equal = sorted(carried.values()) == [2] and rules.four_with_equal_singles
                if (distinct or equal) and jokers_allowed(carried, rules):
                    add(Kind.FOUR_WITH_SINGLES, 1, rank)
                if sorted(carried.values()) == [2, 2]:
                    add(Kind.FOUR_WITH_PAIRS, 1, rank)
    for row in rows(2):
        if all(held[rank] >= 3 for rank in row):
            carried = held - Counter(row * 3)
            if sum(carried.values()) == len(row) and may_be_wings(carried, row, rules):
                add(Kind.PLANE_WITH_SINGLES, len(row), row[-1])
            if sum(carried.values()) == 2 * len(row) and set(carried.values()) == {2}:
                add(Kind.PLANE_WITH_PAIRS, len(row), row[-1])
    return found


def rows(shortest: int) -> list[str]:
    return [ROW[low:high] for low in range(12) for high in range(low + shortest, 13)]


def may_be_wings(carried: Counter[str], row: str, rules: PlayRules) -> bool:
    around = ROW[max(ROW.index(row[0]) - 1, 0) : ROW.index(row[-1]) + 2]
    for rank, number in carried.items():
        if rank in row and not rules.chain_rank_wings:
            return False
        if number > rules.equal_wings:
            return False
        if rank in around and rank not in row and number >= 3 and not rules.adjacent_triple_wings:
            return False
    return jokers_allowed(carried, rules)


def jokers_allowed(carried: Counter[str], rules: PlayRules) -> bool:
    return (
        carried["B"] + carried["R"]
        <= {JokerWings.NONE: 0, JokerWings.ONE: 1, JokerWings.ROCKET: 2}[rules.joker_wings]
    )
