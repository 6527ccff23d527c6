"""An independent check of one drawn round of three against what happened before: every rule, from the histories alone.

Written from the rules, not from the pairing code. Up to nine people at tables every draw there is is listed, and the
round must be the best of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations

from scoring_engine.pairing.reasons import Topic
from scoring_engine.pairing.three_player_swiss import Rematch, TrioDraw, TrioOptions, TrioRule
from tests.scoring_engine.pairing.three_player_tournaments import Person

ALL_LISTED = 9

Trio = tuple[Person, ...]
Cost = tuple[Fraction | int, ...]


def faults(people: Sequence[Person], options: TrioOptions, number: int, draw: TrioDraw) -> Iterator[str]:
    """Every rule the draw breaks without saying so, and everything it says that is not so."""
    check = RoundCheck(people, options, number, draw)
    yield from check.everybody_once()
    yield from check.byes()
    yield from check.forbidden_meetings()
    yield from check.from_the_top()
    yield from check.seats()
    yield from check.sums()
    yield from check.reasons()
    if 0 < len(check.seated) <= ALL_LISTED:
        yield from check.best_of_all()


class RoundCheck:
    """One round and the people before it, with every rule asked of the histories."""

    def __init__(self, people: Sequence[Person], options: TrioOptions, number: int, draw: TrioDraw) -> None:
        self.by_id = {person.id: person for person in people}
        self.present = [person for person in people if person.plays(number)]
        self.options, self.number, self.draw = options, number, draw
        self.trios: list[Trio] = [tuple(self.by_id[one] for one in table.seats) for table in draw.tables]
        self.seated = [person for trio in self.trios for person in trio]
        self.resting = [self.by_id[bye.entrant] for bye in draw.byes]
        scores = sorted((self.score(person) for person in self.present), reverse=True)
        self.places = {person.id: 1 + scores.index(self.score(person)) for person in self.present}

    def score(self, person: Person) -> tuple[Fraction, int]:
        return (person.match_points, person.game_points) if self.number > 1 else (Fraction(0), 0)

    def everybody_once(self) -> Iterator[str]:
        listed = Counter(person.id for person in (*self.seated, *self.resting))
        if listed != Counter(person.id for person in self.present):
            yield f"not everybody present is listed once: {listed}"
        if set(self.draw.absent) != set(self.by_id) - {person.id for person in self.present}:
            yield "the absent are others"
        if any(len({person.id for person in trio}) != 3 for trio in self.trios):
            yield "a table without three people"

    def unit_excess(self, left_out: Sequence[Person] = ()) -> int:
        """How many people too many the units have for the tables."""
        tables = len(self.present) // 3
        sizes = Counter(person.unit for person in self.present if person not in left_out and person.unit)
        return sum(max(0, size - tables) for size in sizes.values())

    def byes(self) -> Iterator[str]:
        wanted = len(self.present) % 3 if len(self.present) >= 3 else len(self.present)
        if len(self.resting) != wanted:
            yield f"{len(self.resting)} byes of {len(self.present)} people"
        if wanted == 0:
            return
        second = {each.entrants[0] for each in self.draw.broken if each.rule is TrioRule.SECOND_BYE}
        without = [person for person in self.seated if person.byes == 0]
        for person in self.resting:
            breach = bool(person.byes and without)
            if breach != (person.id in second):
                yield f"{person.id} has a second bye: {breach}, said otherwise"
            if breach and not self.unit_excess():
                yield f"{person.id} has a second bye without need"
        if self.unit_excess() and self.unit_excess(self.resting) > max(0, self.unit_excess() - wanted):
            yield "other byes would have kept the units apart better"
        if not self.unit_excess() and self.options.rematch is not Rematch.HARD:
            yield from self.lowest_of_the_fewest()

    def lowest_of_the_fewest(self) -> Iterator[str]:
        for resting in self.resting:
            for other in self.seated:
                fewer = other.byes < resting.byes
                lower = other.byes == resting.byes and self.score(other) < self.score(resting)
                if fewer or lower:
                    yield f"{other.id} should have the bye before {resting.id}"

    def may_not_meet(self, one: Person, other: Person) -> TrioRule | None:
        if one.unit is not None and one.unit == other.unit:
            return TrioRule.SAME_UNIT
        if self.options.rematch is Rematch.HARD and one.met[other.id]:
            return TrioRule.REMATCH
        return None

    def forbidden_meetings(self) -> Iterator[str]:
        found = Counter(
            (rule, frozenset((one.id, other.id)))
            for trio in self.trios
            for one, other in combinations(trio, 2)
            if (rule := self.may_not_meet(one, other)) is not None
        )
        said = Counter(
            (each.rule, frozenset(each.entrants))
            for each in self.draw.broken
            if each.rule is not TrioRule.SECOND_BYE
        )
        if found != said:
            yield f"forbidden meetings {found}, said {said}"
        if any(rule is TrioRule.SAME_UNIT for rule, _ in found) and not self.unit_excess(self.resting):
            yield "one unit meets although the units can be kept apart"
        asks = bool(found) or len(said) < len(self.draw.broken) or 0 < len(self.present) < 3
        if asks != bool(self.draw.needs_ruling):
            yield f"asks the committee: {bool(self.draw.needs_ruling)}"
        for ruling in self.draw.needs_ruling:
            if ruling.clause != self.options.clause or not ruling.reason.zh or not ruling.reason.en:
                yield f"a question without clause or text: {ruling}"

    def from_the_top(self) -> Iterator[str]:
        if [table.number for table in self.draw.tables] != list(range(1, len(self.trios) + 1)):
            yield "tables are not numbered from 1"
        tops = [sorted((self.score(person) for person in trio), reverse=True) for trio in self.trios]
        if any(upper[0] < lower[0] for upper, lower in pairwise(tops)):
            yield "a higher score sits at a lower table"

    def seats(self) -> Iterator[str]:
        for trio in self.trios:
            had = sum(person.seats[place] for place, person in enumerate(trio))
            least = min(
                sum(person.seats[place] for place, person in enumerate(order)) for order in permutations(trio)
            )
            if had != least:
                yield f"seats of {[person.id for person in trio]} could be spread better"

    def parts(self, trios: Sequence[Sequence[Person]]) -> tuple[int, Fraction, int, int]:
        """Unit meetings, spread, rematches, squares of places."""
        pairs = [two for trio in trios for two in combinations(trio, 2)]
        points = [[self.score(person)[0] for person in trio] for trio in trios]
        return (
            sum(one.unit is not None and one.unit == other.unit for one, other in pairs),
            sum((max(three) - min(three) for three in points), start=Fraction(0)),
            sum(one.met[other.id] for one, other in pairs),
            sum((self.places[one.id] - self.places[other.id]) ** 2 for one, other in pairs),
        )

    def sums(self) -> Iterator[str]:
        report = self.draw.report
        said = (report.unit_meetings, report.spread, report.rematches, report.place_squares)
        if said != self.parts(self.trios):
            yield f"the report says {said}, it is {self.parts(self.trios)}"
        if report.least_spread > report.spread:
            yield f"spread {report.spread} is less than the least {report.least_spread}"
        after = [
            [times + (at == place) for at, times in enumerate(person.seats)]
            for trio in self.trios
            for place, person in enumerate(trio)
        ]
        uneven = [max(seats) - min(seats) for seats in after]
        if (report.seat_imbalance, report.greatest_seat_imbalance) != (sum(uneven), max(uneven, default=0)):
            yield "the seats are counted wrongly"
        for table, trio in zip(self.draw.tables, self.trios, strict=True):
            points = [self.score(person)[0] for person in trio]
            if table.spread != max(points) - min(points):
                yield f"table {table.number} spreads otherwise"

    def reasons(self) -> Iterator[str]:
        for table, trio in zip(self.draw.tables, self.trios, strict=True):
            met = {
                (frozenset((one.id, other.id)), one.met[other.id])
                for one, other in combinations(trio, 2)
                if one.met[other.id]
            }
            if met != {(frozenset(each.entrants), each.times) for each in table.rematches}:
                yield f"table {table.number} names other rematches"
            for each in table.avoided:
                one, other = self.by_id[each.entrant], self.by_id[each.other]
                units = one.unit is not None and one.unit == other.unit
                if one not in trio or other in trio:
                    yield f"table {table.number}: {each} names the wrong people"
                elif not (units if each.rule is TrioRule.SAME_UNIT else one.met[other.id]):
                    yield f"table {table.number}: {each} is not so"
            if not all(person.id in table.why.zh and person.id in table.why.en for person in trio):
                yield f"table {table.number} does not say why"
            topics = [each.topic for each in table.said]
            if (Topic.FLOAT in topics, Topic.REMATCH in topics) != (
                bool(table.spread),
                bool(table.rematches),
            ):
                yield f"table {table.number} speaks of {topics}"
            if Topic.SEATS not in topics or Topic.NUMBER not in topics:
                yield f"table {table.number} does not say why these seats and this number"

    def cost(self, trios: Sequence[Sequence[Person]]) -> Cost:
        """The aims in the order of the option."""
        units, spread, rematches, squares = self.parts(trios)
        return {
            Rematch.SOFT: (units, spread, rematches, squares),
            Rematch.LAST: (units, spread, squares, rematches),
            Rematch.HARD: (units, rematches, spread, squares),
        }[self.options.rematch]

    def best_of_all(self) -> Iterator[str]:
        best = min(self.cost(trios) for trios in draws(self.seated))
        if self.cost(self.trios) != best:
            yield f"costs {self.cost(self.trios)}, the best draw {best}"


def draws(people: Sequence[Person]) -> Iterator[list[Trio]]:
    """Every way to seat people in threes."""
    if not people:
        yield []
        return
    first, *others = people
    for two in combinations(others, 2):
        rest = [person for person in others if person not in two]
        for more in draws(rest):
            yield [(first, *two), *more]
