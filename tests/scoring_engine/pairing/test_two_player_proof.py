"""What is said to be proved of a draw among neighbours: never more than is so, and what small fields need.

Positions stand in drawn order: points high first, and among equals by lots of the same seed.
"""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from scoring_engine.pairing.two_player_swiss import Proof, Side, SwissOptions, SwissPlayer, UnitRule
from scoring_engine.pairing.two_player_swiss.costs import costs_of
from scoring_engine.pairing.two_player_swiss.field import Field, field_of
from scoring_engine.pairing.two_player_swiss.matching import perfect
from scoring_engine.pairing.two_player_swiss.proof import proof_of
from scoring_engine.values import EntrantId, UnitId

FIRST, SECOND = Side.FIRST, Side.SECOND


def field(*people: SwissPlayer, options: SwissOptions | None = None) -> Field:
    return field_of(people, options or SwissOptions(), 3, b"seed")


def person(entrant: str, points: int, met: str = "", **more: object) -> SwissPlayer:
    return SwissPlayer(EntrantId(entrant), points=points, opponents=tuple(map(EntrantId, met)), **more)  # type: ignore[arg-type]


def test_neighbours_of_even_groups_are_proved_and_needless_floats_are_not() -> None:
    four = field(person("a", 4), person("b", 4), person("c", 2), person("d", 2))
    assert proof_of(four, [(0, 1), (2, 3)], None) is Proof.SQUARES
    assert proof_of(four, [(0, 2), (1, 3)], None) is Proof.NONE


def test_an_odd_group_floats_once_to_the_next_points() -> None:
    six = field(
        *(person(entrant, points) for entrant, points in zip("abcdef", (4, 2, 2, 2, 0, 0), strict=True))
    )
    assert proof_of(six, [(0, 1), (2, 3), (4, 5)], None) is Proof.SQUARES
    assert proof_of(six, [(0, 1), (2, 4), (3, 5)], None) is Proof.NONE


def test_a_float_over_two_groups_has_the_least_difference_but_perhaps_not_the_least_squares() -> None:
    four = field(person("a", 4), person("b", 2), person("c", 2), person("d", 0))
    assert proof_of(four, [(0, 3), (1, 2)], None) is Proof.DIFFERENCE
    assert proof_of(four, [(0, 1), (2, 3)], None) is Proof.SQUARES


@pytest.mark.parametrize(
    ("top", "options"),
    [
        ((person("a", 4, "b"), person("b", 4, "a")), SwissOptions()),
        ((person("a", 4, unit=UnitId("u")), person("b", 4, unit=UnitId("u"))), SwissOptions()),
        ((person("a", 4, sides=(FIRST, FIRST)), person("b", 4, sides=(FIRST, FIRST))), SwissOptions()),
    ],
)
def test_floats_that_a_hard_rule_forces_are_proved(
    top: tuple[SwissPlayer, SwissPlayer], options: SwissOptions
) -> None:
    four = field(*top, person("c", 2), person("d", 2), options=options)
    assert proof_of(four, [(0, 2), (1, 3)], None) is Proof.SQUARES


def test_floats_that_those_below_force_are_proved() -> None:
    four = field(person("a", 4), person("b", 4), person("c", 2, "d"), person("d", 2))
    assert proof_of(four, [(0, 2), (1, 3)], None) is Proof.SQUARES


def test_units_that_are_only_soft_force_nothing() -> None:
    people = (
        person(entrant, points, unit=UnitId(entrant[0]))
        for entrant, points in (("aa", 4), ("ab", 4), ("ca", 2), ("cb", 2))
    )
    four = field(*people, options=SwissOptions(unit=UnitRule.SOFT))
    assert proof_of(four, [(0, 2), (1, 3)], None) is Proof.NONE


def test_a_bye_is_proved_for_the_lowest_points_that_may_have_it() -> None:
    five = field(person("a", 4), person("b", 4), person("c", 2), person("d", 2), person("e", 0, byes=1))
    assert proof_of(five, [(0, 1), (3, 4)], 2) is Proof.SQUARES
    assert proof_of(five, [(1, 2), (3, 4)], 0) is Proof.NONE


def test_a_bound_lets_the_bye_go_to_anybody_of_its_points() -> None:
    """c and d have met. With the bye to e both would have to float; with the bye to d, nobody else would."""
    five = field(person("a", 4), person("b", 4), person("c", 2, "d"), person("d", 2), person("e", 2))
    place = {player.id: position for position, player in enumerate(five.players)}
    a, b, c, d, e = (place[EntrantId(each)] for each in "abcde")
    crossing = [(min(a, c), max(a, c)), (min(b, d), max(b, d))]
    assert proof_of(five, crossing, e) is Proof.NONE
    assert proof_of(five, [(min(a, b), max(a, b)), (min(c, e), max(c, e))], d) is Proof.SQUARES


def test_a_bye_that_would_go_to_more_points_bounds_nothing() -> None:
    """d and e have had the bye, so c has it, and a and b, who have met, both float over c's points."""
    five = field(
        person("a", 4, "b"),
        person("b", 4, "a"),
        person("c", 2),
        person("d", 0, byes=1),
        person("e", 0, byes=1),
    )
    assert proof_of(five, [(0, 3), (1, 4)], 2) is Proof.DIFFERENCE


def some_field(seed: int) -> Field:
    dice = random.Random(seed)
    ids = [EntrantId(f"e{number}") for number in range(dice.randint(8, 22))]
    return field(
        *(
            SwissPlayer(
                each,
                UnitId(dice.choice("uvwxyz")),
                dice.choice([0, 0, 1, 2, 2, 3, 4, 6]),
                opponents=tuple(other for other in dice.sample(ids, 3) if other != each),
                sides=dice.choice([(), (FIRST, FIRST), (SECOND, SECOND), (FIRST, SECOND)]),
                byes=dice.choice([0, 0, 1]),
            )
            for each in ids
        )
    )


def test_nothing_is_called_proved_that_a_draw_of_every_pair_does_better() -> None:
    """With few neighbours linked the draw is often poor, and then must not be called proved."""
    told = dict.fromkeys(Proof, 0)
    for seed in range(150):
        every = some_field(seed)
        size = len(every.players)
        best = perfect(costs_of(every, size, forced=False).edges(), size)
        for band in (2, 3, 5, 8) if best is not None else ():
            found = perfect(costs_of(every, band, forced=False).edges(), size)
            if best is None or found is None:
                continue
            gaps, least = (
                [every.score[one] - every.score[other] for one, other in pairs] for pairs, _ in (found, best)
            )
            proof = proof_of(every, *found)
            told[proof] += 1
            if proof is not Proof.NONE:
                assert sum(gaps) == sum(least), seed
                assert every.score[found[1] or 0] == every.score[best[1] or 0], seed
            if proof is Proof.SQUARES:
                assert sum(gap * gap for gap in gaps) == sum(gap * gap for gap in least), seed
    assert all(told[proof] > 20 for proof in (Proof.NONE, Proof.DIFFERENCE, Proof.SQUARES)), told


def test_a_cut_between_sections_has_an_even_number_above() -> None:
    from scoring_engine.pairing.two_player_swiss.matching import cuts_of

    for size in range(512, 3000, 37):
        cuts = cuts_of(size, size // 256)
        assert cuts[0] == 0
        assert len(cuts) == size // 256
        assert all(cut % 2 == 0 for cut in cuts)
        assert all(170 <= below - above <= 512 for above, below in pairwise([*cuts, size]))
