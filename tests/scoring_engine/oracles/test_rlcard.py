"""RLCard's table of plays, its order, its leads and its answers, against regulation A with its defaults."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest
from rlcard.games.doudizhu.judger import DoudizhuJudger
from rlcard.games.doudizhu.utils import CARD_TYPE, ID_2_ACTION, get_gt_cards

from scoring_engine.landlord.cards import Cards, cards, text_of
from scoring_engine.landlord.plays import RESTRICTED, Kind, plays_under
from tests.scoring_engine.play_definitions import PACK

OURS = plays_under(RESTRICTED)
THEIRS: dict[str, list[list[Any]]] = CARD_TYPE[0]
HANDS = 2500
ANSWERED = 400
SINGLE_WORDS = {
    "solo": Kind.SINGLE,
    "pair": Kind.PAIR,
    "trio": Kind.TRIPLE,
    "bomb": Kind.BOMB,
    "rocket": Kind.ROCKET,
    "trio_solo": Kind.TRIPLE_WITH_SINGLE,
    "trio_pair": Kind.TRIPLE_WITH_PAIR,
    "four_two_solo": Kind.FOUR_WITH_SINGLES,
    "four_two_pair": Kind.FOUR_WITH_PAIRS,
}
CHAIN_WORDS = {
    "solo_chain": Kind.RUN,
    "pair_chain": Kind.PAIR_RUN,
    "trio_chain": Kind.PLANE,
    "trio_solo_chain": Kind.PLANE_WITH_SINGLES,
    "trio_pair_chain": Kind.PLANE_WITH_PAIRS,
}


def texts(plays: Iterable[Cards]) -> list[str]:
    return sorted(text_of(play) for play in plays)


def kind_and_length(their_type: str) -> tuple[Kind, int]:
    """`trio_solo_chain_3` is a plane of three with singles."""
    if their_type in SINGLE_WORDS:
        return SINGLE_WORDS[their_type], 1
    word, _, length = their_type.rpartition("_")
    return CHAIN_WORDS[word], int(length)


@pytest.fixture
def hands() -> list[list[str]]:
    dice = random.Random(27471)
    return [dice.sample(PACK, dice.randint(1, 20)) for _ in range(HANDS)]


def test_the_two_sets_of_plays_are_equal() -> None:
    assert len(THEIRS) == 27471
    assert texts(OURS) == sorted(THEIRS)
    assert set(ID_2_ACTION) - {"pass"} == set(THEIRS)


def test_every_play_has_one_type_and_it_is_ours() -> None:
    for play, types in THEIRS.items():
        ((their_type, _),) = types
        own = OURS.classify(play)
        assert (own.kind, own.length) == kind_and_length(their_type)


def test_the_order_by_weight_is_the_same() -> None:
    def order(play: str) -> tuple[str, int]:
        ((their_type, weight),) = THEIRS[play]
        return their_type, int(weight)

    def weightless(play: str) -> str:
        return order(play)[0]

    for _, of_a_type in groupby(sorted(THEIRS, key=order), weightless):
        mains: list[set[int]] = []
        for _, of_a_weight in groupby(of_a_type, order):
            mains.append({OURS.classify(play).main for play in of_a_weight})
        assert all(len(equal) == 1 for equal in mains)
        ranks = [main for equal in mains for main in equal]
        assert ranks == sorted(set(ranks))


def test_the_leads_of_random_hands_are_equal(hands: list[list[str]]) -> None:
    for hand in hands:
        packed = cards("".join(hand))
        leads = OURS.legal_leads(packed)
        assert len(set(leads)) == len(leads)
        assert set(texts(leads)) == DoudizhuJudger.playable_cards_from_hand(text_of(packed))


def test_the_answers_to_random_plays_are_equal(hands: list[list[str]]) -> None:
    dice = random.Random(1)
    for hand in hands[:ANSWERED]:
        theirs_hand = text_of(cards("".join(hand)))
        other = dice.sample(PACK, 20)
        play = dice.choice(sorted(texts(OURS.legal_leads("".join(other)))))
        player = SimpleNamespace(current_hand=[SimpleNamespace(rank=card, suit="") for card in theirs_hand])
        answers = get_gt_cards(player, SimpleNamespace(played_cards=play))
        assert texts(OURS.plays_that_beat(theirs_hand, play)) == sorted(set(answers) - {"pass"})
