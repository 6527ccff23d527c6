"""职工赛事积分 and grades (等级): the organiser's own tables, empty where nobody filled them."""

from typing import Any

import pytest

from app.regulations import library
from app.regulations.rules import RegulationFileError, rules_page

REGULATION = library.load("beach-games-landlord-2021")
TABLES = {
    "places": [
        {"from": 1, "to": 1, "points": 90},
        {"from": 2, "to": 3, "points": 60},
        {"from": 4, "to": 9, "points": 0},
    ],
    "grades": [
        {"name": {"zh": "二等", "en": "second"}, "least": 50},
        {"name": {"zh": "一等", "en": "first"}, "least": 80},
    ],
}


def with_points(**changes: Any) -> dict[str, Any]:
    document = REGULATION.document
    document["points"] |= {**TABLES, **changes}
    return document


def test_regulation_a_is_of_grade_a_and_ships_no_numbers() -> None:
    points = REGULATION.award_points
    assert points is not None
    assert (points.event_grade, points.clause, points.places, points.grades) == ("A", "六(三)", (), ())
    assert points.of_rank(1) is None
    assert points.grade(100) is None
    assert library.load("dongcheng-go-2021").award_points is None


@pytest.mark.parametrize(("rank", "points"), [(1, 90), (2, 60), (3, 60), (4, 0), (9, 0), (10, 0)])
def test_places_are_worth_what_the_organisers_table_says(rank: int, points: int) -> None:
    award = library.parse_document(with_points(), "filled.json").award_points
    assert award is not None
    assert award.of_rank(rank) == points


@pytest.mark.parametrize(("points", "grade"), [(49, None), (50, "二等"), (79, "二等"), (80, "一等")])
def test_a_grade_is_reached_with_its_own_points(points: int, grade: str | None) -> None:
    award = library.parse_document(with_points(), "filled.json").award_points
    assert award is not None
    reached = award.grade(points)
    assert (reached and reached.zh) == grade


def test_the_page_shows_the_tables() -> None:
    page = rules_page(library.parse_document(with_points(), "filled.json"))
    (section,) = [each for each in page.sections if each.code == "points"]
    assert [str(row.text) for row in section.rows] == [
        "本赛事为 A 级赛事。",
        "第 1 名得 90 分。",
        "第 2 至 3 名得 60 分。",
        "第 4 至 9 名得 0 分。",
        "积分满 50：二等。",
        "积分满 80：一等。",
    ]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"places": [{"from": 2, "to": 3, "points": 9}]}, "points.places.0.from"),
        ({"places": [{"from": 1, "to": 0, "points": 9}]}, "points.places.0.to"),
        (
            {"places": [{"from": 1, "to": 2, "points": 9}, {"from": 2, "to": 3, "points": 5}]},
            "points.places.1.from",
        ),
        (
            {"places": [{"from": 1, "to": 2, "points": 9}, {"from": 3, "to": 3, "points": 9}]},
            "points.places.1.points",
        ),
        ({"grades": [*TABLES["grades"], TABLES["grades"][0]]}, "points.grades.2.least"),
        ({"grades": [{"name": "甲", "least": 1}]}, "points.grades.0.name"),
        ({"event_grade": ""}, "points.event_grade"),
        ({"places": []}, "points.places"),
    ],
)
def test_tables_with_gaps_or_that_do_not_fall_are_refused_where_they_stand(
    changes: dict[str, Any], path: str
) -> None:
    with pytest.raises(RegulationFileError) as refused:
        library.parse_document(with_points(**changes), "wrong.json")
    assert [(each.path, each.clause) for each in refused.value.problems] == [(path, "六(三)")]
