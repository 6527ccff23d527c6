"""Deals and bidding of 二打一 (regulation A, 四(二)比赛通则2 and 7)."""

import re
from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.landlord.deals import (
    Auction,
    BiddingError,
    Deal,
    ImpossibleDealError,
    Side,
    auction,
    first_bidder,
    score_deal,
)
from scoring_engine.landlord.tables import score_table
from scoring_engine.records import TableRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId
from tests.scoring_engine.events import REGULATION, RULES, event, golden
from tests.scoring_engine.sentences import check_sentences

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
    check_sentences(refused.value.problems[0].zh, refused.value.problems[0].en)


@pytest.mark.parametrize("case", DEALS["bidding"], ids=lambda case: str(case["calls"]))
def test_bidding(case: dict[str, Any]) -> None:
    if "refused_call" in case:
        with pytest.raises(BiddingError) as refused:
            auction(case["calls"])
        assert refused.value.call == case["refused_call"]
        text = refused.value.text
        check_sentences(text.zh, text.en)
        assert case["told"] in text.zh
        assert case["told"] in text.en
        assert str(refused.value) == text.zh
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
    assert first_bidder(1) == 0


@pytest.mark.parametrize(("number", "seat"), [(0, 0), (-1, 2), (1, 3), (1, -1)])
def test_a_deal_or_seat_that_does_not_exist_has_no_first_bidder(number: int, seat: int) -> None:
    with pytest.raises(ValueError, match=f"deal {number}, seat {seat}"):
        first_bidder(number, seat)


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
    assert str(refused.value).split("；") == [text.zh for _, text in refused.value.faults]


def test_a_deal_without_a_winner_is_impossible() -> None:
    with pytest.raises(ImpossibleDealError) as refused:
        score_deal(Deal(SEATS, EntrantId("e1"), 1))
    ((key, text),) = refused.value.faults
    assert key == "winner"
    check_sentences(text.zh, text.en)


@pytest.mark.parametrize("seats", [SEATS[:2], (*SEATS, EntrantId("e4")), (SEATS[0], SEATS[0], SEATS[1])])
def test_a_table_has_three_entrants(seats: tuple[EntrantId, ...]) -> None:
    with pytest.raises(ValueError, match=r"three entrants, not .*e1"):
        score_deal(Deal.passed_out(seats))


@pytest.mark.parametrize("case", DEALS["most_bombs"], ids=lambda case: case["name"])
def test_so_many_bombs_the_hands_can_hold_and_one_more_is_refused(case: dict[str, Any]) -> None:
    def with_bombs(bombs: int) -> Deal:
        winner = Side(case["deal"]["winner"])
        return Deal(SEATS, SEATS[0], 1, **{**case["deal"], "winner": winner, "bombs": bombs})

    most = case["most"]
    assert score_deal(with_bombs(most)).points
    with pytest.raises(ImpossibleDealError) as refused:
        score_deal(with_bombs(most + 1))
    ((key, text),) = refused.value.faults
    assert key == "bombs"
    for sentence in (text.zh, text.en):
        assert re.findall(r"\d+", sentence) == [str(most), str(most + 1)]


def test_the_bids_are_those_of_the_regulation() -> None:
    bid_of_ten = Deal(SEATS, SEATS[1], 10, Side.LANDLORD)
    assert list(score_deal(bid_of_ten, bids=(5, 10)).points.values()) == [-10, 20, -10]
    with pytest.raises(ImpossibleDealError) as refused:
        score_deal(bid_of_ten, bids=(5, 15))
    ((_, text),) = refused.value.faults
    assert "5、15分，不能是10分" in text.zh
    assert "5, 15, not 10" in text.en
    assert auction([5], bids=(5, 10)) == Auction(False, None, 0)
    assert auction([5, 10], bids=(5, 10)) == Auction(True, 1, 10)


def test_only_the_doublings_of_the_regulation_double() -> None:
    document = {**REGULATION, "scoring": {**REGULATION["scoring"], "doublings": ["spring"]}}
    rules = ScoringRules.from_mapping(document)
    made = Deal(SEATS, SEATS[0], 1, Side.LANDLORD, rockets=1, bombs=2, spring=True)
    table = TableRecord(1, SEATS, (made,), None, frozenset(), {}, "$")
    assert score_table(table, rules, 10).totals == dict(zip(SEATS, (4, -2, -2), strict=True))


def test_a_table_that_has_not_begun_has_no_totals_unless_forfeited_deals_are_zero() -> None:
    rules = RULES.with_options({"forfeits": "zero"})

    def totals(forfeits: frozenset[EntrantId]) -> Any:
        return score_table(TableRecord(1, SEATS, (), None, forfeits, {}, "$"), rules, 10).totals

    assert totals(frozenset()) is None
    assert totals(frozenset(SEATS[:1])) == dict.fromkeys(SEATS, 0)
