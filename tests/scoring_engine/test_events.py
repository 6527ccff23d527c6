"""Whole events of regulation A, from golden data (each case names its clause)."""

from collections.abc import Mapping
from typing import Any

import pytest

from scoring_engine import event_file
from tests.scoring_engine.events import RULES, at, event, golden, made, penalised, stage

EVENTS = golden("events")
PENALTIES = golden("penalties")


@pytest.mark.parametrize("case", EVENTS["cases"], ids=lambda case: case["name"])
def test_the_score_document_of_a_golden_event(case: dict[str, Any]) -> None:
    answer = event_file.score(made(case), RULES)
    for path, expected in case["expect"].items():
        if path == "ranks":
            assert {item["entrant"]: item["rank"] for item in answer["placings"]} == expected
        else:
            assert at(answer, path) == expected, path


@pytest.mark.parametrize("case", EVENTS["seedings"], ids=lambda case: case["name"])
def test_the_semifinal_is_grouped_by_the_order_of_the_prelim(case: dict[str, Any]) -> None:
    prelim = stage("prelim", {"totals": case["totals"], "byes": case.get("byes", [])})
    drawn = event_file.pair(
        event(case["entrants"], [prelim], options=case.get("options", {})), RULES, b"\x01"
    )
    assert drawn["stage"] == "semifinal"
    assert [set(table["entrants"]) for table in drawn["tables"]] == [
        set(group.split()) for group in case["groups"]
    ]


@pytest.mark.parametrize("case", PENALTIES["cases"], ids=lambda case: case["name"])
def test_a_penalty_costs_its_offender_exactly_this(case: dict[str, Any]) -> None:
    punished = penalised(case)
    plain = event_file.score({**punished, "adjustments": []}, RULES)
    answer = event_file.score(punished, RULES)
    assert [item["points"] for item in answer["adjustments"]] == case["points"]
    own = next(item for item in answer["placings"] if item["entrant"] == "e1")
    assert own["values"][0] == {"criterion": "total_points", "value": case["total"]}
    assert answer["tables"][0]["entrants"]["e1"]["game_points"] == case["total"]
    assert answer["tables"][0]["deals"] == plain["tables"][0]["deals"]
    for other in ("e2", "e3"):
        assert answer["tables"][0]["entrants"][other] == plain["tables"][0]["entrants"][other]
    if "best_deals" in case:
        assert own["values"][2] == {"criterion": "best_deals", "value": case["best_deals"]}


@pytest.mark.parametrize("field", golden("fields")["fields"], ids=lambda field: str(field["entrants"]))
def test_a_field_of_n_gives_so_many_tables_direct_entrants_and_places(field: dict[str, int]) -> None:
    count = field["entrants"]
    drawn = event_file.pair(event(count), RULES, b"\x01")
    assert (len(drawn["tables"]), len(drawn["byes"])) == (field["tables"], field["direct"])
    tables = [
        {"seats": one["entrants"], "totals": [300 + 6 * index, -100 - 3 * index, -200 - 3 * index]}
        for index, one in enumerate(drawn["tables"])
    ]
    prelim = stage("prelim", {"tables": tables, "byes": drawn["byes"]})
    answer = event_file.score(event(count, [prelim]), RULES)["stages"][0]
    assert answer["direct"] == drawn["byes"]
    assert len(answer["advance"]) == field["advance"]
    assert count - len(answer["advance"]) - len(answer["direct"]) == field["out"]
    assert answer["needs_ruling"] is None
    assert answer["playoffs"] == []


@pytest.mark.parametrize("field", golden("fields")["too_few"], ids=lambda field: str(field["entrants"]))
def test_fewer_than_nine_entrants_ask_for_a_ruling(field: Mapping[str, Any]) -> None:
    count = field["entrants"]
    answer = event_file.score(event(count), RULES)["stages"][0]
    assert answer["needs_ruling"]["clause"] == "四(二)初赛"
    assert answer["advance"] == []
    drawn = event_file.pair(event(count), RULES, b"\x01")
    assert drawn["tables"] == []
    assert drawn["needs_ruling"]["reason"]


def test_three_entrants_may_play_the_final_at_once_where_the_committee_rules_so() -> None:
    final = stage("final", {"tables": [{"seats": ["e1", "e2", "e3"], "totals": [-6, 12, -6]}]})
    answer = event_file.score(event(3, [final]), RULES)
    assert [(item["rank"], item["entrant"]) for item in answer["placings"]] == [
        (1, "e2"),
        (2, "e1"),
        (2, "e3"),
    ]


def test_direct_entrants_left_out_of_byes_are_the_ones_without_a_seat() -> None:
    tables = [
        {"seats": ["e1", "e2", "e3"], "totals": [30, 0, -30]},
        {"seats": ["e4", "e5", "e6"], "totals": [24, 6, -30]},
        {"seats": ["e7", "e8", "e9"], "totals": [9, 3, -12]},
    ]
    answer = event_file.score(event(11, [stage("prelim", {"tables": tables})]), RULES)["stages"][0]
    assert answer["direct"] == ["e10", "e11"]
    assert len(answer["advance"]) == 7


def test_a_tie_that_only_unknown_deals_could_break_is_noted() -> None:
    tables = [
        {"seats": [f"e{3 * index + 1}", f"e{3 * index + 2}", f"e{3 * index + 3}"], "totals": totals}
        for index, totals in enumerate(golden("events")["prelims"]["tie_9_10"])
    ]
    answer = event_file.score(event(12, [stage("prelim", {"tables": tables})]), RULES)["stages"][0]
    assert any("只记了总分" in note["reason"] for note in answer["notes"])
    assert answer["placings"][8]["values"][1] == {"criterion": "deals_won", "value": None, "counted": False}


def test_options_of_the_file_are_read_even_when_the_caller_applied_others() -> None:
    rules = RULES.with_options({"deals_per_stage": 3})
    deals = ["0L1", "0L1", "0L1"]
    prelim = stage("prelim", {"tables": [{"seats": ["e1", "e2", "e3"], "deals": deals}]})
    assert event_file.score(event(9, [prelim]), rules)["tables"][0]["complete"]
    assert not event_file.score(event(9, [prelim], options={"deals_per_stage": 4}), rules)["tables"][0][
        "complete"
    ]


def placing(answer: dict[str, Any], entrant: str) -> dict[str, Any]:
    return next(item for item in answer["placings"] if item["entrant"] == entrant)


def test_why_one_stands_ahead_of_another_is_told_across_stages() -> None:
    whole = next(case for case in EVENTS["cases"] if case["name"].startswith("整个比赛"))
    answer = event_file.score(made(whole), RULES)
    across = event_file.why(placing(answer, "e1"), placing(answer, "e4"))
    assert (across.decided_by, across.values, across.ahead) == ("round_reached", (2, 3), "e4")
    within = event_file.why(placing(answer, "e1"), placing(answer, "e11"))
    assert (within.decided_by, within.values, within.ahead) == ("total_points", (10, 3), "e1")
    assert within.equal == (("round_reached", 2),)


def test_shared_semifinal_places_compare_equal() -> None:
    shared = next(case for case in EVENTS["cases"] if case["name"].startswith("选项 semifinal_places"))
    answer = event_file.score(made(shared), RULES)
    assert event_file.why(placing(answer, "e1"), placing(answer, "e7")).decided_by is None


def test_a_reason_names_six_and_counts_the_rest() -> None:
    tables = [
        {"seats": [f"e{3 * index + seat}" for seat in (1, 2, 3)], "totals": [30, 0, -30]}
        for index in range(10)
    ]
    answer = event_file.score(event(30, [stage("prelim", {"tables": tables})]), RULES)["stages"][0]
    assert "e1、e4、e7、e10、e13、e16等10人" in answer["needs_ruling"]["reason"]
