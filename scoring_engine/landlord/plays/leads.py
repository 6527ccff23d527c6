"""All legal leads of a hand (引牌), found from the masks of ranks that the hand has one, two, three or four of.

What depends on a mask alone is worked out once and kept: every chain of the ranks in it, every rank of it as a
single or a pair. A mask has at most 15 bits, so the indexes stay small.
"""

from collections.abc import Sequence

from scoring_engine.landlord.cards import CHAIN_RANKS, ROCKET, SHIFTS, SUITED, UNITS, Cards, holds
from scoring_engine.landlord.plays.kinds import (
    LONGEST,
    MOST_PLANE_WITH_PAIRS,
    MOST_PLANE_WITH_SINGLES,
    SHORTEST,
    Kind,
)
from scoring_engine.landlord.plays.rules import PlayRules
from scoring_engine.landlord.plays.table import chains
from scoring_engine.landlord.plays.wings import four_singles, pair_wings, single_wings

_ONE_OF_EACH = sum(1 << shift for shift in SHIFTS)
_SUITED = sum(1 << shift for shift in SHIFTS[:SUITED])
_CHAIN = sum(1 << shift for shift in SHIFTS[:CHAIN_RANKS])


class _Copies(dict[int, list[int]]):
    """Mask of ranks -> so many cards of each rank in it."""

    def __init__(self, copies: int) -> None:
        self._copies = copies

    def __missing__(self, mask: int) -> list[int]:
        found = [self._copies * unit for shift, unit in zip(SHIFTS, UNITS, strict=True) if mask >> shift & 1]
        self[mask] = found
        return found


class _Chains(dict[int, list[int]]):
    """Mask of ranks -> every chain of the kind that the ranks in it make."""

    def __init__(self, kind: Kind, copies: int) -> None:
        self._all = [
            (sum(1 << shift for shift in SHIFTS[low : high + 1]), copies * sum(UNITS[low : high + 1]))
            for length in range(SHORTEST[kind], LONGEST[kind] + 1)
            for low, high in chains(length)
        ]

    def __missing__(self, mask: int) -> list[int]:
        found = [play for ranks, play in self._all if ranks & mask == ranks]
        self[mask] = found
        return found


_SINGLES, _PAIRS = _Copies(1), _Copies(2)
_RUNS, _PAIR_RUNS, _PLANES = _Chains(Kind.RUN, 1), _Chains(Kind.PAIR_RUN, 2), _Chains(Kind.PLANE, 3)
_PLANE_RANKS = {
    3 * sum(UNITS[low : high + 1]): (low, high)
    for length in range(SHORTEST[Kind.PLANE], LONGEST[Kind.PLANE] + 1)
    for low, high in chains(length)
}


def leads_of(hand: Cards, rules: PlayRules) -> list[int]:
    """Every play the hand can lead; one with several readings stands there once for each."""
    ones, twos, fours = hand & _ONE_OF_EACH, hand >> 1 & _SUITED, hand >> 2 & _SUITED
    two, three = twos | fours, ones & twos | fours
    one = ones | two
    singles, pairs = _SINGLES[one], _PAIRS[two]
    leads = [*singles, *pairs, *_RUNS[one & _CHAIN], *_PAIR_RUNS[two & _CHAIN]]
    if three:
        for unit in _SINGLES[three]:
            triple, rank = 3 * unit, unit & _SUITED
            leads.append(triple)
            leads += [triple + single for single in _SINGLES[one ^ rank]]
            leads += [triple + pair for pair in _PAIRS[two ^ rank]]
        for plane in _PLANES[three & _CHAIN]:
            leads.append(plane)
            leads += _with_wings(hand, plane, rules)
    if fours:
        for rank in range(SUITED):
            if fours >> SHIFTS[rank] & 1:
                four = 4 * UNITS[rank]
                leads.append(four)
                leads += [four + wing for wing in four_singles(hand, rank, rules)]
                leads += [four + wing for wing in pair_wings(hand, rank, rank, 2)]
    if holds(hand, ROCKET):
        leads.append(ROCKET)
    return leads


def _with_wings(hand: Cards, plane: int, rules: PlayRules) -> Sequence[int]:
    """A plane with each choice of singles and of pairs the hand has beside it."""
    low, high = _PLANE_RANKS[plane]
    length = high - low + 1
    found: list[int] = []
    if length <= MOST_PLANE_WITH_SINGLES:
        found += [plane + wing for wing in single_wings(hand, low, high, rules)]
    if length <= MOST_PLANE_WITH_PAIRS:
        found += [plane + wing for wing in pair_wings(hand, low, high, length)]
    return found
