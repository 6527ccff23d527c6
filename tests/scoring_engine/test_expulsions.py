"""Expulsion (取消参赛资格) from a knock-out: the later draws, made again from their seeds (I-A-27, I-D-36)."""

from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from tests.scoring_engine.events import RULES, event, stage, with_expelled
from tests.scoring_engine.match_events import made, rules

EIGHTY = "siming-eighty-2023"
OUT = {"expelled": {"e4": {"stage": "prelim", "round": 1}}}


def after_the_prelim(**more: Any) -> dict[str, Any]:
    return with_expelled(event(12, [stage("prelim", {"totals": "clear_12"})], **more), OUT)


def with_semifinal(document: dict[str, Any]) -> dict[str, Any]:
    """The file with the semifinal drawn and seated."""
    drawn = event_file.pair(document, RULES, b"\x01")
    tables = [{"number": each["number"], "seats": each["entrants"]} for each in drawn["tables"]]
    semifinal = {"code": "semifinal", "rounds": [{"number": 1, "tables": tables}]}
    draw = {
        "stage": "semifinal",
        "round": 1,
        "seed": drawn["seed"],
        "entrants": [seat for each in drawn["tables"] for seat in each["entrants"]],
        "tables": [each["entrants"] for each in drawn["tables"]],
        "byes": [],
    }
    return {**document, "stages": [*document["stages"], semifinal], "draws": [draw]}


def test_the_semifinal_is_drawn_without_him_and_the_draw_can_be_made_again() -> None:
    whole = with_semifinal(after_the_prelim())
    seats = [seat for table in whole["draws"][0]["tables"] for seat in table]
    assert "e4" not in seats
    assert "e9" in seats
    assert event_file.verify(whole, RULES) == []


def test_a_draw_without_him_is_refuted_where_nobody_says_that_he_was_expelled() -> None:
    whole = with_semifinal(after_the_prelim())
    whole["entrants"] = [
        {key: value for key, value in each.items() if key != "expelled_after"} for each in whole["entrants"]
    ]
    assert event_file.verify(whole, RULES)


def test_a_draw_he_was_in_stays_and_the_next_is_without_him() -> None:
    plain = with_semifinal(event(12, [stage("prelim", {"totals": "clear_12"})]))
    later = with_expelled(plain, {"expelled": {"e4": {"stage": "semifinal"}}})
    assert event_file.verify(later, RULES) == []
    assert event_file.score(later, RULES)["expelled"][0]["stage"] == "semifinal"


def test_taken_back_after_the_next_draw_he_is_ranked_and_the_draw_still_holds() -> None:
    whole = with_semifinal(after_the_prelim())
    given = {"expelled": {"e4": {"stage": "prelim", "reinstated": True}}}
    assert event_file.verify(with_expelled(whole, given), RULES) == []
    assert "e4" in {each["entrant"] for each in event_file.score(whole, RULES)["placings"]}


def test_a_seat_after_he_was_expelled_is_refused() -> None:
    plain = with_semifinal(event(12, [stage("prelim", {"totals": "clear_12"})]))
    with pytest.raises(EventFileError) as refused:
        event_file.score(with_expelled(plain, OUT), RULES)
    assert {each.path[:30] for each in refused.value.problems} == {"$.stages[1].rounds[0].tables[0"}


def test_a_stage_with_a_place_nobody_is_there_to_fill_waits_for_the_committee() -> None:
    document = with_expelled(
        event(9, [stage("prelim", {"totals": "clear_9"})]), {"expelled": {"e3": {"stage": "prelim"}}}
    )
    answer = event_file.pair(document, RULES, b"\x01")
    assert answer["tables"] == []
    assert "e3被取消参赛资格，空出1个名额" in answer["needs_ruling"]["reason"]


@pytest.mark.parametrize("place", ["empty", "opponent"])
@pytest.mark.parametrize("later", ["table_order", "drawn"])
def test_the_next_round_of_a_bracket_is_drawn_without_him_and_can_be_made_again(
    place: str, later: str
) -> None:
    eighty = rules(EIGHTY)
    case = {
        "entrants": 8,
        "rounds": ["1>2 3>4 5>6 7>8"],
        "expelled": {"e3": {"stage": "knockout", "round": 1}},
        "options": {"expelled_place": place, "later_rounds": later},
    }
    document = made(case, EIGHTY, "knockout")
    drawn = event_file.pair(document, eighty, b"\x07")
    seats = sorted([*(seat for each in drawn["tables"] for seat in each["entrants"]), *drawn["byes"]])
    assert seats == (["e1", "e4", "e5", "e7"] if place == "opponent" else ["e1", "e5", "e7"])
    document["stages"][0]["rounds"].append(
        {
            "number": 2,
            "tables": [
                {"number": each["number"], "sides": each["entrants"], "deals": []} for each in drawn["tables"]
            ],
            "byes": drawn["byes"],
        }
    )
    document["draws"] = [
        {
            **{key: drawn[key] for key in ("stage", "round", "seed", "proof", "byes")},
            "entrants": seats,
            "tables": [each["entrants"] for each in drawn["tables"]],
        }
    ]
    assert event_file.verify(document, eighty) == []
