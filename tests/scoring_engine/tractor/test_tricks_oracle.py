"""Tricks of 升级 against the second reading of `trick_oracle`: legal follows, structures, winners and throws."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine.tractor.cards import Card, Suit, Trumps, parse_cards
from scoring_engine.tractor.tricks import (
    Lead,
    TrickRules,
    decide_trick,
    judge_follow,
    judge_throw,
    legal_follows,
)
from scoring_engine.tractor.units import Unit, structures
from tests.scoring_engine.tractor.regulations import trick_format
from tests.scoring_engine.tractor.trick_oracle import Oracle

NARROW = {
    3: ["S3", "S4", "S6", "S7", "SK", "HK", "HA", "S5", "C5", "H5", "B", "R", "C9"],
    12: ["S3", "S4", "S5", "SQ", "SK", "HQ", "HK", "SA", "CA", "HA", "B", "R", "D9"],
}


def as_card(word: str) -> Card:
    return parse_cards(word)[0]


WORDS = {as_card(word): word for word in ["B", "R", *(s + r for s in "SHCD" for r in "23456789TJQKA")]}


def described(unit: Unit, oracle: Oracle) -> tuple[tuple[int, int], int]:
    """A unit as the oracle sees it."""
    words = [WORDS[card] for card in unit.cards]
    return (oracle.shape(words) or (0, 0), oracle.top(words))


def rules_of(level: int, decks: int, option: dict[str, str]) -> TrickRules:
    return trick_format("C" if decks == 3 else "D", option).rules(Suit.HEARTS, level)


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
    (2, {"run_following": "pairs"}),
    (2, {"run_following": "longest_first"}),
    (2, {"run_following": "full_length"}),
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
    found = structures([as_card(word) for word in words], Trumps(Suit.HEARTS, level, "closed", "whole"))
    shapes = [tuple(sorted(described(unit, oracle) for unit in units)) for units in found]
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
