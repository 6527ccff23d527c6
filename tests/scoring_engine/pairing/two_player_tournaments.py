"""Random Swiss tournaments of two at a table: people, what they did round by round, and what a draw is given of it.

Nothing here pairs anybody. The history of a person is a list with one `Happened` per round.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from scoring_engine.pairing.attendance import Attendance, stands_out
from scoring_engine.pairing.two_player_swiss import (
    Drift,
    FirstRound,
    Order,
    Side,
    SwissDraw,
    SwissOptions,
    SwissPlayer,
    UnitRule,
    draw_round,
)
from scoring_engine.values import EntrantId, Points, UnitId

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Happened:
    """What one person did in one round; `opponent` is None without a table. played: the game took place."""

    attendance: Attendance
    points: Points
    opponent: str | None = None
    side: Side | None = None
    played: bool = False
    drift: Drift | None = None
    bye: bool = False
    walkover: bool = False


@dataclass
class Person:
    id: str
    unit: str | None
    number: int | None
    strength: float
    joins: int = 1
    leaves: int | None = None
    away: frozenset[int] = frozenset()
    reinstated_before: int | None = None
    history: list[Happened] = field(default_factory=list)

    @property
    def points(self) -> Points:
        return sum((each.points for each in self.history), start=Fraction(0))

    @property
    def met(self) -> set[str]:
        return {each.opponent for each in self.history if each.opponent is not None}

    @property
    def sides(self) -> list[Side]:
        return [each.side for each in self.history if each.played and each.side is not None]

    @property
    def byes(self) -> int:
        return sum(each.bye for each in self.history)

    @property
    def walkovers(self) -> int:
        return sum(each.walkover for each in self.history)

    def plays(self, number: int) -> bool:
        """Whether he is there for the round: has come, has not left, is not away, does not stand out."""
        attendance = {number: each.attendance for number, each in enumerate(self.history, start=1)}
        return (
            self.joins <= number
            and (self.leaves is None or number < self.leaves)
            and number not in self.away
            and not stands_out(attendance, self.reinstated_before)
        )

    def as_player(self, number: int) -> SwissPlayer:
        return SwissPlayer(
            id=EntrantId(self.id),
            unit=None if self.unit is None else UnitId(self.unit),
            points=self.points,
            number=self.number,
            opponents=tuple(EntrantId(other) for other in sorted(self.met)),
            sides=tuple(self.sides),
            byes=self.byes,
            forfeit_wins=self.walkovers,
            floats=tuple(each.drift for each in self.history),
            available=self.plays(number),
        )


@dataclass
class Tournament:
    people: list[Person]
    options: SwissOptions
    rounds: int
    seed: int
    bye_points: Points
    dice: random.Random
    forfeits: bool = True

    def play(self) -> Iterator[tuple[int, SwissDraw]]:
        """Each round as drawn, before it is played; the histories then are those of the rounds before."""
        for number in range(1, self.rounds + 1):
            seed = f"{self.seed}/{number}".encode()
            draw = draw_round(
                [person.as_player(number) for person in self.people], self.options, number, seed
            )
            yield number, draw
            self.record(draw)

    def record(self, draw: SwissDraw) -> None:
        """Play the round: results by strength, some draws, some forfeits."""
        known = {person.id: person for person in self.people}
        seated: set[str] = set()
        for pairing in draw.pairings:
            first, second = known[pairing.first], known[pairing.second]
            seated |= {first.id, second.id}
            drift = {pairing.down: Drift.DOWN, pairing.up: Drift.UP}
            sheets = self._game(first, second)
            for person, other, side, (attendance, points, played, walkover) in (
                (first, second, Side.FIRST, sheets[0]),
                (second, first, Side.SECOND, sheets[1]),
            ):
                floated = drift.get(EntrantId(person.id)) if pairing.down else None
                person.history.append(
                    Happened(attendance, points, other.id, side, played, floated, walkover=walkover)
                )
        for person in self.people:
            if draw.bye is not None and draw.bye.entrant == person.id:
                person.history.append(Happened(Attendance.BYE, self.bye_points, bye=True))
            elif person.id not in seated:
                person.history.append(Happened(Attendance.ABSENT, 0))

    def _game(self, first: Person, second: Person) -> list[tuple[Attendance, Points, bool, bool]]:
        chance = self.dice.random()
        if self.forfeits and chance < 0.005:
            return [(Attendance.FORFEIT, 0, False, False)] * 2
        if self.forfeits and chance < 0.04:
            lost = (Attendance.FORFEIT, 0, False, False)
            won = (Attendance.BYE, 2, False, True)
            return [lost, won] if chance < 0.02 else [won, lost]
        if chance < 0.12:
            return [(Attendance.PLAYED, 1, True, False)] * 2
        won, lost = (Attendance.PLAYED, 2, True, False), (Attendance.PLAYED, 0, True, False)
        better = first.strength - second.strength + self.dice.gauss(0, 1)
        return [won, lost] if better > 0 else [lost, won]


def options_of(dice: random.Random) -> SwissOptions:
    return SwissOptions(
        unit=dice.choice([UnitRule.HARD, UnitRule.HARD, UnitRule.SOFT, UnitRule.OFF]),
        unit_rounds=dice.choice([None, None, 1, 3]),
        sides=dice.random() < 0.8,
        forfeit_win_is_bye=dice.random() < 0.5,
        first_round=dice.choice(list(FirstRound)),
        later_rounds=dice.choice([Order.LOTS, Order.LOTS, Order.HALF_SPLIT]),
        clause="附件2一2",
    )


def tournament(seed: int, size: int, rounds: int) -> Tournament:
    """A tournament in which some come late, some leave, some are away for a round, some forfeit."""
    dice = random.Random(seed)
    units = [f"u{number}" for number in range(max(2, size // dice.choice([2, 3, 4, 6])))]
    people = []
    for number in range(1, size + 1):
        late = dice.random() < 0.04
        person = Person(
            id=f"e{number}",
            unit=None if dice.random() < 0.1 else dice.choice(units),
            number=None if late else number,
            strength=dice.gauss(0, 1),
            joins=dice.randint(2, max(2, rounds)) if late else 1,
            leaves=dice.randint(2, rounds + 1) if dice.random() < 0.06 else None,
            away=frozenset(each for each in range(1, rounds + 1) if dice.random() < 0.02),
            reinstated_before=dice.randint(3, 9) if dice.random() < 0.5 else None,
        )
        people.append(person)
    bye_points = dice.choice([2, 2, 1, 2 * HALF])
    return Tournament(people, options_of(dice), rounds, seed, bye_points, dice)


def clubs_tournament(size: int, rounds: int, clubs: int = 10) -> Tournament:
    """Everybody of one of so many clubs plays every round; clubs are kept apart in all of them."""
    dice = random.Random(size)
    people = [
        Person(f"e{number}", f"u{dice.randrange(clubs)}", number, dice.gauss(0, 1))
        for number in range(1, size + 1)
    ]
    return Tournament(people, SwissOptions(), rounds, size, 2, dice, forfeits=False)
