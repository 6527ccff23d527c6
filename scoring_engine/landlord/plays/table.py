"""The table of all plays (牌型表): what every legal set of cards is read as under a rule profile."""

from collections.abc import Iterable, Iterator

from scoring_engine.landlord.cards import CHAIN_RANKS, DECK, ROCKET, SUITED, UNITS, Cards
from scoring_engine.landlord.plays.kinds import (
    LONGEST,
    MOST_PLANE_WITH_PAIRS,
    MOST_PLANE_WITH_SINGLES,
    SHORTEST,
    Kind,
    Reading,
)
from scoring_engine.landlord.plays.rules import PlayRules
from scoring_engine.landlord.plays.wings import four_singles, pair_wings, single_wings

_BIG_JOKER = len(UNITS) - 1


def plays_of(rules: PlayRules) -> dict[Cards, tuple[Reading, ...]]:
    """Every legal play with its readings, the play's own first: the earliest kind, and in it the highest main part."""
    found: dict[Cards, tuple[Reading, ...]] = {}
    for reading, plays in _by_reading(rules):
        alone = (reading,)
        for play in plays:
            others = found.setdefault(Cards(play), alone)
            if others is not alone:
                found[Cards(play)] = others + alone
    return found


def _by_reading(rules: PlayRules) -> Iterator[tuple[Reading, Iterable[int]]]:
    """The plays of each reading, kinds in their order and main parts from the highest."""
    for kind, copies in ((Kind.SINGLE, 1), (Kind.PAIR, 2), (Kind.TRIPLE, 3), (Kind.BOMB, 4)):
        for rank in reversed(range(len(UNITS) if copies == 1 else SUITED)):
            yield Reading(kind, 1, rank), [copies * UNITS[rank]]
    yield Reading(Kind.ROCKET, 1, _BIG_JOKER), [ROCKET]
    for kind, copies in ((Kind.RUN, 1), (Kind.PAIR_RUN, 2), (Kind.PLANE, 3)):
        for length in range(SHORTEST[kind], LONGEST[kind] + 1):
            for low, high in chains(length):
                yield Reading(kind, length, high), [copies * sum(UNITS[low : high + 1])]
    yield from _triples_with_one()
    for length in range(SHORTEST[Kind.PLANE], MOST_PLANE_WITH_SINGLES + 1):
        for low, high in chains(length):
            plane = 3 * sum(UNITS[low : high + 1])
            wings = single_wings(DECK, low, high, rules)
            yield Reading(Kind.PLANE_WITH_SINGLES, length, high), [plane + wing for wing in wings]
    for length in range(SHORTEST[Kind.PLANE], MOST_PLANE_WITH_PAIRS + 1):
        for low, high in chains(length):
            plane = 3 * sum(UNITS[low : high + 1])
            wings = pair_wings(DECK, low, high, length)
            yield Reading(Kind.PLANE_WITH_PAIRS, length, high), [plane + wing for wing in wings]
    for rank in reversed(range(SUITED)):
        singles = four_singles(DECK, rank, rules)
        yield Reading(Kind.FOUR_WITH_SINGLES, 1, rank), [4 * UNITS[rank] + wing for wing in singles]
    for rank in reversed(range(SUITED)):
        pairs = pair_wings(DECK, rank, rank, 2)
        yield Reading(Kind.FOUR_WITH_PAIRS, 1, rank), [4 * UNITS[rank] + wing for wing in pairs]


def _triples_with_one() -> Iterator[tuple[Reading, Iterable[int]]]:
    """三带单, 三带对: the card or pair of another rank; jokers are not barred here."""
    for kind, copies in ((Kind.TRIPLE_WITH_SINGLE, 1), (Kind.TRIPLE_WITH_PAIR, 2)):
        carried = UNITS if copies == 1 else UNITS[:SUITED]
        for rank in reversed(range(SUITED)):
            triple = 3 * UNITS[rank]
            yield (
                Reading(kind, 1, rank),
                [triple + copies * unit for unit in carried if unit != UNITS[rank]],
            )


def chains(length: int) -> list[tuple[int, int]]:
    """The (lowest, highest) rank of each chain of this length, the highest first; 3 … A only."""
    return [(high - length + 1, high) for high in range(CHAIN_RANKS - 1, length - 2, -1)]
