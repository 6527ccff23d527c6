"""Deals and bidding of 二打一 (regulation A, 四(二)比赛通则2 and 7)."""

from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.landlord.deals import (
    BiddingError,
    Deal,
    ImpossibleDealError,
    Side,
    auction,
    first_bidder,
    score_deal,
)
from scoring_engine.values import EntrantId
from tests.scoring_engine.events import RULES, event, golden

DEALS = golden("deals")
SEATS = (EntrantId("e1"), EntrantId("e2"), EntrantId("e3"))


def event_of(deals: list[Any]) -> dict[str, Any]:
    tables = [{"number": 1, "seats": list(SEATS), "deals": deals}]
    return event(9, [{"code": "prelim", "rounds": [{"number": 1, "tables": tables}]}])


@pytest.mark.parametrize("case", DEALS["scored"], ids=lambda case: case["name"])
def test_a_deal_scores_what_the_text_says_whoever_is_landlord(case: dict[str, Any]) -> None:
    for landlord in SEATS:
        deal = case["deal"] if "passed_out" in case["deal"] else {**case["deal"], "landlord": landlord}
        scores = event_file.score(event_of([deal]), RULES)["tables"][0]["deals"][0]["scores"]
        for seat in SEATS:
            assert scores[seat] == str(case["landlord" if seat == landlord else "defender"])


@pytest.mark.parametrize("case", DEALS["refused"], ids=lambda case: case["name"])
def test_an_impossible_deal_is_refused_at_its_key(case: dict[str, Any]) -> None:
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.score(event_of([{"passed_out": True}, case["deal"]]), RULES)
    paths = [problem.path for problem in refused.value.problems]
    assert paths == [f"$.stages[0].rounds[0].tables[0].deals[1].{case['key']}"]
    assert refused.value.problems[0].zh.endswith(("。", "）"))
    assert refused.value.problems[0].en


@pytest.mark.parametrize("case", DEALS["bidding"], ids=lambda case: str(case["calls"]))
def test_bidding(case: dict[str, Any]) -> None:
    if "refused_call" in case:
        with pytest.raises(BiddingError) as refused:
            auction(case["calls"])
        assert refused.value.call == case["refused_call"]
        return
    result = auction(case["calls"])
    assert (result.finished, result.landlord_seat, result.bid) == (
        case["finished"],
        case["landlord_seat"],
        case["bid"],
    )


def test_the_landlord_is_counted_from_the_first_bidder() -> None:
    assert auction([0, 2, 3], first_seat=2).landlord_seat == 1


def test_the_first_bid_goes_round_from_the_drawn_seat() -> None:
    assert [first_bidder(number, 1) for number in range(1, 11)] == [1, 2, 0, 1, 2, 0, 1, 2, 0, 1]


def test_an_eleventh_deal_is_refused_with_its_clause() -> None:
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.score(event_of([{"passed_out": True}] * 11), RULES)
    (problem,) = refused.value.problems
    assert problem.path == "$.stages[0].rounds[0].tables[0].deals[10]"
    assert "四(二)初赛" in problem.zh


def test_an_impossible_deal_lists_every_fault() -> None:
    deal = Deal(SEATS, EntrantId("e9"), 4, Side.DEFENDERS, rockets=2, bombs=-1, spring=True)
    with pytest.raises(ImpossibleDealError) as refused:
        score_deal(deal)
    assert [key for key, _ in refused.value.faults] == ["landlord", "bid", "rockets", "spring", "bombs"]
