"""``python -m tests.benchmarks.plays``: classifying plays and finding leads, beside RLCard and OpenSpiel.

Every round measures both sides on the same cards, one after the other; the figure is the median ratio of the rounds.
Plays to classify are unsorted: any of the 27,471, most of them long, or leads of random hands, most of them short. RLCard
sorts them with its own comparison, and again with a key, which is the fastest sort its look-up allows. Leads are
numbers here and in OpenSpiel, texts in RLCard. OpenSpiel has no 四带二, so it finds fewer leads.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

import pyspiel
from rlcard.games.doudizhu.judger import DoudizhuJudger
from rlcard.games.doudizhu.utils import CARD_RANK_STR_INDEX, CARD_TYPE, doudizhu_sort_str

from scoring_engine.landlord import cards
from scoring_engine.landlord.cards import Cards
from scoring_engine.landlord.plays import RESTRICTED, plays_under

ROUNDS = 9
PLAYS = 5000
HANDS = 400
DICE = random.Random(1)
PACK = [rank for rank in cards.RANKS for _ in range(cards.copies(cards.RANKS.index(rank)))]
OURS = plays_under(RESTRICTED)


def main() -> int:
    print("牌型 (combinations), median of", ROUNDS, "rounds")
    met = True
    texts = ["".join(DICE.sample(play, len(play))) for play in DICE.sample(list(CARD_TYPE[0]), PLAYS)]
    leads = [DICE.choice(OURS.legal_leads("".join(DICE.sample(PACK, 17)))) for _ in range(PLAYS)]
    short = ["".join(DICE.sample(play, len(play))) for play in map(cards.text_of, leads)]
    met &= compare("classify any play / RLCard", 1.5, (OURS.classify, texts), (sort_and_look_up, texts))
    met &= compare(
        "classify any play / RLCard, keyed sort", 1.5, (OURS.classify, texts), (keyed_look_up, texts)
    )
    met &= compare("classify a lead / RLCard", 1.5, (OURS.classify, short), (sort_and_look_up, short))
    met &= compare(
        "classify a lead / RLCard, keyed sort", None, (OURS.classify, short), (keyed_look_up, short)
    )
    for size in (17, 20):
        hands = [DICE.sample(PACK, size) for _ in range(HANDS)]
        packed = [cards.cards("".join(hand)) for hand in hands]
        in_order = [cards.text_of(hand) for hand in packed]
        met &= compare(
            f"leads of {size} cards / RLCard",
            4,
            (OURS.legal_leads, packed),
            (DoudizhuJudger.playable_cards_from_hand, in_order),
        )
        states = [leading(size) for _ in range(HANDS)]
        met &= compare(
            f"leads of {size} cards / OpenSpiel",
            1 / 3,
            (OURS.legal_leads, [hand_of(state) for state in states]),
            (pyspiel.State.legal_actions, states),
        )
    return 0 if met else 1


def sort_and_look_up(play: str) -> list[Any]:
    return CARD_TYPE[0]["".join(sorted(play, key=cmp_to_key(doudizhu_sort_str)))]


def keyed_look_up(play: str) -> list[Any]:
    return CARD_TYPE[0]["".join(sorted(play, key=CARD_RANK_STR_INDEX.__getitem__))]


Side = tuple[Callable[[Any], Any], Sequence[Any]]


def compare(name: str, target: float | None, ours: Side, peer: Side) -> bool:
    """Print how many times faster ours is than the peer, and whether that is at least the target, if there is one.

    False where the target is missed.
    """
    seconds(ours), seconds(peer)  # the first pass fills what either keeps
    rounds = [(seconds(ours), seconds(peer)) for _ in range(ROUNDS)]
    ratio = statistics.median(theirs / own for own, theirs in rounds)
    own, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    line = f"  {name:39} {micro(own, ours)} v {micro(theirs, peer)}   {ratio:5.2f} × as fast"
    if target is not None:
        line += f", target ≥ {target:.2f}: {'met' if ratio >= target else 'MISSED'}"
    print(line)
    return target is None or ratio >= target


def seconds(side: Side) -> float:
    function, inputs = side
    started = time.perf_counter()
    for each in inputs:
        function(each)
    return time.perf_counter() - started


def micro(total: float, side: Side) -> str:
    return f"{total / len(side[1]) * 1e6:6.2f} µs"


def leading(size: int) -> pyspiel.State:
    """A deal in which the landlord has to lead from a hand of this size; both others have passed every single before."""
    state = pyspiel.load_game("dou_dizhu").new_initial_state()
    while state.is_chance_node():
        state.apply_action(DICE.choice(state.chance_outcomes())[0])
    state.apply_action(max(state.legal_actions()))  # a bid of 3
    for _ in range(20 - size):
        singles = [
            action
            for action in state.legal_actions()
            if len(cards.text_of(cards_of(state.action_to_string(action)))) == 1
        ]
        state.apply_action(DICE.choice(singles))
        for _ in range(2):
            state.apply_action(0)
    return state


def cards_of(text: str) -> Cards:
    """OpenSpiel's way of writing cards; BWJ is its black and white joker, CJ the coloured one."""
    return cards.cards(text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", ""))


def hand_of(state: pyspiel.State) -> Cards:
    """The cards of the player to move."""
    first = state.observation_string(state.current_player()).splitlines()[0]
    return cards_of(first.removeprefix("My hand "))


if __name__ == "__main__":
    sys.exit(main())
