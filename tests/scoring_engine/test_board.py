"""Go and Xiangqi events, from golden data (each case names its clause) and as properties."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.regulations import library
from scoring_engine import event_file
from scoring_engine.event_file import EventFileError
from scoring_engine.ranking import compare, rank
from scoring_engine.stages.swiss import groups_possible
from scoring_engine.tie_breaks import CRITERIA
from scoring_engine.tie_breaks.records import Field, Played, RoundResult, StandingRecord
from scoring_engine.values import EntrantId
from tests.scoring_engine.board_events import GO, XIANGQI, event, made, rules, value, violation
from tests.scoring_engine.events import golden

BOARD = golden("board")


def answered(case: dict[str, Any]) -> dict[str, Any]:
    document, found = made(case)
    return event_file.score(document, found)


@pytest.mark.parametrize("case", BOARD["cases"], ids=lambda case: case["name"])
def test_a_golden_board_event(case: dict[str, Any]) -> None:
    answer = answered(case)
    own = {placing["entrant"]: placing for placing in answer["placings"]}
    for code, values in case.get("values", {}).items():
        for entrant, expected in values.items():
            assert value(own[entrant], code) == expected, (code, entrant)
    for entrant, expected in case.get("decided_by", {}).items():
        assert own[entrant]["decided_by"] == expected
    for entrant, expected in case.get("ranks", {}).items():
        assert own[entrant]["rank"] == expected, entrant
    if "order" in case:
        assert [placing["entrant"] for placing in answer["placings"]] == case["order"]
    assert answer["complete"] == case.get("complete", True)


@pytest.mark.parametrize("case", golden("board_options")["cases"], ids=lambda case: case["name"])
def test_an_option_of_a_shipped_board_regulation(case: dict[str, Any]) -> None:
    document, _ = made({**case, "chain": "go", "options": {}})
    regulation = library.load(case["regulation"])
    penalty = regulation.scoring_rules().penalties
    adjustments = [{**each, "rule": next(iter(penalty))} for each in document["adjustments"]]
    document |= {"regulation": regulation.id, "options": case.get("options", {}), "adjustments": adjustments}
    answer = event_file.score(document, regulation.scoring_rules())
    own = {placing["entrant"]: placing for placing in answer["placings"]}
    for code, values in case["values"].items():
        for entrant, expected in values.items():
            assert value(own[entrant], code) == expected, (code, entrant)
    assert answer["complete"] == case.get("complete", False)


def standing(entrant: str, values: list[int]) -> StandingRecord:
    """A record that has these six values, but for the opponents' points, which its field gives."""
    points, _opponents, wins, violations, second, second_wins = values
    parts = [
        RoundResult(number, Played.GAME, 0, second=number <= second, won=number <= second_wins)
        for number in range(1, 6)
    ]
    won = second_wins
    for index in range(4, -1, -1):
        if won < wins and not parts[index].second:
            parts[index] = RoundResult(index + 1, Played.GAME, 0, won=True)
            won += 1
    return StandingRecord(EntrantId(entrant), points, rounds=tuple(parts), violations=violations)


@pytest.mark.parametrize("case", BOARD["comparisons"], ids=lambda case: case["name"])
def test_a_golden_comparison(case: dict[str, Any]) -> None:
    records = [standing("b", case["first"]), standing("a", case["second"])]
    chain = [code for code in XIANGQI if code not in ("opponent_score", "previous_round_rank", "lots")]
    first, second = rank(records, chain)
    assert first.entrant == "b"
    for placing, key in ((first, "first"), (second, "second")):
        points, _, *others = case[key]
        assert [each.value for each in placing.values] == [points, *others]
    assert compare(first, second).decided_by == case["decided_by"]


@pytest.mark.parametrize("case", BOARD["groups"], ids=lambda case: str(case["entrants"]))
def test_groups_of_20_to_32_or_a_ruling(case: dict[str, Any]) -> None:
    count, possible = case["entrants"], case["possible"]
    assert list(groups_possible(count, 20, 32)) == possible
    answer = event_file.score(event(count, []), rules(GO, group=[20, 32]))
    ruling = answer["stages"][0]["needs_ruling"]
    if 20 <= count <= 32:
        assert ruling is None
        assert answer["next"]["step"] == "first_draw"
    else:
        assert ruling["clause"] == "附件2一3"
        assert answer["next"]["step"] == "ruling"
        assert ("可以分成" in ruling["suggestion"]) == bool(possible)
    assert answer["placings"] == []
    assert len(answer["unplaced"]) == count


def test_each_group_has_ranks_from_1_and_its_size_is_checked() -> None:
    entrants = [{"id": f"e{number}", "group": "甲" if number <= 2 else "乙"} for number in range(1, 6)]
    answer = event_file.score(event(entrants, ["1+2 3-4"], {1: ["e5"]}), rules(GO, group=[2, 2], rounds=1))
    found = {each["entrant"]: (each["group"], each["rank"]) for each in answer["placings"]}
    assert found == {"e1": ("甲", 1), "e2": ("甲", 2), "e4": ("乙", 1), "e5": ("乙", 1), "e3": ("乙", 3)}
    assert "乙3人" in answer["stages"][0]["needs_ruling"]["reason"]


def test_a_partial_event_is_provisional_and_gives_no_prizes() -> None:
    found = rules(GO, rounds=2)
    partial = event_file.score(event(4, ["1+2 3+4"]), found)
    assert not partial["complete"]
    assert partial["next"] == {"step": "round", "stage": "swiss", "entrants": [], "needs_ruling": None}
    assert partial["prizes"][0]["entrants"] == []
    assert event_file.score(event(4, ["1+2 3?4"]), found)["next"]["step"] == "sheets"
    whole = event_file.score(event(4, ["1+2 3+4", "1+3 2+4"]), found)
    assert whole["complete"]
    assert whole["next"]["step"] == "over"
    assert whole["prizes"][0]["entrants"] == ["e1", "e2", "e3", "e4"]


def test_tables_show_match_points_and_placings_show_opponents_and_byes() -> None:
    answer = event_file.score(event(3, ["1+2", "1-3"], {1: ["e3"], 2: ["e2"]}), rules(GO, rounds=2))
    assert answer["tables"][1] == {
        "stage": "swiss",
        "round": 2,
        "number": 1,
        "deals": [],
        "entrants": {"e1": {"match_points": "0"}, "e3": {"match_points": "2"}},
        "complete": True,
    }
    placings = {each["entrant"]: each for each in answer["stages"][0]["placings"]}
    bye, game = placings["e3"]["rounds"]
    assert bye == {
        "round": 1,
        "played": "bye",
        "opponent": None,
        "second": None,
        "match_points": "2",
        "opponent_score": "0",
    }
    assert (game["opponent"], game["second"], game["opponent_score"]) == ("e1", True, "2")
    assert event_file.why(placings["e3"], placings["e1"]).decided_by == "match_points"


def test_a_published_result_is_verified_and_a_draw_of_a_regulation_that_says_nothing_of_pairing_is_refused() -> (
    None
):
    published = {"placings": [{"rank": 1, "entrant": "e2"}, {"rank": 2, "entrant": "e1"}]}
    document = event(2, ["1+2"], published=published)
    assert [each.path for each in event_file.verify(document, rules(GO, rounds=1))] == [
        "$.published.placings[0].rank",
        "$.published.placings[1].rank",
    ]
    draw = {"stage": "swiss", "seed": "00", "entrants": ["e1", "e2"], "tables": [["e1", "e2"]]}
    with pytest.raises(EventFileError, match="没有写怎样编排"):
        event_file.verify({**document, "draws": [draw]}, rules(GO, rounds=1))
    with pytest.raises(EventFileError, match="没有写怎样编排"):
        event_file.pair(document, rules(GO), b"\x01")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"second": "e1"}, "$.stages[0].rounds[0].tables[0].second"),
        ({"second": "e9"}, "$.stages[0].rounds[0].tables[0].second"),
        ({"winner": "e3"}, "$.stages[0].rounds[0].tables[0].winner"),
        ({"winner": "e2", "forfeits": ["e2"]}, "$.stages[0].rounds[0].tables[0].winner"),
        ({"winner": None, "forfeits": ["e2"]}, "$.stages[0].rounds[0].tables[0].winner"),
        ({"forfeits": ["e3"]}, "$.stages[0].rounds[0].tables[0].forfeits[0]"),
        ({"forfeits": ["e2", "e2"]}, "$.stages[0].rounds[0].tables[0].forfeits[1]"),
        ({"seats": ["e1"]}, "$.stages[0].rounds[0].tables[0].seats"),
        ({"handicap": -1}, "$.stages[0].rounds[0].tables[0].handicap"),
        ({"number": 2}, "$.stages[0].rounds[0].tables[1].number"),
        ({"second": "e3"}, "$.stages[0].rounds[0].tables[1].first"),
    ],
)
def test_an_impossible_board_is_refused_with_its_path(change: dict[str, Any], path: str) -> None:
    document = event(5, ["1+2 3+4"])
    document["stages"][0]["rounds"][0]["tables"][0] |= change
    with pytest.raises(EventFileError) as refused:
        event_file.read(document, rules(GO))
    assert path in [problem.path for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("made", "path"),
    [
        (event(3, ["1+2"], {1: ["e1"]}), "$.stages[0].rounds[0].byes[0]"),
        (event(3, ["1+2"], {1: [{"entrant": "e3", "kind": "half"}]}), "$.stages[0].rounds[0].byes[0].kind"),
        (event(2, ["1+2"] * 6), "$.stages[0].rounds[5].number"),
        (event([{"id": "e1", "group": "甲"}, {"id": "e2"}], []), "$.entrants"),
        (
            event([{"id": "e1", "group": "甲"}, {"id": "e2", "group": "乙"}], ["1+2"]),
            "$.stages[0].rounds[0].tables[0].second",
        ),
        (event([{"id": "e1", "start": "x"}], []), "$.entrants[0].start"),
        (event(2, ["1+2"], lots={"seed": "xyz"}), "$.lots.seed"),
        (event(2, ["1+2"], adjustments=[violation("e1", 1) | {"deal": 1}]), "$.adjustments[0].deal"),
        (event(3, ["1+2"], adjustments=[violation("e3", 1)]), "$.adjustments[0].round"),
    ],
)
def test_an_impossible_swiss_event_is_refused_with_its_path(made: dict[str, Any], path: str) -> None:
    with pytest.raises(EventFileError) as refused:
        event_file.read(made, rules(GO))
    assert [problem.path for problem in refused.value.problems] == [path]


def test_a_round_left_out_is_refused() -> None:
    document = event(2, ["1+2", "1+2"])
    document["stages"][0]["rounds"][1]["number"] = 3
    with pytest.raises(EventFileError, match="缺少第2轮"):
        event_file.read(document, rules(GO))


def test_a_violation_without_a_round_counts_in_the_last_one() -> None:
    given = violation("e1", 1, 2)
    del given["round"]
    answer = event_file.score(event(2, ["1+2"], adjustments=[given]), rules(GO))
    assert value(answer["placings"][0], "violations") == "2"
    assert answer["adjustments"][0]["round"] == 1
    assert answer["adjustments"][0]["clause"] == "附件2二"


RESULTS = "+-=FfX"


@st.composite
def tournaments(draw: st.DrawFn) -> dict[str, Any]:
    """Six to eight players, one to four rounds, any pairing, forfeits and byes, a few violations."""
    count = draw(st.integers(6, 8))
    rounds, byes = [], {}
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(range(1, count + 1)))
        pairs = list(zip(order[::2], order[1::2], strict=False))
        rounds.append(" ".join(f"{a}{draw(st.sampled_from(RESULTS))}{b}" for a, b in pairs))
        if count % 2:
            byes[number] = [f"e{order[-1]}"]
    return event(count, rounds, byes)


@settings(deadline=None)  # the first example pays for what is loaded then
@given(document=tournaments(), chain=st.sampled_from([GO, XIANGQI]), data=st.data())
def test_the_order_of_the_input_is_irrelevant(
    document: dict[str, Any], chain: tuple[str, ...], data: st.DataObject
) -> None:
    stage = document["stages"][0]
    shuffled = {
        **document,
        "entrants": data.draw(st.permutations(document["entrants"])),
        "stages": [
            {
                **stage,
                "rounds": data.draw(
                    st.permutations(
                        [
                            {**each, "tables": data.draw(st.permutations(each["tables"]))}
                            for each in stage["rounds"]
                        ]
                    )
                ),
            }
        ],
    }
    found = rules(chain)
    assert event_file.score(shuffled, found) == event_file.score(document, found)


@settings(deadline=None)  # the first example pays for what is loaded then
@given(document=tournaments(), chain=st.sampled_from([GO, XIANGQI]))
def test_equal_keys_share_a_rank_and_what_decided_is_what_the_comparison_says(
    document: dict[str, Any], chain: tuple[str, ...]
) -> None:
    placings = event_file.score(document, rules(chain))["placings"]
    for above, placing in pairwise(placings):
        told = event_file.why(above, placing)
        assert (above["rank"] == placing["rank"]) == (told.decided_by is None)
        if not placing["shared"]:
            assert placing["decided_by"] == told.decided_by
            assert told.ahead == above["entrant"]
    for placing in placings:
        assert placing["rank"] == 1 + sum(other["rank"] < placing["rank"] for other in placings)


@settings(deadline=None)  # the first example pays for what is loaded then
@given(document=tournaments(), chain=st.sampled_from([GO, XIANGQI]), data=st.data())
def test_a_violation_never_raises_its_offender(
    document: dict[str, Any], chain: tuple[str, ...], data: st.DataObject
) -> None:
    seats = [
        (table[key], part["number"])
        for part in document["stages"][0]["rounds"]
        for table in part["tables"]
        for key in ("first", "second")
    ]
    given_before = [
        violation(entrant, number, 1, f"v{index}")
        for index, (entrant, number) in enumerate(data.draw(st.lists(st.sampled_from(seats), max_size=3)))
    ]
    offender, number = data.draw(st.sampled_from(seats))
    more = [*given_before, violation(offender, number, 1, "new")]
    before, after = (
        {each["entrant"]: each["rank"] for each in event_file.score(made, rules(chain))["placings"]}
        for made in ({**document, "adjustments": given_before}, {**document, "adjustments": more})
    )
    assert after[offender] >= before[offender]


def test_every_criterion_with_options_names_their_values_and_takes_the_first() -> None:
    for code, kind in CRITERIA.items():
        for values in kind.options.values():
            assert len(values) > 1, code
    record = StandingRecord(EntrantId("e1"), 0, rounds=(), violations=0)
    placings = rank([record], tuple(GO), Field({record.entrant: record}))
    assert [each.value for each in placings[0].values] == [0, 0, 0, None, ()]
