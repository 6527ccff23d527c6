"""Tricks against a second, slow reading of the two texts that shares no code with the engine.

The oracle knows cards as (suit, rank) words and the order of a suit as a written-out ladder. It enumerates every play of
the right number of cards and grades it by what the clauses ask for, best first: a follow is legal when no play of the
hand has a better grade. Structures come from every way to part the cards into heaps.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine.tractor.cards import Card, Suit, Trumps, parse_cards
from scoring_engine.tractor.tricks import (
    THREE_DECKS,
    TWO_DECKS,
    Duty,
    Lead,
    TrickFormat,
    TrickRules,
    decide_trick,
    judge_follow,
    judge_throw,
    legal_follows,
)
from scoring_engine.tractor.units import structures

# Trumps are hearts. Under level 5 the ranks 4 and 6 meet; under level A the king meets the other level cards.
LADDERS: dict[int, dict[str, list[list[str]]]] = {
    level: {suit: [step.split("=") for step in ladder.split()] for suit, ladder in ladders.items()}
    for level, ladders in {
        3: {
            "T": "H2 H3 H4 H6 H7 H8 H9 HT HJ HQ HK HA S5=C5=D5 H5 B R",
            "S": "S2 S3 S4 S6 S7 S8 S9 ST SJ SQ SK SA",
        },
        12: {
            "T": "H2 H3 H4 H5 H6 H7 H8 H9 HT HJ HQ HK SA=CA=DA HA B R",
            "S": "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK",
        },
    }.items()
}
NARROW = {
    3: ["S3", "S4", "S6", "S7", "SK", "HK", "HA", "S5", "C5", "H5", "B", "R", "C9"],
    12: ["S3", "S4", "S5", "SQ", "SK", "HQ", "HK", "SA", "CA", "HA", "B", "R", "D9"],
}


class Oracle:
    """The second reading of one deal."""

    def __init__(self, level: int, decks: int) -> None:
        self.ladders = LADDERS[level]
        self.decks = decks
        self.height = {
            card: (suit, step)
            for suit, ladder in self.ladders.items()
            for step, cards in enumerate(ladder)
            for card in cards
        }

    def suit(self, card: str) -> str:
        return self.height[card][0] if card in self.height else card[0]

    def step(self, card: str) -> int:
        return self.height[card][1] if card in self.height else -1

    def shape(self, cards: Sequence[str]) -> tuple[int, int] | None:
        """(width, length) of a unit, or None."""
        counts = Counter(cards)
        if len({self.suit(card) for card in cards}) != 1 or len(set(counts.values())) != 1:
            return None
        width = next(iter(counts.values()))
        steps = sorted(self.step(card) for card in counts)
        if len(steps) == 1:
            return (width, 1)
        if width == 1 or steps != list(range(steps[0], steps[0] + len(steps))):
            return None
        return (width, len(steps))

    def top(self, cards: Sequence[str]) -> int:
        return max(self.step(card) for card in cards)

    def chain_lengths(self, cards: Sequence[str], width: int, limit: int) -> tuple[int, ...]:
        """The longest runs first, at most `limit` groups in all, tried over every order of the groups."""
        groups = [card for card, count in Counter(cards).items() if count >= width]
        best: tuple[int, ...] = ()
        for size in range(1, min(limit, len(groups)) + 1):
            for order in permutations(groups, size):
                lengths = [1]
                for lower, upper in pairwise(order):
                    if self.step(upper) == self.step(lower) + 1:
                        lengths[-1] += 1
                    else:
                        lengths.append(1)
                best = max(best, tuple(sorted(lengths, reverse=True)))
        return best

    def grade(self, cards: Sequence[str], led: tuple[int, int], option: dict[str, str]) -> tuple[Any, ...]:
        """How well cards of the suit answer one led unit, the first number first."""
        width, length = led
        pairs = min(length, sum(count >= 2 for count in Counter(cards).values()))
        triples = min(length, sum(count >= 3 for count in Counter(cards).values()))
        runs = self.chain_lengths(cards, 2, length)
        if led == (1, 1):
            return ()
        if led == (2, 1):
            return (pairs,)
        if led == (3, 1):
            return (triples, pairs)
        if width == 2:
            if option["run_following"] == "pairs":
                return (pairs,)
            if option["run_following"] == "full_length":
                return (int(runs[:1] == (length,)), pairs)
            return (runs,)
        triple_runs = self.chain_lengths(cards, 3, length)
        if triple_runs[:1] == (length,):
            return (3,)
        if runs[:1] == (length,):
            return (2,)
        if option["triple_run_fill"] == "one_triple":
            return (1, min(1, triples), pairs if not triples else 0)
        if option["triple_run_fill"] == "triples_then_pairs":
            return (1, triples, min(length, sum(count >= 2 for count in Counter(cards).values())))
        return (1, triples, 0 if triples else pairs)

    def grades(
        self, cards: Sequence[str], led: Sequence[tuple[int, int]], option: dict[str, str]
    ) -> tuple[tuple[Any, ...], ...]:
        """The best grades over every way to deal the cards out to the led units."""
        if not led:
            return ()
        size = min(len(cards), led[0][0] * led[0][1])
        best: tuple[tuple[Any, ...], ...] | None = None
        for chosen in combinations(range(len(cards)), size):
            part = [cards[index] for index in chosen]
            rest = [card for index, card in enumerate(cards) if index not in chosen]
            found = (self.grade(part, led[0], option), *self.grades(rest, led[1:], option))
            best = found if best is None else max(best, found)
        assert best is not None
        return best

    def duty(
        self, led: tuple[int, int], owed: tuple[Any, ...], paid: tuple[Any, ...], option: dict[str, str]
    ) -> Duty:
        """What the first differing number stands for."""
        at = next(index for index, (best, got) in enumerate(zip(owed, paid, strict=False)) if best != got)
        if led == (2, 1):
            return Duty.FOLLOW_PAIR
        if led == (3, 1):
            return (Duty.FOLLOW_TRIPLE, Duty.FOLLOW_PAIR)[at]
        if led[0] == 2:
            if option["run_following"] == "pairs":
                return Duty.FOLLOW_PAIR
            if option["run_following"] == "full_length":
                return (Duty.FOLLOW_TRACTOR, Duty.FOLLOW_PAIR)[at]
            wanted, got = (*owed[0], 0), (*paid[0], 0, 0, 0, 0)
            short = next(length for length, other in zip(wanted, got, strict=False) if length != other)
            return Duty.FOLLOW_TRACTOR if short > 1 else Duty.FOLLOW_PAIR
        if at == 0:
            return {3: Duty.FOLLOW_TRIPLE_RUN, 2: Duty.FOLLOW_TRACTOR}[owed[0]]
        return (Duty.FOLLOW_TRIPLE, Duty.FOLLOW_PAIR)[at - 1]

    def follows(
        self, hand: Sequence[str], led: Sequence[tuple[int, int]], led_suit: str, option: dict[str, str]
    ) -> dict[tuple[str, ...], Duty | None]:
        """Every play of the right number of cards, with the duty it breaks or None."""
        number = sum(width * length for width, length in led)
        plays = {tuple(sorted(cards)) for cards in combinations(hand, number)}
        suited = {play: [card for card in play if self.suit(card) == led_suit] for play in plays}
        most = max(len(cards) for cards in suited.values())
        graded = {
            play: self.grades(cards, led, option) for play, cards in suited.items() if len(cards) == most
        }
        best = max(graded.values())
        verdicts: dict[tuple[str, ...], Duty | None] = {}
        for play in plays:
            if play not in graded:
                verdicts[play] = Duty.FOLLOW_SUIT
            elif graded[play] == best:
                verdicts[play] = None
            else:
                at = next(i for i in range(len(led)) if graded[play][i] != best[i])
                verdicts[play] = self.duty(led[at], best[at], graded[play][at], option)
        return verdicts

    def matched(
        self, cards: Sequence[str], led: Sequence[tuple[int, int]]
    ) -> Iterator[list[tuple[str, ...]]]:
        """Every way to cut the cards into heaps of exactly the led shapes."""
        if not led:
            yield []
            return
        size = led[0][0] * led[0][1]
        for chosen in combinations(range(len(cards)), size):
            part = tuple(cards[index] for index in chosen)
            if self.shape(part) == led[0]:
                rest = [card for index, card in enumerate(cards) if index not in chosen]
                for others in self.matched(rest, led[1:]):
                    yield [part, *others]

    def winner(self, led: list[tuple[str, ...]], follows: Sequence[Sequence[str]]) -> int:
        """0 for the leader: of each kind the highest unit, runs, triples, pairs, singles (C 八(十七))."""
        shapes = sorted((self.shape(unit) or (0, 0) for unit in led), key=self.importance, reverse=True)
        led_suit = self.suit(led[0][0])

        def height(units: list[tuple[str, ...]]) -> list[int]:
            kinds = sorted(set(shapes), key=self.importance, reverse=True)
            return [max(self.top(unit) for unit in units if self.shape(unit) == kind) for kind in kinds]

        best, winner = (False, height(led)), 0
        for player, cards in enumerate(follows, start=1):
            suits = {self.suit(card) for card in cards}
            if len(suits) != 1 or not suits <= {led_suit, "T"}:
                continue
            for units in self.matched(cards, shapes):
                found = (suits != {led_suit}, height(units))
                if found > best:
                    best, winner = found, player
        return winner

    @staticmethod
    def importance(shape: tuple[int, int]) -> tuple[bool, int, int]:
        width, length = shape
        return (length > 1, width, length)

    def partings(self, cards: Sequence[str]) -> list[list[list[int]]]:
        """Every way to part the cards (by index) into units."""
        if not cards:
            return [[]]
        found: list[list[list[int]]] = []

        def add(index: int, heaps: list[list[int]]) -> None:
            if index == len(cards):
                if all(self.shape([cards[i] for i in heap]) for heap in heaps):
                    found.append([list(heap) for heap in heaps])
                return
            for heap in heaps:
                heap.append(index)
                add(index + 1, heaps)
                heap.pop()
            heaps.append([index])
            add(index + 1, heaps)
            heaps.pop()

        add(0, [])
        return found

    def coarsest(self, cards: Sequence[str]) -> set[tuple[tuple[tuple[int, int], int], ...]]:
        """The partings that are a finer parting of no other, as shapes and heights."""
        partings = [[frozenset(heap) for heap in heaps] for heaps in self.partings(cards)]
        kept = [
            fine
            for fine in partings
            if not any(
                coarse != fine
                and len(coarse) < len(fine)
                and all(any(heap <= other for other in coarse) for heap in fine)
                for coarse in partings
            )
        ]
        return {
            tuple(
                sorted(
                    (self.shape([cards[i] for i in heap]) or (0, 0), self.top([cards[i] for i in heap]))
                    for heap in heaps
                )
            )
            for heaps in kept
        }


def as_card(word: str) -> Card:
    return parse_cards(word)[0]


WORDS = {as_card(word): word for word in ["B", "R", *(s + r for s in "SHCD" for r in "23456789TJQKA")]}


def rules_of(level: int, decks: int, option: dict[str, str]) -> TrickRules:
    format_: TrickFormat = THREE_DECKS if decks == 3 else TWO_DECKS
    return format_.with_options(option).rules(Suit.HEARTS, level)


# What is led matters only by its shapes, so the led cards may also stand in the hand that follows.
SPADE_LEADS = [
    ["S2"],
    ["S2 S2"],
    ["S2 S2 S2"],
    ["S2 S2 S3 S3"],
    ["S2 S2 S3 S3 S4 S4"],
    ["S2 S2 S2 S3 S3 S3"],
    ["SA", "SQ"],
    ["SA SA", "SQ"],
    ["SA SA", "SQ SQ"],
    ["SA SA SA", "SQ SQ"],
    ["SA SA SK SK", "ST ST"],
    ["SA SA SA", "ST"],
]
TRUMP_LEADS = [
    ["H2"],
    ["H2 H2"],
    ["H2 H2 H2"],
    ["H2 H2 H3 H3"],
    ["H2 H2 H2 H3 H3 H3"],
    ["R R", "HJ"],
    ["H2 H2 H3 H3 H4 H4"],
]


def lead_of(units: list[str], rules: TrickRules) -> Lead:
    """A lead from its units, whether or not the text would have it said."""
    made = [structures(parse_cards(unit), rules.trumps)[0] for unit in units]
    return Lead(tuple(unit for (unit,) in made))


@st.composite
def hands(draw: st.DrawFn, level: int, decks: int, least: int, most: int = 9) -> list[str]:
    words = draw(st.lists(st.sampled_from(NARROW[level]), min_size=least, max_size=most))
    # Identical cards are drawn often; no more copies than there are decks.
    kept: list[str] = []
    for word in words:
        copies = draw(st.integers(1, decks))
        kept.extend([word] * min(copies, decks - kept.count(word)))
    rest = [word for word in NARROW[level] for _ in range(decks - kept.count(word))]
    kept.extend(rest[: max(0, least - len(kept))])
    return draw(st.permutations(kept[:most]))


OPTIONS = [
    (3, {"run_following": "longest_first", "triple_run_fill": "triples"}),
    (3, {"run_following": "full_length", "triple_run_fill": "triples_then_pairs"}),
    (3, {"run_following": "longest_first", "triple_run_fill": "one_triple"}),
    (2, {"run_following": "pairs", "triple_run_fill": "triples"}),
    (2, {"run_following": "longest_first", "triple_run_fill": "triples"}),
    (2, {"run_following": "full_length", "triple_run_fill": "triples"}),
]


@pytest.mark.parametrize(("decks", "option"), OPTIONS, ids=str)
@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_every_legal_follow_is_accepted_and_every_illegal_one_names_its_duty(
    decks: int, option: dict[str, str], data: st.DataObject
) -> None:
    level = data.draw(st.sampled_from([3, 12]))
    choices = TRUMP_LEADS if level == 12 else SPADE_LEADS + TRUMP_LEADS
    units = data.draw(st.sampled_from([lead for lead in choices if decks == 3 or not _has_triple(lead)]))
    rules, oracle = rules_of(level, decks, option), Oracle(level, decks)
    lead = lead_of(units, rules)
    hand = data.draw(hands(level, decks, len(lead.cards)))
    led = sorted(
        (oracle.shape(unit.split()) or (0, 0) for unit in units), key=oracle.importance, reverse=True
    )
    verdicts = oracle.follows(hand, led, oracle.suit(units[0].split()[0]), option)

    cards = [as_card(word) for word in hand]
    listed = [tuple(sorted(WORDS[card] for card in follow)) for follow in legal_follows(cards, lead, rules)]
    assert sorted(listed) == sorted(play for play, duty in verdicts.items() if duty is None)
    for play, duty in verdicts.items():
        breach = judge_follow(cards, lead, [as_card(word) for word in play], rules)
        assert (breach.duty if breach else None) == duty, (hand, units, play, breach)


def _has_triple(lead: list[str]) -> bool:
    return any(max(Counter(unit.split()).values()) == 3 for unit in lead)


@given(data=st.data())
@settings(max_examples=250, deadline=None)
def test_the_structures_of_cards_are_all_that_no_joining_makes_coarser(data: st.DataObject) -> None:
    level, decks = data.draw(st.sampled_from([3, 12])), data.draw(st.sampled_from([2, 3]))
    oracle = Oracle(level, decks)
    suit = data.draw(st.sampled_from(["S", "T"]))
    pool = [word for word in NARROW[level] if oracle.suit(word) == suit]
    words = data.draw(st.lists(st.sampled_from(pool), min_size=1, max_size=8))
    words = [word for word, count in Counter(words).items() for _ in range(min(count, decks))]
    found = structures([as_card(word) for word in words], Trumps(Suit.HEARTS, level))
    shapes = [
        tuple(
            sorted(
                (
                    oracle.shape([WORDS[c] for c in unit.cards]) or (0, 0),
                    oracle.top([WORDS[c] for c in unit.cards]),
                )
                for unit in units
            )
        )
        for units in found
    ]
    assert len(set(shapes)) == len(shapes)
    assert set(shapes) == oracle.coarsest(words)
    for units in found:
        assert sorted(card for unit in units for card in unit.cards) == sorted(map(as_card, words))


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_trick_is_won_by_the_highest_play_that_matches_the_lead(data: st.DataObject) -> None:
    level, decks = data.draw(st.sampled_from([3, 12])), data.draw(st.sampled_from([2, 3]))
    choices = TRUMP_LEADS if level == 12 else SPADE_LEADS + TRUMP_LEADS
    units = data.draw(st.sampled_from([lead for lead in choices if decks == 3 or not _has_triple(lead)]))
    rules, oracle = rules_of(level, decks, {}), Oracle(level, decks)
    lead = lead_of(units, rules)
    size = len(lead.cards)
    follows = [data.draw(hands(level, decks, size))[:size] for _ in range(2)]
    # Trumps only, so that ruffs are met often.
    trumps = [word for word in NARROW[level] if oracle.suit(word) == "T" for _ in range(decks)]
    follows.append(data.draw(st.permutations(trumps))[:size])
    result = decide_trick(lead, [[as_card(word) for word in cards] for cards in follows], rules)
    assert result.winner == oracle.winner([tuple(unit.split()) for unit in units], follows)


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_throw_falls_by_exactly_the_units_another_hand_beats(data: st.DataObject) -> None:
    level = 3
    rules, oracle = rules_of(level, 3, {}), Oracle(level, 3)
    pool = ["S3", "S4", "S6", "S7", "SK"]
    units = data.draw(
        st.sampled_from(
            [["S6", "S4"], ["S6 S6", "S3"], ["S7 S7 S7", "S4 S4"], ["S4 S4 S6 S6", "S3"], ["S7 S7", "S4 S4"]]
        )
    )
    thrown = [word for unit in units for word in unit.split()]
    rest = [word for word in pool for _ in range(3 - thrown.count(word))]
    dealt = data.draw(st.permutations(rest))
    others = [dealt[:3], dealt[3:6], dealt[6:]]
    verdict = judge_throw(lead_of(units, rules), [[as_card(word) for word in hand] for hand in others], rules)
    beaten = {
        unit
        for unit in units
        for hand in others
        for play in combinations(hand, len(unit.split()))
        if oracle.shape(play) == oracle.shape(unit.split()) and oracle.top(play) > oracle.top(unit.split())
    }
    assert {" ".join(sorted(WORDS[card] for card in unit.cards)) for unit in verdict.beaten} == beaten
    assert verdict.stands == (not beaten)
    assert verdict.blocked_cards == sum(len(unit.split()) for unit in beaten)
