"""Cards of 升级 and their order under the trumps of one deal (牌的大小顺序).

- Order of trumps: 大王, 小王, 主级牌, 其他级牌, then the trump suit from A to 2 (C 八(五); D 五6). The level rank leaves
  its suit; 2 is a plain card unless it is the level (C 八(十)1). Every plain suit runs A, K … 3, 2 (D 五5).
- The level cards of the three plain suits are equal in rank; between equal cards the first one played stands.
- 不打无主 (C 八(二十四); D 五19): there is always a trump suit.
- 五18 of D: the banker who held a level card and did not show it plays all his level cards as the lowest trumps.

Not here: who makes trumps (揭牌, 翻级), dealing, the banker's exchange of the bottom.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from scoring_engine.values import Text


class Suit(StrEnum):
    """A suit (花色); TRUMP is the suit of the jokers, and of every card that is a trump (主牌, 将牌)."""

    SPADES = "S"
    HEARTS = "H"
    CLUBS = "C"
    DIAMONDS = "D"
    TRUMP = "T"


PLAIN_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
RANK_SIGNS = "23456789TJQKA"
"""The ranks in order; a rank, and a level (级), is an index 0…12 into them."""


class Card(NamedTuple):
    """One card; rank 0…12 is 2…A, and the jokers are 13 and 14 of the suit TRUMP. Two copies are equal."""

    suit: Suit
    rank: int

    def __str__(self) -> str:
        """♠10, ♥A, 小王."""
        if self.suit is Suit.TRUMP:
            return "小王" if self == SMALL_JOKER else "大王"
        return f"{_SUIT_SYMBOLS[self.suit]}{_rank_name(self.rank)}"


SMALL_JOKER = Card(Suit.TRUMP, 13)
BIG_JOKER = Card(Suit.TRUMP, 14)

_SUIT_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦"}
_SUIT_NAMES = {
    Suit.SPADES: Text("黑桃", "spades"),
    Suit.HEARTS: Text("红桃", "hearts"),
    Suit.CLUBS: Text("梅花", "clubs"),
    Suit.DIAMONDS: Text("方块", "diamonds"),
    Suit.TRUMP: Text("主牌", "trumps"),
}
_SUIT_WORDS = {
    word: suit
    for suit, words in {
        Suit.SPADES: ("S", "♠", "♤", "黑桃"),
        Suit.HEARTS: ("H", "♥", "♡", "红桃", "红心"),
        Suit.CLUBS: ("C", "♣", "♧", "梅花", "草花"),
        Suit.DIAMONDS: ("D", "♦", "♢", "方块", "方片"),
    }.items()
    for word in words
}
_JOKER_WORDS = {
    word: joker
    for joker, words in {SMALL_JOKER: ("B", "小王", "小鬼"), BIG_JOKER: ("R", "大王", "大鬼")}.items()
    for word in words
}
_RANK_WORDS = {"10": 8, **{sign: rank for rank, sign in enumerate(RANK_SIGNS)}}
_SEPARATORS = frozenset(" \t\r\n,、;+\ufe0e\ufe0f")
_POINTS = {3: 5, 8: 10, 11: 10}


def _rank_name(rank: int) -> str:
    return "10" if RANK_SIGNS[rank] == "T" else RANK_SIGNS[rank]


class CardTextError(ValueError):
    """A text that is no list of cards; `at` is the index of the first sign that cannot be read."""

    def __init__(self, at: int, text: Text) -> None:
        self.at = at
        self.text = text
        super().__init__(text.zh)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards: a suit (S, ♠, 黑桃 …) stands before one or more ranks, jokers alone (B, R, 小王, 大王).

    "♠444333 ♥10 大王", "S4 S4 HT R". Ranks are 2…9, T or 10, J, Q, K, A; blanks, commas and + separate. Raises CardTextError.
    """
    signs = unicodedata.normalize("NFKC", text).upper()
    cards: list[Card] = []
    suit: Suit | None = None
    bare_suit_at: int | None = None
    at = 0
    while at < len(signs):
        if signs[at] in _SEPARATORS:
            at += 1
            continue
        joker = _word_at(signs, at, _JOKER_WORDS)
        suit_word = _word_at(signs, at, _SUIT_WORDS)
        rank_word = _word_at(signs, at, _RANK_WORDS)
        if (joker or suit_word) and bare_suit_at is not None:
            break
        if joker:
            cards.append(_JOKER_WORDS[joker])
            suit, at = None, at + len(joker)
        elif suit_word:
            suit, bare_suit_at, at = _SUIT_WORDS[suit_word], at, at + len(suit_word)
        elif rank_word and suit is not None:
            cards.append(Card(suit, _RANK_WORDS[rank_word]))
            bare_suit_at, at = None, at + len(rank_word)
        else:
            raise CardTextError(
                at,
                Text(f"第{at + 1}个字符“{signs[at]}”不是牌。", f"Sign {at + 1}, {signs[at]!r}, is no card."),
            )
    if bare_suit_at is not None:
        raise CardTextError(bare_suit_at, Text("花色之后缺少点数。", "A suit stands without a rank."))
    return tuple(cards)


def _word_at(signs: str, at: int, words: Iterable[str]) -> str | None:
    return next((word for word in words if signs.startswith(word, at)), None)


def parse_suit(text: str) -> Suit | None:
    """A plain suit by one of its words (S, ♠, 黑桃 …); None for anything else."""
    signs = "".join(sign for sign in unicodedata.normalize("NFKC", text).upper() if sign not in _SEPARATORS)
    return _SUIT_WORDS.get(signs)


def cards_text(cards: Sequence[Card]) -> str:
    """The cards as they are shown: "♠A ♠A 小王"."""
    return " ".join(str(card) for card in cards)


def suit_name(suit: Suit) -> Text:
    """黑桃 / spades …; 主牌 / trumps."""
    return _SUIT_NAMES[suit]


def pack(decks: int) -> Iterator[Card]:
    """Every card of so many decks: 108 of two, 162 of three."""
    for card in (*(Card(suit, rank) for suit in PLAIN_SUITS for rank in range(13)), SMALL_JOKER, BIG_JOKER):
        for _ in range(decks):
            yield card


def points_in(cards: Iterable[Card]) -> int:
    """Points of these cards: a 5 is 5, a 10 and a K are 10 (C 八(七), I-C-6)."""
    return sum(_POINTS.get(card.rank, 0) for card in cards)


LEVEL_GAP = ("closed", "open")
TRUMP_RUN = ("whole", "no_jokers", "suit_only")

# Places in the order of one effective suit; a plain card stands at its rank, 0…12.
_LOWERED, _ACE, _OTHER_LEVEL, _TRUMP_LEVEL, _SMALL, _BIG = -1, 12, 13, 14, 15, 16


@dataclass(frozen=True, slots=True)
class Trumps:
    """Trump suit and level of one deal: the effective suit, the order and the neighbours of every card.

    level: 0…12 for 2…A. level_gap: "closed" – the neighbours of the absent level rank are adjacent (4-6 when 5 is
    played) – or "open". trump_run: what a run of trumps may join: "whole" – A, other level cards, trump level, 小王, 大王
    in a row –, "no_jokers" – up to the trump level – or "suit_only" – the plain cards of the trump suit. The texts are
    silent on both (相邻级别的同一花色, C 八(十二)). lowered: this player's level cards are the lowest trumps (D 五18).
    """

    suit: Suit
    level: int
    level_gap: str
    trump_run: str
    lowered: bool = False

    def __post_init__(self) -> None:
        if self.suit not in PLAIN_SUITS or self.level not in range(13):
            raise ValueError(f"trumps {self.suit!r}, level {self.level!r}: 不打无主, levels are 0…12")
        if self.level_gap not in LEVEL_GAP or self.trump_run not in TRUMP_RUN:
            raise ValueError(f"level_gap {self.level_gap!r}, trump_run {self.trump_run!r}")

    def as_lowered(self) -> "Trumps":
        """The same trumps for the banker of D 五18, whose level cards all became the lowest trumps."""
        return replace(self, lowered=True)

    def suit_of(self, card: Card) -> Suit:
        """The effective suit: TRUMP for jokers, level cards and the trump suit, else the card's own."""
        if card.suit is self.suit or card.rank == self.level:
            return Suit.TRUMP
        return card.suit

    def position(self, card: Card) -> int:
        """The card's place within its effective suit; higher beats lower, equal places are equal in rank."""
        if card.suit is Suit.TRUMP:
            return _SMALL if card == SMALL_JOKER else _BIG
        if card.rank != self.level:
            return card.rank
        if self.lowered:
            return _LOWERED
        return _TRUMP_LEVEL if card.suit is self.suit else _OTHER_LEVEL

    def above(self, suit: Suit, position: int) -> int | None:
        """The place next above in an effective suit, as a run (拖拉机) needs it; None where nothing is adjacent."""
        if position < _ACE or (position == _ACE and suit is Suit.TRUMP):
            if position == _LOWERED and self.trump_run == "suit_only":
                return None
            higher = position + 1
            if higher == self.level:
                if self.level_gap == "open":
                    return None
                higher += 1
            if higher <= _ACE:
                return higher
        if suit is not Suit.TRUMP or self.trump_run == "suit_only" or position == _BIG:
            return None
        higher = max(position, _ACE) + 1
        if self.lowered and higher == _OTHER_LEVEL:
            higher = _SMALL
        if higher >= _SMALL and self.trump_run == "no_jokers":
            return None
        return higher

    def sort_key(self, card: Card) -> tuple[bool, Suit, int, Suit]:
        """Trumps first, then suit by suit; inside a suit from the highest card down."""
        suit = self.suit_of(card)
        return (suit is not Suit.TRUMP, suit, -self.position(card), card.suit)

    def sorted(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """The cards in the order of a sorted hand."""
        return tuple(sorted(cards, key=self.sort_key))
