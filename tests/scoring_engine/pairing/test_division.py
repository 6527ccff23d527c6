"""Dividing entrants into groups of 20–32 (I-B-14), and who is not paired after forfeits (I-B-19)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring_engine.pairing.attendance import Attendance, stands_out
from scoring_engine.pairing.division import divide
from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.values import EntrantId, UnitId

SIZES = (20, 32)
PLAYED, FORFEIT, BYE, ABSENT = Attendance.PLAYED, Attendance.FORFEIT, Attendance.BYE, Attendance.ABSENT


def entrants(count: int, units: int = 7) -> list[tuple[EntrantId, UnitId | None]]:
    return [
        (EntrantId(f"e{number}"), UnitId(f"u{number % units}") if number % units else None)
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("count", "groups"), [(20, 1), (32, 1), (40, 2), (64, 2), (65, 3), (96, 3), (97, 4), (160, 5), (1000, 32)]
)
def test_there_are_as_few_groups_as_can_be(count: int, groups: int) -> None:
    division = divide(entrants(count), SIZES, b"seed")
    assert division.needs_ruling is None
    assert len(division.groups) == groups
    sizes = [len(group) for group in division.groups]
    assert sum(sizes) == count
    assert max(sizes) - min(sizes) <= 1
    assert all(20 <= size <= 32 for size in sizes)


@pytest.mark.parametrize("count", [0, 1, 19, *range(33, 40)])
def test_a_number_that_cannot_be_divided_is_a_ruling(count: int) -> None:
    division = divide(entrants(count), SIZES, b"seed", clause="附件2一3")
    assert division.groups == ()
    assert division.needs_ruling is not None
    assert division.needs_ruling.clause == "附件2一3"
    assert division.needs_ruling.reason.zh == f"{count}人无法分成每组20至32人。"


def test_the_organiser_may_choose_how_many_groups_within_the_sizes() -> None:
    assert len(divide(entrants(64), SIZES, b"seed", groups=3).groups) == 3
    for groups in (0, 1, 4):
        division = divide(entrants(64), SIZES, b"seed", groups=groups)
        assert division.groups == ()
        assert division.needs_ruling is not None
        assert division.needs_ruling.suggestion is not None
        assert division.needs_ruling.suggestion.zh == "可以分成2、3组。"


@settings(deadline=None)
@given(
    units=st.lists(st.sampled_from([None, *"abcdefgh"]), min_size=4, max_size=60),
    seed=st.binary(min_size=1, max_size=8),
    groups=st.integers(1, 4),
    data=st.data(),
)
def test_units_are_spread_over_the_groups_whatever_the_order_of_the_input(
    units: list[str | None], seed: bytes, groups: int, data: st.DataObject
) -> None:
    people = [(EntrantId(f"e{place}"), unit and UnitId(unit)) for place, unit in enumerate(units)]
    division = divide(people, (1, 60), seed, groups)
    assert sorted(entrant for group in division.groups for entrant in group) == sorted(dict(people))
    for unit in set(units) - {None}:
        members = [sum(dict(people)[entrant] == unit for entrant in group) for group in division.groups]
        assert max(members) - min(members) <= 1
    assert divide(data.draw(st.permutations(people)), (1, 60), seed, groups) == division


def test_the_draw_is_the_one_the_docstring_describes() -> None:
    people = [(EntrantId(entrant), None) for entrant in "fedcba"]
    stream = SeedStream(b"seed")
    order = stream.shuffle(stream.shuffle("abcdef"))
    assert divide(people, (3, 3), b"seed").groups == (tuple(order[::2]), tuple(order[1::2]))


def test_everybody_comes_into_every_group_about_as_often() -> None:
    people = entrants(40)
    first = Counter(
        entrant for seed in range(400) for entrant in divide(people, SIZES, b"%d" % seed).groups[0]
    )
    # 400 draws, each in group 1 half of the time: 200 on average, standard deviation 10.
    assert len(first) == 40
    assert all(150 < times < 250 for times in first.values()), first


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="stands twice"):
        divide([(EntrantId("a"), None), (EntrantId("a"), None)], SIZES, b"seed")
    with pytest.raises(ValueError, match="no groups of 5 to 4"):
        divide(entrants(20), (5, 4), b"seed")


@pytest.mark.parametrize(
    ("rounds", "out"),
    [
        ([], False),
        ([FORFEIT], False),
        ([FORFEIT, FORFEIT], True),
        ([FORFEIT, PLAYED, FORFEIT], False),
        ([FORFEIT, BYE, FORFEIT], False),
        ([FORFEIT, ABSENT, FORFEIT], True),
        ([PLAYED, FORFEIT, FORFEIT, ABSENT, ABSENT], True),
        ([FORFEIT, FORFEIT, ABSENT, PLAYED], True),
    ],
)
def test_after_two_forfeits_running_nobody_is_paired(rounds: list[Attendance], out: bool) -> None:
    assert stands_out(dict(enumerate(rounds, start=1))) is out


def test_who_is_reinstated_starts_anew() -> None:
    rounds = {1: FORFEIT, 2: FORFEIT, 3: ABSENT, 4: FORFEIT}
    assert stands_out(rounds)
    assert not stands_out(rounds, reinstated_before=4)
    assert stands_out(rounds | {5: FORFEIT}, reinstated_before=4)
    assert not stands_out(rounds | {5: PLAYED}, reinstated_before=4)


def test_how_many_forfeits_it_takes_is_an_option() -> None:
    rounds = {1: FORFEIT, 2: FORFEIT, 3: FORFEIT}
    assert stands_out(rounds, running=3)
    assert not stands_out(rounds, running=4)
    assert stands_out({1: FORFEIT}, running=1)
    assert not stands_out(rounds, running=0)
    with pytest.raises(ValueError, match="-1 forfeits"):
        stands_out(rounds, running=-1)
