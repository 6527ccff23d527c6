"""``python -m tests.benchmarks.two_player_swiss``: pairing round 5 of a Swiss tournament with ten clubs kept apart.

| people | beside |
|---|---|
| 300 | py4swiss' Dutch pairing of the same tournament, the clubs as forbidden pairs; from its parsed file to the pairs |
| 1,000 | building and solving one bare maximum matching of everybody with the 24 nearest ranks, weighed by scores alone |
| 3,000 | 1,000 |

Both sides of a row are measured one after the other in every turn; the figure is the median ratio of the turns. Ours
goes from the people to the round with all its sentences. What the draw of 1,000 keeps is checked outside the timing,
against a matching of every pair, solved once.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations

import rustworkx
from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from scoring_engine.pairing.two_player_swiss import Side, SwissDraw, SwissOptions, SwissPlayer, draw_round
from tests.scoring_engine.pairing.two_player_checker import RoundCheck, faults
from tests.scoring_engine.pairing.two_player_tournaments import Person, Tournament, clubs_tournament

TURNS = 7
ROUND = 5
RANKS = 24
SEED = b"bench"


def main() -> int:
    print("两人积分编排第5轮，十个单位 (two-player Swiss, round 5, ten clubs), median of", TURNS, "turns")
    small, middle, large = (before_the_round(size) for size in (300, 1000, 3000))
    trf = as_trf(small)
    some, many, most = (people(played) for played in (small, middle, large))
    met = report(
        "N = 300 / py4swiss, Dutch",
        lambda: ours(some),
        lambda: DutchEngine.generate_pairings(trf),
        faster=20,
    )
    met &= report("N = 1,000 / bare banded matching", lambda: ours(many), lambda: bare(many), times=2)
    met &= report("N = 3,000 / N = 1,000", lambda: ours(most), lambda: ours(many), times=12)
    for played in (small, middle, large):
        kept(played)
    return 0 if met else 1


def before_the_round(size: int) -> Tournament:
    """A tournament as it stands after four rounds."""
    played = clubs_tournament(size, ROUND - 1)
    for _ in played.play():
        pass
    return played


def people(played: Tournament) -> list[SwissPlayer]:
    return [person.as_player(ROUND) for person in played.people]


def ours(players: Sequence[SwissPlayer]) -> SwissDraw:
    return draw_round(players, SwissOptions(), ROUND, SEED)


def bare(players: Sequence[SwissPlayer]) -> int:
    """The yardstick: ranks by score, an edge to each of the next 24, minus the score difference as its weight."""
    scores = sorted((int(player.points) for player in players), reverse=True)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(scores)
    graph.add_edges_from(
        [
            (one, other, scores[other] - scores[one])
            for one in range(len(scores))
            for other in range(one + 1, min(len(scores), one + 1 + RANKS))
        ]
    )
    return len(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


def as_trf(played: Tournament) -> ParsedTrf:
    """The same people and games for py4swiss; a win is 1 there, and one club's people are forbidden pairs."""
    number = {person.id: place for place, person in enumerate(played.people, start=1)}
    sections = [_section(person, number) for person in played.people]
    forbidden = {
        (number[one.id], number[other.id])
        for one, other in combinations(played.people, 2)
        if one.unit == other.unit
    }
    trf = ParsedTrf(
        player_sections=sections, x_section=XSection(number_of_rounds=9, forbidden_pairs=forbidden)
    )
    trf.validate_contents()
    return trf


def _section(person: Person, number: dict[str, int]) -> PlayerSection:
    results = [
        RoundResult(
            id=number[each.opponent or ""],
            color=ColorToken.WHITE if each.side is Side.FIRST else ColorToken.BLACK,
            result={2: ResultToken.WIN, 1: ResultToken.DRAW, 0: ResultToken.LOSS}[int(each.points)],
        )
        for each in person.history
    ]
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=number[person.id],
        points_times_ten=int(person.points * 5),
        rank=number[person.id],
        results=results,
    )


def report(
    name: str,
    own: Callable[[], object],
    peer: Callable[[], object],
    *,
    faster: float | None = None,
    times: float | None = None,
) -> bool:
    """Print both medians and their ratio, and whether it meets the target: so many times as fast, or at most so many
    times as long."""
    met = True
    own(), peer()
    turns = [(seconds(own), seconds(peer)) for _ in range(TURNS)]
    ours_median, peer_median = (statistics.median(column) for column in zip(*turns, strict=True))
    line = f"  {name:34} {ours_median * 1000:8.1f} ms v {peer_median * 1000:9.1f} ms   "
    if faster is not None:
        ratio = statistics.median(theirs / mine for mine, theirs in turns)
        met = ratio >= faster
        line += f"{ratio:6.1f} × as fast, target ≥ {faster:.0f}: {'met' if met else 'MISSED'}"
    if times is not None:
        ratio = statistics.median(mine / theirs for mine, theirs in turns)
        met = ratio <= times
        line += f"{ratio:6.2f} × as long, target ≤ {times:.0f}: {'met' if met else 'MISSED'}"
    print(line)
    return met


def seconds(function: Callable[[], object]) -> float:
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def kept(played: Tournament) -> None:
    """Print what the draw of a field keeps: every rule, and the least total score difference of all draws."""
    draw = ours(people(played))
    found = list(faults(played.people, played.options, ROUND, draw))
    report = draw.report
    line = f"  N = {len(played.people):<5}: rules broken {len(draw.broken)}, faults {len(found)}, total score difference "
    line += f"{report.total_difference}"
    if len(played.people) <= 1000:
        line += f", of every pair {dense_optimum(played, draw)}"
    print(f"{line}, proved: {report.proof}")


def dense_optimum(played: Tournament, draw: SwissDraw) -> int:
    """The least total score difference of all draws that keep the hard rules; every pair is in the graph."""
    check = RoundCheck(played.people, played.options, ROUND, draw)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    ranked: Sequence[Person] = sorted(played.people, key=lambda person: -person.points)
    graph.add_nodes_from(range(len(ranked)))
    size = len(ranked) ** 2
    graph.add_edges_from(
        [
            (one, other, -size * int(ranked[one].points - ranked[other].points) * size - (other - one) ** 2)
            for one, other in combinations(range(len(ranked)), 2)
            if check.allowed(ranked[one], ranked[other], ())
        ]
    )
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(pairs) != len(ranked):
        raise AssertionError("no draw keeps the rules")
    return sum(abs(int(ranked[one].points - ranked[other].points)) for one, other in pairs)


if __name__ == "__main__":
    sys.exit(main())
