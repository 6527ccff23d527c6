"""Play-outs of OpenSpiel's dou_dizhu: legal plays, who beats whom, and the score, against this engine.

Where the two differ by their rules: OpenSpiel has no 四带二; it lets planes carry an adjacent triple; it bids several laps;
chains that start at a rank held four times are missing from its legal actions, and a bomb may follow the rocket, bugs of
its own.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyspiel

from scoring_engine.landlord.cards import COPIES, ROCKET, Cards, cards, count
from scoring_engine.landlord.deals import Deal, Side, auction, score_deal
from scoring_engine.landlord.plays import RESTRICTED, Kind, plays_under
from scoring_engine.values import EntrantId

GAME = pyspiel.load_game("dou_dizhu")
PLAYS = plays_under(replace(RESTRICTED, adjacent_triple_wings=True))
SEATS = (EntrantId("e0"), EntrantId("e1"), EntrantId("e2"))
PLAY_OUTS = 600
RECORDED = json.loads((Path(__file__).parent / "openspiel_deals.json").read_text(encoding="utf-8"))
FOURS = (Kind.FOUR_WITH_SINGLES, Kind.FOUR_WITH_PAIRS)


@dataclass
class PlayOut:
    """One deal played to its end: the calls and plays in order, each with its seat, and the score."""

    calls: list[tuple[int, int]] = field(default_factory=list)
    plays: list[tuple[int, Cards | None]] = field(default_factory=list)
    returns: list[int] = field(default_factory=list)
    leads: list[tuple[Cards, set[Cards]]] = field(default_factory=list)


def read(text: str) -> Cards:
    """Cards as OpenSpiel writes them: `333444-69`, `2(BWJ)(CJ)`; BWJ is the small joker."""
    return cards(text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", ""))


def hand_of(state: Any, seat: int) -> Cards:
    return read(state.observation_string(seat).splitlines()[0].removeprefix("My hand "))


def play_out(dice: random.Random) -> PlayOut:
    """Random actions to the end of a deal."""
    found = PlayOut()
    state = GAME.new_initial_state()
    bidding = True
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dice.choice(state.chance_outcomes())[0])
            continue
        seat, actions = state.current_player(), state.legal_actions()
        words = [state.action_to_string(action) for action in actions]
        bidding = bidding and any(word.startswith("Bid") for word in words)
        if not bidding and "Pass" not in words:
            found.leads.append((hand_of(state, seat), {read(word) for word in words}))
        index = dice.randrange(len(actions))
        word = words[index]
        if bidding:
            found.calls.append((seat, 0 if word == "Pass" else int(word.removeprefix("Bid "))))
        else:
            found.plays.append((seat, None if word == "Pass" else read(word)))
        state.apply_action(actions[index])
    found.returns = [int(points) for points in state.returns()]
    return found


def play_outs() -> Iterator[PlayOut]:
    """Play-outs in which everyone bids at most once, as in the regulation."""
    dice = random.Random(500)
    kept = 0
    while kept < PLAY_OUTS:
        found = play_out(dice)
        if len({seat for seat, _ in found.calls}) == len(found.calls):
            kept += 1
            yield found


def deal_of(found: PlayOut) -> Deal:
    """The score sheet's line of a play-out."""
    result = auction([call for _, call in found.calls], first_seat=found.calls[0][0])
    assert result.finished
    if result.landlord_seat is None:
        return Deal.passed_out(SEATS)
    landlord = result.landlord_seat
    played = [(seat, PLAYS.classify(play).kind) for seat, play in found.plays if play is not None]
    hands = Counter(seat for seat, _ in played)
    kinds = Counter(kind for _, kind in played)
    won = played[-1][0] == landlord
    return Deal(
        SEATS,
        SEATS[landlord],
        result.bid,
        Side.LANDLORD if won else Side.DEFENDERS,
        rockets=kinds[Kind.ROCKET],
        bombs=kinds[Kind.BOMB],
        spring=won and set(hands) == {landlord},
        anti_spring=not won and hands[landlord] == 1,
    )


def test_play_outs_have_the_same_score() -> None:
    doubled = Counter[str]()
    for found in play_outs():
        deal = deal_of(found)
        points = score_deal(deal).points
        assert [points[seat] for seat in SEATS] == found.returns
        doubled.update(
            {"bombs": deal.bombs, "rockets": deal.rockets, "spring": deal.spring, "anti": deal.anti_spring}
        )
    assert doubled["bombs"] > 0
    assert doubled["rockets"] > 0


def test_every_play_of_a_play_out_is_legal_and_beats_the_one_before() -> None:
    for found in play_outs():
        best: Cards | None = None
        passes = 0
        for _, play in found.plays:
            if play is None:
                passes += 1
                best = None if passes == 2 else best
                continue
            assert PLAYS.readings(play)
            if best == ROCKET:
                assert PLAYS.classify(play).kind is Kind.BOMB
                assert not PLAYS.beats(play, best)
            else:
                assert best is None or PLAYS.beats(play, best)
            best, passes = play, 0


def test_the_leads_of_every_hand_are_the_same_but_for_the_known_differences() -> None:
    hands = 0
    for found in play_outs():
        for hand, theirs in found.leads:
            hands += 1
            ours = {lead for lead in PLAYS.legal_leads(hand) if PLAYS.classify(lead).kind not in FOURS}
            assert theirs <= ours
            for missing in ours - theirs:
                reading = PLAYS.classify(missing)
                assert reading.kind in (Kind.RUN, Kind.PAIR_RUN, Kind.PLANE)
                assert count(hand, reading.main - reading.length + 1) == COPIES
    assert hands > PLAY_OUTS


def test_recorded_deals_have_their_published_scores() -> None:
    """60 deals played by scripted players; the file gives its source."""
    assert len(RECORDED["deals"]) == 60
    for row in RECORDED["deals"]:
        if row["landlord"] is None:
            deal = Deal.passed_out(SEATS)
        else:
            landlord = row["landlord"] - 1
            hands = row["hands_played"]
            won = row["winner"] == "landlord"
            deal = Deal(
                SEATS,
                SEATS[landlord],
                row["bid"],
                Side.LANDLORD if won else Side.DEFENDERS,
                rockets=row["rockets"],
                bombs=row["bombs"],
                spring=won and sum(hands) == hands[landlord],
                anti_spring=not won and hands[landlord] == 1,
            )
        assert [score_deal(deal).points[seat] for seat in SEATS] == row["score"]
