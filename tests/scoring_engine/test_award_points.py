"""职工赛事积分 and grades from final placings: golden tables, every format's score document, and what is no table."""

import json
from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.prizes.points import earned
from scoring_engine.ranking import Placing
from scoring_engine.rules import RulesError, ScoringRules
from scoring_engine.values import EntrantId
from tests.event_files.corpus import EXAMPLES, rules_of
from tests.scoring_engine.events import RULES, golden

GOLDEN = golden("award_points")
TABLE = GOLDEN["table"]


def with_points(rules: ScoringRules, table: dict[str, Any]) -> ScoringRules:
    return ScoringRules.from_mapping({**rules.source, "points": table}, dict(rules.options))


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["name"])
def test_a_rank_is_worth_what_the_table_says(case: dict[str, Any]) -> None:
    placings = [
        Placing(rank, EntrantId(f"e{number}"), (), None, shared=case["ranks"].count(rank) > 1)
        for number, rank in enumerate(case["ranks"], start=1)
    ]
    table = with_points(RULES, TABLE).points
    assert table is not None
    told = [each.to_json() for each in earned(table, placings)]
    assert [[each["entrant"], each["points"], each.get("grade")] for each in told] == case["earned"]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_score_document_of_every_format_has_them_once_the_event_is_decided(path: Any) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    rules = with_points(rules_of(document), TABLE)
    answer = event_file.score(document, rules)
    told = answer["points"]
    assert (told["event_grade"], told["clause"]) == ("A", "六(三)")
    worth = {"90": {1}, "60": {2, 3}, "10": {4, 5, 6}}
    expected = [
        (item["entrant"], points)
        for item in answer["placings"]
        for points, ranks in worth.items()
        if item["rank"] in ranks
    ]
    assert answer["complete"] is bool(told["entrants"])
    if answer["complete"]:
        assert [(each["entrant"], each["points"]) for each in told["entrants"]] == expected


def test_a_text_that_ships_no_numbers_earns_none() -> None:
    document = json.loads((EXAMPLES / "landlord-knock-out.json").read_text(encoding="utf-8"))
    rules = rules_of(document)
    assert rules.points is not None
    assert (rules.points.places, rules.points.of_rank(1)) == ((), None)
    assert "points" not in event_file.score(document, rules)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"places": [{"from": 2, "to": 2, "points": 5}]}, "$.points.places[0].from"),
        ({"places": [{"from": 1, "to": 0, "points": 5}]}, "$.points.places[0].to"),
        (
            {"places": [{"from": 1, "to": 1, "points": 5}, {"from": 2, "to": 2, "points": 6}]},
            "$.points.places[1].points",
        ),
        ({"places": [{"from": 1, "to": 1, "points": "5"}]}, "$.points.places[0].points"),
        ({"grades": [TABLE["grades"][1], TABLE["grades"][0]]}, "$.points.grades[1].least"),
        ({"grades": [{"least": 1}]}, "$.points.grades[0].name"),
        ({"event_grade": 1}, "$.points.event_grade"),
    ],
)
def test_a_table_with_gaps_or_that_rises_is_refused_where_it_stands(
    change: dict[str, Any], path: str
) -> None:
    with pytest.raises(RulesError) as refused:
        with_points(RULES, {**TABLE, **change})
    assert [problem.path for problem in refused.value.problems] == [path]
