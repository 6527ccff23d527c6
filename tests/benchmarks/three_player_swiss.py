"""``python -m tests.benchmarks.three_player_swiss``: pairing round 5 of 快乐二打一 with ten clubs kept apart.

| people | beside |
|---|---|
| 30 | HiGHS over every table there is: it proves the least spread, then the fewest rematches, then the least squares |
| 99 | the same, over tables of 24 neighbouring places, for a bounded time: beside what it found, or proves where it ends |
| 999, 3,000 | the least spread of any draw, proved by HiGHS on score groups and clubs; no draw has fewer than 0 rematches |
| times | building and solving one bare maximum matching of everybody with the 24 nearest ranks |

Each row has five tournaments. A draw's cost is compared aim by aim, in the order of the aims: 3 % of a smaller aim
says nothing while a greater one is worse. HiGHS gets the crossing rows of `crossings`, which every draw fulfils:
without them it proves nothing within minutes.

The score-group program is exact for the spread: people of one club and the same match points are alike to it. Tables
are counted by the score groups of their three seats; of every kind of table each club fills at most as many seats as
there are tables of that kind, so (König: a bipartite graph of degree d falls into d matchings) its people can be dealt
to them with no club twice at a table.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, pairwise

import numpy as np
import rustworkx
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix, vstack

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.pairing.three_player_swiss import TrioDraw, TrioOptions, TrioPlayer, draw_round
from scoring_engine.pairing.three_player_swiss.bounds import least_spread as least_by_gaps
from scoring_engine.pairing.three_player_swiss.field import Field, choose_byes, field_of, in_order
from tests.scoring_engine.pairing.three_player_checker import faults
from tests.scoring_engine.pairing.three_player_tournaments import Tournament, clubs_tournament, play

TURNS = 5
ROUND = 5
RANKS = 24
WITHIN = Fraction(103, 100)
TARGET_SECONDS = {999: 0.3, 3000: 1.0}
SPAN = 4
PATIENCE = 60.0


def main() -> int:
    print("三人积分编排第5轮，十个单位 (three-player Swiss, round 5, ten clubs),", TURNS, "tournaments each")
    met = all([proved(30, reach=30), proved(99, reach=24), bounded(999), bounded(3000)])
    return 0 if met else 1


@dataclass(frozen=True)
class Case:
    """One tournament before round 5, our draw of it and the people in order."""

    played: Tournament
    players: list[TrioPlayer]
    draw: TrioDraw
    field: Field

    @property
    def cost(self) -> tuple[Fraction, int, int]:
        report = self.draw.report
        return Fraction(report.spread), report.rematches, report.place_squares


def cases(size: int) -> Iterator[Case]:
    for turn in range(TURNS):
        played = clubs_tournament(f"bench {turn}", size, ROUND - 1)
        for _ in play(played):
            pass
        players = [person.given(ROUND) for person in played.people]
        seed = f"bench {turn}".encode()
        draw = draw_round(players, TrioOptions(), ROUND, seed)
        broken = [*faults(played.people, TrioOptions(), ROUND, draw), *draw.broken, *draw.needs_ruling]
        if broken:
            raise AssertionError(f"{size} people, tournament {turn}: {broken}")
        ordered = in_order(players, ROUND, SeedStream(seed))
        yield Case(played, players, draw, field_of(ordered, choose_byes(ordered), ROUND))


def proved(size: int, reach: int) -> bool:
    """Beside HiGHS; of a small field it proves all three aims, and ours has to be equal."""
    met, lines = True, []
    for case in cases(size):
        theirs, proof = highs(case.field, reach)
        equal = case.cost == theirs
        good = equal if size == 30 else at_most(case.cost, theirs)
        met &= good
        lines.append(f"{text(case.cost)} v {text(theirs)}{'' if proof else ' (time ran out)'}")
    target = "equal to the optimum" if size == 30 else "within 3 % of HiGHS"
    print(
        f"  N = {size}: spread, rematches, squares of places; ours v HiGHS, target {target}: {verdict(met)}"
    )
    for line in lines:
        print("   ", line)
    return met


def at_most(ours: Sequence[Fraction | int], theirs: Sequence[Fraction | int]) -> bool:
    """Aim by aim: a better one settles it, a worse one must be within 3 %."""
    for mine, other in zip(ours, theirs, strict=True):
        if mine > other * WITHIN:
            return False
        if mine < other:
            return True
    return True


def bounded(size: int) -> bool:
    met, lines, times, ratios = True, [], [], []
    for case in cases(size):
        bound = least_spread(case.field)
        spread, rematches, squares = case.cost
        met &= spread <= bound * WITHIN and rematches == 0
        lines.append(f"spread {spread} v {bound}, rematches {rematches} v 0; squares of places {squares}")
        mine, peer = seconds(partial(ours, case)), seconds(partial(bare, case.players))
        times.append(mine)
        ratios.append(mine / peer)
    print(f"  N = {size:,}: ours v lower bound of any draw, target within 3 %: {verdict(met)}")
    for line in lines:
        print("   ", line)
    median, target = statistics.median(times), TARGET_SECONDS[size]
    fast = median <= target
    print(
        f"    median {median * 1000:.0f} ms, target ≤ {target * 1000:.0f} ms: {verdict(fast)}; "
        f"{statistics.median(ratios):.2f} × a bare banded matching"
    )
    return met and fast


def ours(case: Case) -> TrioDraw:
    return draw_round(case.players, TrioOptions(), ROUND, b"time")


def text(cost: Sequence[Fraction | int]) -> str:
    return " / ".join(map(str, cost))


def verdict(met: bool) -> str:
    return "met" if met else "MISSED"


def seconds(function: Callable[[], object]) -> float:
    """Of the processor: both sides run in one thread, and other programs must not count."""
    started = time.process_time()
    function()
    return time.process_time() - started


def bare(players: Sequence[TrioPlayer]) -> int:
    """The yardstick: ranks by score, an edge to each of the next 24, minus the score difference as its weight."""
    scores = sorted((int(2 * player.match_points) for player in players), reverse=True)
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


def highs(field: Field, reach: int) -> tuple[tuple[Fraction, int, int], bool]:
    """Spread, rematches, squares, one after the other: each minimised with the ones before held at their least."""
    tables = np.array(list(candidates(field, reach)))
    size, many = len(field.players), len(tables)
    everybody = csr_matrix(
        (np.ones(3 * many), (tables[:, :3].ravel(), np.repeat(np.arange(many), 3))), shape=(size, many)
    )
    rows = [LinearConstraint(everybody, 1, 1), crossings(field, tables)]
    found, proof = [], True
    for aim in (3, 4, 5):
        cost = tables[:, aim].astype(float)
        answer = milp(
            cost,
            constraints=rows,
            integrality=np.ones(many),
            bounds=Bounds(0, 1),
            options={"time_limit": PATIENCE},
        )
        if answer.x is None:
            raise AssertionError(f"HiGHS found no draw of {size} people within {PATIENCE:.0f} s")
        proof &= bool(answer.success)
        found.append(round(answer.fun))
        rows.append(LinearConstraint(csr_matrix(cost[None, :]), -np.inf, found[-1] + 0.5))
    return (found[0] * field.step, found[1], found[2]), proof


def candidates(field: Field, reach: int) -> Iterator[tuple[int, ...]]:
    """Tables of three units: the three, their spread, meetings before, and squares of places."""
    points, unit, rank, met = field.points, field.unit, field.rank, field.met
    size = len(field.players)
    for one in range(size):
        for two, three in combinations(range(one + 1, min(size, one + 1 + reach)), 2):
            if len({unit[one], unit[two], unit[three]}) == 3:
                times = met[one].get(two, 0) + met[one].get(three, 0) + met[two].get(three, 0)
                squares = sum((rank[a] - rank[b]) ** 2 for a, b in combinations((one, two, three), 2))
                yield one, two, three, points[one] - points[three], times, squares


def crossings(field: Field, tables: np.ndarray) -> LinearConstraint:
    """Where the people above a gap between places do not come out in threes, some table sits across it."""
    gaps = [
        place
        for place in range(1, len(field.players))
        if place % 3 and field.rank[place] != field.rank[place - 1]
    ]
    rows = [csr_matrix(((tables[:, 0] < gap) & (tables[:, 2] >= gap)).astype(float)[None, :]) for gap in gaps]
    return LinearConstraint(vstack(rows), 1, np.inf)


def least_spread(field: Field) -> Fraction:
    """The least spread of any draw that keeps the clubs apart, or what HiGHS proves of it in time.

    The program leaves out tables that reach over more than four score groups, so its answer counts only as far as no
    draw with such a table can be better; beside it stands the bound gap by gap, which leaves nothing out.
    """
    scores = sorted(set(field.points), reverse=True)
    group = {points: place for place, points in enumerate(scores)}
    people = Counter((group[points], unit) for points, unit in zip(field.points, field.unit, strict=True))
    kinds = [
        kind for kind in combinations_with_replacement(range(len(scores)), 3) if kind[2] - kind[0] <= SPAN
    ]
    seats = [
        (kind, place, unit)
        for kind in kinds
        for place in sorted(set(kind))
        for unit in sorted(set(field.unit))
        if people[place, unit]
    ]
    column = {key: at for at, key in enumerate([*kinds, *seats])}
    rows = _Rows()
    for (place, unit), many in people.items():
        rows.add({column[key]: 1.0 for key in seats if key[1:] == (place, unit)}, many, many)
    by_kind: dict[tuple[int, ...], list[tuple[tuple[int, ...], int, int]]] = defaultdict(list)
    for key in seats:
        by_kind[key[0]].append(key)
    for kind, own in by_kind.items():
        for place in set(kind):
            filled = {column[key]: 1.0 for key in own if key[1] == place}
            rows.add(filled | {column[kind]: -float(kind.count(place))}, 0, 0)
        for unit in {key[2] for key in own}:
            filled = {column[key]: 1.0 for key in own if key[2] == unit}
            rows.add(filled | {column[kind]: -1.0}, -np.inf, 0)
    cost = np.zeros(len(column))
    for kind in kinds:
        cost[column[kind]] = scores[kind[0]] - scores[kind[2]]
    answer = milp(
        cost,
        constraints=rows.constraint(len(column)),
        integrality=np.ones(len(column)),
        bounds=Bounds(0, np.inf),
        options={"time_limit": PATIENCE},
    )
    steps = int(np.ceil(answer.mip_dual_bound - 1e-6))
    return max(least_by_gaps(field), min(steps, _with_a_wide_table(field, scores))) * field.step


def _with_a_wide_table(field: Field, scores: Sequence[int]) -> int:
    """What a draw spreads at least if some table reaches over more than four groups.

    Across a gap whose people above do not come out in threes sits a table at least. Where they do, none has to; but if
    the wide table does, a second must, for it takes one or two people from those above.
    """
    above, needed = 0, []
    sizes = Counter(field.points)
    for upper, lower in pairwise(scores):
        above += sizes[upper]
        needed.append((upper - lower, above % 3 != 0))
    least = sum(gap for gap, some in needed if some)
    windows = [needed[start : start + SPAN + 1] for start in range(len(needed) - SPAN)]
    extra = min((sum(2 * gap for gap, some in window if not some) for window in windows), default=0)
    return least + extra


class _Rows:
    """The rows of a program, one by one."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, int, float]] = []
        self.lowest: list[float] = []
        self.highest: list[float] = []

    def add(self, row: dict[int, float], lowest: float, highest: float) -> None:
        at = len(self.lowest)
        self.entries += [(at, column, value) for column, value in row.items()]
        self.lowest.append(lowest)
        self.highest.append(highest)

    def constraint(self, columns: int) -> LinearConstraint:
        at, column, value = zip(*self.entries, strict=True)
        matrix = csr_matrix((value, (at, column)), shape=(len(self.lowest), columns))
        return LinearConstraint(matrix, self.lowest, self.highest)


if __name__ == "__main__":
    sys.exit(main())
