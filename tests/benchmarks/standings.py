"""``python -m tests.benchmarks.standings``: the standings of a Swiss event, beside tiebreak-core, and how they grow.

One made-up event of 9 rounds without byes, everybody paired with somebody of about his points; a win is worth 2, a draw 1. Both
sides start from records that are in memory, one object per entrant and one per entrant and round, made in the same order, with
the points of the stage known, and end with everybody's rank and the values of every criterion. Every round measures both,
one after the other; the figure is the median ratio of the rounds. Time is that of the process, since nothing here waits. As in
``timeit``, no garbage is collected meanwhile.

The legacy mode of tiebreak-core is its rule set ``legacy-0.1.0``: the package's first calculators, kept as they were, with floats
and without the handling of unplayed rounds that FIDE C.07 asks for. ``rank_standings`` is its call; ``rank_standings_strict``
with ``ruleset="legacy-0.1.0"`` gives the same values after checking its input, and so takes longer.

| criterion | here | there |
|---|---|---|
| 积分 | ``match_points``, exact | ``points``, halved: a win is 1.0 |
| 对手分 | ``opponent_score`` | ``buchholz`` |
| 胜局 | ``wins`` | ``wins`` |
| 累进分 | ``progressive_cut``, ``own_first``: a list, without the first 1, 2, … rounds | ``progressive``: its sum, nothing left out |
| 逆减 | ``progressive_cut``, ``opponents``: a list, without the last 1, 2, … opponents | it has none; ``progressive`` again |
| 直胜 | ``head_to_head`` of those who are tied | ``direct_encounter``, which its legacy mode answers with 0.0 |

How the time grows is held to n log n as counted. Beside it stands the growth of Python's own sort of the same records, by
points and id, so that a reader sees what of it is the memory's.

Before the clock starts, both are asked for their values, and everything that is defined alike must be equal.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tiebreak_core import GameRecord, PlayerTiebreakData, rank_standings
from tiebreak_core.models import StandingsResult

from scoring_engine.ranking import Placing, rank
from scoring_engine.stages.board_rounds import board_scale
from scoring_engine.stages.swiss import rank_field
from scoring_engine.tie_breaks.records import Field, Played, RoundResult, StandingRecord
from scoring_engine.values import Entrant, EntrantId
from tests.scoring_engine.board_events import GO, XIANGQI, rules

ROUNDS = 9
SAMPLES = 7
SIZES = (10_000, 30_000, 100_000)
FASTER = 2.0
CHAIN = ("match_points", "opponent_score", "wins", "progressive_cut", "head_to_head")
THERE = ("buchholz", "wins", "progressive", "direct_encounter")
VARIANTS = {"own_first": "累进分 (cumulative)", "opponents": "逆减 (opponents, last first)"}
WIN = 2


@dataclass(frozen=True, slots=True)
class Event:
    """The same event as records of ours and of the peer; entrant `eN` is its player N."""

    records: Sequence[StandingRecord]
    players: Mapping[int, PlayerTiebreakData]


def main() -> int:
    print(f"\n名次 (standings), {ROUNDS} rounds, median of {SAMPLES}")
    met = [beside_the_peer(made(SIZES[0]), variant) for variant in VARIANTS]
    met += [growth(variant) for variant in VARIANTS]
    whole_stages(made(SIZES[0]))
    return 0 if all(met) else 1


def beside_the_peer(event: Event, variant: str) -> bool:
    """Print how many times faster ours is than the peer's legacy mode, and whether that is the target."""
    check(event, variant)
    rounds = [
        (seconds(lambda: placings(event, variant)), seconds(lambda: standings(event))) for _ in range(SAMPLES)
    ]
    own, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratio = statistics.median(peer / ours for ours, peer in rounds)
    print(
        f"  {len(event.records):,} entrants, {VARIANTS[variant]} / tiebreak-core legacy   {ms(own)} v {ms(theirs)}"
        f"   {ratio:.2f} × as fast, target ≥ {FASTER:.2f}: {said(ratio >= FASTER)}"
    )
    return ratio >= FASTER


def growth(variant: str) -> bool:
    """Print the time of larger events over that of the smallest, as a share of what n log n allows.

    Beside it stands how a bare sort of the same records grew in the same rounds: what n log n comparisons come to in time
    depends on the memory too, as few of 100,000 records are in a cache when they are needed.
    """
    events = [made(size) for size in SIZES]
    rounds = [
        [
            (
                seconds(lambda event=event: placings(event, variant)),
                seconds(lambda event=event: bare_sort(event)),
            )
            for event in events
        ]
        for _ in range(SAMPLES)
    ]
    first, met = SIZES[0], True
    for index, size in enumerate(SIZES[1:], start=1):
        counted = size * math.log(size) / (first * math.log(first))
        own = statistics.median(taken[index][0] / taken[0][0] for taken in rounds)
        bare = statistics.median(taken[index][1] / taken[0][1] for taken in rounds)
        met &= own <= counted
        print(
            f"  {size:,} entrants, {VARIANTS[variant]}   {ms(statistics.median(taken[index][0] for taken in rounds))}, "
            f"{own:.2f} × {first:,}; {own / counted:.2f} of what n log n allows, target ≤ 1: {said(own <= counted)}"
            f"; list.sort {bare:.2f} × ({bare / counted:.2f})"
        )
    return met


def bare_sort(event: Event) -> Sequence[StandingRecord]:
    return sorted(event.records, key=lambda record: (-record.points, record.entrant))


def whole_stages(event: Event) -> None:
    """Print what a stage takes from results to placings, with every earlier standing where the chain needs them."""
    entrants = [Entrant(record.entrant, record.entrant) for record in event.records]
    results = {record.entrant: record.rounds or () for record in event.records}
    for name, chain in (("附件2 (Go)", GO), ("附件3 (Xiangqi)", XIANGQI)):
        found = rules(chain, rounds=ROUNDS)
        taken = statistics.median(
            seconds(
                lambda found=found: rank_field(entrants, results, {}, None, found, scale=board_scale(found))
            )
            for _ in range(5)
        )
        print(f"  {len(entrants):,} entrants, the whole chain of {name}, from results   {ms(taken)}")


def placings(event: Event, variant: str) -> Sequence[Placing]:
    field = Field(
        {record.entrant: record for record in event.records},
        {"progressive_cut": {"variant": variant}},
        win=WIN,
        draw=1,
    )
    return rank(event.records, CHAIN, field)


def standings(event: Event) -> StandingsResult:
    return rank_standings(event.players, THERE, ROUNDS)


def check(event: Event, variant: str) -> None:
    """Both sides give the same values, where they define them alike; a game is worth twice as much here."""
    there = {f"e{player.player_id}": player for player in standings(event).players}
    for placing in placings(event, variant):
        points, opponents, wins, progressive, _ = (each.value for each in placing.values)
        player = there[placing.entrant]
        assert points == 2 * player.points, placing
        assert opponents == 2 * player.values["buchholz"], placing
        assert wins == player.values["wins"], placing
        if variant == "own_first":
            first = 2 * event.players[player.player_id].games[0].score
            assert isinstance(progressive, tuple)
            assert progressive[0] + first == 2 * player.values["progressive"], placing


def made(entrants: int) -> Event:
    """An event that pairs everybody, by points and then at random, anew in every round."""
    dice = random.Random(entrants)
    points = [0] * entrants
    seats: list[list[tuple[int, bool, int]]] = [[] for _ in range(entrants)]
    for _ in range(ROUNDS):
        order = sorted(range(entrants), key=lambda number: (-points[number], dice.random()))
        for first, second in zip(order[::2], order[1::2], strict=True):
            score = dice.choice((WIN, 1, 0))
            for own, other, worth in ((first, second, score), (second, first, WIN - score)):
                seats[own].append((other, own == second, worth))
                points[own] += worth
    ids = [EntrantId(f"e{number}") for number in range(entrants)]
    return Event(
        [
            StandingRecord(ids[own], points[own], rounds=rounds_here(seats[own], ids), violations=0)
            for own in range(entrants)
        ],
        {
            own: PlayerTiebreakData(own, 0, points[own] / 2, games_there(seats[own]))
            for own in range(entrants)
        },
    )


def rounds_here(seats: Sequence[tuple[int, bool, int]], ids: Sequence[EntrantId]) -> tuple[RoundResult, ...]:
    return tuple(
        RoundResult(
            number, Played.GAME, worth, (ids[other],), second=second, won=worth == WIN, drawn=worth == 1
        )
        for number, (other, second, worth) in enumerate(seats, start=1)
    )


def games_there(seats: Sequence[tuple[int, bool, int]]) -> list[GameRecord]:
    return [
        GameRecord(other, 0, worth / 2, "black" if second else "white", number)
        for number, (other, second, worth) in enumerate(seats, start=1)
    ]


def seconds(call: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        call()
        return time.process_time() - started
    finally:
        gc.enable()


def ms(taken: float) -> str:
    return f"{taken * 1000:.0f} ms"


def said(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(main())
