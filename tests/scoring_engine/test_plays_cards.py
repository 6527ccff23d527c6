"""Reading cards as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.landlord.cards import (
    DECK,
    RANKS,
    Cards,
    CardsError,
    cards,
    counts,
    holds,
    is_of_one_pack,
    size,
    text_of,
)
from tests.scoring_engine.play_definitions import PACK


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("333444+69", "33344469"),
        (" 3 4\t5　6 ", "3456"),
        ("3\u00a03\u20093\u202f4\u2003\u2002", "3334"),
        ("\ufeff3\u200b3", "33"),
        ("tjqka2br", "TJQKA2BR"),
        ("10 10 10", "TTT"),
        ("♠3 ♥3 ♦10", "33T"),
        ("3♠ 3♥ 10♦", "33T"),
        ("♠️3♥️3", "33"),
        ("♤3♡4♢5♧6", "3456"),
        ("S3 h3 D3 c3", "3333"),
        ("3s3h", "33"),
        ("黑桃A 红心A 梅花A 方块A", "AAAA"),
        ("红桃10 草花10", "TT"),
        ("小王 大王", "BR"),
        ("大鬼", "R"),
        ("双王", "BR"),
        ("３３３＋４", "3334"),
        ("１０Ｊ", "TJ"),
        ("♠3 4 5", "345"),
        ("♠3 大王", "3R"),
        ("3♠ 大王 4♥", "34R"),
    ],
)
def test_cards_are_read_as_people_write_them(text: str, ranks: str) -> None:
    assert text_of(cards(text)) == ranks


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "没有写牌"),
        ("+ +", "没有写牌"),
        ("1", "“1”不是牌"),
        ("0", "“0”不是牌"),
        ("3x", "“X”不是牌"),
        ("3-4", "“-”不是牌"),
        ("王", "“王”不是牌"),
        ("\x00", "U+0000"),
        ("\ud800", "U+D800"),
        ("ß", "“ß”不是牌"),
        ("٣", "“٣”不是牌"),
        ("♠", "花色♠没有对应的牌点"),
        ("♠♥3", "花色♠没有对应的牌点"),
        ("♠大王", "花色♠没有对应的牌点"),
        ("3♠♥", "没有对应的牌点"),
        ("♠3♠3", "一副牌只有一张♠3"),
        ("33333", "一副牌只有4张3，这里有5张"),
        ("10TTTT", "一副牌只有4张10，这里有5张"),
        ("BB", "一副牌只有1张小王，这里有2张"),
        ("大王R", "一副牌只有1张大王，这里有2张"),
    ],
)
def test_what_is_no_card_is_refused_in_both_languages(text: str, says: str) -> None:
    with pytest.raises(CardsError) as refused:
        cards(text)
    assert says in str(refused.value)
    assert refused.value.text.en.endswith(".")


def test_the_whole_pack_can_be_read() -> None:
    assert cards("".join(PACK)) == DECK
    assert size(DECK) == 54


@given(st.text(max_size=12) | st.text("3TA2BR10♠♥黑桃大王 +", max_size=12))
def test_any_text_is_cards_or_is_refused(text: str) -> None:
    try:
        held = cards(text)
    except CardsError:
        return
    assert cards(text_of(held)) == held


@given(st.permutations(PACK), st.integers(1, 54), st.integers(1, 54))
def test_packing_keeps_every_count(pack: list[str], held: int, played: int) -> None:
    hand, play = pack[:held], pack[-played:]
    packed, other = cards("".join(hand)), cards("+".join(play))
    assert counts(packed) == tuple(hand.count(rank) for rank in RANKS)
    assert size(packed) == held
    assert holds(packed, other) == all(play.count(rank) <= hand.count(rank) for rank in RANKS)


@given(st.lists(st.integers(0, 70), min_size=15, max_size=15))
def test_no_number_of_cards_carries_over_into_another_rank(numbers: list[int]) -> None:
    text = "".join(rank * number for rank, number in zip(RANKS, numbers, strict=True))
    most = [4] * 13 + [1, 1]
    possible = any(numbers) and all(number <= limit for number, limit in zip(numbers, most, strict=True))
    units = [cards(rank) for rank in RANKS]
    packed = Cards(sum(number * unit for number, unit in zip(numbers, units, strict=True)))
    assert is_of_one_pack(packed) == possible or not any(numbers)
    if possible:
        assert cards(text) == packed
