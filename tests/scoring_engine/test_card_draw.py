"""The draw with cards (C 赛制): who meets whom, packs, odd numbers."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.pairing.card_draw import PARTNERS, CardDraw, draw_cards, pairs_of_cards
from scoring_engine.values import EntrantId
from tests.scoring_engine.events import golden

GOLDEN = golden("card_draw")
READINGS = st.sampled_from(sorted(PARTNERS))
RED, BLACK = "♦♥", "♣♠"


def ids(count: int) -> list[EntrantId]:
    return [EntrantId(f"e{number}") for number in range(1, count + 1)]


def meetings(drawn: CardDraw) -> list[frozenset[str]]:
    cards = dict(drawn.cards)
    return [frozenset({str(cards[one]), str(cards[other])}) for one, other in drawn.tables]


@pytest.mark.parametrize("case", GOLDEN["colour_and_rank"], ids=lambda case: "-".join(case["cards"]))
def test_cards_of_one_colour_and_rank_meet_and_no_others(case: dict[str, Any]) -> None:
    drawn = draw_cards(ids(52), b"\x01")
    assert (frozenset(case["cards"]) in meetings(drawn)) is case["meet"]


@pytest.mark.parametrize(("opponents", "duels"), GOLDEN["duels_in_a_pack"].items())
def test_the_duel_after_the_last_of_a_pack_is_played_with_the_next(opponents: str, duels: int) -> None:
    pairs = pairs_of_cards(duels + 1, opponents)
    assert {card.pack for pair in pairs[:-1] for card in pair} == {1}
    assert [card.pack for card in pairs[-1]] == [2, 2]
    assert {card.rank for card in pairs[-1]} == {"A"}
    assert len({str(card) for pair in pairs[:-1] for card in pair}) == 52


def test_the_sixth_pair_of_a_field_holds_the_third_rank() -> None:
    assert [str(card) for card in pairs_of_cards(6, "colour_and_rank")[5]] == ["♣Q", "♠Q"]


def test_a_further_pack_is_named_on_its_cards() -> None:
    drawn = draw_cards(ids(54), b"\x02")
    further = sorted(str(card) for _, card in drawn.cards if card.pack == 2)
    assert further == ["2:♥A", "2:♦A"]
    assert frozenset(further) in meetings(drawn)


@given(count=st.integers(0, 130), seed=st.binary(min_size=1, max_size=32), opponents=READINGS, data=st.data())
def test_everybody_has_one_card_and_meets_whoever_holds_its_partner(
    count: int, seed: bytes, opponents: str, data: st.DataObject
) -> None:
    everyone = data.draw(st.permutations(ids(count)))
    drawn = draw_cards(everyone, seed, opponents=opponents)
    cards = dict(drawn.cards)
    assert [entrant for entrant, _ in drawn.cards] == sorted(everyone)
    seated = [entrant for table in drawn.tables for entrant in table]
    assert sorted([*seated, *drawn.byes]) == sorted(everyone)
    assert len(drawn.byes) == count % 2
    for one, other in drawn.tables:
        first, second = cards[one], cards[other]
        assert (first.pack, first.rank) == (second.pack, second.rank)
        if opponents == "suit_and_rank":
            assert first.suit == second.suit
        else:
            assert first.suit + second.suit in (RED, BLACK)
    copies = 1 if opponents == "colour_and_rank" else 2
    dealt = [*cards.values(), *([drawn.left] if drawn.left else [])]
    assert max(Counter(dealt).values(), default=0) <= copies


@given(
    count=st.integers(0, 60).map(lambda half: 2 * half + 1), seed=st.binary(min_size=1), opponents=READINGS
)
def test_whoever_has_the_bye_holds_the_partner_of_the_card_that_stayed(
    count: int, seed: bytes, opponents: str
) -> None:
    drawn = draw_cards(ids(count), seed, opponents=opponents)
    assert drawn.left is not None
    lone = dict(drawn.cards)[drawn.byes[0]]
    assert (lone.pack, lone.rank) == (drawn.left.pack, drawn.left.rank)
    assert {lone.suit, drawn.left.suit} in [set(pair) for pair in PARTNERS[opponents]]


@given(
    count=st.sampled_from([3, 5, 7, 27, 53]), seeds=st.lists(st.binary(min_size=1), min_size=1, max_size=60)
)
def test_nobody_has_a_second_bye_while_another_has_had_none(count: int, seeds: list[bytes]) -> None:
    had: Counter[EntrantId] = Counter()
    for seed in seeds:
        drawn = draw_cards(ids(count), seed, byes_had=had)
        had.update(drawn.byes)
        assert max(had.values()) - min(had[entrant] for entrant in ids(count)) <= 1


def test_the_draw_alone_may_decide_byes() -> None:
    had = dict.fromkeys(ids(6), 1)
    spread = {draw_cards(ids(7), bytes([seed]), byes_had=had).byes for seed in range(40)}
    free = {draw_cards(ids(7), bytes([seed]), byes_had=had, bye_reading="any").byes for seed in range(40)}
    assert spread == {("e7",)}
    assert len(free) > 1


def test_every_entrant_gets_every_card_sooner_or_later() -> None:
    seen = {
        card for seed in range(60) for who, card in draw_cards(ids(4), bytes([seed])).cards if who == "e1"
    }
    assert {str(card) for card in seen} == {"♦A", "♥A", "♣A", "♠A"}


def test_an_entrant_draws_one_card_only() -> None:
    with pytest.raises(ValueError, match="twice"):
        draw_cards([EntrantId("e1"), EntrantId("e1")], b"\x01")
    with pytest.raises(ValueError, match="no reading of byes"):
        draw_cards(ids(3), b"\x01", bye_reading="never")
