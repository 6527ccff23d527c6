"""Random tournaments of three at a table, paired to the end; every round is checked from the histories alone."""

import pytest

from tests.scoring_engine.pairing.three_player_checker import faults
from tests.scoring_engine.pairing.three_player_tournaments import play, random_tournament

BLOCKS = {
    # name: (tournaments, fewest people, most people, most rounds)
    **{f"tiny {block}": (130, 3, 12, 9) for block in range(5)},
    **{f"small {block}": (40, 13, 30, 9) for block in range(3)},
    **{f"middle {block}": (12, 31, 80, 6) for block in range(3)},
    "large": (6, 81, 200, 5),
}


def test_the_blocks_hold_at_least_800_tournaments_of_3_to_200_people() -> None:
    assert sum(many for many, _, _, _ in BLOCKS.values()) >= 800
    assert min(least for _, least, _, _ in BLOCKS.values()) == 3
    assert max(most for _, _, most, _ in BLOCKS.values()) == 200


@pytest.mark.parametrize("block", BLOCKS)
def test_random_tournaments_are_paired_to_the_end_by_every_rule(block: str) -> None:
    many, least, most, longest = BLOCKS[block]
    for index in range(many):
        size = least + index * (most - least) // (many - 1)
        rounds = 3 + index % (longest - 2)
        tournament = random_tournament(f"{block} {index}", size, rounds)
        for number, draw in play(tournament):
            found = list(faults(tournament.people, tournament.options, number, draw))
            assert not found, f"{block} {index}, round {number}: {found}"
