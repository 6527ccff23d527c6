"""Three-player Swiss: each rule by a case of its own, draws that are exactly these, and what holds of any input."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

from scoring_engine.pairing.seeds import SeedError
from scoring_engine.pairing.three_player_swiss import (
    Rematch,
    TrioDraw,
    TrioOptions,
    TrioPlayer,
    TrioRule,
    draw_round,
)
from scoring_engine.values import EntrantId, UnitId
from tests.scoring_engine.events import golden
from tests.scoring_engine.pairing.three_player_tournaments import clubs_tournament, play

SOFT = TrioOptions(clause="附件4五")
HARD = TrioOptions(Rematch.HARD, "附件4五")
SEED = b"seed"


def player(
    name: str, unit: str | None = None, points: Any = 0, game_points: int = 0, **more: Any
) -> TrioPlayer:
    return TrioPlayer(
        EntrantId(name), None if unit is None else UnitId(unit), Fraction(points), game_points, **more
    )


def people_of(case: dict[str, Any]) -> list[TrioPlayer]:
    return [
        player(
            each["id"],
            each.get("unit"),
            each.get("match_points", "0"),
            each.get("game_points", 0),
            met=each.get("met", {}),
            seats=tuple(each.get("seats", (0, 0, 0))),
            byes=each.get("byes", 0),
            available=each.get("available", True),
        )
        for each in case["players"]
    ]


def tables_of(draw: TrioDraw) -> set[frozenset[str]]:
    return {frozenset(table.seats) for table in draw.tables}


@pytest.mark.parametrize("case", golden("three_player_swiss")["cases"], ids=lambda case: case["name"])
def test_golden_draws_come_out_as_written(case: dict[str, Any]) -> None:
    options = TrioOptions(Rematch(case.get("rematch", "soft")), case["clause"])
    draw = draw_round(people_of(case), options, case["round"], bytes.fromhex(case["seed"]))
    if "seats" in case:
        assert [list(table.seats) for table in draw.tables] == case["seats"]
    assert tables_of(draw) == {frozenset(table) for table in case["tables"]}
    assert [bye.entrant for bye in draw.byes] == case.get("byes", [])
    assert [ruling.reason.zh for ruling in draw.needs_ruling] == case.get("rulings", [])
    assert [ruling.clause for ruling in draw.needs_ruling] == [case["clause"]] * len(draw.needs_ruling)


def field_after(seed: str, size: int, rounds: int) -> list[TrioPlayer]:
    tournament = clubs_tournament(seed, size, rounds)
    for _ in play(tournament):
        pass
    return [person.given(rounds + 1) for person in tournament.people]


@given(st.integers(3, 40), st.integers(1, 4), st.randoms(use_true_random=False), st.sampled_from(Rematch))
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_input_does_not_matter(
    size: int, number: int, dice: random.Random, rematch: Rematch
) -> None:
    players = field_after(f"order {size}", size, number - 1)
    shuffled = dice.sample(players, len(players))
    options = TrioOptions(rematch)
    assert draw_round(players, options, number, SEED) == draw_round(shuffled, options, number, SEED)


def test_the_seed_alone_decides_the_first_round() -> None:
    players = [player(f"e{number}", points=number) for number in range(12)]
    draws = {
        tuple(table.seats for table in draw_round(players, SOFT, 1, bytes([n])).tables) for n in range(9)
    }
    assert len(draws) == 9
    assert draw_round(players, SOFT, 1, SEED) == draw_round(players, SOFT, 1, SEED)


def test_an_empty_seed_is_refused() -> None:
    with pytest.raises(SeedError):
        draw_round([player("e1")], SOFT, 1, b"")


@pytest.mark.parametrize(
    ("players", "says"),
    [
        ([player("e1"), player("e1")], "twice"),
        ([player("e1", met={"e1": 1})], "opponents of e1"),
        ([player("e1", met={"e2": 1}), player("e2")], "agree"),
        ([player("e1", byes=-1)], "negative"),
        ([player("e1", seats=(0, -1, 0))], "negative"),
    ],
)
def test_impossible_input_is_refused(players: list[TrioPlayer], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        draw_round(players, SOFT, 2, SEED)


def test_points_that_are_not_exact_are_refused() -> None:
    with pytest.raises(TypeError, match="neither int nor Fraction"):
        draw_round([TrioPlayer(EntrantId("e1"), match_points=1.5)], SOFT, 2, SEED)  # type: ignore[arg-type]  # the point


@st.composite
def unit_sizes(draw: st.DrawFn) -> tuple[int, list[int]]:
    """A number of tables, and sizes of units that fill them; the first often has just a person for every table."""
    tables = draw(st.integers(2, 11))
    left, sizes = 3 * tables, [tables] if draw(st.booleans()) else []
    left -= sum(sizes)
    while left:
        sizes.append(draw(st.integers(1, min(left, tables))))
        left -= sizes[-1]
    return tables, sizes


@given(unit_sizes(), st.integers(1, 2), st.randoms(use_true_random=False), st.sampled_from([SOFT, HARD]))
@settings(max_examples=60, deadline=None)
def test_units_that_fit_the_tables_never_meet(
    case: tuple[int, list[int]], number: int, dice: random.Random, options: TrioOptions
) -> None:
    tables, sizes = case
    units = [f"u{unit}" for unit, size in enumerate(sizes) for _ in range(size)]
    players = [
        player(f"e{at}", unit, dice.randint(0, 8), dice.randint(-40, 40)) for at, unit in enumerate(units)
    ]
    draw = draw_round(players, options, number, SEED)
    unit_of = {each.id: each.unit for each in players}
    assert len(draw.tables) == tables
    assert all(len({unit_of[one] for one in table.seats}) == 3 for table in draw.tables)
    assert (draw.broken, draw.needs_ruling) == ((), ())


@pytest.mark.parametrize("size", [9, 30, 99])
def test_a_unit_with_more_people_than_tables_meets_as_little_as_can_be_and_is_named(size: int) -> None:
    tables, too_many = size // 3, 2
    players = [player(f"e{at}", "big" if at < tables + too_many else None, size - at) for at in range(size)]
    draw = draw_round(players, SOFT, 2, SEED)
    assert draw.report.unit_meetings == too_many
    assert [each.rule for each in draw.broken] == [TrioRule.SAME_UNIT] * too_many
    (ruling,) = draw.needs_ruling
    assert "big" in ruling.reason.zh
    assert "e0" in ruling.reason.zh
    assert f"{tables} tables" in ruling.reason.en
    assert len(draw.tables) == tables


def test_byes_go_to_a_unit_that_has_more_people_than_tables() -> None:
    players = [player(f"e{at}", "big" if at < 4 else None, 9 - at) for at in range(10)]
    draw = draw_round(players, SOFT, 2, SEED)
    assert [bye.entrant for bye in draw.byes] == ["e3"]
    assert "单位人数多于桌数" in draw.byes[0].why.zh
    assert not draw.needs_ruling


def test_a_second_bye_that_keeps_units_apart_is_a_question() -> None:
    players = [player(f"e{at}", "big" if at < 4 else None, 9 - at, byes=int(at < 4)) for at in range(10)]
    draw = draw_round(players, SOFT, 2, SEED)
    assert [bye.entrant for bye in draw.byes] == ["e3"]
    assert [each.rule for each in draw.broken] == [TrioRule.SECOND_BYE]
    assert "e3" in draw.needs_ruling[0].reason.zh


@pytest.mark.parametrize(("people", "byes"), [(6, 0), (7, 1), (8, 2)])
def test_the_lowest_who_have_had_fewest_byes_have_one(people: int, byes: int) -> None:
    players = [player(f"e{at}", points=20 - at, byes=int(at >= 5)) for at in range(people)]
    draw = draw_round(players, SOFT, 2, SEED)
    assert [bye.entrant for bye in draw.byes] == ["e3", "e4"][2 - byes :]


@pytest.mark.parametrize("people", [1, 2])
def test_too_few_for_a_table_is_a_question(people: int) -> None:
    draw = draw_round([player(f"e{at}") for at in range(people)], SOFT, 2, SEED)
    assert not draw.tables
    assert len(draw.byes) == people
    assert "不足一桌三人" in draw.needs_ruling[0].reason.zh


def test_nobody_there_is_an_empty_round() -> None:
    draw = draw_round([player("e1", available=False)], SOFT, 2, SEED)
    assert (draw.tables, draw.byes, draw.needs_ruling, draw.absent) == ((), (), (), ("e1",))


MET = {"e0": {"e1": 1}, "e1": {"e0": 1}}


@pytest.mark.parametrize(
    ("rematch", "together"), [(Rematch.SOFT, False), (Rematch.LAST, True), (Rematch.HARD, False)]
)
def test_a_rematch_yields_to_game_points_only_where_the_option_says_so(
    rematch: Rematch, together: bool
) -> None:
    players = [
        player(f"e{at}", points=2, game_points=60 - 10 * at, met=MET.get(f"e{at}", {})) for at in range(6)
    ]
    draw = draw_round(players, TrioOptions(rematch), 2, SEED)
    assert any({"e0", "e1"} <= set(table.seats) for table in draw.tables) is together


@pytest.mark.parametrize(
    ("rematch", "together"), [(Rematch.SOFT, True), (Rematch.LAST, True), (Rematch.HARD, False)]
)
def test_match_points_come_before_a_rematch_unless_it_is_forbidden(rematch: Rematch, together: bool) -> None:
    players = [player(f"e{at}", points=2 - at // 3, met=MET.get(f"e{at}", {})) for at in range(6)]
    draw = draw_round(players, TrioOptions(rematch), 2, SEED)
    assert any({"e0", "e1"} <= set(table.seats) for table in draw.tables) is together


LINES = ["012 345 678", "036 147 258", "048 156 237", "057 138 246"]
"""All four ways to seat nine so that no two ever meet twice."""


def after_lines(rounds: int) -> list[TrioPlayer]:
    met: dict[str, Counter[str]] = {f"e{at}": Counter() for at in range(9)}
    for line in LINES[:rounds]:
        for table in line.split():
            for one, other in combinations(table, 2):
                met[f"e{one}"][f"e{other}"] += 1
                met[f"e{other}"][f"e{one}"] += 1
    return [player(f"e{at}", points=9 - at, met=dict(met[f"e{at}"])) for at in range(9)]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_last_way_without_a_rematch_is_found(rounds: int) -> None:
    draw = draw_round(after_lines(rounds), HARD, rounds + 1, SEED)
    assert draw.report.rematches == 0
    assert not draw.needs_ruling
    if rounds == 3:
        assert tables_of(draw) == {frozenset(f"e{at}" for at in table) for table in LINES[3].split()}


def test_when_everybody_has_met_everybody_it_is_a_question_with_names() -> None:
    draw = draw_round(after_lines(4), HARD, 5, SEED)
    assert draw.report.rematches == 9
    (ruling,) = draw.needs_ruling
    assert ruling.reason.zh.startswith("没有一种编排")
    assert "e0与" in ruling.reason.zh
    assert len(draw.tables) == 3


@pytest.mark.parametrize("size", [13, 14, 15, 18, 21])
@pytest.mark.parametrize("seed", range(3))
def test_where_a_draw_without_a_rematch_exists_one_is_found(size: int, seed: int) -> None:
    """HiGHS says whether there is one, for any choice of byes; the rounds go on until it says there is none."""
    tournament = clubs_tournament(f"hard {seed}", size, 9)
    tournament = type(tournament)(tournament.people, 9, HARD, tournament.seed)
    for number, draw in play(tournament):
        if draw.broken:
            players = [person.given(number) for person in tournament.people]
            resting = {bye.entrant for bye in draw.byes}
            assert not _possible([each for each in players if each.id not in resting])
            return
    pytest.fail("nine rounds without a question")


def _possible(players: list[TrioPlayer]) -> bool:
    apart = [
        three
        for three in combinations(range(len(players)), 3)
        if not any(
            players[one].unit == players[other].unit or players[other].id in players[one].met
            for one, other in combinations(three, 2)
        )
    ]
    if not apart:
        return False
    at = [place for three in apart for place in three]
    rows = csr_matrix(
        (np.ones(len(at)), (at, np.repeat(np.arange(len(apart)), 3))), shape=(len(players), len(apart))
    )
    answer = milp(
        np.zeros(len(apart)),
        constraints=LinearConstraint(rows, 1, 1),
        integrality=np.ones(len(apart)),
        bounds=Bounds(0, 1),
    )
    assert answer.status in (0, 2)
    return bool(answer.success)


def test_seats_owed_are_given() -> None:
    players = [
        player("e1", seats=(1, 1, 0)),
        player("e2", seats=(0, 1, 1)),
        player("e3", seats=(1, 0, 1)),
    ]
    draw = draw_round(players, SOFT, 3, SEED)
    assert draw.tables[0].seats == ("e2", "e3", "e1")
    assert draw.report.greatest_seat_imbalance == 0
    assert "e2坐西（坐过0次）" in draw.tables[0].why.zh


def test_a_first_round_is_explained_by_lots_alone() -> None:
    draw = draw_round([player(f"e{at}") for at in range(7)], SOFT, 1, SEED)
    table = draw.tables[1]
    one, two, three = draw.lots[3:6]
    said = {each.topic.value: each.text.zh for each in table.said}
    assert said["meeting"] == f"抽签：{one}、{two}、{three}。"
    assert said["number"] == f"桌号按抽签先后：看每桌最先抽到的人，本桌是{one}。"
    assert said["seats"].startswith("座位抽签决定：")
    assert draw.byes[0].why.zh == f"{draw.lots[6]}轮空：抽签。"


def test_a_table_of_unequal_match_points_says_why_and_who_floats() -> None:
    points = (4, 4, 4, 4, 2, 2, 2, 2, 2)
    players = [player(f"e{at}", points=each, game_points=-at) for at, each in enumerate(points)]
    draw = draw_round(players, SOFT, 3, SEED)
    (mixed,) = (table for table in draw.tables if table.spread)
    said = {each.topic.value: each.text for each in mixed.said}
    assert "场分4的共4人，三人一桌坐不满整桌" in said["float"].zh
    assert f"{mixed.by_score[0]}下浮（遇低分）" in said["float"].zh
    assert "float down" in said["float"].en
    assert f"本桌是{mixed.by_score[0]}（第{mixed.places[0]}）" in said["number"].zh


def test_the_bye_says_who_is_lower_but_has_had_one() -> None:
    players = [player(f"e{at}", points=9 - at, byes=int(at == 6)) for at in range(7)]
    draw = draw_round(players, SOFT, 3, SEED)
    assert [bye.entrant for bye in draw.byes] == ["e5"]
    assert "名次更后的e6轮空得更多，本轮不再轮空。" in draw.byes[0].why.zh


def test_seats_stay_balanced_over_six_rounds() -> None:
    tournament = clubs_tournament("seats", 30, 6)
    for _ in play(tournament):
        pass
    uneven = [max(person.seats) - min(person.seats) for person in tournament.people]
    assert max(uneven) <= 2
    assert sum(each <= 1 for each in uneven) >= 20


def test_a_table_names_the_nearer_people_it_could_not_have() -> None:
    players = [player(f"e{at}", "u" if at in (0, 1) else None, points=9 - at) for at in range(6)]
    draw = draw_round(players, SOFT, 2, SEED)
    avoided = draw.tables[0].avoided
    assert [(each.entrant, each.other, each.rule) for each in avoided] == [("e0", "e1", TrioRule.SAME_UNIT)]
    assert "e0不与e1（同单位）" in draw.tables[0].why.zh
    assert draw.report.units_avoided == 1


def test_a_large_field_spreads_no_more_than_the_bound() -> None:
    """The bound holds for every draw, so this one is the best by match points."""
    draw = draw_round(field_after("large", 300, 3), SOFT, 4, SEED)
    assert draw.report.spread == draw.report.least_spread > 0
    assert not draw.report.every_draw
