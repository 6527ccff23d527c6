"""快乐二打一 in rounds: tables, byes, teams and placings, from golden data (each case names its clause) and as properties."""

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from scoring_engine.rules import RulesError, ScoringRules
from tests.scoring_engine.board_events import value
from tests.scoring_engine.events import golden
from tests.scoring_engine.landlord_round_events import event, fines, made, regulation, rules

ROUNDS = golden("landlord_rounds")
SEATS = ["e1", "e2", "e3"]
CHAIN = ("match_points", "game_points", "opponent_score", "rounds_won", "highest_match_points", "lots")


@pytest.mark.parametrize("case", ROUNDS["tables"], ids=lambda case: case["name"])
def test_a_golden_table(case: dict[str, Any]) -> None:
    played = {"number": 1, "seats": SEATS, **case["table"]}
    document = event(SEATS, [[played]], adjustments=fines(case.get("fines", {})))
    (answer,) = event_file.score(document, rules(case.get("options")))["tables"]
    points = {
        seat: [found.get("match_points"), found["game_points"]] for seat, found in answer["entrants"].items()
    }
    assert points == case["expect"]
    assert answer["complete"] == (case["expect"]["e1"][0] is not None)
    assert answer.get("forfeits") == case.get("forfeits")
    assert [note["clause"] for note in answer.get("notes", ())] == [
        clause for clause in (case.get("note"),) if clause
    ]


@pytest.mark.parametrize("case", ROUNDS["events"], ids=lambda case: case["name"])
def test_a_golden_event(case: dict[str, Any]) -> None:
    answer = event_file.score(*made(case))
    own = {placing["entrant"]: placing for placing in answer["placings"]}
    for code, values in case.get("values", {}).items():
        assert {who: value(own[who], code) for who in values} == values, code
    for who, expected in case.get("decided_by", {}).items():
        assert own[who]["decided_by"] == expected
    for who, expected in case.get("ranks", {}).items():
        assert own[who]["rank"] == expected, who
    if "order" in case:
        assert list(own) == case["order"]
    if "teams" in case:
        teams_agree(answer["teams"], case["teams"])
    for prize in answer["prizes"] if "prizes" in case else ():
        assert [prize["entrants"], prize.get("teams")] == case["prizes"][prize["prize"]]
    assert answer["unplaced"] == case.get("unplaced", [])
    assert answer["complete"] == case.get("complete", True)
    assert answer["next"]["step"] == case.get("next", "over" if answer["complete"] else "round")
    notes = [note["clause"] for note in answer["stages"][0]["notes"]]
    if "note" in case:
        assert notes == [case["note"]]


def teams_agree(teams: list[dict[str, Any]], expected: list[Any]) -> None:
    found = [[team["rank"], team["team"], team["members"]] for team in teams]
    assert found == [[rank, team, members] for rank, team, members, _, _ in expected]
    for team, (_, _, _, values, decided_by) in zip(teams, expected, strict=True):
        assert {code: value(team, code) for code in values} == values
        assert team["decided_by"] == decided_by


def test_every_value_of_every_option_that_scores_has_a_case() -> None:
    document = regulation()
    seen = {
        (option, chosen)
        for case in ROUNDS["tables"] + ROUNDS["events"]
        for option, chosen in case.get("options", {}).items()
    }
    paired_by = {each["option"] for each in document["pairing"].values() if isinstance(each, dict)}
    # who may still enter is decided before anything is scored: tests/app/standings/test_attendance.py
    # and who hands in a document before anybody plays: tests/app/regulations/test_documents.py
    # and who may withdraw without asking: tests/app/registrations/changes/test_terms.py
    asked_of = {each["required_for"]["option"] for each in document["documents"]}
    not_scoring = {"play_profile", "latest_entry_round", "late_withdrawal", *paired_by, *asked_of}
    for row in document["interpretations"]:
        for chosen in row["allowed"]:
            if row["option"] not in not_scoring and chosen != row["default"]:
                assert (row["option"], chosen) in seen, row["option"]


def test_each_seat_bids_first_four_times_in_twelve_deals() -> None:
    played = {"number": 1, "seats": SEATS, "deals": [{"passed_out": True}] * 12}
    (answer,) = event_file.score(event(SEATS, [[played]]), rules())["tables"]
    assert [deal["first_bidder"] for deal in answer["deals"]] == SEATS * 4
    assert answer["deals"][0]["scores"] == {"e1": "0", "e2": "0", "e3": "0"}


def test_a_round_shows_opponents_game_points_and_the_rank_at_the_table() -> None:
    answer = event_file.score(event([*SEATS, "e4"], ["e1+12 e2+12 e3-24"], {"1": ["e4"]}), rules())
    shown = {placing["entrant"]: placing["rounds"] for placing in answer["stages"][0]["placings"]}
    assert shown["e3"] == [
        {
            "round": 1,
            "played": "game",
            "opponents": ["e1", "e2"],
            "game_points": "-24",
            "table_rank": 3,
            "match_points": "0",
            "opponent_score": "3",
        }
    ]
    (bye,) = shown["e4"]
    assert (bye["opponents"], bye["table_rank"], bye["opponent_score"]) == ([], None, "0")
    assert [rows[0]["table_rank"] for rows in (shown["e1"], shown["e2"])] == [1, 1]


def test_a_table_shows_what_was_played_and_what_came_to_it() -> None:
    played = {"number": 1, "seats": SEATS, "game_points": {"e1": 6, "e2": 3, "e3": -9}, "late": {"e3": 2}}
    (answer,) = event_file.score(event(SEATS, [[played]], adjustments=fines({"e1": 2})), rules())["tables"]
    assert answer["entrants"]["e1"] == {
        "game_points": "3",
        "match_points": "1",
        "played": "6",
        "late": "3",
        "penalties": "-6",
    }
    assert answer["entrants"]["e3"]["late"] == "-6"


def test_lots_between_teams_are_drawn_from_the_seed() -> None:
    units = ["e1 a", "e2 b", "e3 c", "e4 a", "e5 b", "e6 c"]
    document = event(units, ["e1+0 e2+0 e3+0 | e4+0 e5+0 e6+0"])
    equal = event_file.score(document, rules(rounds=1))
    assert [team["rank"] for team in equal["teams"]] == [1, 1, 1]
    drawn = event_file.score({**document, "lots": {"seed": "0001"}}, rules(rounds=1))
    assert [(team["rank"], team["team"]) for team in drawn["teams"]] == [(1, "c"), (2, "a"), (3, "b")]
    assert [team["decided_by"] for team in drawn["teams"]] == [None, "lots", "lots"]


def test_a_published_result_is_verified() -> None:
    document = event(SEATS, ["e1+24 e2-6 e3-18"])
    placings = [{"rank": rank, "entrant": who} for rank, who in enumerate(SEATS, start=1)]
    assert event_file.verify({**document, "published": {"placings": placings}}, rules()) == []
    wrong = [{**placings[0], "rank": 2}, *placings[1:]]
    found = event_file.verify({**document, "published": {"placings": wrong}}, rules())
    assert [difference.path for difference in found] == ["$.published.placings[0].rank"]


def test_a_penalty_in_points_needs_its_round_where_there_are_several() -> None:
    document = event(SEATS, ["e1+24 e2-6 e3-18", "e1+24 e2-6 e3-18"])
    fine = {key: each for key, each in fines({"e1": 1})[0].items() if key != "round"}
    with pytest.raises(EventFileError) as refused:
        event_file.score({**document, "adjustments": [fine]}, rules())
    assert [problem.path for problem in refused.value.problems] == ["$.adjustments[0].round"]
    on_record = {**fine, "rule": "no_announcement", "deal": 3}
    (shown,) = event_file.score({**document, "adjustments": [on_record]}, rules())["adjustments"]
    assert (shown["points"], shown["clause"], shown["round"]) == ("0", "附件4八(四)3", 2)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"seats": ["west", "south"]}, "$.scoring.seats"),
        ({"first_bidder": "north"}, "$.scoring.first_bidder"),
        (
            {"match_points": {"scheme": "a", "compares": "as_played", "clause": "x"}},
            "$.scoring.match_points.schemes",
        ),
        ({"byes": {"bye": {"match_points": 1, "game_points": 1}}}, "$.scoring.byes.absent"),
        ({"byes": {"rest": {"match_points": 1, "game_points": 1}}}, "$.scoring.byes.rest"),
        (
            {"forfeit": {"others": {"match_points": -1, "game_points": 1}}},
            "$.scoring.forfeit.others.match_points",
        ),
        ({"lateness": {"tiers": [], "minutes": "ceil"}}, "$.scoring.lateness.tiers"),
        (
            {"lateness": {"tiers": [{"up_to": 5, "others": 3, "offender": 6}]}},
            "$.scoring.lateness.tiers[0].offender",
        ),
        ({"kicks": 1}, "$.scoring.kicks"),
    ],
)
def test_a_regulation_that_cannot_score_a_round_is_refused(change: dict[str, Any], path: str) -> None:
    document = regulation()
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping({**document, "scoring": {**document["scoring"], **change}})
    assert path in [problem.path for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("scheme", "key"),
    [
        ({"ranks": [2, 1], "ties": "mean"}, "ranks"),
        ({"ranks": [1, 2, 0], "ties": "mean"}, "ranks"),
        ({"ranks": [2, 1, 0], "ties": "median"}, "ties"),
        ({"bands": []}, "bands"),
        ({"bands": [{"points": 1}, {"from": 0, "points": 0}]}, "bands"),
        ({"bands": [{"points": 0}, {"from": 4, "points": 1}, {"from": 4, "points": 2}]}, "bands"),
        ({"bands": [{"from": 0, "points": 0}]}, "bands[0].from"),
        ({"ranks": [2, 1, 0], "ties": "mean", "bands": [{"points": 0}]}, ""),
    ],
)
def test_a_scheme_with_a_gap_or_a_falling_step_is_refused(scheme: dict[str, Any], key: str) -> None:
    document = regulation()
    table = {**document["scoring"]["match_points"], "schemes": {"rank_2_1_0": scheme}}
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping({**document, "scoring": {**document["scoring"], "match_points": table}})
    expected = f"$.scoring.match_points.schemes.rank_2_1_0{'.' if key else ''}{key}"
    assert expected in [problem.path for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("teams", "path"),
    [
        ({"size": 0, "unnamed": "best", "ties": "chain", "clause": "x"}, "$.teams.size"),
        ({"size": 2, "unnamed": "worst", "ties": "chain", "clause": "x"}, "$.teams.unnamed"),
        ({"size": 2, "unnamed": "best", "ties": "coin", "clause": "x"}, "$.teams.ties"),
        (None, "$.prizes[1].of"),
    ],
)
def test_team_results_that_cannot_be_made_are_refused(teams: Any, path: str) -> None:
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping({**regulation(), "teams": teams})
    assert path in [problem.path for problem in refused.value.problems]


def test_teams_are_not_compared_by_game_points_that_the_ranking_does_not_have() -> None:
    document = regulation()
    ranking = [link for link in document["ranking"] if link["criterion"] != "game_points"]
    without = {**document, "ranking": ranking}
    for ties in ("chain", "shared"):
        assert ScoringRules.from_mapping(without, {"team_ties": ties}).teams
    with pytest.raises(RulesError) as refused:
        ScoringRules.from_mapping(without, {"team_ties": "game_points"})
    assert [problem.path for problem in refused.value.problems] == ["$.teams.ties"]
    assert "小分" in refused.value.problems[0].zh


# Properties ---------------------------------------------------------------------------------------------------------

TOTALS = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
TIMES = st.one_of(st.just(None), st.integers(0, 12))


@st.composite
def files(draw: st.DrawFn) -> dict[str, Any]:
    """Two rounds of six or seven entrants; a table may have lateness, a forfeit, or no result yet."""
    everyone = [f"e{number}" for number in range(1, draw(st.integers(6, 7)) + 1)]
    rounds = []
    byes: dict[str, list[str]] = {}
    for number in (1, 2):
        order = draw(st.permutations(everyone))
        tables = []
        for index in (0, 1):
            seats = list(order[3 * index : 3 * index + 3])
            made: dict[str, Any] = {"number": index + 1, "seats": seats}
            first, second = draw(TOTALS)
            kind = draw(st.sampled_from(["totals", "totals", "totals", "open", "forfeit"]))
            if kind == "totals":
                made["game_points"] = dict(zip(seats, (first, second, -first - second), strict=True))
                late = {seat: draw(TIMES) for seat in seats}
                made["late"] = {seat: minutes for seat, minutes in late.items() if minutes is not None}
            elif kind == "forfeit":
                made["forfeits"] = seats[: draw(st.integers(1, 3))]
            tables.append(made)
        rounds.append(tables)
        byes[str(number)] = list(order[6:])
    units = [f"{who} u{draw(st.integers(1, 4))}" for who in everyone]
    return event(units, rounds, byes, lots={"seed": "0001"} if draw(st.booleans()) else None)


def keys(document: dict[str, Any]) -> dict[str, Any]:
    """What an answer says, without the order in which it lists equals."""
    answer = event_file.score(document, rules())
    return {
        "placings": sorted(map(json.dumps, answer["placings"])),
        "teams": sorted(map(json.dumps, answer["teams"])),
        "tables": sorted(
            json.dumps({**table, "entrants": sorted(table["entrants"].items())}) for table in answer["tables"]
        ),
    }


@settings(max_examples=60, deadline=None)
@given(document=files(), data=st.data())
def test_the_order_of_input_never_changes_the_result(document: dict[str, Any], data: st.DataObject) -> None:
    shuffled = json.loads(json.dumps(document))
    shuffled["entrants"] = data.draw(st.permutations(shuffled["entrants"]))
    (stage,) = shuffled["stages"]
    stage["rounds"] = data.draw(st.permutations(stage["rounds"]))
    for part in stage["rounds"]:
        part["tables"] = data.draw(st.permutations(part["tables"]))
    assert keys(shuffled) == keys(document)


@settings(max_examples=100, deadline=None)
@given(document=files(), data=st.data())
def test_under_every_choice_of_options_what_is_scored_can_be_published_and_verified(
    document: dict[str, Any], data: st.DataObject
) -> None:
    readings = rules().interpretations.items()
    chosen = {name: data.draw(st.sampled_from(list(reading.allowed))) for name, reading in readings}
    for table in document["stages"][0]["rounds"][0]["tables"]:
        if "game_points" in table and data.draw(st.booleans()):  # three level, whose mean may be a third
            table |= {"game_points": dict.fromkeys(table["seats"], 0), "late": {}}
    document = {**document, "options": chosen}
    placings = event_file.score(document, rules())["placings"]
    for above, below in pairwise(placings):
        assert event_file.why(above, below).decided_by == below["decided_by"] or below["shared"]
    assert event_file.verify({**document, "published": {"placings": placings}}, rules()) == []


@settings(max_examples=60, deadline=None)
@given(document=files())
def test_the_match_points_of_three_present_players_sum_to_3(document: dict[str, Any]) -> None:
    for table in event_file.score(document, rules())["tables"]:
        if table["complete"] and "forfeits" not in table:
            assert sum(Fraction(each["match_points"]) for each in table["entrants"].values()) == 3


@settings(max_examples=60, deadline=None)
@given(document=files(), data=st.data())
def test_a_penalty_in_points_never_raises_its_offender(document: dict[str, Any], data: st.DataObject) -> None:
    before = event_file.score(document, rules())
    tables = [(part["number"], table) for part in document["stages"][0]["rounds"] for table in part["tables"]]
    number, table = data.draw(st.sampled_from(tables))
    offender = data.draw(st.sampled_from(table["seats"]))
    fined = {**document, "adjustments": fines({offender: data.draw(st.integers(1, 5))}, number)}
    after = event_file.score(fined, rules())

    def behind(answer: dict[str, Any]) -> set[str]:
        (own,) = [each["rank"] for each in answer["placings"] if each["entrant"] == offender]
        return {each["entrant"] for each in answer["placings"] if each["rank"] > own}

    assert behind(after) <= behind(before)


@settings(max_examples=60, deadline=None)
@given(document=files())
def test_equal_keys_share_a_rank_and_others_do_not(document: dict[str, Any]) -> None:
    answer = event_file.score(document, rules())
    for placings in (answer["placings"], answer["teams"]):
        by_rank: dict[int, set[str]] = {}
        for placing in placings:
            by_rank.setdefault(placing["rank"], set()).add(json.dumps(placing["values"]))
        assert all(len(keys_of_rank) == 1 for keys_of_rank in by_rank.values())
        assert len({key for found in by_rank.values() for key in found}) == len(by_rank)


def test_the_chain_is_that_of_the_text() -> None:
    assert rules().chain == CHAIN
