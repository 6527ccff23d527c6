"""Cards of 二打一 (牌): reading them as people write them, and packing them into one number.

`Cards` is a set of cards without suits, for suits never matter here (不分花色), in one int: four bits for how many
there are of each rank 3 … A, 2, two bits for each joker, and above them the number of cards. Adding two sets joins
them. The number of cards makes the packing safe: sixteen 3s carry into the place of a 4, but are not one card. A carry
always turns several cards into one, so two sets of equal sums are equal.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NewType

from scoring_engine.values import Text

Cards = NewType("Cards", int)

RANKS = "3456789TJQKA2BR"
"""Every rank from low to high; B is the small joker (小王), R the big one (大王)."""

SUITED = 13  # ranks with four cards each
CHAIN_RANKS = 12  # 3 … A: 2 and the jokers stand in no chain (顺子、连对、飞机)
SMALL_JOKER, BIG_JOKER = 13, 14
COPIES = 4

SHIFTS: tuple[int, ...] = (*range(0, 4 * SUITED, 4), 52, 54)
COUNT_SHIFT = 56
UNITS = tuple(Cards((1 << COUNT_SHIFT) | (1 << shift)) for shift in SHIFTS)
"""One card of each rank."""

NOTHING = Cards(0)
ROCKET = Cards(UNITS[SMALL_JOKER] + UNITS[BIG_JOKER])
DECK = Cards(COPIES * sum(UNITS[:SUITED]) + ROCKET)

# The highest bit of each rank's place is free in any hand, so a subtraction that borrows shows there.
_GUARDS = sum(1 << (shift + 3) for shift in SHIFTS[:SUITED]) | 1 << 53 | 1 << 55
_ONES = sum(1 << shift for shift in SHIFTS)
_SUITED_ONES = sum(1 << shift for shift in SHIFTS[:SUITED])

_SPACES = (
    " \t\u00a0\u2002\u2003\u2009\u202f\u3000"  # as on a keyboard, in Chinese text and in copied web pages
)
_UNSEEN = "\u200b\ufeff\ufe0e\ufe0f"  # no width; the last two only choose how ♠ is drawn
IGNORED = f"+{_SPACES}{_UNSEEN}"
QUICK: Mapping[str, int] = {**dict(zip(RANKS, UNITS, strict=True)), "+": 0, " ": 0}
"""What each character of the plainest notation (`333444+69`) adds; sum these for a play that has no other."""
_quick_value = QUICK.__getitem__

SUITS: Mapping[str, str] = {
    **dict.fromkeys(("♠", "♤", "S", "黑桃"), "♠"),
    **dict.fromkeys(("♥", "♡", "H", "红桃", "紅桃", "红心", "紅心"), "♥"),
    **dict.fromkeys(("♣", "♧", "C", "梅花", "草花"), "♣"),
    **dict.fromkeys(("♦", "♢", "D", "方块", "方塊", "方片"), "♦"),
}
JOKERS: Mapping[str, str] = {
    **dict.fromkeys(("B", "小王", "小鬼"), "B"),
    **dict.fromkeys(("R", "大王", "大鬼"), "R"),
    "双王": "BR",
    "雙王": "BR",
}
_SUIT = "|".join(SUITS)
_TOKEN = re.compile(
    f"(?P<suit>{_SUIT})|(?P<joker>{'|'.join(JOKERS)})|(?P<rank>10|[{RANKS[:SUITED]}])", re.ASCII
)
_DROPPED: Mapping[int, None] = dict.fromkeys(map(ord, IGNORED))
_CAPITALS: Mapping[int, int] = {code: code - 0x20 for code in range(ord("a"), ord("z") + 1)}
_HALF_WIDTH: Mapping[int, int] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # ！…～ to !…~


class CardsError(ValueError):
    """A text that is not a set of cards from one pack; `text` says why in both languages."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.zh)


def cards(text: str) -> Cards:
    """Read cards: `333444+69`, `♠3 ♥3 10`, `黑桃A 大王`, `３３３＋４`; suits stand all before or all after the rank.

    Ranks are 3456789TJQKA2BR in either case and 10; `+` and spaces are ignored. Raises CardsError where something
    else stands there, or where one pack (一副牌) does not have the cards.
    """
    try:
        quick = sum(map(_quick_value, text))
    except KeyError:
        quick = NOTHING
    if quick and is_of_one_pack(quick):
        return Cards(quick)
    found: dict[tuple[str, str], int] = {}
    packed = 0
    for suit, rank in _tokens(text):
        packed += UNITS[RANKS.index(rank)]
        if suit and (suit, rank) in found:
            raise CardsError(Text(f"一副牌只有一张{suit}{rank}。", f"One pack has a single {suit}{rank}."))
        found[suit, rank] = found.get((suit, rank), 0) + 1
    for rank in RANKS:
        held, most = sum(n for (_, r), n in found.items() if r == rank), copies(RANKS.index(rank))
        if held > most:
            raise CardsError(
                Text(
                    f"一副牌只有{most}张{name_of(rank).zh}，这里有{held}张。",
                    f"One pack has {most} of {name_of(rank).en}, here are {held}.",
                )
            )
    return Cards(packed)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Each card as (suit or "", rank)."""
    plain = text.translate(_HALF_WIDTH).translate({**_CAPITALS, **_DROPPED})
    tokens: list[tuple[str, str]] = []
    place = 0
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if match is None:
            shown = plain[place] if plain[place].isprintable() else f"U+{ord(plain[place]):04X}"
            raise CardsError(
                Text(
                    f"“{shown}”不是牌；牌点为 3456789TJQKA2、10，王为 B（小王）、R（大王）。",
                    f"“{shown}” is no card; ranks are 3456789TJQKA2 and 10, the jokers B (small) and R (big).",
                )
            )
        tokens.append((str(match.lastgroup), match.group()))
        place = match.end()
    if not tokens:
        raise CardsError(Text("没有写牌。", "There are no cards."))
    # 3♠4♠ ends in a suit and does not start with one: its suits follow the ranks.
    if tokens[-1][0] == "suit" and tokens[0][0] != "suit":
        yield from ((suit, rank) for suit, rank in list(_with_suits(reversed(tokens)))[::-1])
    else:
        yield from _with_suits(iter(tokens))


def _with_suits(tokens: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Cards from tokens in which each suit stands before the rank it belongs to."""
    suit = ""
    for kind, word in tokens:
        if kind == "suit":
            if suit:
                break
            suit = SUITS[word]
        elif kind == "joker":
            if suit:
                break
            yield from (("", joker) for joker in JOKERS[word])
        else:
            yield suit, "T" if word == "10" else word
            suit = ""
    if suit:
        raise CardsError(
            Text(
                f"花色{suit}没有对应的牌点；花色应全部写在牌点之前，或全部写在之后。",
                f"The suit {suit} has no rank; suits stand all before the ranks or all after them.",
            )
        )


def name_of(rank: str) -> Text:
    """How a sentence names a rank: 小王, 大王, 10, or the character itself."""
    names = {
        "B": Text("小王", "the small joker"),
        "R": Text("大王", "the big joker"),
        "T": Text("10", "10"),
    }
    return names.get(rank, Text(rank, rank))


def copies(rank: int) -> int:
    """How many cards of a rank one pack has."""
    return COPIES if rank < SUITED else 1


def count(held: Cards, rank: int) -> int:
    """How many cards of a rank there are."""
    return held >> SHIFTS[rank] & (7 if rank < SUITED else 1)


def counts(held: Cards) -> tuple[int, ...]:
    """How many cards there are of each rank, from 3 to the big joker."""
    return tuple(count(held, rank) for rank in range(len(RANKS)))


def size(held: int) -> int:
    """How many cards (张数) there are."""
    return held >> COUNT_SHIFT


def holds(hand: int, play: int) -> bool:
    """Whether a hand has all the cards of a play."""
    return ((hand | _GUARDS) - play) & _GUARDS == _GUARDS


def is_of_one_pack(held: int) -> bool:
    """Whether one pack has these cards: at most four of a rank and one of each joker, and no rank carried over."""
    by_rank = (held & _ONES).bit_count() + 2 * (held >> 1 & _SUITED_ONES).bit_count()
    return holds(DECK, held) and by_rank + 4 * (held >> 2 & _SUITED_ONES).bit_count() == size(held)


def text_of(held: Cards) -> str:
    """The ranks from low to high: `333444BR`, as `cards` reads them."""
    return "".join(rank * count(held, index) for index, rank in enumerate(RANKS))
