"""The cards to tap (键盘): what is on the keys, and what a tap does to a row of cards.

A page without JavaScript sends each tap, and the row comes back with the card in it; the module of the page does the same
in the browser. Neither knows a rule: a row is a text, a key adds a word to it, and so many of a card as the packs have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import InvalidError
from app.text import T

SUITS = ("♠", "♥", "♣", "♦")
SUIT_NAMES = {"♠": T("黑桃"), "♥": T("红桃"), "♣": T("梅花"), "♦": T("方块")}
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SMALL_JOKER, BIG_JOKER = T("小王"), T("大王")
JOKER_SIGNS = {"zh": ("小王", "大王"), "en": ("B", "R")}
"""Language -> what a tap on a joker writes; every language reads both."""

CARD, UNDO, CLEAR, UNIT, MINUS, ASK = "card:", "undo", "clear", "unit", "minus", "ask"
"""What a key sends: `card:5` a card of the chosen suit, or without one where suits do not matter; the others are words."""
UNIT_SIGN = "/"
"""Parts the units of a throw: the structure that was said (甩牌结构)."""

MOST_DIGITS = 5

_WORD = re.compile(r"(?:小王|大王|双王|[♠♥♣♦]?(?:10|\S))\Z")


@dataclass(frozen=True, slots=True)
class Key:
    """One key. sign: what stands on it and is written; copies: how many such cards there are; joker: it has no suit."""

    sign: str
    name: T | str
    copies: int
    joker: bool = False


@dataclass(frozen=True, slots=True)
class Keypad:
    """The keys of a question. suited: a card is of the suit that was chosen before it; digits: they write a number."""

    keys: tuple[Key, ...]
    suited: bool = False
    digits: bool = False


DIGITS = Keypad(tuple(Key(sign, sign, MOST_DIGITS) for sign in "1234567890"), digits=True)
"""The keys for points; `minus` turns the sign (判罚使得分为负)."""


def keypad(decks: int, *, suited: bool, language: str) -> Keypad:
    """The keys for so many packs: four of a rank in a pack without suits, one of a suit in each pack with them."""
    small, big = JOKER_SIGNS[language]
    ranks = tuple(Key(rank, rank, decks if suited else 4 * decks) for rank in RANKS)
    jokers = (Key(small, SMALL_JOKER, decks, joker=True), Key(big, BIG_JOKER, decks, joker=True))
    return Keypad(ranks + jokers, suited)


def pressed(text: str, key: str, pad: Keypad, *, suit: str, row: str) -> str:
    """A row of cards after a key. Raises InvalidError where the packs have no more of the card, or the key is none."""
    text = text.strip()
    if key == CLEAR:
        return ""
    if key == UNDO:
        return text[:-1] if pad.digits else _WORD.sub("", text).rstrip()
    if key == MINUS and pad.digits:
        return text.removeprefix("-") if text.startswith("-") else f"-{text}"
    if key == UNIT and not pad.digits:
        return text if not text or text.endswith(UNIT_SIGN) else f"{text} {UNIT_SIGN}"
    sign = key.removeprefix(CARD)
    found = next((each for each in pad.keys if each.sign == sign), None)
    if not key.startswith(CARD) or found is None or (pad.suited and suit not in SUITS):
        raise InvalidError(T("没有这个键。"), fields={row: T("没有这个键。")})
    if pad.digits:
        return text if len(text) >= MOST_DIGITS else text + sign
    card = sign if found.joker or not pad.suited else suit + sign
    if held(text).count(card) >= found.copies:
        said = T("牌里只有 %(count)s 张 %(card)s。", count=found.copies, card=card)
        raise InvalidError(said, fields={row: said})
    return f"{text} {card}".strip()


def held(text: str) -> Sequence[str]:
    """The cards of a row as the keys wrote them."""
    return [word for word in text.replace(UNIT_SIGN, " ").split() if word]
