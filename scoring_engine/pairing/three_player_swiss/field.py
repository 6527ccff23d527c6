"""The field of a round: who is there, in order of score, and who has the byes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.pairing.three_player_swiss.model import TABLE, TrioPlayer, check_players
from scoring_engine.values import EntrantId, Points, UnitId


@dataclass(frozen=True, slots=True)
class Ordered:
    """Those available, best first: by match points, then game points, then lot; in round 1 by lot alone.

    ranks: the place of each, from 1; equal match points and game points share one. lots: the drawn order.
    """

    players: tuple[TrioPlayer, ...]
    ranks: tuple[int, ...]
    lots: tuple[EntrantId, ...]
    absent: tuple[EntrantId, ...]


@dataclass(frozen=True, slots=True)
class Byes:
    """Who has a bye, as positions of the order. excess: units with more people than tables, and how many too many.

    second: who has a second one while another has had none. forced: had to have it because of his unit.
    """

    positions: tuple[int, ...]
    excess: tuple[tuple[UnitId, int], ...]
    second: tuple[int, ...]
    forced: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """Those who sit down, as numbers: index 0 is the best. unit: alike for people of one unit. met: index -> times.

    points: match points in whole steps of `step`; rank: the place in the order of all available.
    """

    players: tuple[TrioPlayer, ...]
    points: tuple[int, ...]
    step: Fraction
    rank: tuple[int, ...]
    unit: tuple[int, ...]
    met: tuple[dict[int, int], ...]


def in_order(players: Sequence[TrioPlayer], number: int, stream: SeedStream) -> Ordered:
    """The order of round `number`; draws the lots, the first numbers of the stream."""
    check_players(players)
    by_id = {player.id: player for player in players if player.available}
    lots = stream.shuffle(sorted(by_id))
    drawn = [by_id[entrant] for entrant in lots]
    if number > 1:
        drawn.sort(key=lambda player: (-player.match_points, -player.game_points))
    ranks: list[int] = []
    for place, player in enumerate(drawn):
        tied = number == 1 or _score(player) == _score(drawn[place - 1])
        ranks.append(ranks[-1] if place and tied else place + 1)
    absent = tuple(sorted(player.id for player in players if not player.available))
    return Ordered(tuple(drawn), tuple(ranks), tuple(lots), absent)


def _score(player: TrioPlayer) -> tuple[Points, Points]:
    return player.match_points, player.game_points


def choose_byes(ordered: Ordered) -> Byes:
    """The byes of N mod 3: the lowest of those who have had fewest, unless a unit has more people than tables."""
    players = ordered.players
    wanted = len(players) % TABLE if len(players) >= TABLE else len(players)
    tables = len(players) // TABLE
    sizes = Counter(player.unit for player in players if player.unit is not None)
    over = {unit: size - tables for unit, size in sizes.items() if size > tables}
    lowest_first = sorted(range(len(players)), key=lambda place: (players[place].byes, -place))
    chosen: list[int] = []
    forced: list[int] = []
    for place in lowest_first:
        unit = players[place].unit
        if unit is not None and over.get(unit, 0) > 0 and len(chosen) < wanted:
            over[unit] -= 1
            chosen.append(place)
            forced.append(place)
    chosen += [place for place in lowest_first if place not in chosen][: wanted - len(chosen)]
    usual = set(lowest_first[:wanted])
    return Byes(
        tuple(sorted(chosen)),
        tuple(sorted((unit, excess) for unit, excess in over.items() if excess > 0)),
        tuple(sorted(_second(players, chosen))),
        () if usual == set(chosen) else tuple(sorted(forced)),
    )


def _second(players: Sequence[TrioPlayer], chosen: Sequence[int]) -> Iterator[int]:
    """Who of these has had one while somebody who sits down has had none."""
    left_out = any(player.byes == 0 for place, player in enumerate(players) if place not in chosen)
    return (place for place in chosen if left_out and players[place].byes > 0)


def other_byes(ordered: Ordered, byes: Byes) -> Iterator[Byes]:
    """Other choices as good by the rules: the same numbers of earlier byes, no unit too large; the lowest first."""
    players = ordered.players
    had = sorted(players[place].byes for place in byes.positions)
    if not had:
        return
    tables = len(players) // TABLE
    places = [place for place in range(len(players) - 1, -1, -1) if players[place].byes in had]
    for chosen in combinations(places, len(had)):
        if sorted(players[place].byes for place in chosen) != had or set(chosen) == set(byes.positions):
            continue
        sizes = Counter(player.unit for place, player in enumerate(players) if place not in chosen)
        if all(size <= tables for unit, size in sizes.items() if unit is not None):
            yield Byes(tuple(sorted(chosen)), (), tuple(sorted(_second(players, chosen))), ())


def field_of(ordered: Ordered, byes: Byes, number: int) -> Field:
    """The field without those who have a bye."""
    places = [place for place in range(len(ordered.players)) if place not in set(byes.positions)]
    players = tuple(ordered.players[place] for place in places)
    index = {player.id: place for place, player in enumerate(players)}
    exact = [Fraction(player.match_points if number > 1 else 0) for player in players]
    scale = lcm(*(value.denominator for value in exact))
    lowest = min(exact, default=Fraction(0))
    whole = [int((value - lowest) * scale) for value in exact]
    common = gcd(*whole) or 1
    units: dict[UnitId, int] = {}
    return Field(
        players=players,
        points=tuple(value // common for value in whole),
        step=Fraction(common, scale),
        rank=tuple(ordered.ranks[place] for place in places),
        # Who plays for himself is a unit of his own; its number is negative.
        unit=tuple(
            -1 - place if player.unit is None else units.setdefault(player.unit, len(units))
            for place, player in enumerate(players)
        ),
        met=tuple(
            {index[other]: times for other, times in player.met.items() if other in index and times}
            for player in players
        ),
    )
