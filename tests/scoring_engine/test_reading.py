"""Refusals of an event file: path and sentence, all at once, never a traceback."""

import copy
import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.documents import exact_number
from tests.scoring_engine.events import REGULATION, RULES, event, stage

PRELIM = stage(
    "prelim",
    {
        "tables": [
            {"seats": ["e1", "e2", "e3"], "deals": ["0L3", "1D2b1"]},
            {"seats": ["e4", "e5", "e6"], "totals": [9, 0, -9]},
        ],
        "byes": ["e10"],
    },
)
GOOD = event(
    10,
    [PRELIM],
    adjustments=[{"id": "p1", "rule": "smoking", "entrant": "e1", "stage": "prelim", "round": 1, "count": 1}],
    draws=[{"stage": "prelim", "seed": "0001", "entrants": ["e1"], "tables": [["e1"]], "byes": []}],
    published={
        "placings": [
            {
                "rank": 1,
                "entrant": "e1",
                "decided_by": None,
                "values": [
                    {"criterion": "total_points", "value": "24"},
                    {"criterion": "best_deals", "value": ["6", 2.0]},
                ],
            }
        ]
    },
)
TABLE = ["stages", 0, "rounds", 0, "tables", 0]
TOTALS = ["stages", 0, "rounds", 0, "tables", 1, "game_points"]
VALUES = ["published", "placings", 0, "values"]
AT_VALUES = "$.published.placings[0].values"
AT_TABLE = "$.stages[0].rounds[0].tables[0]"
AT_TOTALS = "$.stages[0].rounds[0].tables[1].game_points"


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    document: dict[str, Any] = copy.deepcopy(GOOD)
    inside: Any = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return document


def paths_of(document: Any) -> list[str]:
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.score(document, RULES)
    assert all(problem.zh and problem.en for problem in refused.value.problems)
    return [problem.path for problem in refused.value.problems]


def test_the_good_file_is_read() -> None:
    assert event_file.score(GOOD, RULES)["format"] == "saishi-score"


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (["format"], "saishi", "$.format"),
        (["format"], [], "$.format"),
        (["version"], 2, "$.version"),
        (["version"], True, "$.version"),
        (["version"], "1", "$.version"),
        (["version"], 1.0, "$.version"),
        (["regulation"], "bridge-2021", "$.regulation"),
        (["regulation"], None, "$.regulation"),
        (["regulation"], {"id": "bridge-2021"}, "$.regulation.id"),
        (["options"], [], "$.options"),
        (["options"], {"rematch": "soft"}, "$.options.rematch"),
        (["options"], {"deals_per_stage": "ten"}, "$.options.deals_per_stage"),
        (["options"], {"zero_score": ["exact"]}, "$.options.zero_score"),
        (["entrants"], {}, "$.entrants"),
        (["entrants"], None, "$.entrants"),
        (["entrants", 0], "e1", "$.entrants[0]"),
        (["entrants", 9, "id"], "e1", "$.entrants[9].id"),
        (["entrants", 9, "id"], 10, "$.entrants[9].id"),
        (["entrants", 9, "id"], " ", "$.entrants[9].id"),
        (["entrants", 9, "id"], "e\n", "$.entrants[9].id"),
        (["entrants", 9, "id"], "\ud800", "$.entrants[9].id"),
        (["entrants", 0, "name"], 5, "$.entrants[0].name"),
        (["entrants", 0, "unit"], [], "$.entrants[0].unit"),
        (["stages"], {}, "$.stages"),
        (["stages", 0], 3, "$.stages[0]"),
        (["stages", 0, "code"], "swiss", "$.stages[0].code"),
        (["stages"], [PRELIM, {"code": "prelim"}], "$.stages[1].code"),
        (["stages", 0, "rounds"], "none", "$.stages[0].rounds"),
        (["stages", 0, "rounds", 0, "number"], 0, "$.stages[0].rounds[0].number"),
        (["stages", 0, "rounds"], [{"number": 1}, {"number": 1}], "$.stages[0].rounds[1].number"),
        (["stages", 0, "rounds"], [{"number": 1}, {"number": 2}], "$.stages[0].rounds[1]"),
        (["stages", 0, "rounds", 0, "byes"], ["e99"], "$.stages[0].rounds[0].byes[0]"),
        (["stages", 0, "rounds", 0, "byes"], ["e1"], "$.stages[0].rounds[0].byes[0]"),
        (["stages", 0, "rounds", 0, "byes"], ["e10", "e10"], "$.stages[0].rounds[0].byes[1]"),
        (["stages", 0, "rounds", 0, "byes"], ["e10", "e9"], "$.stages[0].rounds[0].byes[1]"),
        ([*TABLE, "number"], 2, "$.stages[0].rounds[0].tables[1].number"),
        ([*TABLE, "number"], None, f"{AT_TABLE}.number"),
        ([*TABLE, "seats"], ["e1", "e2"], f"{AT_TABLE}.seats"),
        ([*TABLE, "seats"], ["e1", "e2", "e3", "e7"], f"{AT_TABLE}.seats"),
        ([*TABLE, "seats"], ["e1", "e2", "e99"], f"{AT_TABLE}.seats[2]"),
        ([*TABLE, "seats"], ["e1", "e2", "e1"], f"{AT_TABLE}.seats[2]"),
        ([*TABLE, "seats"], ["e1", "e2", ["e3"]], f"{AT_TABLE}.seats[2]"),
        ([*TABLE, "seats"], "e1e2e3", f"{AT_TABLE}.seats"),
        ([*TABLE, "seats", 2], "e4", "$.stages[0].rounds[0].tables[1].seats[0]"),
        ([*TABLE, "deals"], {}, f"{AT_TABLE}.deals"),
        ([*TABLE, "deals", 0], "pass", f"{AT_TABLE}.deals[0]"),
        ([*TABLE, "deals", 0, "bid"], None, f"{AT_TABLE}.deals[0].bid"),
        ([*TABLE, "deals", 0], {"passed_out": "yes"}, f"{AT_TABLE}.deals[0].passed_out"),
        ([*TABLE, "game_points"], {"e1": 1, "e2": 0, "e3": -1}, f"{AT_TABLE}.game_points.e1"),
        ([*TABLE, "forfeits"], ["e4"], f"{AT_TABLE}.forfeits[0]"),
        ([*TABLE, "forfeits"], ["e1", "e1"], f"{AT_TABLE}.forfeits[1]"),
        ([*TABLE, "forfeits"], "e1", f"{AT_TABLE}.forfeits"),
        ([*TABLE, "late"], {"e4": 5}, f"{AT_TABLE}.late.e4"),
        ([*TABLE, "late"], {"e1": -1}, f"{AT_TABLE}.late.e1"),
        ([*TABLE, "late"], {"e1": float("nan")}, f"{AT_TABLE}.late.e1"),
        ([*TABLE, "late"], [5], f"{AT_TABLE}.late"),
        (TOTALS, {"e4": 10, "e5": 0, "e6": -9}, AT_TOTALS),
        (TOTALS, {"e4": 9, "e5": -9}, f"{AT_TOTALS}.e6"),
        (TOTALS, {"e4": 9, "e5": 0, "e6": -9, "e1": 0}, f"{AT_TOTALS}.e1"),
        (TOTALS, {"e4": 0.5, "e5": -0.5, "e6": 0}, f"{AT_TOTALS}.e4"),
        (TOTALS, {"e4": True, "e5": 0, "e6": -1}, f"{AT_TOTALS}.e4"),
        (TOTALS, {"e4": "nine", "e5": 0, "e6": -9}, f"{AT_TOTALS}.e4"),
        (TOTALS, {"e4": 10**9, "e5": 0, "e6": -(10**9)}, f"{AT_TOTALS}.e4"),
        (TOTALS, [9, 0, -9], AT_TOTALS),
        (["adjustments"], {}, "$.adjustments"),
        (["adjustments", 0, "id"], None, "$.adjustments[0].id"),
        (["adjustments"], [GOOD["adjustments"][0]] * 2, "$.adjustments[1].id"),
        (["adjustments", 0, "rule"], "whistling", "$.adjustments[0].rule"),
        (["adjustments", 0, "rule"], {}, "$.adjustments[0].rule"),
        (["adjustments", 0, "entrant"], "e99", "$.adjustments[0].entrant"),
        (["adjustments", 0, "entrant"], "e10", "$.adjustments[0].round"),
        (["adjustments", 0, "stage"], "final", "$.adjustments[0].round"),
        (["adjustments", 0, "stage"], "swiss", "$.adjustments[0].stage"),
        (["adjustments", 0, "round"], 2, "$.adjustments[0].round"),
        (["adjustments", 0, "count"], 0, "$.adjustments[0].count"),
        (["adjustments", 0, "count"], 1.5, "$.adjustments[0].count"),
        (["adjustments", 0, "points"], -9, "$.adjustments[0].points"),
        (["adjustments", 0, "minutes"], 5, "$.adjustments[0].minutes"),
        (["adjustments", 0, "deal"], 11, "$.adjustments[0].deal"),
        (["adjustments", 0, "rule"], "signals", "$.adjustments[0].deal"),
        (["adjustments", 0, "rule"], "timeouts", "$.adjustments[0].deal"),
        (["draws", 0, "seed"], "xyz", "$.draws[0].seed"),
        (["draws", 0, "seed"], "", "$.draws[0].seed"),
        (["draws", 0, "stage"], "swiss", "$.draws[0].stage"),
        (["draws", 0, "entrants"], ["e99"], "$.draws[0].entrants[0]"),
        (["draws", 0, "tables"], [["e1", 3]], "$.draws[0].tables[0][1]"),
        (["draws", 0, "tables"], [{"entrants": ["e1", "e1"]}], "$.draws[0].tables[0].entrants[1]"),
        (["published"], [], "$.published"),
        (["published", "placings", 0, "entrant"], "e99", "$.published.placings[0].entrant"),
        (["published", "placings", 0, "rank"], "1", "$.published.placings[0].rank"),
        (["published", "placings", 0, "rank"], 1.0, "$.published.placings[0].rank"),
        (["published", "placings", 0, "decided_by"], 1.5, "$.published.placings[0].decided_by"),
        (VALUES, 2.5, AT_VALUES),
        (VALUES, None, AT_VALUES),
        ([*VALUES, 0], 2.5, f"{AT_VALUES}[0]"),
        ([*VALUES, 0, "criterion"], 2.5, f"{AT_VALUES}[0].criterion"),
        ([*VALUES, 0, "counted"], 2.5, f"{AT_VALUES}[0].counted"),
        ([*VALUES, 0, "value"], {}, f"{AT_VALUES}[0].value"),
        ([*VALUES, 0, "value"], True, f"{AT_VALUES}[0].value"),
        ([*VALUES, 0, "value"], "1e3", f"{AT_VALUES}[0].value"),
        ([*VALUES, 0, "value"], Decimal("1e-31"), f"{AT_VALUES}[0].value"),
        ([*VALUES, 1, "value", 1], "six", f"{AT_VALUES}[1].value[1]"),
    ],
)
def test_a_fault_is_refused_at_its_path(path: list[Any], value: Any, expected: str) -> None:
    assert expected in paths_of(changed(path, value))


@pytest.mark.parametrize("document", [None, [], "file", 3, True])
def test_a_document_that_is_no_object_is_refused(document: Any) -> None:
    assert paths_of(document) == ["$"]


def test_every_problem_of_a_file_is_reported_in_one_go() -> None:
    document = changed(["version"], 9)
    document["entrants"][3]["id"] = "e1"
    document["stages"][0]["rounds"][0]["tables"][0]["deals"][1]["bid"] = 4
    document["adjustments"][0]["rule"] = "whistling"
    assert {
        "$.version",
        "$.entrants[3].id",
        f"{AT_TABLE}.deals[1].bid",
        "$.adjustments[0].rule",
    } <= set(paths_of(document))


def test_signals_in_a_deal_without_a_score_or_with_only_totals_is_refused() -> None:
    adjustment = {"id": "p1", "rule": "signals", "entrant": "e1", "stage": "prelim", "deal": 3}
    assert paths_of(changed(["adjustments"], [adjustment])) == ["$.adjustments[0].deal"]
    adjustment["entrant"] = "e4"
    assert paths_of(changed(["adjustments"], [adjustment])) == ["$.adjustments[0].deal"]
    adjustment["points"] = -4
    answer = event_file.score(changed(["adjustments"], [adjustment]), RULES)
    assert answer["tables"][1]["entrants"]["e4"]["game_points"] == "5"


def test_a_bye_in_a_later_stage_is_refused() -> None:
    semifinal = {"code": "semifinal", "rounds": [{"number": 1, "tables": [], "byes": ["e1"]}]}
    assert paths_of(changed(["stages"], [PRELIM, semifinal])) == ["$.stages[1].rounds[0].byes[0]"]


def test_totals_may_be_decimal_strings() -> None:
    assert event_file.score(changed(TOTALS, {"e4": "9", "e5": "0", "e6": "-9"}), RULES)


@pytest.mark.parametrize(
    "text",
    ["9_0", "９０", "٩", "+9", " 9", "9\n", "9.", ".9", "--9", "9e1", "1,000", "0x9", "Infinity", "NaN", ""],
)
def test_a_text_in_other_digits_or_another_notation_is_no_number(text: str) -> None:
    assert exact_number(text) is None
    assert paths_of(changed(TOTALS, {"e4": text, "e5": 0, "e6": -9})) == [f"{AT_TOTALS}.e4"]
    assert paths_of(changed([*TABLE, "late"], {"e1": text})) == [f"{AT_TABLE}.late.e1"]


@pytest.mark.parametrize(
    ("number", "exact"),
    [
        ("-0.5", Fraction(-1, 2)),
        ("007", Fraction(7)),
        (5.5, Fraction(11, 2)),
        (Decimal("1E+3"), Fraction(1000)),
        (Decimal("1E+40"), None),
        ("0." + "3" * 31, None),
        ("9" * 5000, None),
        (float("inf"), None),
        (Decimal("sNaN"), None),
    ],
)
def test_a_number_is_exact_or_refused(number: Any, exact: Fraction | None) -> None:
    assert exact_number(number) == exact


def test_a_whole_regulation_may_stand_in_the_file() -> None:
    assert event_file.score(changed(["regulation"], REGULATION), RULES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"x"',
        '{"a": NaN}',
        "[" * 100000,
        "[" * 900 + "]" * 900,
        '{"a": 1' + "0" * 5000 + "}",
        b"\xff",
    ],
)
def test_text_that_is_no_json_object_is_refused(text: str | bytes) -> None:
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.parse(text)
    assert refused.value.path == "$"


def test_a_key_written_twice_is_refused_at_its_path_wherever_it_stands() -> None:
    text = '{"a": 1, "a": 2, "b": [{"c": {"x y": 1, "x y": 2}}]}'
    with pytest.raises(event_file.EventFileError) as refused:
        event_file.parse(text)
    assert [problem.path for problem in refused.value.problems] == ["$.a", "$.b[0].c['x y']"]


def test_a_parsed_file_scores_as_the_document_does() -> None:
    assert event_file.score(event_file.parse(json.dumps(GOOD)), RULES) == event_file.score(GOOD, RULES)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 20)
    | st.floats()
    | st.sampled_from(["", "e1", "prelim", "landlord"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "code", "x y"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def _every_path(value: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [path for key, inner in items for path in [(*prefix, key), *_every_path(inner, (*prefix, key))]]


@settings(max_examples=400, deadline=None)
@given(path=st.sampled_from(_every_path(GOOD)), value=JSON)
def test_a_file_with_any_value_anywhere_is_scored_or_refused_with_paths(
    path: tuple[Any, ...], value: Any
) -> None:
    document = changed(list(path), value)
    refused: event_file.EventFileError | None = None
    try:
        event_file.score(document, RULES)
        json.dumps([each.to_json() for each in event_file.verify(document, RULES)])
    except event_file.EventFileError as error:
        refused = error
    for problem in refused.problems if refused else ():
        assert problem.path.startswith("$")
        assert problem.zh
        assert problem.en
