"""What a plane or a four may carry: every choice of wings (翅膀) from a hand."""

from collections.abc import Sequence
from itertools import combinations

from scoring_engine.landlord.cards import BIG_JOKER, CHAIN_RANKS, SHIFTS, SMALL_JOKER, SUITED, UNITS
from scoring_engine.landlord.plays.rules import JokerWings, PlayRules

_SUITED = tuple(enumerate(zip(SHIFTS[:SUITED], UNITS[:SUITED], strict=True)))


def single_wings(hand: int, low: int, high: int, rules: PlayRules) -> list[int]:
    """Every choice of as many single cards as the plane of the ranks `low` … `high` has, packed like `Cards`.

    The fourth card of a rank of the plane is no wing (I-A-9) unless the rules let it be one.
    """
    beside = () if rules.adjacent_triple_wings else (low - 1, high + 1)
    limits: list[tuple[int, int]] = []
    for rank, (shift, unit) in _SUITED:
        held = hand >> shift & 7
        if not held:
            continue
        if low <= rank <= high:
            if rules.chain_rank_wings and held == 4:
                limits.append((unit, 1))
        elif rank in beside and rank < CHAIN_RANKS:
            limits.append((unit, min(held, rules.equal_wings, 2)))
        else:
            limits.append((unit, min(held, rules.equal_wings)))
    return _with_jokers(hand, limits, high - low + 1, rules)


def four_singles(hand: int, four: int, rules: PlayRules) -> list[int]:
    """Every choice of the two single cards of 四带二 (四张 of rank `four`)."""
    most = 2 if rules.four_with_equal_singles else 1
    limits = [
        (unit, min(held, most))
        for rank, (shift, unit) in _SUITED
        if rank != four and (held := hand >> shift & 7)
    ]
    return _with_jokers(hand, limits, 2, rules)


def pair_wings(hand: int, low: int, high: int, number: int) -> list[int]:
    """Every choice of `number` pairs of different ranks outside `low` … `high`."""
    pairs = [
        2 * unit for rank, (shift, unit) in _SUITED if not low <= rank <= high and hand >> shift & 7 >= 2
    ]
    return list(map(sum, combinations(pairs, number)))


def _with_jokers(hand: int, limits: Sequence[tuple[int, int]], number: int, rules: PlayRules) -> list[int]:
    """Choices of `number` cards within the limits of each rank, and the jokers the rules let in (I-A-7)."""
    by_number = _choices(limits, number)
    wings = by_number[number]
    if rules.joker_wings is JokerWings.NONE:
        return wings
    jokers = [UNITS[rank] for rank in (SMALL_JOKER, BIG_JOKER) if hand >> SHIFTS[rank] & 1]
    for joker in jokers:
        wings += [choice + joker for choice in by_number[number - 1]]
    if len(jokers) == 2 and rules.joker_wings is JokerWings.ROCKET:
        wings += [choice + sum(jokers) for choice in by_number[number - 2]]
    return wings


def _choices(limits: Sequence[tuple[int, int]], number: int) -> list[list[int]]:
    """For each k from 0 to `number`: every choice of k cards with at most `limit` of each rank."""
    if number == 2:  # by far the commonest, and twice as fast without the general way
        units = [unit for unit, _ in limits]
        equal = [2 * unit for unit, limit in limits if limit >= 2]
        return [[0], units, equal + [one + other for one, other in combinations(units, 2)]]
    chosen: list[list[int]] = [[0], *([] for _ in range(number))]
    for unit, limit in limits:
        # From the highest k down, so that the lists below still lack this rank.
        for k in range(number, 0, -1):
            for copies in range(1, min(limit, k) + 1):
                added = copies * unit
                chosen[k] += [choice + added for choice in chosen[k - copies]]
    return chosen
