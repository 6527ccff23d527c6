"""Why cards are no combination: the sentence, the clause, and the option whose reading bars them.

This looks at the cards afresh instead of at how the table was made, and names the nearest combination: the one whose
carried cards are right in number, else the longest plane.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring_engine.landlord.cards import (
    BIG_JOKER,
    CHAIN_RANKS,
    COPIES,
    RANKS,
    SMALL_JOKER,
    SUITED,
    Cards,
    copies,
    counts,
    name_of,
    size,
)
from scoring_engine.landlord.plays.kinds import NAMES, SHORTEST, Kind
from scoring_engine.landlord.plays.rules import JokerWings, PlayRules
from scoring_engine.values import Text

MOST_CARDS = 20
"""A landlord's hand: more cards than that cannot be played at once."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a play is none. `option` is the interpretation option that bars it, None where the text itself does."""

    text: Text
    clause: str
    option: str | None = None


def why_not(play: Cards, rules: PlayRules) -> Refusal:
    """The reason why cards that are in no table of the rules are no combination."""
    numbers = {rank: number for rank, number in enumerate(counts(play)) if number}
    general = rules.clauses.general
    if not numbers:
        return Refusal(Text("没有牌。", "There are no cards."), general)
    if any(number > copies(rank) for rank, number in numbers.items()):
        return Refusal(
            Text("一副牌没有这么多张同点的牌。", "One pack has fewer cards of that rank."), general
        )
    if size(play) > MOST_CARDS:
        return Refusal(
            Text(f"一手牌最多{MOST_CARDS}张。", f"A play has at most {MOST_CARDS} cards."), general
        )
    if (several := set(numbers.values())) in ({1}, {2}):
        kind = Kind.RUN if several == {1} else Kind.PAIR_RUN
        return Refusal(_no_chain(kind, sorted(numbers)), rules.clauses.kinds[kind])
    nearest = min(_attempts(numbers, rules), key=lambda attempt: attempt.distance, default=None)
    if nearest is not None:
        return nearest.refusal
    return Refusal(
        Text("这些牌不成任何牌型。", "These cards make no combination."),
        general,
    )


def _no_chain(kind: Kind, ranks: Sequence[int]) -> Text:
    """Why ranks of one card (or of a pair) each are no run (顺子, 连对)."""
    name, shortest = NAMES[kind], SHORTEST[kind]
    in_a_row = ranks[-1] - ranks[0] == len(ranks) - 1
    if len(ranks) < shortest:
        if in_a_row:
            unit = Text("张", "cards") if kind is Kind.RUN else Text("对", "pairs")
            return Text(
                f"{name.zh}至少要{shortest}{unit.zh}，这里只有{len(ranks)}{unit.zh}。",
                f"{_sentence(name.en)} needs {shortest} {unit.en}; here are {len(ranks)}.",
            )
        return Text("这些牌不成任何牌型。", "These cards make no combination.")
    if ranks[-1] >= CHAIN_RANKS:
        return Text(
            f"{name.zh}不能有2和王，最大到A。",
            f"{_sentence(name.en)} holds no 2 and no joker; it ends at A.",
        )
    missing = next(rank for rank in range(ranks[0], ranks[-1]) if rank not in ranks)
    shown = name_of(RANKS[missing])
    return Text(
        f"{name.zh}须连续，这里缺{shown.zh}。", f"{_sentence(name.en)} has no gaps; {shown.en} is missing."
    )


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way of reading the cards, what is wrong with it, and how far from legal it is (smaller is nearer)."""

    distance: tuple[int, int, int]
    refusal: Refusal


def _attempts(numbers: Mapping[int, int], rules: PlayRules) -> Iterator[_Attempt]:
    clauses = rules.clauses.kinds
    threes = [rank for rank, number in numbers.items() if number >= 3]
    for low, high in _rows(threes):
        length = high - low + 1
        if length == 1 and numbers[low] == COPIES:
            continue  # four of a kind, below
        carried = {
            rank: number - 3 * (low <= rank <= high)
            for rank, number in numbers.items()
            if number > 3 * (low <= rank <= high)
        }
        if high >= CHAIN_RANKS and length > 1:
            text = Text("飞机不能有2。", "A plane holds no 2.")
            yield _Attempt((1 + bool(carried), -length, 0), Refusal(text, clauses[Kind.PLANE]))
            continue
        found = list(_wrong_carried(carried, low, high, rules))
        if found:
            off = sum(carried.values()) not in (length, 2 * length)
            yield _Attempt((3 * off, -length, len(found)), found[0])
    for four in (rank for rank, number in numbers.items() if number == COPIES):
        carried = {rank: number for rank, number in numbers.items() if rank != four}
        found = list(_wrong_with_four(carried, rules))
        if found:
            yield _Attempt((2 * (sum(carried.values()) not in (2, 4)), -2, len(found)), found[0])


def _rows(ranks: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every stretch of consecutive ranks, single ones too."""
    for low in ranks:
        high = low
        while high in ranks:
            yield low, high
            high += 1


def _wrong_carried(carried: Mapping[int, int], low: int, high: int, rules: PlayRules) -> Iterator[Refusal]:
    """What is wrong with the cards carried by a triple or a plane."""
    length, number = high - low + 1, sum(carried.values())
    plane = length > 1
    with_singles = rules.clauses.kinds[Kind.PLANE_WITH_SINGLES if plane else Kind.TRIPLE_WITH_SINGLE]
    with_pairs = rules.clauses.kinds[Kind.PLANE_WITH_PAIRS if plane else Kind.TRIPLE_WITH_PAIR]
    if number == length:
        if plane:
            yield from _wrong_jokers(carried, "飞机", "a plane", rules, with_singles)
            yield from _wrong_wings(carried, low, high, rules, with_singles)
    elif number == 2 * length:
        yield from _wrong_pairs(carried, length, with_pairs)
    elif plane:
        yield Refusal(
            Text(
                f"飞机有{length}个三张，须带{length}张单牌或{length}个对子，这里带了{number}张。",
                f"A plane of {length} triples carries {length} singles or {length} pairs, not {_cards(number)}.",
            ),
            with_singles,
        )
    else:
        yield Refusal(
            Text(
                f"三张只能带一张单牌或一个对子，这里带了{number}张。",
                f"A triple carries one single or one pair, not {_cards(number)}.",
            ),
            with_singles,
        )


def _wrong_wings(
    carried: Mapping[int, int], low: int, high: int, rules: PlayRules, clause: str
) -> Iterator[Refusal]:
    """What is wrong with single wings, jokers apart."""
    for rank, number in carried.items():
        shown = name_of(RANKS[rank])
        if low <= rank <= high:
            if not rules.chain_rank_wings:
                yield Refusal(
                    Text(
                        f"飞机中{shown.zh}的第四张不能作翅膀。",
                        f"The fourth {shown.en} is in the plane's own rank and is no wing.",
                    ),
                    clause,
                    "chain_rank_wings",
                )
        elif number == COPIES > rules.equal_wings:
            yield Refusal(
                Text("飞机不能带炸弹。", "A plane carries no bomb."),
                clause,
                "repeated_wings" if rules.equal_wings == 1 else None,
            )
        elif number == 3 and _bars_adjacent(rank, low, high, rules):
            yield Refusal(
                Text(
                    f"飞机不能带与它连续的三张（{3 * RANKS[rank]}）。",
                    f"A plane does not carry the three next to it ({3 * RANKS[rank]}).",
                ),
                clause,
                "adjacent_triple_wings",
            )
        if COPIES > number > rules.equal_wings:
            yield Refusal(
                Text("飞机所带的单牌须各不相同。", "The singles of a plane must differ in rank."),
                clause,
                "repeated_wings",
            )


def _bars_adjacent(rank: int, low: int, high: int, rules: PlayRules) -> bool:
    return not rules.adjacent_triple_wings and rank in (low - 1, high + 1) and rank < CHAIN_RANKS


def _wrong_jokers(
    carried: Mapping[int, int], zh: str, en: str, rules: PlayRules, clause: str
) -> Iterator[Refusal]:
    jokers = [rank for rank in (SMALL_JOKER, BIG_JOKER) if rank in carried]
    if jokers and rules.joker_wings is JokerWings.NONE:
        yield Refusal(Text(f"{zh}不能带王。", f"{_sentence(en)} carries no joker."), clause, "joker_wings")
    elif len(jokers) == 2 and rules.joker_wings is JokerWings.ONE:
        yield Refusal(
            Text(f"{zh}不能带双王。", f"{_sentence(en)} does not carry both jokers."), clause, "joker_wings"
        )


def _wrong_pairs(carried: Mapping[int, int], wanted: int, clause: str) -> Iterator[Refusal]:
    """What is wrong with cards that are as many as `wanted` pairs."""
    if any(number == COPIES for number in carried.values()):
        yield Refusal(
            Text("所带的对子不能是炸弹。", "The pairs carried are no bomb."),
            clause,
        )
    if not any(number % 2 for number in carried.values()):
        return
    if all(rank >= SUITED for rank in carried):
        yield Refusal(Text("双王不是对子。", "The two jokers are no pair."), clause)
    elif wanted == 1:
        yield Refusal(Text("带两张时须是一个对子。", "Two carried cards must be a pair."), clause)
    else:
        yield Refusal(
            Text(
                f"带{2 * wanted}张时须是{wanted}个对子。",
                f"{2 * wanted} carried cards must be {wanted} pairs.",
            ),
            clause,
        )


def _wrong_with_four(carried: Mapping[int, int], rules: PlayRules) -> Iterator[Refusal]:
    """What is wrong with the cards carried by a four (四带二)."""
    number = sum(carried.values())
    clause = rules.clauses.kinds[Kind.FOUR_WITH_SINGLES]
    if number == 2:
        yield from _wrong_jokers(carried, "四带二", "four with two", rules, clause)
        if len(carried) == 1 and not rules.four_with_equal_singles:
            yield Refusal(
                Text("四带二的两张单牌须不同点。", "The two singles of four with two must differ in rank."),
                clause,
                "four_with_equal_singles",
            )
    elif number == 4:
        yield from _wrong_pairs(carried, 2, rules.clauses.kinds[Kind.FOUR_WITH_PAIRS])
    else:
        yield Refusal(
            Text(
                f"四张须带两张单牌或两个对子，这里带了{number}张。",
                f"Four of a kind carry two singles or two pairs, not {_cards(number)}.",
            ),
            clause,
        )
