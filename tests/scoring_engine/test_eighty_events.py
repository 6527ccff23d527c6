"""Whole events of 八十分 (regulation D): deals, rounds, who goes on, prizes, and everything that cannot have happened."""

import copy
import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from tests.scoring_engine.events import at, golden
from tests.scoring_engine.match_events import EIGHTY, event, made, played_bracket, rules

RULES = rules(EIGHTY)
EVENTS = golden("eighty_events")


def named(case: dict[str, Any]) -> str:
    return str(case.get("name") or case.get("entrants"))


def ranks(answer: Mapping[str, Any]) -> dict[str, int]:
    return {item["entrant"]: item["rank"] for item in answer["placings"]}


def one_deal(case: dict[str, Any]) -> dict[str, Any]:
    keys = ("points", "bottom", "ended", "by")
    deals = [
        *EVENTS["prelude"]["deals"],
        {"banker": "e1", **{key: case[key] for key in keys if key in case}},
    ]
    adjustments = [
        {"id": f"p{index}", "stage": "knockout", "round": 1, "deal": 3, **short}
        for index, short in enumerate(case.get("adjustments", ()), start=1)
    ]
    table = {"sides": ["e1", "e2"], "deals": deals}
    return event(EIGHTY, 2, [[table]], adjustments=adjustments, options=case.get("options", {}))


@pytest.mark.parametrize("case", EVENTS["deals"], ids=named)
def test_a_deal_of_an_event_gives_what_the_text_says(case: dict[str, Any]) -> None:
    answer = event_file.score(one_deal(case), RULES)
    deal = answer["tables"][0]["deals"][2]
    assert [deal[key] for key in ("defenders_points", "up", "levels", "bank")] == case["is"]
    if "points_of" in case:
        assert [item["points"] for item in answer["adjustments"]] == case["points_of"]
        assert all(item["clause"] for item in answer["adjustments"])


@pytest.mark.parametrize("case", EVENTS["first_deals"], ids=named)
def test_a_number_written_as_the_points_counts_and_has_a_note_where_only_penalties_explain_it(
    case: dict[str, Any],
) -> None:
    deal = {"banker": "e1", **{key: case[key] for key in ("points", "bottom") if key in case}}
    table = {"sides": ["e1", "e2"], "deals": [deal]}
    document = event(EIGHTY, 2, [[table]], options=case.get("options", {}))
    scored = event_file.score(document, RULES)["tables"][0]
    assert [scored["deals"][0][key] for key in ("defenders_points", "up", "levels", "bank")] == case["is"]
    notes = scored.get("notes", [])
    assert [note["clause"] for note in notes] == ([case["note"]] if case["note"] else [])
    for note in notes:
        assert f"防家得{case['points']}分" in note["reason"]
        assert f"the defenders have {case['points']} points" in note["reason_en"]


@pytest.mark.parametrize("case", EVENTS["cases"], ids=named)
def test_an_event_comes_out_as_the_text_says(case: dict[str, Any]) -> None:
    answer = event_file.score(made(case, EIGHTY, "knockout"), RULES)
    assert ranks(answer) == case["ranks"]
    for path, expected in case["expect"].items():
        assert at(answer, path) == expected, path


@pytest.mark.parametrize("case", EVENTS["refused"], ids=named)
def test_what_cannot_have_happened_is_refused_with_its_path_and_clause(case: dict[str, Any]) -> None:
    document = made(case, EIGHTY, "knockout")
    for part, number in zip(document["stages"][0]["rounds"], case.get("numbers", ()), strict=False):
        part["number"] = number
    with pytest.raises(EventFileError) as refused:
        event_file.score(document, RULES)
    found = {problem.path: problem for problem in refused.value.problems}
    assert set(found) == set(case["paths"])
    for path, says in case["paths"].items():
        assert says in found[path].zh
        assert case.get("bare") or f"规程 {case['clause']}）" in found[path].zh
        assert found[path].en != found[path].zh


@pytest.mark.parametrize("case", EVENTS["prizes"], ids=named)
@pytest.mark.parametrize("seed", range(3))
def test_prizes_of_a_field_of_n_are_these(case: dict[str, Any], seed: int) -> None:
    answer = event_file.score(played_bracket(case["entrants"], random.Random(seed)), RULES)
    assert answer["complete"]
    assert [len(prize["entrants"]) for prize in answer["prizes"]] == case["counts"]
    yuan = sum(int(prize["amount"]) * len(prize["entrants"]) for prize in answer["prizes"])
    assert yuan == case["yuan"]
    assert {prize["clause"] for prize in answer["prizes"]} == {"七"}


@settings(max_examples=60, deadline=None)
@given(entrants=st.integers(2, 64), seed=st.integers(0, 2**32))
def test_half_of_a_field_goes_on_and_the_prizes_add_up(entrants: int, seed: int) -> None:
    answer = event_file.score(played_bracket(entrants, random.Random(seed)), RULES)
    field = entrants
    for part in answer["stages"][0]["rounds"]:
        assert len(part["entrants"]) == field
        field = -(-field // 2)
        assert len(part["advance"]) == field
        assert len(part["out"]) == len(part["entrants"]) - field
    assert answer["complete"]
    first, second, third = (prize["entrants"] for prize in answer["prizes"])
    assert len(first) + len(second) + len(third) == -(-entrants // 2)
    assert len({*first, *second, *third}) == len(first) + len(second) + len(third)
    assert answer["rewarded"]["agrees"]
    assert sorted(ranks(answer)) == sorted(f"e{number}" for number in range(1, entrants + 1))


@settings(max_examples=40, deadline=None)
@given(entrants=st.integers(2, 20), seed=st.integers(0, 2**32), cut=st.integers(0, 3))
def test_the_order_of_the_file_changes_nothing_and_equal_rounds_share_a_rank(
    entrants: int, seed: int, cut: int
) -> None:
    chance = random.Random(seed)
    document = played_bracket(entrants, chance)
    document["stages"][0]["rounds"] = document["stages"][0]["rounds"][:cut]
    answer = event_file.score(document, RULES)
    mixed = copy.deepcopy(document)
    chance.shuffle(mixed["entrants"])
    chance.shuffle(mixed["stages"][0]["rounds"])
    for part in mixed["stages"][0]["rounds"]:
        chance.shuffle(part["tables"])
    assert event_file.score(mixed, RULES) == answer
    for one in answer["placings"]:
        for other in answer["placings"]:
            assert (one["rank"] == other["rank"]) == (one["values"] == other["values"])


@settings(max_examples=60, deadline=None)
@given(
    points=st.lists(st.integers(0, 40).map(lambda each: 5 * each), min_size=1, max_size=8),
    offender=st.sampled_from(["e1", "e2"]),
    rule=st.sampled_from(["revoke", "wrong_throw", "out_of_turn", "exposed_card", "wrong_follow"]),
)
def test_a_penalty_never_helps_its_offender(points: list[int], offender: str, rule: str) -> None:
    """In the last deal, so that the deals before it are the same."""
    deals: list[dict[str, Any]] = []
    bank = "e1"
    for each in points:
        deals.append({"banker": bank, "points": each})
        answer = event_file.score(event(EIGHTY, 2, [[{"sides": ["e1", "e2"], "deals": deals}]]), RULES)
        if answer["tables"][0]["decided_by"] == "past_a":
            break
        bank = answer["tables"][0]["bank"]
    given_ = {
        "id": "p",
        "rule": rule,
        "entrant": offender,
        "stage": "knockout",
        "round": 1,
        "deal": len(deals),
    }
    table = {"sides": ["e1", "e2"], "deals": deals}
    plain = event_file.score(event(EIGHTY, 2, [[table]]), RULES)
    punished = event_file.score(event(EIGHTY, 2, [[table]], adjustments=[given_]), RULES)
    assert ranks(punished)[offender] >= ranks(plain)[offender]
    before, after = (answer["tables"][0]["entrants"][offender] for answer in (plain, punished))
    assert int(after["level_difference"]) <= int(before["level_difference"])
    assert int(after["levels"]) <= int(before["levels"])


def test_published_placings_are_verified() -> None:
    document = played_bracket(8, random.Random(1))
    placings = event_file.score(document, RULES)["placings"]
    good = {**document, "published": {"placings": placings}}
    assert event_file.verify(good, RULES) == []
    wrong = copy.deepcopy(good)
    wrong["published"]["placings"][0]["rank"] = 2
    assert [each.path for each in event_file.verify(wrong, RULES)] == ["$.published.placings[0].rank"]
