"""Swiss rounds from the event file: golden draws, whole events paired, played, verified, and found out when changed."""

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations import library
from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from scoring_engine.pairing.division import group_seed
from scoring_engine.rules import RulesError, ScoringRules
from tests.scoring_engine.events import golden
from tests.scoring_engine.swiss_events import (
    GO,
    LANDLORD,
    REGULATIONS,
    TRACTOR,
    XIANGQI,
    add_round,
    drawn_round,
    made,
    played_out,
    rules,
    start,
)

CASES = golden("swiss_draws")["cases"]
SEED = b"\x00\x01"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['regulation']} {case['name']}")
def test_a_golden_round_is_drawn_from_its_event_file(case: dict[str, Any]) -> None:
    answer = event_file.pair(made(case), rules(case["regulation"]), bytes.fromhex(case["seed"]))
    expect, report = case["expect"], answer["report"]
    ruling = answer["needs_ruling"]
    assert (ruling and ruling["clause"]) == expect.get("ruling")
    assert (answer["tables"] == []) == (ruling is not None)
    if "tables" in expect:
        drawn = drawn_round(answer)
        assert [" ".join(table["entrants"]) for table in drawn["tables"]] == expect["tables"]
        assert drawn["byes"] == expect["byes"]
        assert [each["number"] for each in report["reasons"]] == list(range(1, len(expect["tables"]) + 1))
        for each in report["reasons"] + report["bye_reasons"]:
            assert each["why"] == "".join(said["zh"] for said in each["said"])
            assert each["why_en"] == " ".join(said["en"] for said in each["said"])
    else:
        groups = report["division"]["groups"]
        assert [" ".join(group["entrants"]) for group in groups] == expect["division"]
    cards = [each for group in report.get("groups", ()) for each in group.get("cards", ())]
    assert " ".join(f"{each['entrant']}:{each['card']}" for each in cards) == expect.get("cards", "")
    assert {each["entrant"]: each["reason"] for each in report["absent"]} == expect.get("absent", {})


OPTIONS = {
    GO: st.fixed_dictionaries(
        {},
        optional={
            "first_round": st.sampled_from(["draw", "half_split", "accelerated"]),
            "unit_apart": st.sampled_from(["hard", "soft", "off"]),
            "equal_points": st.sampled_from(["lots", "half_split"]),
            "forfeit_met": st.sampled_from(["counted", "not_counted"]),
            "stands_out_after": st.integers(0, 2),
        },
    ),
    LANDLORD: st.fixed_dictionaries({}, optional={"rematch": st.sampled_from(["soft", "last", "hard"])}),
    TRACTOR: st.fixed_dictionaries({}, optional={"later_rounds": st.sampled_from(["points", "cards"])}),
}
OPTIONS[XIANGQI] = OPTIONS[GO]


@st.composite
def events_played(draw: st.DrawFn) -> dict[str, Any]:
    """An event of one of the regulations, paired and played to its end."""
    regulation = draw(st.sampled_from(REGULATIONS))
    chance = random.Random(draw(st.integers(0, 10**6)))
    document = start(regulation, draw(st.integers(7, 24)), chance, **draw(OPTIONS[regulation]))
    return played_out(document, chance)


@settings(deadline=None, max_examples=40)
@given(document=events_played(), chance=st.randoms(use_true_random=False))
def test_an_event_paired_to_its_end_verifies_until_anything_is_changed(
    document: dict[str, Any], chance: random.Random
) -> None:
    own = rules(document["regulation"])
    assert event_file.pair(document, own, SEED)["report"]["complete"]
    document["published"] = {"placings": event_file.score(document, own)["placings"]}
    assert event_file.verify(document, own) == []
    document["entrants"].reverse()
    document["draws"].reverse()
    assert event_file.verify(document, own) == []
    draw = chance.choice(document["draws"])
    changed = copy.deepcopy(document)
    at = document["draws"].index(draw)
    part = changed["stages"][0]["rounds"][draw["round"] - 1]
    kind = chance.choice(["seat", "seed", "proof"])
    if kind == "seat" and len(part["tables"]) > 1:
        one, other = part["tables"][:2]
        one["number"], other["number"] = other["number"], one["number"]
        assert f"$.stages[0].rounds[{draw['round'] - 1}].tables" in paths(changed)
    else:
        key, value = ("seed", draw["seed"] + "00") if kind == "seed" else ("proof", "0" * 64)
        changed["draws"][at][key] = value
        assert f"$.draws[{at}].proof" in paths(changed)


def paths(document: dict[str, Any]) -> list[str]:
    return [each.path for each in event_file.verify(document, rules(document["regulation"]))]


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), regulation=st.sampled_from(REGULATIONS))
def test_the_order_of_entrants_and_tables_in_the_file_changes_no_draw(seed: int, regulation: str) -> None:
    chance = random.Random(seed)
    document = start(regulation, chance.randrange(8, 21), chance)
    add_round(document, b"\x07", chance)
    again = copy.deepcopy(document)
    chance.shuffle(again["entrants"])
    chance.shuffle(again["stages"][0]["rounds"][0]["tables"])
    assert event_file.pair(again, rules(regulation), SEED) == event_file.pair(
        document, rules(regulation), SEED
    )


def test_a_result_of_an_earlier_round_changed_afterwards_is_found_by_the_next_draw() -> None:
    chance = random.Random(3)
    document = start(XIANGQI, 16, chance)
    for _ in range(2):
        add_round(document, chance.randbytes(8), chance)
    assert paths(document) == []
    table = document["stages"][0]["rounds"][0]["tables"][0]
    found = set()
    for winner in (table["first"], table["second"], None):
        changed = copy.deepcopy(document)
        there = changed["stages"][0]["rounds"][0]["tables"][0]
        there.pop("forfeits", None)
        there["winner"] = winner
        found.update(paths(changed))
    assert "$.draws[1].tables" in found
    assert "$.draws[0].tables" not in found


def test_a_later_round_says_nothing_about_an_earlier_draw() -> None:
    chance = random.Random(4)
    document = start(LANDLORD, 12, chance)
    for _ in range(3):
        add_round(document, chance.randbytes(8), chance)
    last = document["stages"][0]["rounds"].pop()
    dropped = document["draws"].pop()
    assert paths(document) == []
    document["stages"][0]["rounds"].append({**last, "tables": last["tables"][:1], "byes": []})
    assert paths(document) == []
    document["draws"].append(dropped)
    assert "$.stages[0].rounds[2].tables" in paths(document)


def test_a_table_without_a_result_stops_the_next_round_at_its_path() -> None:
    case = {"regulation": XIANGQI, "entrants": ["e1", "e2", "e3", "e4"], "rounds": ["1+2 3?4"]}
    with pytest.raises(EventFileError) as refused:
        event_file.pair(made(case), rules(XIANGQI), SEED)
    assert refused.value.path == "$.stages[0].rounds[0].tables[1]"
    draw = {"stage": "swiss", "round": 2, "seed": "00", "entrants": ["e1", "e2"], "tables": [["e1", "e2"]]}
    found = event_file.verify({**made(case), "draws": [draw]}, rules(XIANGQI))
    assert [(each.path, each.expected) for each in found] == [("$.draws[0].round", 1)]


def test_each_group_is_paired_with_a_seed_of_its_own() -> None:
    entrants = [f"e{number}" for number in range(1, 41)]
    people = {name: {"group": "甲" if place < 20 else "乙"} for place, name in enumerate(entrants)}
    both = {"regulation": GO, "entrants": entrants, "people": people}
    answer = event_file.pair(made(both), rules(GO), SEED)
    assert [group["group"] for group in answer["report"]["groups"]] == ["乙", "甲"]
    own_seed = group_seed(SEED, "甲")
    assert answer["report"]["groups"][1]["seed"] == own_seed.hex()
    alone = event_file.pair(made({"regulation": GO, "entrants": entrants[:20]}), rules(GO), own_seed)
    drawn = [table["entrants"] for table in answer["tables"] if table["group"] == "甲"]
    assert drawn == [table["entrants"] for table in alone["tables"]]
    assert [table["number"] for table in answer["tables"]] == list(range(1, 21))
    first, second = (
        [each["zh"] for each in answer["report"]["reasons"][place]["said"] if each["about"] == "number"]
        for place in (9, 10)
    )
    assert len(first) == 1
    assert second[1:] == ["前面各组用去第1至10号桌，本组接着编。"]


REPAIRS: list[tuple[list[dict[str, Any]], Any, list[Any]]] = [
    ([{"swap": ["e5", "e3"]}], [["e3", "e8"], ["e1", "e6"], ["e7", "e2"], ["e5", "e4"]], []),
    ([{"swap_tables": [1, 4]}], [["e3", "e4"], ["e1", "e6"], ["e7", "e2"], ["e5", "e8"]], []),
    (
        [
            {"set_table": {"number": 1, "entrants": ["e1", "e5"]}},
            {"set_table": {"number": 2, "entrants": ["e8", "e6"]}},
        ],
        [["e1", "e5"], ["e8", "e6"], ["e7", "e2"], ["e3", "e4"]],
        [],
    ),
    (
        [{"bye": "e3"}, {"bye": "e4"}],
        [["e5", "e8"], ["e1", "e6"], ["e7", "e2"]],
        ["e3", "e4"],
    ),
]


def repaired(changes: list[dict[str, Any]], tables: Any, byes: list[Any]) -> dict[str, Any]:
    """Round 1 of eight, drawn (5 8 | 1 6 | 7 2 | 3 4) and changed by hand."""
    document = made({"regulation": XIANGQI, "entrants": [f"e{number}" for number in range(1, 9)]})
    drawn = event_file.pair(document, rules(XIANGQI), SEED)
    draw = {key: drawn[key] for key in ("stage", "round", "seed", "tables", "byes", "proof")}
    listed = [{"by": "裁判长", "reason": "测试", "change": change} for change in changes]
    played = [
        {"number": number, "first": first, "second": second, "winner": first}
        for number, (first, second) in enumerate(tables, start=1)
    ]
    document["stages"][0]["rounds"] = [{"number": 1, "tables": played, "byes": byes}]
    document["draws"] = [
        {
            **draw,
            "entrants": [one["id"] for one in document["entrants"]],
            "repairs": listed,
            "repaired": {"tables": tables, "byes": byes},
        }
    ]
    return document


@pytest.mark.parametrize(("changes", "tables", "byes"), REPAIRS)
def test_repairs_lead_from_the_draw_to_the_round_as_it_was_played(
    changes: list[dict[str, Any]], tables: Any, byes: list[Any]
) -> None:
    document = repaired(changes, tables, byes)
    assert paths(document) == []
    (note,) = [each.to_json() for each in event_file.notes(document, rules(XIANGQI))]
    assert (note["path"], note["rule"]) == ("$.draws[0].repairs", "repaired")
    assert note["drawn"]["tables"][0] == ["e5", "e8"]
    assert note["repaired"]["tables"] == tables
    fewer = copy.deepcopy(document)
    del fewer["draws"][0]["repairs"], fewer["draws"][0]["repaired"]
    assert "$.stages[0].rounds[0].tables" in paths(fewer)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ([{"swap": ["e5", "e4"]}], "$.draws[0].repaired.tables"),
        ([{"swap_tables": [1, 9]}], "$.draws[0].repairs[0]"),
        ([{"bye": "e3", "instead_of": "e4"}], "$.draws[0].repairs[0]"),
        ([{"bye": "e3"}], "$.draws[0].repaired.tables[3]"),
        ([{"set_table": {"number": 1, "entrants": ["e1", "e2"]}}], "$.draws[0].repaired"),
    ],
)
def test_repairs_that_lead_elsewhere_are_found(changes: list[dict[str, Any]], path: str) -> None:
    assert path in paths(repaired(changes, REPAIRS[0][1], []))


def test_rules_a_round_breaks_as_played_are_noted_and_are_no_differences() -> None:
    case = {
        "regulation": XIANGQI,
        "entrants": ["e1 u1", "e2 u1", "e3", "e4", "e5"],
        "rounds": ["1+2 3+4", "1+2 3+4", "1+3 4+5", "1+4 3+2"],
        "byes": {"1": ["e5"], "2": ["e5"], "3": ["e2"], "4": ["e5"]},
    }
    document = made(case)
    found = [each.to_json() for each in event_file.notes(document, rules(XIANGQI))]
    noted = {(each["path"].removeprefix("$.stages[0].rounds"), each["rule"]) for each in found}
    assert noted == {
        ("[0].tables[0]", "same_unit"),
        ("[1].tables[0]", "same_unit"),
        ("[1].tables[0]", "rematch"),
        ("[1].tables[1]", "rematch"),
        ("[1].byes[0]", "second_bye"),
        ("[2].tables[0]", "same_side"),
        ("[3].tables[0]", "same_side"),
        ("[3].tables[1]", "same_side"),  # e2 moved second before and after his bye
        ("[3].byes[0]", "second_bye"),
    }
    assert event_file.verify(document, rules(XIANGQI)) == []


NONSENSE: list[tuple[dict[str, Any], str]] = [
    ({"people": {"e2": {"enters_in": 2}}}, "$.stages[0].rounds[0].tables[0]"),
    ({"people": {"e2": {"withdrawn_after": 0}}}, "$.stages[0].rounds[0].tables[0]"),
    ({"people": {"e5": {"withdrawn_after": 0}}}, "$.stages[0].rounds[0].byes[0]"),
    ({"people": {"e6": {"withdrawn_after": 1, "enters_in": 2}}}, "$.entrants[5].withdrawn_after"),
    ({"people": {"e6": {"enters_in": 6}}}, "$.entrants[5].enters_in"),
    ({"people": {"e1": {"number": 4}, "e6": {"number": 4}}}, "$.entrants[5].number"),
    ({"next": {"absent": ["e9"]}}, "$.stages[0].rounds[1].absent[0]"),
    ({"next": {"absent": ["e1", "e1"]}}, "$.stages[0].rounds[1].absent[1]"),
    ({"next": {"absent": ["e1"], "reinstated": ["e1"]}}, "$.stages[0].rounds[1].reinstated[0]"),
    ({"next": {"absent": ["e1"], "byes": ["e1"]}}, "$.stages[0].rounds[1].absent[0]"),
]


@pytest.mark.parametrize(("change", "path"), NONSENSE)
def test_nonsense_about_who_is_there_is_refused_at_its_path(change: dict[str, Any], path: str) -> None:
    case = {
        "regulation": XIANGQI,
        "entrants": [f"e{number}" for number in range(1, 7)],
        "rounds": ["1+2 3+4"],
        "byes": {"1": ["e5"]},
        **change,
    }
    with pytest.raises(EventFileError) as refused:
        event_file.pair(made(case), rules(XIANGQI), SEED)
    assert path in [problem.path for problem in refused.value.problems]


def test_a_round_still_to_be_drawn_is_no_round_of_the_standings() -> None:
    case = {"regulation": XIANGQI, "entrants": ["e1", "e2", "e3", "e4"], "rounds": ["1+2 3+4"]}
    plain, announced = made(case), made({**case, "next": {"absent": ["e4"]}})
    assert event_file.score(announced, rules(XIANGQI)) == event_file.score(plain, rules(XIANGQI))
    answer = event_file.pair(announced, rules(XIANGQI), SEED)
    assert answer["report"]["absent"] == [{"entrant": "e4", "reason": "absent"}]
    asked = made({**case, "next": {"byes": [{"entrant": "e4", "kind": "absent"}]}})
    assert event_file.pair(asked, rules(XIANGQI), SEED)["report"]["absent"] == [
        {"entrant": "e4", "reason": "bye_requested"}
    ]


def test_with_nobody_left_the_committee_is_asked() -> None:
    people = {"e1": {"withdrawn_after": 0}, "e2": {"withdrawn_after": 0}}
    answer = event_file.pair(
        made({"regulation": XIANGQI, "entrants": ["e1", "e2"], "people": people}), rules(XIANGQI), SEED
    )
    assert answer["tables"] == []
    assert "没有可以编排的参赛者" in answer["needs_ruling"]["reason"]


WRONG_PAIRING: list[tuple[str, dict[str, Any], str]] = [
    (GO, {"unit": "never"}, "$.pairing.unit"),
    (GO, {"unit": {"option": "no_such"}}, "$.pairing.unit"),
    (GO, {"longest_run": 0}, "$.pairing.longest_run"),
    (GO, {"stands_out_after": True}, "$.pairing.stands_out_after"),
    (GO, {"rematch": "soft"}, "$.pairing.rematch"),
    (GO, {"clause": None}, "$.pairing.clause"),
    (LANDLORD, {"rematch": "never"}, "$.pairing.rematch"),
    (TRACTOR, {"card_opponents": None}, "$.pairing.card_opponents"),
    ("siming-eighty-2023", {"unit": "hard"}, "$.pairing"),
    ("beach-games-landlord-2021", {"unit": "hard"}, "$.pairing"),
]


@pytest.mark.parametrize(("regulation", "change", "path"), WRONG_PAIRING)
def test_a_pairing_table_the_engine_cannot_follow_is_refused_at_its_path(
    regulation: str, change: dict[str, Any], path: str
) -> None:
    document = library.load(regulation).document
    pairing = {**document.get("pairing", {}), **change}
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping({**document, "pairing": pairing})
    assert path in [problem.path for problem in refused.value.problems]


def test_an_option_chosen_by_the_organiser_reaches_the_pairing() -> None:
    own = rules(TRACTOR).with_options({"later_rounds": "cards", "stands_out_after": 0})
    assert own.pairing is not None
    assert (own.pairing.word("later_rounds"), own.pairing.number("stands_out_after")) == ("cards", 0)
