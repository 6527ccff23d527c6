"""Whole events of 拖拉机 (regulation C): deals, lateness, 积分 and the chain behind it, and what cannot have happened."""

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
from tests.scoring_engine.match_events import TRACTOR, event, made, rules

RULES = rules(TRACTOR)
EVENTS = golden("tractor_events")
LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def ranks(answer: Mapping[str, Any]) -> dict[str, int]:
    return {item["entrant"]: item["rank"] for item in answer["placings"]}


def one_table(case: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    adjustments = [
        {"id": f"p{index}", "stage": "swiss", "round": 1, "deal": 1, **short}
        for index, short in enumerate(case.get("adjustments", ()), start=1)
    ]
    return event(
        TRACTOR,
        2,
        [[{"sides": ["e1", "e2"], **table}]],
        stage="swiss",
        adjustments=adjustments,
        options=case.get("options", {}),
    )


def shown(deal: Mapping[str, Any]) -> list[Any]:
    return [deal[key] for key in ("defenders_points", "up", "levels", "bank")]


@pytest.mark.parametrize("case", EVENTS["deals"], ids=named)
def test_a_deal_of_an_event_gives_what_the_text_says(case: dict[str, Any]) -> None:
    keys = ("points", "bottom", "ended", "by")
    deal = {"banker": "e1", **{key: case[key] for key in keys if key in case}}
    answer = event_file.score(one_table(case, {"deals": [deal]}), RULES)
    assert shown(answer["tables"][0]["deals"][0]) == case["is"]
    if "points_of" in case:
        assert [item["points"] for item in answer["adjustments"]] == case["points_of"]
        assert all(item["clause"] for item in answer["adjustments"])


@pytest.mark.parametrize("case", EVENTS["first_deals"], ids=named)
def test_a_number_written_as_the_points_counts_and_has_a_note_where_only_penalties_explain_it(
    case: dict[str, Any],
) -> None:
    deal = {"banker": "e1", **{key: case[key] for key in ("points", "bottom") if key in case}}
    scored = event_file.score(one_table(case, {"deals": [deal]}), RULES)["tables"][0]
    assert shown(scored["deals"][0]) == case["is"]
    notes = scored.get("notes", [])
    assert [note["clause"] for note in notes] == ([case["note"]] if case["note"] else [])
    for note in notes:
        assert f"防家得{case['points']}分" in note["reason"]
        assert f"the defenders have {case['points']} points" in note["reason_en"]


@pytest.mark.parametrize("case", EVENTS["lateness"], ids=named)
@pytest.mark.parametrize("where", ["at the table", "as a penalty"])
def test_lateness_costs_what_its_tier_says(case: dict[str, Any], where: str) -> None:
    """e2 is late and would defend; a deal he gave up is not on the sheet."""
    table: dict[str, Any] = {"deals": [] if case.get("drop") else [{"banker": "e1", "points": 120}]}
    document = one_table(case, table)
    if where == "at the table":
        document["stages"][0]["rounds"][0]["tables"][0]["late"] = {"e2": case["minutes"]}
    else:
        given_ = {
            "id": "late",
            "rule": "late",
            "entrant": "e2",
            "stage": "swiss",
            "minutes": case["minutes"],
        }
        document["adjustments"] = [given_]
    scored = event_file.score(document, RULES)["tables"][0]
    assert scored["late"] == {"e2": {"effect": case["effect"], "clause": "十(二)"}}
    if "is" in case:
        assert shown(scored["deals"][0])[0] == case["is"][0]
        assert shown(scored["deals"][0])[2:] == case["is"][2:]
    if "winner" in case:
        assert (scored["winner"], scored["decided_by"]) == (case["winner"], "forfeit")


@pytest.mark.parametrize("case", EVENTS["cases"], ids=named)
def test_an_event_comes_out_as_the_text_says(case: dict[str, Any]) -> None:
    answer = event_file.score(made(case, TRACTOR, "swiss"), RULES)
    if "ranks_are" in case:
        assert [item["rank"] for item in answer["placings"]] == case["ranks_are"]
    elif not case.get("skip_ranks"):
        assert ranks(answer) == case["ranks"]
    for path, expected in case["expect"].items():
        assert at(answer, path) == expected, path


@pytest.mark.parametrize("case", EVENTS["refused"], ids=named)
def test_what_cannot_have_happened_is_refused_with_its_path_and_clause(case: dict[str, Any]) -> None:
    with pytest.raises(EventFileError) as refused:
        event_file.score(made(case, TRACTOR, "swiss"), RULES)
    found = {problem.path: problem for problem in refused.value.problems}
    assert set(found) == set(case["paths"])
    for path, says in case["paths"].items():
        assert says in found[path].zh
        assert case.get("bare") or f"规程 {case['clause']}）" in found[path].zh
        assert found[path].en != found[path].zh


def played(entrants: int, rounds: int, chance: random.Random) -> dict[str, Any]:
    """Rounds drawn and won by chance; an odd one out has the bye."""
    field = list(range(1, entrants + 1))
    shorts, byes = [], {}
    for number in range(1, rounds + 1):
        chance.shuffle(field)
        if len(field) % 2:
            byes[str(number)] = [field[-1]]
        tables = []
        for index in range(0, len(field) - 1, 2):
            high, low = sorted(chance.sample(range(13), 2), reverse=True)
            sign = chance.choice([">", ">", "=", "f"])
            levels = "" if sign == "f" else f":{LEVELS[high]}-{LEVELS[low]}"
            tables.append(f"{field[index]}{sign}{field[index + 1]}{levels}")
        shorts.append(" ".join(tables))
    return event(TRACTOR, entrants, shorts, byes, stage="swiss")


@settings(max_examples=40, deadline=None)
@given(entrants=st.integers(2, 12), rounds=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_the_order_of_the_file_changes_nothing_and_equal_values_share_a_rank(
    entrants: int, rounds: int, seed: int
) -> None:
    chance = random.Random(seed)
    document = played(entrants, rounds, chance)
    answer = event_file.score(document, RULES)
    mixed = copy.deepcopy(document)
    chance.shuffle(mixed["entrants"])
    chance.shuffle(mixed["stages"][0]["rounds"])
    for part in mixed["stages"][0]["rounds"]:
        chance.shuffle(part["tables"])
    assert event_file.score(mixed, RULES) == answer
    for one in answer["placings"]:
        for other in answer["placings"]:
            if one["values"] == other["values"]:
                assert one["rank"] == other["rank"]
    values = [{each["criterion"]: each["value"] for each in one["values"]} for one in answer["placings"]]
    assert sum(int(each["level_difference"]) for each in values) == 0
    games = sum(len(part["tables"]) for part in document["stages"][0]["rounds"])
    byes = sum(len(part["byes"]) for part in document["stages"][0]["rounds"])
    assert sum(int(each["match_points"]) for each in values) == 2 * games + 2 * byes
    assert answer["complete"] == (rounds == 5)


@settings(max_examples=60, deadline=None)
@given(
    points=st.lists(st.integers(0, 60).map(lambda each: 5 * each), min_size=1, max_size=6),
    offender=st.sampled_from(["e1", "e2"]),
    rule=st.sampled_from(["revoke", "wrong_throw", "card_count", "exposed_card", "out_of_turn"]),
    seed=st.integers(0, 2**32),
)
def test_a_penalty_never_helps_its_offender(points: list[int], offender: str, rule: str, seed: int) -> None:
    """In the last deal, so that the deals before it are the same; among four pairs of one round."""
    document = played(6, 1, random.Random(seed))
    tables = document["stages"][0]["rounds"][0]["tables"]
    tables[:] = [one for one in tables if not {"e1", "e2"} & set(one["sides"])]
    deals: list[dict[str, Any]] = []
    bank: str = "e1"
    for each in points:
        deals.append({"banker": bank, "points": each})
        own = {"number": 9, "sides": ["e1", "e2"], "deals": deals}
        plain = event_file.score(with_table(document, own), RULES)
        scored = next(one for one in plain["tables"] if one["number"] == 9)
        if scored["decided_by"] == "past_a":
            break
        bank = scored["bank"]
    given_ = {"id": "p", "rule": rule, "entrant": offender, "stage": "swiss", "round": 1, "deal": len(deals)}
    punished = event_file.score({**with_table(document, own), "adjustments": [given_]}, RULES)
    assert ranks(punished)[offender] >= ranks(plain)[offender]
    before, after = (
        next(one for one in answer["tables"] if one["number"] == 9)["entrants"][offender]
        for answer in (plain, punished)
    )
    for key in ("match_points", "level_difference", "levels"):
        assert int(after[key]) <= int(before[key])


def with_table(document: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(dict(document))
    found["stages"][0]["rounds"][0]["tables"].append(copy.deepcopy(dict(table)))
    return found


def test_prizes_for_the_first_eight_come_to_6700_yuan() -> None:
    answer = event_file.score(played(12, 5, random.Random(3)), RULES)
    amounts = [int(prize["amount"]) for prize in answer["prizes"]]
    assert amounts == [1500, 1200, 1000, 800, 700, 600, 500, 400]
    assert sum(amounts) == 6700
    winners = [entrant for prize in answer["prizes"] for entrant in prize["entrants"]]
    assert winners == [item["entrant"] for item in answer["placings"] if item["rank"] <= 8]
    assert all(prize["goods"] and prize["clause"] == "九" for prize in answer["prizes"])


def test_published_placings_are_verified() -> None:
    document = played(7, 5, random.Random(1))
    good = {**document, "published": {"placings": event_file.score(document, RULES)["placings"]}}
    assert event_file.verify(good, RULES) == []
    wrong = copy.deepcopy(good)
    wrong["published"]["placings"][1]["rank"] += 5
    assert [each.path for each in event_file.verify(wrong, RULES)] == ["$.published.placings[1].rank"]
