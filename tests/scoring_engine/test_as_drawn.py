"""Draws made from results that were changed since: replayed from what stood then, scored by what stands now."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from tests.event_files.corpus import WHOLE, rules_of


@pytest.fixture
def document() -> dict[str, Any]:
    """Two rounds of six; after the second was drawn the first table was corrected and a foul was ruled at the second."""
    return deepcopy(WHOLE["as_drawn"])


def test_a_draw_is_replayed_from_the_results_it_was_made_from(document: dict[str, Any]) -> None:
    assert event_file.verify(document, rules_of(document)) == []


def test_without_them_the_drawn_round_does_not_follow_from_the_file(document: dict[str, Any]) -> None:
    del document["draws"][1]["as_drawn"]
    paths = [each.path for each in event_file.verify(document, rules_of(document))]
    assert "$.draws[1].tables" in paths


def test_scores_are_those_of_the_file_and_not_of_the_draw(document: dict[str, Any]) -> None:
    rules = rules_of(document)
    scored = event_file.score(document, rules)
    del document["draws"]
    assert event_file.score(document, rules) == scored


def test_results_at_a_draw_that_cannot_be_are_a_difference_and_not_a_refusal(
    document: dict[str, Any],
) -> None:
    document["draws"][1]["as_drawn"]["adjustments"] = [
        {"id": "x", "rule": "no_such_rule", "entrant": "e1", "stage": "swiss", "round": 1}
    ]
    (found,) = event_file.verify(document, rules_of(document))
    assert found.path == "$.draws[1].as_drawn"
    assert "no_such_rule" in found.zh
    assert "no_such_rule" in found.en


def test_only_the_draw_that_names_them_is_replayed_from_them(document: dict[str, Any]) -> None:
    """A third draw made after the changes names nothing."""
    rules, seed = rules_of(document), "0b0e"
    paired = event_file.pair(document, rules, bytes.fromhex(seed))
    tables = [table["entrants"] for table in paired["tables"]]
    document["draws"].append(
        {"stage": "swiss", "round": 3, "seed": seed, "entrants": document["draws"][0]["entrants"]}
        | {"tables": tables, "proof": paired["proof"]}
    )
    document["stages"][0]["rounds"].append(
        {
            "number": 3,
            "tables": [
                {"number": number, "first": one, "second": other}
                for number, (one, other) in enumerate(tables, start=1)
            ],
        }
    )
    assert event_file.verify(document, rules) == []
    document["draws"][2]["as_drawn"] = document["draws"][1]["as_drawn"]
    assert event_file.verify(document, rules) != []


def test_a_table_the_file_does_not_have_is_refused(document: dict[str, Any]) -> None:
    document["draws"][1]["as_drawn"]["tables"][0]["round"] = 7
    with pytest.raises(EventFileError) as refused:
        event_file.read(document, rules_of(document))
    assert refused.value.path == "$.draws[1].as_drawn.tables[0]"
