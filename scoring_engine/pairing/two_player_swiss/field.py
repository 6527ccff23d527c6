"""The available people in drawn order, with everything about a pair that can be read off two positions.

Order: pairing points, high first; among equal points by lots (抽签), or interleaved where round 1 is half-split: 1, n/2+1,
2, n/2+2, …, so that neighbours are natural opponents in both cases. Positions are 0…n−1 in this order.

The numbers of the seed are used in this order: `shuffle` of the available ids sorted as text gives the lots; then one
`below(256)` for each in drawn order, his mark, which decides what lots leave equal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import gcd, lcm

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.pairing.two_player_swiss.model import (
    Drift,
    Order,
    Side,
    SwissOptions,
    SwissPlayer,
    UnitRule,
    check_players,
)
from scoring_engine.values import EntrantId, Points, points_of

MARKS = 256


@dataclass(frozen=True, slots=True)
class Field:
    """The people of one round by position; every list has one value for each position.

    score: pairing points as whole steps above the lowest, `step` points each. met: the positions he has been paired
    with. unit: a number, the same for people of one unit. claim: the lower one moves first. bound: 1 who must move
    first, −1 who must move second, 0 who is free. may_have_bye: has had none.
    """

    options: SwissOptions
    number: int
    unit_rule: UnitRule
    players: tuple[SwissPlayer, ...]
    absent: tuple[EntrantId, ...]
    lots: tuple[EntrantId, ...]
    marks: tuple[int, ...]
    score: tuple[int, ...]
    step: Points
    met: tuple[frozenset[int], ...]
    unit: tuple[int, ...]
    claim: tuple[int, ...]
    bound: tuple[int, ...]
    imbalance: tuple[int, ...]
    may_have_bye: tuple[bool, ...]

    @property
    def odd(self) -> bool:
        """Whether somebody has to have a bye."""
        return len(self.players) % 2 == 1

    def first_moves(self, one: int, other: int) -> bool:
        """Whether `one` moves first against `other`: whoever must; else who has moved first less often; else more
        often second; else who was second when they last differed, game by game backwards; else the earlier lot."""
        return self.claim[one] < self.claim[other]

    def runs_on(self, one: int, other: int) -> bool:
        """Whether one of the two would have the same side too often running, whoever moves first."""
        return self.bound[one] != 0 and self.bound[one] == self.bound[other]

    def same_unit(self, one: int, other: int) -> bool:
        """Whether both are entered by one unit, and this round heeds it."""
        return self.unit[one] == self.unit[other]

    def apart(self, one: int, other: int) -> bool:
        """Whether any rule speaks against the two."""
        return other in self.met[one] or self.same_unit(one, other) or self.runs_on(one, other)

    def excluded(self, one: int, other: int) -> bool:
        """Whether a hard rule forbids the two to meet."""
        unit = self.unit_rule is UnitRule.HARD and self.same_unit(one, other)
        return unit or other in self.met[one] or self.runs_on(one, other)

    def part(self, start: int, stop: int) -> "Field":
        """The people from position `start` up to `stop`, with positions of their own."""

        def inside(met: frozenset[int]) -> frozenset[int]:
            return frozenset(other - start for other in met if start <= other < stop)

        return replace(
            self,
            players=self.players[start:stop],
            marks=self.marks[start:stop],
            score=self.score[start:stop],
            met=tuple(inside(met) for met in self.met[start:stop]),
            unit=self.unit[start:stop],
            claim=self.claim[start:stop],
            bound=self.bound[start:stop],
            imbalance=self.imbalance[start:stop],
            may_have_bye=self.may_have_bye[start:stop],
        )


def field_of(players: Sequence[SwissPlayer], options: SwissOptions, number: int, seed: bytes) -> Field:
    """The field of round `number`. The order of `players` does not matter. Raises ValueError, see `check_players`."""
    check_players(players)
    present = {player.id: player for player in players if player.available}
    stream = SeedStream(seed)
    lots = tuple(stream.shuffle(sorted(present)))
    marks = {entrant: stream.below(MARKS) for entrant in lots}
    drawn = {entrant: lot for lot, entrant in enumerate(lots)}
    last_lifted = options.lifted(players, number)
    points = {
        player.id: Fraction(player.points)
        + (options.accelerated_points if player.number is not None and player.number <= last_lifted else 0)
        for player in present.values()
    }
    score, step = _steps(points)
    order = options.order(number)

    def within(entrant: EntrantId) -> tuple[bool, int, int]:
        start = present[entrant].number if order is Order.HALF_SPLIT else None
        return start is None, start or 0, drawn[entrant]

    ids: list[EntrantId] = []
    by_score = sorted(present, key=lambda entrant: (-score[entrant], within(entrant)))
    for _, group in groupby(by_score, key=score.__getitem__):
        equals = list(group)
        ids.extend(_interleaved(equals) if order is Order.HALF_SPLIT else equals)
    ordered = tuple(present[entrant] for entrant in ids)
    unit_rule = options.unit_rule(number)
    bound = tuple(_bound(player, options) for player in ordered)
    return Field(
        options=options,
        number=number,
        unit_rule=unit_rule,
        players=ordered,
        absent=tuple(sorted(player.id for player in players if not player.available)),
        lots=lots,
        marks=tuple(marks[entrant] for entrant in ids),
        score=tuple(score[entrant] for entrant in ids),
        step=step,
        met=_met(ordered),
        unit=_units(ordered, unit_rule),
        claim=_claims(ordered, bound, [drawn[entrant] for entrant in ids], sides=options.sides),
        bound=bound,
        imbalance=tuple(_imbalance(player) if options.sides else 0 for player in ordered),
        may_have_bye=tuple(
            not player.byes and not (options.forfeit_win_is_bye and player.forfeit_wins) for player in ordered
        ),
    )


def _steps(points: dict[EntrantId, Fraction]) -> tuple[dict[EntrantId, int], Points]:
    """Points as whole steps above the lowest, and what one step is worth."""
    if not points:
        return {}, 1
    whole = lcm(*(value.denominator for value in points.values()))
    scaled = {entrant: int(value * whole) for entrant, value in points.items()}
    lowest = min(scaled.values())
    step = gcd(*(value - lowest for value in scaled.values())) or 1
    return {entrant: (value - lowest) // step for entrant, value in scaled.items()}, points_of(
        Fraction(step, whole)
    )


def _interleaved(ids: list[EntrantId]) -> Iterable[EntrantId]:
    """1, n/2+1, 2, n/2+2, …; of an odd number the last one stays last."""
    half = len(ids) // 2
    for upper, lower in zip(ids[:half], ids[half : 2 * half], strict=True):
        yield upper
        yield lower
    yield from ids[2 * half :]


def _met(players: Sequence[SwissPlayer]) -> tuple[frozenset[int], ...]:
    """Who has been paired with whom, also where only one of the two says so."""
    position = {player.id: index for index, player in enumerate(players)}
    met: list[set[int]] = [set() for _ in players]
    for index, player in enumerate(players):
        for opponent in player.opponents:
            other = position.get(opponent)
            if other is not None:
                met[index].add(other)
                met[other].add(index)
    return tuple(map(frozenset, met))


def _units(players: Sequence[SwissPlayer], rule: UnitRule) -> tuple[int, ...]:
    """A number for each unit; whoever has none, or everybody where units do not matter, has a number of his own."""
    numbers: dict[str, int] = {}
    for player in players:
        if player.unit is not None:
            numbers.setdefault(player.unit, len(numbers))
    alone = len(numbers)
    return tuple(
        alone + index if player.unit is None or rule is UnitRule.OFF else numbers[player.unit]
        for index, player in enumerate(players)
    )


def _imbalance(player: SwissPlayer) -> int:
    firsts = player.sides.count(Side.FIRST)
    return 2 * firsts - len(player.sides)


def _bound(player: SwissPlayer, options: SwissOptions) -> int:
    """1 who has moved second as often running as is allowed, −1 who has moved first so, else 0."""
    last = set(player.sides[-options.longest_run :])
    if not options.sides or len(player.sides) < options.longest_run or len(last) != 1:
        return 0
    return 1 if last == {Side.SECOND} else -1


def _claims(
    players: Sequence[SwissPlayer], bound: Sequence[int], lots: Sequence[int], *, sides: bool
) -> tuple[int, ...]:
    """The place of each in the order of who moves first; all different. See `Field.first_moves`."""

    def claim(index: int) -> tuple[int, int, int, tuple[bool, ...], int]:
        played = players[index].sides if sides else ()
        firsts = played.count(Side.FIRST)
        backwards = tuple(side is Side.FIRST for side in reversed(played))
        return -bound[index], firsts, firsts - len(played), backwards, lots[index]

    places = [0] * len(players)
    for place, index in enumerate(sorted(range(len(players)), key=claim)):
        places[index] = place
    return tuple(places)


def repeated(player: SwissPlayer, drift: Drift) -> int:
    """How much one more float this way would repeat: his earlier floats this way, one more if the last round was one."""
    return player.floats.count(drift) + (player.floats[-1:] == (drift,))
