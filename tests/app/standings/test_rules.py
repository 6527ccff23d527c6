"""Why one stands ahead of another, read from the score document; and what an event waits for."""

from __future__ import annotations

from typing import Any

import pytest

from app.regulations import library
from app.standings.rules import (
    Difference,
    UnknownPlacingError,
    canonical_bytes,
    explain,
    neighbours,
    placing_of,
)
from scoring_engine import event_file
from tests.factories import event_files

RULES = library.load("beach-games-landlord-2021").scoring_rules()


def placing(entrant: str, total: str, wins: str | None, best: list[str] | None) -> dict[str, Any]:
    return {
        "rank": 1,
        "entrant": entrant,
        "decided_by": None,
        "shared": False,
        "values": [
            {"criterion": "total_points", "value": total},
            {"criterion": "deals_won", "value": wins},
            {"criterion": "best_deals", "value": best},
        ],
    }


def test_the_first_differing_criterion_decides_with_both_numbers_and_the_equal_ones_before_it() -> None:
    told = explain(placing("e1", "24", "6", ["6"]), placing("e2", "24", "5", ["8"]))
    assert told.decided == Difference("deals_won", "6", "5")
    assert told.equal == (("total_points", "24"),)


def test_single_deals_are_compared_in_turn_and_the_place_that_differs_is_named() -> None:
    told = explain(placing("e1", "24", "6", ["12", "6", "2"]), placing("e2", "24", "6", ["12", "4", "4"]))
    assert told.decided == Difference("best_deals", "6", "4", 2)


def test_a_shorter_list_has_no_number_where_the_longer_goes_on() -> None:
    told = explain(placing("e1", "24", "6", ["12", "6"]), placing("e2", "24", "6", ["12"]))
    assert told.decided == Difference("best_deals", "6", None, 2)


def test_equal_in_the_whole_chain_is_decided_by_nothing() -> None:
    told = explain(placing("e1", "24", "6", ["6"]), placing("e2", "24", "6", ["6"]))
    assert told.decided is None
    assert [code for code, _ in told.equal] == ["total_points", "deals_won", "best_deals"]


def test_a_criterion_passed_over_is_said_to_be_unknown() -> None:
    above, below = placing("e1", "24", "6", ["6"]), placing("e2", "24", None, None)
    for value in (*above["values"][1:], *below["values"][1:]):
        value["counted"] = False
    assert explain(above, below).unknown == ("deals_won", "best_deals")


def test_explanations_agree_with_what_the_engine_says_decided() -> None:
    for entrants in (9, 10, 12, 20):
        result = event_file.score(event_files.played(entrants), RULES)
        for placings in (result["placings"], result["stages"][0]["placings"]):
            reasons = neighbours(placings)
            above = placings[0]
            for below in placings[1:]:
                decided = reasons[below["entrant"]].decided
                if above["rank"] == below["rank"]:
                    assert decided is None
                elif not below["shared"]:
                    assert decided is not None
                    assert decided.criterion == below["decided_by"]
                above = below


def test_somebody_without_a_placing_is_unknown() -> None:
    with pytest.raises(UnknownPlacingError):
        placing_of([], "e1")


def test_the_bytes_of_a_document_keep_its_order_and_its_characters() -> None:
    assert canonical_bytes({"b": "㛃·𬭎", "a": [1]}) == '{"b":"㛃·𬭎","a":[1]}'.encode()


def test_a_longer_list_goes_on_where_the_shorter_has_no_number() -> None:
    told = explain(placing("e1", "24", "6", ["6", "-1", "-3"]), placing("e2", "24", "6", ["6", "-1", "-4"]))
    assert told.decided == Difference("best_deals", "-3", "-4", 3)
    assert told.equal == (("total_points", "24"), ("deals_won", "6"))
