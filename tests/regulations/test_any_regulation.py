"""Whatever stands in a regulation: it is refused with paths, or events can be scored by it – never a traceback."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations.library import FOLDER
from scoring_engine import event_file
from scoring_engine.rules import RulesError, ScoringRules

SHIPPED = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*/*.toml"))]
READ_BY_ENGINE = (
    "game",
    "scoring",
    "ranking",
    "stages",
    "penalties",
    "lateness",
    "prizes",
    "rewarded",
    "teams",
)
ABSENT = object()
ANYTHING: st.SearchStrategy[Any] = st.sampled_from(
    [
        ABSENT,
        None,
        True,
        0,
        -5,
        3,
        10**20,
        "",
        "2",
        "high",
        "swiss",
        [],
        {},
        [None],
        [1, 2],
        {"option": "nope"},
        {"option": ["x"]},
        {"zh": "x"},
    ]
)


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in inside:
        yield (*path, key)
        yield from paths_of(inner, (*path, key))


def changed(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copied = copy.deepcopy(document)
    inside: Any = copied
    for key in path[:-1]:
        inside = inside[key]
    if value is ABSENT:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return copied


PLACES = [
    (document, path)
    for document in SHIPPED
    for path in paths_of(document)
    if path[0] in READ_BY_ENGINE and path[-1] not in ("zh", "en")
]


def refusals(document: dict[str, Any]) -> list[str]:
    """The paths a regulation is refused at; where it is not refused, an event without results is scored by it."""
    try:
        rules = ScoringRules.from_mapping(document)
    except RulesError as error:
        return [problem.path for problem in error.problems]
    entrants = [{"id": f"e{number}"} for number in range(1, 13)]
    event = {"format": "saishi-event", "version": 1, "regulation": rules.id, "entrants": entrants}
    first = {"code": rules.stages[0].code, "rounds": [{"number": 1, "tables": [], "byes": []}]}
    for stages in ([], [first]):
        json.dumps(event_file.score({**event, "stages": stages}, rules))
    return []


@settings(max_examples=300, deadline=None)
@given(place=st.sampled_from(PLACES), value=ANYTHING)
def test_a_regulation_with_any_value_anywhere_scores_or_is_refused_with_paths(
    place: tuple[dict[str, Any], tuple[Any, ...]], value: Any
) -> None:
    document, path = place
    assert all(refused.startswith("$") for refused in refusals(changed(document, path, value)))


@pytest.mark.parametrize(
    ("regulation", "path", "value", "refused"),
    [
        ("siming-eighty-2023", ("ranking",), True, "$.ranking"),
        ("siming-eighty-2023", ("prizes", 2, "by"), {}, "$.prizes[2].by"),
        ("baiyun-tractor-2016", ("scoring", "match", "points"), ABSENT, "$.scoring.match.points"),
    ],
)
def test_a_fault_is_refused_where_it_stands(
    regulation: str, path: tuple[Any, ...], value: Any, refused: str
) -> None:
    document = next(each for each in SHIPPED if each["id"] == regulation)
    assert refusals(changed(document, path, value)) == [refused]
