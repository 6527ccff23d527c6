"""Whole random tournaments, paired to the end; every round is held to every rule by a checker of its own."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable

import pytest

from scoring_engine.pairing.two_player_swiss import Pairing, Proof, SwissDraw
from tests.scoring_engine.pairing.two_player_checker import faults
from tests.scoring_engine.pairing.two_player_tournaments import tournament

# How many tournaments of how many people: 1,260 in all.
SIZES = {"small": (1000, 3, 16), "middle": (200, 17, 60), "large": (60, 61, 200)}
BLOCKS = 5


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("size", SIZES)
def test_random_tournaments_are_paired_to_the_end_by_every_rule(size: str, block: int) -> None:
    count, least, most = SIZES[size]
    rounds: Counter[str] = Counter()
    for seed in range(block, count, BLOCKS):
        dice = random.Random(f"{size} {seed}")
        played = tournament(seed, dice.randint(least, most), dice.randint(3, 9))
        for number, draw in played.play():
            found = list(faults(played.people, played.options, number, draw))
            assert not found, f"{size} tournament {seed}, round {number}: {found}"
            rounds["all"] += 1
            rounds["with a ruling"] += bool(draw.needs_ruling)
            rounds["with a bye"] += draw.bye is not None
            rounds["with absent people"] += bool(draw.absent)
            rounds["with floats"] += bool(draw.report.floats)
            assert draw.report.proof in (Proof.WHOLE, Proof.SQUARES)
            assert not draw.report.left_out
    assert rounds["all"] >= 3 * count / BLOCKS
    wanted = ["with a bye", "with absent people", "with floats"]
    assert all(rounds[each] > rounds["all"] / 10 for each in wanted), rounds
    if size == "small":
        assert rounds["with a ruling"] > 10


@pytest.mark.parametrize(("size", "rounds"), [(601, 6), (1100, 4)])
def test_a_field_drawn_in_sections_keeps_every_rule(size: int, rounds: int) -> None:
    played = tournament(77, size, rounds)
    played.options = dataclasses.replace(played.options, sides=True)
    for number, draw in played.play():
        found = list(faults(played.people, played.options, number, draw))
        assert not found, f"round {number}: {found}"
        assert not draw.broken
        assert draw.report.proof in (Proof.SQUARES, Proof.DIFFERENCE)


def _swapped(draw: SwissDraw) -> SwissDraw:
    """The second movers of the first and last table change places."""
    top, *middle, last = draw.pairings
    other = (
        dataclasses.replace(top, second=last.second),
        *middle,
        dataclasses.replace(last, second=top.second),
    )
    return dataclasses.replace(draw, pairings=other)


def _turned(draw: SwissDraw) -> SwissDraw:
    """At every table the other one moves first."""

    def turn(pairing: Pairing) -> Pairing:
        return dataclasses.replace(
            pairing,
            first=pairing.second,
            second=pairing.first,
            first_points=pairing.second_points,
            second_points=pairing.first_points,
        )

    return dataclasses.replace(draw, pairings=tuple(map(turn, draw.pairings)))


def _without_a_table(draw: SwissDraw) -> SwissDraw:
    return dataclasses.replace(draw, pairings=draw.pairings[:-1])


def _upside_down(draw: SwissDraw) -> SwissDraw:
    tables = enumerate(reversed(draw.pairings), start=1)
    turned = tuple(dataclasses.replace(pairing, table=number) for number, pairing in tables)
    return dataclasses.replace(draw, pairings=turned)


def _silent(draw: SwissDraw) -> SwissDraw:
    return dataclasses.replace(draw, absent=())


def _bye_to_the_leader(draw: SwissDraw) -> SwissDraw:
    """The first of table 1 takes the bye; whoever had it takes his place."""
    assert draw.bye is not None
    top, *rest = draw.pairings
    bye = dataclasses.replace(draw.bye, entrant=top.first)
    return dataclasses.replace(
        draw, pairings=(dataclasses.replace(top, first=draw.bye.entrant), *rest), bye=bye
    )


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (_swapped, "total"),
        (_turned, "moves first"),
        (_without_a_table, "seated"),
        (_upside_down, "from the top"),
        (_silent, "absent"),
        (_bye_to_the_leader, "have less"),
    ],
)
def test_the_checker_finds_what_is_wrong_with_a_draw(
    spoilt: Callable[[SwissDraw], SwissDraw], words: str
) -> None:
    found: list[str] = []
    for seed in range(40):
        played = tournament(300_000 + seed, 23, 4)
        for number, draw in played.play():
            assert not list(faults(played.people, played.options, number, draw))
            if spoilt is not _bye_to_the_leader or draw.bye is not None:
                found += faults(played.people, played.options, number, spoilt(draw))
    assert any(words in each for each in found), Counter(found).most_common(3)
