"""Cards of 升级, their order and their neighbours (C 八(五), 八(七); D 五5, 五6, 五18)."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.tractor.cards import (
    BIG_JOKER,
    PLAIN_SUITS,
    RANK_SIGNS,
    SMALL_JOKER,
    Card,
    CardTextError,
    Suit,
    Trumps,
    cards_text,
    pack,
    parse_cards,
    points_in,
)
from tests.scoring_engine.events import golden
from tests.scoring_engine.tractor.regulations import trick_format

GOLDEN = golden("tractor_tricks")
WHOLE = {"level_gap": "closed", "trump_run": "whole"}
trumps_of_any_deal = st.builds(
    Trumps,
    st.sampled_from(PLAIN_SUITS),
    st.integers(0, 12),
    st.sampled_from(["closed", "open"]),
    st.sampled_from(["whole", "no_jokers", "suit_only"]),
    st.booleans(),
)


@pytest.mark.parametrize("case", GOLDEN["orders"], ids=lambda case: case["name"])
def test_cards_stand_in_the_order_of_the_text(case: dict[str, Any]) -> None:
    trumps = trick_format(case["text"]).rules(Suit.HEARTS, RANK_SIGNS.index(case["level"])).trumps
    trumps = trumps.as_lowered() if case.get("lowered") else trumps
    steps = [parse_cards(step) for step in case["falling"]]
    assert len({trumps.suit_of(card) for step in steps for card in step}) == 1
    for step in steps:
        assert len({trumps.position(card) for card in step}) == 1
    for higher, lower in pairwise(steps):
        assert trumps.position(higher[0]) > trumps.position(lower[0])


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("♠A", "S A"),
        ("♠️A", "S A"),
        ("黑桃A", "S A"),
        ("红桃10", "H T"),
        ("红心10", "H T"),
        ("♥T", "H T"),
        ("方块3", "D 3"),
        ("方片3", "D 3"),
        ("梅花q", "C Q"),
        ("草花Q", "C Q"),
        ("d3", "D 3"),
    ],
)
def test_suits_and_ranks_are_read_in_every_usual_writing(text: str, cards: str) -> None:
    suit, rank = cards.split()
    assert parse_cards(text) == (Card(Suit(suit), RANK_SIGNS.index(rank)),)


def test_jokers_are_read_by_letter_and_by_name() -> None:
    assert parse_cards("B R 小王 大王 小鬼大鬼") == (SMALL_JOKER, BIG_JOKER) * 3


def test_a_suit_stands_for_all_ranks_after_it() -> None:
    assert parse_cards("♠444333，♥10 大王") == parse_cards("S4 S4 S4 S3 S3 S3 HT R")
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("text", "at"), [("5", 0), ("S1", 1), ("SX", 1), ("S", 0), ("S5 H", 3), ("SH5", 0), ("R5", 1), ("S B", 0)]
)
def test_what_is_no_card_is_refused_at_its_place(text: str, at: int) -> None:
    with pytest.raises(CardTextError) as refused:
        parse_cards(text)
    assert refused.value.at == at
    assert refused.value.text.zh.endswith("。")
    assert refused.value.text.en.endswith(".")


@given(st.lists(st.sampled_from(list(pack(1)))))
def test_cards_are_read_back_as_they_are_shown(cards: list[Card]) -> None:
    assert list(parse_cards(cards_text(cards))) == cards


@pytest.mark.parametrize(("decks", "cards", "points"), [(2, 108, 200), (3, 162, 300)])
def test_packs_have_the_cards_and_points_of_the_texts(decks: int, cards: int, points: int) -> None:
    dealt = list(pack(decks))
    assert len(dealt) == cards
    assert set(Counter(dealt).values()) == {decks}
    assert points_in(dealt) == points


@pytest.mark.parametrize(("suit", "level"), [(Suit.TRUMP, 0), (Suit.HEARTS, 13), (Suit.HEARTS, -1)])
def test_there_is_always_a_trump_suit_and_a_level(suit: Suit, level: int) -> None:
    with pytest.raises(ValueError, match="不打无主"):
        Trumps(suit, level, **WHOLE)


@pytest.mark.parametrize(("option", "value"), [("level_gap", "ajar"), ("trump_run", "none")])
def test_an_unknown_reading_is_refused(option: str, value: str) -> None:
    with pytest.raises(ValueError, match=value):
        Trumps(Suit.HEARTS, 0, **{**WHOLE, option: value})


@given(trumps_of_any_deal)
def test_every_card_has_one_effective_suit_and_trumps_are_complete(trumps: Trumps) -> None:
    # 13 of the trump suit, three other level cards, two jokers.
    suits = Counter(trumps.suit_of(card) for card in pack(1))
    assert suits[Suit.TRUMP] == 18
    assert set(suits.values()) == {18, 12}


@given(trumps_of_any_deal)
def test_a_neighbour_is_the_next_higher_card_there_is(trumps: Trumps) -> None:
    for suit in {trumps.suit_of(card) for card in pack(1)}:
        places = sorted({trumps.position(card) for card in pack(1) if trumps.suit_of(card) is suit})
        for place in places:
            above = trumps.above(suit, place)
            if above is not None:
                assert places[places.index(place) + 1] == above
        if (trumps.level_gap, trumps.trump_run) == ("closed", "whole"):
            assert [trumps.above(suit, place) for place in places] == [*places[1:], None]


def test_a_reading_cuts_the_runs_where_it_says() -> None:
    def unjoined(**reading: str) -> list[str]:
        trumps = Trumps(Suit.HEARTS, 3, **{**WHOLE, **reading})
        ladder = sorted(
            {trumps.position(card): card for card in pack(1) if trumps.suit_of(card) is Suit.TRUMP}.items()
        )
        return [str(card) for place, card in ladder if trumps.above(Suit.TRUMP, place) is None]

    assert unjoined() == ["大王"]
    assert unjoined(level_gap="open") == ["♥4", "大王"]
    assert unjoined(trump_run="no_jokers") == ["♥5", "小王", "大王"]
    assert unjoined(trump_run="suit_only") == ["♥A", "♦5", "♥5", "小王", "大王"]


def test_lowered_level_cards_join_the_trump_suit_unless_it_stands_alone() -> None:
    level_card, lowest = Card(Suit.SPADES, 3), Card(Suit.HEARTS, 0)
    for reading, joined in (("whole", True), ("no_jokers", True), ("suit_only", False)):
        trumps = Trumps(Suit.HEARTS, 3, **{**WHOLE, "trump_run": reading}).as_lowered()
        above = trumps.above(Suit.TRUMP, trumps.position(level_card))
        assert above == (trumps.position(lowest) if joined else None)


@given(trumps_of_any_deal, st.permutations(list(pack(1))))
def test_a_sorted_hand_does_not_depend_on_the_order_it_came_in(trumps: Trumps, cards: list[Card]) -> None:
    assert trumps.sorted(cards) == trumps.sorted(pack(1))
