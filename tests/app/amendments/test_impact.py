"""What two versions and two score documents differ in, by hand-made examples."""

from __future__ import annotations

from typing import Any

import pytest

from app.amendments.rules.impact import affects_nobody, public_impact
from app.amendments.rules.parts import PARTS, changed_parts, makes_results
from app.regulations import library
from app.regulations.rules import Regulation
from app.standings.rules.impact import scores_compared
from app.standings.rules.impact_words import Names, score_lines
from app.text import T
from app.web.i18n import show

NOT_A_RULE = {"id", "game", "format", "timezone", "version"}
"""Keys that say what a document is; a version never changes the first three."""


def score(*ranks: tuple[str, int], **changes: Any) -> dict[str, Any]:
    """A score document of one stage with these placings."""
    placings = [{"entrant": entrant, "rank": rank} for entrant, rank in ranks]
    return {
        "tables": [{"stage": "swiss", "round": 1, "number": 1, "entrants": {"e1": {"match_points": "2"}}}],
        "stages": [{"code": "swiss", "placings": placings, "advance": [], "direct": []}],
        "placings": placings,
        "teams": [],
        "prizes": [],
    } | changes


def test_the_same_scores_affect_nothing() -> None:
    same = score(("e1", 1), ("e2", 2))
    compared = scores_compared(same, same)
    assert compared == {
        "tables": [],
        "placings": [],
        "teams": [],
        "members": [],
        "advance": [],
        "prizes": [],
        "points": [],
    }
    entries = {"ineligible": [], "unjudged": 4, "over_quota": []}
    assert affects_nobody(compared | {"windows": [], "draws": [], "entries": entries})


def test_rank_changes_are_listed_once_where_there_is_one_stage() -> None:
    before, after = score(("e1", 1), ("e2", 2), ("e3", 3)), score(("e2", 1), ("e1", 1), ("e3", 3))
    assert scores_compared(before, after)["placings"] == [
        {"ranking": "overall", "entrant": "e2", "before": 2, "after": 1}
    ]


def test_who_appears_or_falls_out_has_no_rank_on_one_side() -> None:
    assert scores_compared(score(("e1", 1)), score(("e2", 1)))["placings"] == [
        {"ranking": "overall", "entrant": "e1", "before": 1, "after": None},
        {"ranking": "overall", "entrant": "e2", "before": None, "after": 1},
    ]


def test_tables_advancers_and_prizes_that_change_are_named() -> None:
    before, after = score(("e1", 1)), score(("e1", 1))
    after["tables"] = [before["tables"][0] | {"entrants": {"e1": {"match_points": "1"}}}]
    before["stages"] = [before["stages"][0] | {"advance": ["e1", "e2"], "direct": ["e9"]}]
    after["stages"] = [after["stages"][0] | {"advance": ["e1", "e3"], "direct": ["e9"]}]
    gold = {"prize": "gold", "label": "金牌", "label_en": "Gold", "entrants": ["e1"], "amount": None}
    before["prizes"], after["prizes"] = [gold], [gold | {"entrants": ["e2"]}]
    compared = scores_compared(before, after)
    assert compared["tables"] == [{"stage": "swiss", "round": 1, "number": 1}]
    assert compared["advance"] == [{"stage": "swiss", "in": ["e3"], "out": ["e2"]}]
    (prize,) = compared["prizes"]
    assert (prize["before"]["entrants"], prize["after"]["entrants"]) == (["e1"], ["e2"])


def test_a_smaller_team_is_named_with_who_counts_though_its_rank_stays() -> None:
    def team(rank: int, *members: str) -> dict[str, Any]:
        return {"rank": rank, "team": "u1", "members": list(members)}

    before = score(("e1", 1), teams=[team(1, "e1", "e2", "e3")])
    after = score(("e1", 1), teams=[team(1, "e1", "e2")])
    compared = scores_compared(before, after)
    assert compared["teams"] == []
    assert compared["members"] == [{"team": "u1", "before": ["e1", "e2", "e3"], "after": ["e1", "e2"]}]
    names = Names(entrant=lambda each: f"选手{each}", team=lambda each: f"单位{each}")
    (lines,) = score_lines(compared | {"draws": []}, names, lambda _: T(""))
    assert [show(row) for row in lines.rows] == [
        "单位u1计入团体成绩的人：选手e1、选手e2、选手e3 改为 选手e1、选手e2"
    ]
    entries = {"ineligible": [], "unjudged": 0, "over_quota": []}
    assert not affects_nobody(compared | {"windows": [], "draws": [], "entries": entries})


def test_points_and_grades_of_final_placings_that_change_are_named() -> None:
    def earned(*who: tuple[str, str, str | None]) -> dict[str, Any]:
        found = [
            {"entrant": entrant, "points": points}
            | ({} if grade is None else {"grade": grade, "grade_en": "master"})
            for entrant, points, grade in who
        ]
        return {"event_grade": "A", "clause": "六(三)", "entrants": found}

    before = score(("e1", 1), points=earned(("e1", "30", "大师"), ("e2", "20", None), ("e3", "10", None)))
    after = score(("e1", 1), points=earned(("e1", "25", None), ("e2", "20", None), ("e4", "5", None)))
    compared = scores_compared(before, after)
    names = Names(entrant=lambda each: f"选手{each}", team=str)
    (lines,) = score_lines(compared | {"draws": []}, names, lambda _: T(""))
    assert show(lines.title) == "积分和等级"
    assert [show(row) for row in lines.rows] == [
        "选手e1：30 分（大师） 改为 25 分",
        "选手e3：10 分 改为 （无）",
        "选手e4：（无） 改为 5 分",
    ]
    assert scores_compared(before, score(("e1", 1)))["points"][1] == {
        "entrant": "e2",
        "before": {"points": "20", "grade": None, "grade_en": None},
        "after": None,
    }


def test_an_impact_stored_before_points_were_compared_is_still_read() -> None:
    stored = {"tables": [], "draws": [], "placings": [], "teams": [], "advance": [], "prizes": []}
    names = Names(entrant=str, team=str)
    assert score_lines(stored, names, lambda _: T("")) == ()
    entries = {"ineligible": [], "unjudged": 0, "over_quota": []}
    assert affects_nobody(stored | {"windows": [], "entries": entries})


def test_everybody_reads_of_entries_only_how_many() -> None:
    entries = {
        "ineligible": [{"entry": 7, "state": "approved", "clause": "三(一)1"}],
        "unjudged": 0,
        "over_quota": [{"unit": 3, "entries": 4, "limit": 2}],
    }
    assert public_impact({"entries": entries, "windows": []}) == {
        "entries": {"ineligible": 1, "unjudged": 0, "over_quota": 1, "over_limit": None},
        "windows": [],
    }


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_every_key_of_a_regulation_belongs_to_a_part(regulation_id: str) -> None:
    """Whatever a version changes in a document is named: a key nobody compares would change in silence."""
    shipped = library.load(regulation_id)
    unnoticed = []
    for key, value in shipped.document.items():
        if key in NOT_A_RULE:
            continue
        without = shipped.document
        if isinstance(value, list):
            without[key] = value[:-1]
        elif isinstance(value, dict):
            without[key] = _otherwise(value)
        try:
            changed = changed_parts(shipped, Regulation.from_document(without))
        except (ValueError, KeyError, TypeError, LookupError):
            continue  # the document could not be published
        if not changed:
            unnoticed.append(key)
    assert unnoticed == []


def _otherwise(table: dict[str, Any]) -> dict[str, Any]:
    """The table with another clause: the least that can be said otherwise."""
    found = dict(table)
    if "clause" in found:
        found["clause"] += "′"
    elif "zh" in found:
        found["zh"] += "′"
    else:
        first = next(iter(found))
        found[first] = _otherwise(found[first])
    return found


def test_scoring_chain_and_penalties_make_results_and_dates_do_not() -> None:
    assert {code for code in PARTS if makes_results((code,))} == {
        "stages",
        "pairing",
        "scoring",
        "ranking",
        "teams",
        "penalties",
    }
