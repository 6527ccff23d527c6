"""Level tables of C and D, their linter, 必打 and A (C 八(七); D 五13, 五14; I-C-4, I-C-13, I-D-2, I-D-3, I-D-13)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.documents import DocumentError, Node, Problems
from scoring_engine.tractor.levels import (
    ACE,
    PAST_A,
    Climb,
    ImpossiblePointsError,
    LevelResult,
    LevelTable,
    Side,
    climb,
    level_name,
    level_of,
)
from tests.scoring_engine.events import golden
from tests.scoring_engine.sentences import check_sentences
from tests.scoring_engine.tractor.regulations import levels

GOLDEN = golden("tractor_levels")
multiples_of_five = st.integers(-2000, 2000).map(lambda number: 5 * number)
tables = st.sampled_from(["C", "D"]).map(levels)


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", GOLDEN["results"], ids=named)
def test_points_give_the_levels_of_the_text(case: dict[str, Any]) -> None:
    result = levels(case["text"]).result(case["points"])
    up = Side(case["side"]) if case["levels"] else None
    takes = case["side"] == "defenders"
    own = case["clause"] if case["clause"].startswith(("八", "五")) else "五14"
    assert result == LevelResult(up, case["levels"], takes, own)


def test_three_decks_follow_the_formula_of_the_text() -> None:
    table = levels("C")
    for points in range(-600, 1205, 5):
        if points >= 120:
            wanted = (True, (points - 120) // 60)
        elif points <= 0:
            wanted = (False, 3 + -points // 60)
        else:
            wanted = (False, 2 if points < 60 else 1)
        result = table.result(points)
        assert (result.defenders_take_bank, result.levels) == wanted, points


def test_two_decks_follow_the_formula_of_the_text() -> None:
    table = levels("D")
    for points in range(-300, 2405, 5):
        if points >= 80:
            wanted = (True, min(8, (points - 80) // 15))
        elif points > 0:
            wanted = (False, 5 - (points - 5) // 15)
        else:
            wanted = (False, 6)
        result = table.result(points)
        assert (result.defenders_take_bank, result.levels) == wanted, points


@pytest.mark.parametrize(("text", "points"), [("C", 120), ("D", 80)])
def test_the_bank_changes_at_its_points(text: str, points: int) -> None:
    table = levels(text)
    assert table.result(points) == LevelResult(None, 0, True, table.row_of(points).clause)
    assert not table.result(points - 5).defenders_take_bank


@given(tables, multiples_of_five)
def test_every_multiple_of_five_is_in_exactly_one_row(table: LevelTable, points: int) -> None:
    assert [row for row in table.rows if row.holds(points)] == [table.row_of(points)]


@given(tables, multiples_of_five)
def test_five_points_more_are_never_worse_for_the_defenders(table: LevelTable, points: int) -> None:
    def merit(result: LevelResult) -> tuple[bool, int]:
        takes = result.defenders_take_bank
        return takes, result.levels if takes else -result.levels

    assert merit(table.result(points)) <= merit(table.result(points + 5))
    assert table.result(points) == table.result(points)


@given(tables, st.integers().filter(lambda number: number % 5))
def test_points_that_are_no_multiple_of_five_are_refused(table: LevelTable, points: int) -> None:
    with pytest.raises(ImpossiblePointsError) as refused:
        table.result(points)
    assert str(points) in refused.value.text.zh
    assert str(points) in refused.value.text.en


@pytest.mark.parametrize("points", [True, "60", None, 60.0])
def test_points_that_are_no_whole_number_are_refused(points: Any) -> None:
    with pytest.raises(ImpossiblePointsError, match="整数") as refused:
        levels("C").result(points)
    check_sentences(refused.value.text.zh, refused.value.text.en)


@pytest.mark.parametrize("case", GOLDEN["refused_tables"], ids=named)
def test_a_table_that_cannot_be_used_names_the_row(case: dict[str, Any]) -> None:
    with pytest.raises(DocumentError) as refused:
        LevelTable.from_rows(case["rows"], "八(七)")
    assert {problem.path for problem in refused.value.problems} == {case["path"]}
    for problem in refused.value.problems:
        check_sentences(problem.zh, problem.en)


def test_every_problem_of_a_table_is_found_at_once() -> None:
    rows = [
        {"to": 1, "side": "banker", "levels": 1},
        {"from": 5, "to": 75, "side": "judge", "levels": -1},
        {"from": 80, "side": "defenders"},
    ]
    node = Node({"clause": "", "rows": rows}, "$.scoring.levels", Problems())
    assert LevelTable.read(node) is None
    assert [problem.path for problem in node.problems.found] == [
        "$.scoring.levels.clause",
        "$.scoring.levels.rows[0].to",
        "$.scoring.levels.rows[1].side",
        "$.scoring.levels.rows[1].levels",
        "$.scoring.levels.rows[2].levels",
    ]


def test_gaps_and_overlaps_are_named_by_their_points() -> None:
    rows = [
        {"to": 0, "side": "banker", "levels": 3},
        {"from": 20, "to": 40, "side": "banker", "levels": 2},
        {"from": 35, "to": 60, "side": "banker", "levels": 1},
        {"from": 60, "side": "defenders", "levels": 0},
    ]
    with pytest.raises(DocumentError) as refused:
        LevelTable.from_rows(rows, "八(七)", "$.t")
    assert [(problem.path, problem.en) for problem in refused.value.problems] == [
        ("$.t.rows[1].from", "A gap before this row: 5…15 is in no row."),
        ("$.t.rows[2].from", "It overlaps the row before: 35…40 is in both."),
        (
            "$.t.rows[3].from",
            "60 is in two rows: the row before ends at 60, this one must start at 65.",
        ),
    ]


@pytest.mark.parametrize("rows", [{"rows": {}}, {}])
def test_rows_are_a_list(rows: dict[str, Any]) -> None:
    node = Node({"clause": "八", **rows}, "$", Problems())
    assert LevelTable.read(node) is None
    assert "这里应为列表。" in [problem.zh for problem in node.problems.found]


@pytest.mark.parametrize(
    ("rows", "zh"),
    [
        ([{"side": "banker", "levels": 1}], "没有防家的一行。"),
        ([{"side": "defenders", "levels": 1}], "没有庄家的一行。"),
        ([{"from": 0, "side": "banker", "levels": 1}], "第一行没有 from：判罚和抠底使得分没有界限。"),
        ([{"to": 0, "side": "banker", "levels": 1}], "最后一行没有 to：判罚和抠底使得分没有界限。"),
    ],
)
def test_a_problem_of_a_table_says_what_is_missing_or_too_much(rows: list[dict[str, Any]], zh: str) -> None:
    with pytest.raises(DocumentError) as refused:
        LevelTable.from_rows(rows, "八(七)")
    assert [problem.zh for problem in refused.value.problems] == [zh]
    check_sentences(zh, refused.value.problems[0].en)


@pytest.mark.parametrize(("key", "row"), [("from", "The first row"), ("to", "The last row")])
def test_a_bound_at_an_open_end_says_which_row(key: str, row: str) -> None:
    rows = [
        {"to": 0, "side": "banker", "levels": 1},
        {"from": 5, "side": "defenders", "levels": 1},
    ]
    rows[0 if key == "from" else 1][key] = 5
    with pytest.raises(DocumentError) as refused:
        LevelTable.from_rows(rows, "八(七)")
    assert refused.value.problems[0].en.startswith(f"{row} has no {key}:")


def test_a_last_row_that_starts_at_0_grows_from_0() -> None:
    rows = [
        {"to": -5, "side": "banker", "levels": 1, "every": 10},
        {"from": 0, "side": "defenders", "levels": 1, "every": 10},
    ]
    table = LevelTable.from_rows(rows, "八(七)")
    assert [table.result(points).levels for points in (-25, -20, -15, -10, -5, 0, 5, 10, 15, 20)] == [
        *(3, 2, 2, 1, 1),
        *(1, 1, 2, 2, 3),
    ]


def test_a_row_may_be_of_one_score() -> None:
    rows = [
        {"to": 0, "side": "banker", "levels": 1},
        {"from": 5, "to": 5, "side": "banker", "levels": 0},
        {"from": 10, "side": "defenders", "levels": 1},
    ]
    assert LevelTable.from_rows(rows, "八(七)").result(5) == LevelResult(None, 0, False, "八(七)")


def test_a_row_may_give_as_many_levels_as_there_are() -> None:
    rows = [{"to": 0, "side": "banker", "levels": 13}, {"from": 5, "side": "defenders", "levels": 0}]
    assert LevelTable.from_rows(rows, "八(七)").result(0).levels == 13


@given(st.data())
def test_a_table_out_of_any_cuts_covers_everything_once_and_without_a_row_leaves_a_gap(
    data: st.DataObject,
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(-50, 50), min_size=2, max_size=12)))
    turn = data.draw(st.integers(1, len(cuts)))
    rows: list[dict[str, Any]] = []
    for index in range(len(cuts) + 1):
        banks = index < turn
        row: dict[str, Any] = {
            "side": "banker" if banks else "defenders",
            "levels": turn - index if banks else index - turn,
        }
        if index:
            row["from"] = 5 * cuts[index - 1]
        if index < len(cuts):
            row["to"] = 5 * cuts[index] - 5
        rows.append(row)
    table = LevelTable.from_rows(rows, "八(七)")
    for points in range(-300, 300, 5):
        assert sum(row.holds(points) for row in table.rows) == 1
    gone = data.draw(st.integers(1, len(cuts) - 1))
    with pytest.raises(DocumentError) as refused:
        LevelTable.from_rows(rows[:gone] + rows[gone + 1 :], "八(七)")
    assert f"$.rows[{gone}].from" in [problem.path for problem in refused.value.problems]


@pytest.mark.parametrize("case", GOLDEN["climbs"], ids=named)
def test_a_side_climbs_as_the_text_says(case: dict[str, Any]) -> None:
    start, end = level_of(case["from"]), level_of(case["to"])
    assert start is not None
    assert end is not None
    after = climb(
        start,
        case["up"],
        banking=case["banking"],
        must_play={level for name in case.get("must_play", ()) if (level := level_of(name)) is not None},
        past_a=case.get("past_a", "from_a"),
    )
    assert (after.level, after.past_a) == (end, case.get("past", False))
    assert after.levels == case.get("levels", case["up"])


@given(
    st.integers(0, ACE),
    st.integers(0, 20),
    st.booleans(),
    st.sets(st.integers(0, ACE)),
    st.sampled_from(PAST_A),
)
def test_levels_never_fall_and_no_must_play_level_is_skipped(
    level: int, up: int, banking: bool, must_play: set[int], past_a: str
) -> None:
    after = climb(level, up, banking=banking, must_play=must_play, past_a=past_a)
    assert level <= after.level <= min(ACE, level + up)
    assert after.levels in (up, after.level - level)
    between = set(range(level + 1, after.level))
    assert not between & must_play
    if level in must_play and not banking:
        assert (after.level, after.levels, after.past_a) == (level, 0, False)
    assert not after.past_a or after.level == ACE


def test_a_side_passes_a_only_from_a_where_nothing_else_is_said() -> None:
    assert climb(ACE - 1, 2, banking=True) == Climb(ACE, 2)
    assert climb(ACE, 1, banking=True) == Climb(ACE, 1, past_a=True)


@pytest.mark.parametrize(
    ("level", "up", "past_a"), [(-1, 1, "from_a"), (13, 1, "from_a"), (3, -1, "from_a"), (3, 1, "never")]
)
def test_impossible_climbs_are_refused(level: int, up: int, past_a: str) -> None:
    with pytest.raises(ValueError, match="level"):
        climb(level, up, banking=True, past_a=past_a)


def test_levels_are_named_2_to_a() -> None:
    names = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert [level_name(level) for level in range(13)] == names
    assert [level_of(name) for name in names] == list(range(13))
    assert level_of("T") == level_of("10")
    assert [level_of(name) for name in ("1", "", "a", "11", "大王")] == [None] * 5
