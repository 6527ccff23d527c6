"""Real tournaments: the published ranks and tie-breaks follow from the rounds (sources in `real/README.md`)."""

from decimal import Decimal
from typing import Any

import pytest

from scoring_engine import event_file
from scoring_engine.values import decimal_text
from tests.scoring_engine.board_events import rules, value
from tests.scoring_engine.oracles.tournaments import document, load, scoring


def placings(
    real: dict[str, Any], chain: tuple[str, ...], options: dict[str, dict[str, Any]] | None = None
) -> dict[int, dict[str, Any]]:
    """The stage's placings by player."""
    found = rules(chain, options, rounds=len(real["rounds"]), scoring=scoring(real))
    answer = event_file.score(document(real), found)
    assert answer["complete"]
    return {int(each["entrant"][1:]): each for each in answer["placings"]}


def agree(real: dict[str, Any], computed: dict[int, dict[str, Any]], columns: dict[str, str]) -> None:
    """Every published value of these columns is the computed one of the criterion."""
    for row in real["published"]:
        for column, code in columns.items():
            assert value(computed[row["player"]], code) == decimal_text(row[column]), (row["player"], column)


def ranks_agree(real: dict[str, Any], computed: dict[int, dict[str, Any]]) -> None:
    """The published ranks, but of those who are equal in everything, whose order was arbitrary."""
    for row in real["published"]:
        own = computed[row["player"]]
        sharing = sum(each["rank"] == own["rank"] for each in computed.values())
        assert own["rank"] <= row["rank"] < own["rank"] + sharing, row["player"]


def test_01_go_points_sodos_sos_sosos() -> None:
    real = load("01")
    chain = ("match_points", "beaten_score", "opponent_score", "opponents_opponent_score")
    computed = placings(real, chain)
    agree(
        real,
        computed,
        {
            "points": "match_points",
            "sodos": "beaten_score",
            "sos": "opponent_score",
            "sosos": "opponents_opponent_score",
        },
    )
    ranks_agree(real, computed)


def test_03_go_with_handicaps_that_do_not_change_the_score() -> None:
    real = load("03")
    computed = placings(real, ("match_points", "opponent_score", "beaten_score"))
    agree(real, computed, {"points": "match_points", "sos": "opponent_score", "sodos": "beaten_score"})
    ranks_agree(real, computed)
    assert computed[7]["shared"]
    assert computed[8]["rank"] == computed[7]["rank"] == 7


def test_04_go_mcmahon_with_start_scores_handicaps_and_absences() -> None:
    real = load("04")
    options = {"opponent_score": {"own_unplayed": "start_score", "handicap": "counted"}}
    computed = placings(real, ("match_points", "opponent_score", "opponents_opponent_score"), options)
    agree(
        real,
        computed,
        {"mms": "match_points", "sos": "opponent_score", "sosos": "opponents_opponent_score"},
    )
    ranks_agree(real, computed)


def test_07_direct_encounter_separates_only_what_is_certain() -> None:
    real = load("07")
    options = {"head_to_head": {"scope": "certain", "forfeits": "not_counted"}}
    computed = placings(real, ("match_points", "head_to_head"), options)
    agree(real, computed, {"points": "match_points"})
    for row in real["published"]:
        assert (value(computed[row["player"]], "head_to_head") or "0") == str(row["de"]), row["player"]


def test_10_swiss_with_late_entries_and_byes() -> None:
    real = load("10")
    options = {
        "opponent_score": {"own_unplayed": "own_score", "opponent_unplayed": "trailing_draws"},
        "wins": {"byes": "counted"},
    }
    computed = placings(real, ("match_points", "opponent_score", "wins"), options)
    agree(real, computed, {"points": "match_points", "bh": "opponent_score", "wins": "wins"})
    ranks_agree(real, computed)


@pytest.mark.parametrize(("column", "cut"), [("bh", 0), ("bh_cut1", 1)])
def test_13_rapid_of_110_players(column: str, cut: int) -> None:
    real = load("13")
    computed = placings(real, ("match_points", "opponent_score"), {"opponent_score": {"cut": cut}})
    agree(real, computed, {"points": "match_points", column: "opponent_score"})


def test_14_round_robin_with_direct_encounter_and_wins_moving_second() -> None:
    real = load("14")
    options = {"head_to_head": {"scope": "group"}, "beaten_score": {"draws": "half"}}
    computed = placings(
        real, ("match_points", "head_to_head", "beaten_score", "wins", "wins_moving_second"), options
    )
    agree(
        real,
        computed,
        {
            "points": "match_points",
            "sb": "beaten_score",
            "wins": "wins",
            "second_wins": "wins_moving_second",
        },
    )
    for row in real["published"]:
        own = value(computed[row["player"]], "head_to_head")
        tied = [
            value(each, "head_to_head")
            for each in computed.values()
            if value(each, "match_points") == decimal_text(row["points"])
        ]
        place = 0 if own is None else 1 + sum(Decimal(each) > Decimal(own) for each in tied)
        assert place == row["de"], row["player"]
