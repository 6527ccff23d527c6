"""Plays of 二打一 (牌型): what cards are, which play beats which, what a hand may lead or answer.

`plays_under(rules)` answers for one rule profile, made by `PlayRules.from_options` from a regulation's options:

    plays = plays_under(RESTRICTED)
    plays.classify("333444+69")               Reading(plane_with_singles, length 2, main 1), or IllegalPlayError
    plays.beats("444555+37", "333444+69")     True
    plays.legal_leads(cards("33344456789TJQKA2"))
    plays.plays_that_beat(hand, "66")         without the pass

Implemented: 火箭, 炸弹, 单牌, 对子, 三张, 三带单, 三带对, 顺子, 连对, 飞机, 飞机带翅膀, 四带二 of A 四(二)比赛通则4 and B 附件4八(四)4,
and the order of A 四(二)比赛通则5. Not implemented, because no text asks for it: suits, wild cards, passing and turns.

A play is a text as `cards.cards` reads it, or `Cards`. Some profiles read one set of cards in several ways (333444555666
is a plane of four, and where a triple next to the plane may be carried also a plane of three with wings). Its own
reading is then the one that carries least, and of two of a kind the higher; a play that answers another may be any of
its readings. With A's defaults every play has exactly one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from scoring_engine.landlord.cards import QUICK, Cards, cards
from scoring_engine.landlord.plays.kinds import NAMES, Kind, Reading
from scoring_engine.landlord.plays.leads import leads_of
from scoring_engine.landlord.plays.reasons import Refusal, why_not
from scoring_engine.landlord.plays.rules import (
    A_TEXT,
    B_TEXT,
    LITERAL,
    PLAY_OPTIONS,
    PROFILES,
    RESTRICTED,
    JokerWings,
    PlayRules,
)
from scoring_engine.landlord.plays.table import plays_of
from scoring_engine.values import Text

__all__ = [
    "A_TEXT",
    "B_TEXT",
    "LITERAL",
    "NAMES",
    "PLAY_OPTIONS",
    "PROFILES",
    "RESTRICTED",
    "Comparison",
    "IllegalPlayError",
    "JokerWings",
    "Kind",
    "PlayRules",
    "Plays",
    "Reading",
    "Refusal",
    "plays_under",
]

_quick_value = QUICK.__getitem__


class IllegalPlayError(ValueError):
    """Cards that are no combination; `refusal` has the sentence, the clause and the option that bars them."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.text.zh)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a play beats another (大过), read as `reading` against `other`, and why (not)."""

    beats: bool
    reading: Reading
    other: Reading
    text: Text
    clause: str


class Plays:
    """Every play under one rule profile. Make it with `plays_under`, which keeps it."""

    def __init__(self, rules: PlayRules) -> None:
        self.rules = rules
        self._readings = plays_of(rules)
        self._own: dict[int, Reading] = {play: readings[0] for play, readings in self._readings.items()}
        self._one_each = all(len(readings) == 1 for readings in self._readings.values())

    def __len__(self) -> int:
        """How many different plays there are, suits apart."""
        return len(self._readings)

    def __iter__(self) -> Iterator[Cards]:
        return iter(self._readings)

    def classify(self, play: str | Cards) -> Reading:
        """The play's own reading; the order of the cards is irrelevant.

        Raises CardsError where the text is no cards, IllegalPlayError where the cards are no combination.
        """
        try:
            # The plainest notation, by far the commonest, costs one sum and one look-up. The number of cards is in the sum,
            # so cards that no pack has cannot pass for something else.
            return self._own[sum(map(_quick_value, play)) if isinstance(play, str) else play]
        except KeyError:
            packed = _packed(play)
        if packed not in self._own:
            raise IllegalPlayError(why_not(packed, self.rules))
        return self._own[packed]

    def readings(self, play: str | Cards) -> tuple[Reading, ...]:
        """All readings, the play's own first; empty where the cards are no combination. Raises CardsError."""
        return self._readings.get(_packed(play), ())

    def clause_of(self, reading: Reading) -> str:
        """Where the text defines the combination."""
        return self.rules.clauses.kinds[reading.kind]

    def beats(self, play: str | Cards, other: str | Cards) -> bool:
        """Whether a play beats another (A, 四(二)比赛通则5). Raises as `classify` does, for either."""
        self.classify(play)
        return _beating(self.readings(play), self.classify(other)) is not None

    def compare(self, play: str | Cards, other: str | Cards) -> Comparison:
        """Whether a play beats another, with the reason. Raises as `classify` does, for either."""
        own, against = self.classify(play), self.classify(other)
        winning = _beating(self.readings(play), against)
        reading = winning or _comparable(self.readings(play), against) or own
        text = _won(reading, against) if winning else _lost(reading, against)
        return Comparison(winning is not None, reading, against, text, self.rules.clauses.comparison)

    def legal_leads(self, hand: str | Cards) -> list[Cards]:
        """Every play a hand may lead (引牌), each once, in no order of meaning."""
        leads = leads_of(_packed(hand), self.rules)
        return cast("list[Cards]", leads if self._one_each else list(dict.fromkeys(leads)))

    def plays_that_beat(self, hand: str | Cards, play: str | Cards) -> list[Cards]:
        """Every play of a hand that beats a play (盖牌), the pass apart. Raises as `classify` does."""
        against = self.classify(play)
        readings = self._readings
        return [lead for lead in self.legal_leads(hand) if _beating(readings[lead], against) is not None]


@lru_cache(maxsize=16)
def plays_under(rules: PlayRules) -> Plays:
    """The plays of a rule profile; made in some hundredths of a second, then kept."""
    return Plays(rules)


def _packed(held: str | Cards) -> Cards:
    return cards(held) if isinstance(held, str) else held


def _beating(readings: Iterable[Reading], other: Reading) -> Reading | None:
    """The first reading that beats another play: rocket > bomb > the rest; else the same kind and number of cards, higher."""
    for reading in readings:
        if reading.kind is other.kind:
            if reading.length == other.length and reading.main > other.main:
                return reading
        elif reading.kind is Kind.ROCKET or (reading.kind is Kind.BOMB and other.kind is not Kind.ROCKET):
            return reading
    return None


def _comparable(readings: Iterable[Reading], other: Reading) -> Reading | None:
    return next((r for r in readings if (r.kind, r.length) == (other.kind, other.length)), None)


def _won(reading: Reading, other: Reading) -> Text:
    if reading.kind is other.kind:
        return Text("牌型与张数相同，主体较大。", "Same combination and number of cards, higher main part.")
    if reading.kind is Kind.ROCKET:
        return Text("火箭大于一切牌型。", "The rocket beats everything.")
    return Text(f"炸弹大于{NAMES[other.kind].zh}。", f"A bomb beats {NAMES[other.kind].en}.")


def _lost(reading: Reading, other: Reading) -> Text:
    one, two = NAMES[reading.kind], NAMES[other.kind]
    if other.kind is Kind.ROCKET:
        return Text("没有牌大过火箭。", "Nothing beats the rocket.")
    if other.kind is Kind.BOMB and reading.kind is not Kind.BOMB:
        return Text(f"{one.zh}不能大过炸弹。", f"{one.en[0].upper()}{one.en[1:]} does not beat a bomb.")
    if reading.kind is not other.kind:
        return Text(
            f"牌型不同（{one.zh}、{two.zh}），不能比较。",
            f"Different combinations ({one.en}, {two.en}) do not compare.",
        )
    if reading.length != other.length:
        return Text("张数不同，不能比较。", "Plays of different numbers of cards do not compare.")
    if reading.main == other.main:
        return Text("主体一样大。", "The main parts are equal.")
    return Text("主体较小。", "The main part is lower.")
