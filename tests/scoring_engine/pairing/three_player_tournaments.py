"""Random tournaments of 快乐二打一: people, what they did round by round, and what a draw is given of it.

Nothing here pairs anybody. Points are given as B3 says: 2/1/0 by the game points of the table, ties share; a bye or an
opponent's forfeit 1.5 and 32, the forfeiter 0.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from scoring_engine.pairing.attendance import Attendance, stands_out
from scoring_engine.pairing.three_player_swiss import (
    Rematch,
    TrioDraw,
    TrioOptions,
    TrioPlayer,
    draw_round,
)
from scoring_engine.values import EntrantId, UnitId

SHARE = Fraction(3, 2)
UNOPPOSED = 32


@dataclass
class Person:
    id: str
    unit: str | None
    joins: int = 1
    leaves: int | None = None
    away: frozenset[int] = frozenset()
    match_points: Fraction = Fraction(0)
    game_points: int = 0
    met: Counter[str] = field(default_factory=Counter)
    seats: list[int] = field(default_factory=lambda: [0, 0, 0])
    byes: int = 0
    attendance: dict[int, Attendance] = field(default_factory=dict)

    def plays(self, number: int) -> bool:
        """Whether he is there for the round: has come, has not left, is not away, has not given up twice running."""
        return (
            self.joins <= number
            and (self.leaves is None or number < self.leaves)
            and number not in self.away
            and not stands_out(self.attendance)
        )

    def given(self, number: int) -> TrioPlayer:
        """What the draw of the round is told of him."""
        return TrioPlayer(
            EntrantId(self.id),
            None if self.unit is None else UnitId(self.unit),
            self.match_points,
            self.game_points,
            {EntrantId(other): times for other, times in self.met.items()},
            (self.seats[0], self.seats[1], self.seats[2]),
            self.byes,
            self.plays(number),
        )

    def scores(self, match_points: Fraction, game_points: int) -> None:
        self.match_points += match_points
        self.game_points += game_points


@dataclass(frozen=True)
class Tournament:
    people: list[Person]
    rounds: int
    options: TrioOptions
    seed: str

    def draw(self, number: int) -> TrioDraw:
        players = [person.given(number) for person in self.people]
        return draw_round(players, self.options, number, f"{self.seed} {number}".encode())


def random_tournament(seed: str, size: int, rounds: int) -> Tournament:
    """People of many kinds: alone, in clubs of all sizes (now and then too large a one), late, away, leaving."""
    dice = random.Random(seed)
    clubs = dice.choice([0, 3, 4, 5, 8, 12, 40])
    first_club = dice.choice([0.0, 0.0, 0.2, 0.33, 0.4])
    people = []
    for number in range(1, size + 1):
        unit = f"u{dice.randint(1, clubs)}" if clubs and dice.random() < 0.9 else None
        if clubs and dice.random() < first_club:
            unit = "u1"
        person = Person(f"e{number}", unit)
        if dice.random() < 0.05:
            person.joins = dice.randint(2, rounds)
        if dice.random() < 0.05:
            person.leaves = dice.randint(2, rounds + 1)
        if dice.random() < 0.08:
            person.away = frozenset([dice.randint(1, rounds)])
        people.append(person)
    rematch = dice.choice([Rematch.SOFT, Rematch.SOFT, Rematch.LAST, Rematch.HARD])
    return Tournament(people, rounds, TrioOptions(rematch, "附件4五"), seed)


def clubs_tournament(seed: str, size: int, rounds: int) -> Tournament:
    """People of ten clubs of equal size, all of them there in every round."""
    units = [f"u{number % 10}" for number in range(size)]
    random.Random(seed).shuffle(units)
    people = [Person(f"e{number}", unit) for number, unit in enumerate(units, start=1)]
    return Tournament(people, rounds, TrioOptions(), seed)


def play(tournament: Tournament) -> Iterator[tuple[int, TrioDraw]]:
    """Draw and play round by round; each draw is handed out before its games are played."""
    dice = random.Random(f"{tournament.seed} games")
    by_id = {person.id: person for person in tournament.people}
    for number in range(1, tournament.rounds + 1):
        draw = tournament.draw(number)
        yield number, draw
        for bye in draw.byes:
            person = by_id[bye.entrant]
            person.byes += 1
            person.scores(SHARE, UNOPPOSED)
            person.attendance[number] = Attendance.BYE
        for table in draw.tables:
            _play_table(dice, number, [by_id[entrant] for entrant in table.seats])


def _play_table(dice: random.Random, number: int, three: list[Person]) -> None:
    missing = [person for person in three if dice.random() < 0.03]
    for place, person in enumerate(three):
        person.seats[place] += 1
        person.met.update(other.id for other in three if other is not person)
        forfeit = person in missing
        person.attendance[number] = Attendance.FORFEIT if forfeit else Attendance.PLAYED
        if missing and not forfeit:
            person.scores(SHARE, UNOPPOSED)
    if not missing:
        points = _game_points(dice)
        for person, own in zip(three, points, strict=True):
            better = sum(other > own for other in points)
            equal = sum(other == own for other in points)
            shared = Fraction(sum([2, 1, 0][better : better + equal]), equal)
            person.scores(shared, own)


def _game_points(dice: random.Random) -> list[int]:
    """Twelve deals: two win what the third loses, or the other way."""
    points = [0, 0, 0]
    for _ in range(12):
        landlord, base = dice.randrange(3), dice.choice([1, 1, 2, 3, 6])
        won = dice.choice([1, -1])
        for place in range(3):
            points[place] += won * base * (2 if place == landlord else -1)
    return points
