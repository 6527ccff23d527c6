"""Single elimination (D 赛制): the first draw, later rounds, byes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_engine.pairing.bracket import (
    LATER_ROUNDS,
    BracketRound,
    draw_first_round,
    draw_later_round,
    going_on,
)
from scoring_engine.values import EntrantId

ROUNDS = 3  # D: 三轮


def ids(count: int) -> list[EntrantId]:
    return [EntrantId(f"e{number}") for number in range(1, count + 1)]


def everyone(part: BracketRound) -> list[EntrantId]:
    return sorted([*(seat for table in part.tables for seat in table), *part.byes])


@given(
    count=st.integers(1, 200),
    seeds=st.lists(st.binary(min_size=1, max_size=32), min_size=ROUNDS, max_size=ROUNDS),
    later=st.sampled_from(LATER_ROUNDS),
    data=st.data(),
)
def test_three_rounds_halve_the_field_and_spread_the_byes(
    count: int, seeds: list[bytes], later: str, data: st.DataObject
) -> None:
    part = draw_first_round(data.draw(st.permutations(ids(count))), seeds[0])
    assert everyone(part) == sorted(ids(count))
    byes: Counter[EntrantId] = Counter(part.byes)
    left = count
    for seed in seeds[1:]:
        winners = {
            number: data.draw(st.sampled_from(table)) for number, table in enumerate(part.tables, start=1)
        }
        order = going_on(part, winners)
        left = (left + 1) // 2
        assert len(order) == left
        part = draw_later_round(order, seed, later_rounds=later, byes_had=byes)
        assert everyone(part) == sorted(order)
        assert len(part.byes) == left % 2
        for entrant in part.byes:
            assert byes[entrant] == min(byes[other] for other in order)
        byes.update(part.byes)


def test_a_draw_is_the_same_in_any_order_of_the_entrants() -> None:
    assert draw_first_round(ids(9), b"\x05") == draw_first_round(ids(9)[::-1], b"\x05")
    one = draw_later_round(ids(9), b"\x05", later_rounds="drawn")
    assert one == draw_later_round(ids(9)[::-1], b"\x05", later_rounds="drawn")


def test_by_table_order_the_winner_of_table_one_meets_that_of_table_two() -> None:
    first = draw_first_round(ids(8), b"\x01")
    winners = {number: table[1] for number, table in enumerate(first.tables, start=1)}
    second = draw_later_round(going_on(first, winners), b"\x02")
    assert second.tables == ((winners[1], winners[2]), (winners[3], winners[4]))
    assert second == draw_later_round(going_on(first, winners), b"\x03")


def test_drawn_anew_the_winners_meet_as_the_seed_says() -> None:
    rounds = {draw_later_round(ids(8), bytes([seed]), later_rounds="drawn").tables for seed in range(9)}
    assert len(rounds) > 1


def test_whoever_had_the_bye_stands_after_the_winners() -> None:
    first = draw_first_round(ids(5), b"\x01")
    order = going_on(first, {1: first.tables[0][0], 2: first.tables[1][1]})
    assert order == (first.tables[0][0], first.tables[1][1], first.byes[0])


def test_every_pair_may_have_the_bye() -> None:
    seen = {draw_first_round(ids(5), bytes([seed])).byes for seed in range(60)}
    assert seen == {(entrant,) for entrant in ids(5)}
    later = {draw_later_round(ids(5), bytes([seed]), bye_reading="any").byes for seed in range(60)}
    assert later == seen


def test_a_second_bye_is_drawn_only_where_the_reading_allows_it() -> None:
    had = {EntrantId("e3"): 1}
    spread = {draw_later_round(ids(3), bytes([seed]), byes_had=had).byes for seed in range(40)}
    free = {
        draw_later_round(ids(3), bytes([seed]), byes_had=had, bye_reading="any").byes for seed in range(40)
    }
    assert spread == {("e1",), ("e2",)}
    assert free == {("e1",), ("e2",), ("e3",)}


@pytest.mark.parametrize("winners", [{1: "e1"}, {1: "e9", 2: "e3"}, {2: "e3"}])
def test_a_table_without_a_winner_of_its_own_stops_the_next_round(winners: dict[int, EntrantId]) -> None:
    played = BracketRound((("e1", "e2"), ("e3", "e4")), ())
    with pytest.raises(ValueError, match="no winner of its own"):
        going_on(played, winners)


def test_nobody_stands_twice_in_a_bracket_and_readings_are_named() -> None:
    with pytest.raises(ValueError, match="twice"):
        draw_first_round([EntrantId("e1"), EntrantId("e1")], b"\x01")
    with pytest.raises(ValueError, match="later rounds"):
        draw_later_round(ids(2), b"\x01", later_rounds="seeded")
