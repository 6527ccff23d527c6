"""Fields too large to list every draw: HiGHS proves the least cost, aim by aim, and ours is no dearer."""

import pytest

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.pairing.three_player_swiss import TrioOptions, draw_round
from scoring_engine.pairing.three_player_swiss.field import choose_byes, field_of, in_order
from tests.benchmarks.three_player_swiss import highs
from tests.scoring_engine.pairing.three_player_tournaments import clubs_tournament, play


@pytest.mark.parametrize(("size", "round_"), [(13, 2), (15, 5), (18, 4), (20, 6), (24, 3), (27, 5), (30, 4)])
def test_no_draw_of_less_cost_exists(size: int, round_: int) -> None:
    tournament = clubs_tournament(f"optimum {size}", size, round_ - 1)
    for _ in play(tournament):
        pass
    players = [person.given(round_) for person in tournament.people]
    report = draw_round(players, TrioOptions(), round_, b"optimum").report
    ordered = in_order(players, round_, SeedStream(b"optimum"))
    least, proved = highs(field_of(ordered, choose_byes(ordered), round_), reach=size)
    assert proved
    assert (report.spread, report.rematches, report.place_squares) == least
    assert report.least_spread <= least[0]
