"""An independent check of one drawn round against what happened before: every rule, from the histories alone.

Written from the rules, not from the pairing code. Whether rules can be kept at all is asked of a plain maximum matching
over everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import rustworkx

from scoring_engine.pairing.reasons import Topic
from scoring_engine.pairing.two_player_swiss import (
    FirstRound,
    Rule,
    Side,
    SwissDraw,
    SwissOptions,
    UnitRule,
)
from scoring_engine.values import Points
from tests.scoring_engine.pairing.two_player_tournaments import Person

LARGEST_LEAST = 40
"""Up to so many people the least total difference is computed again."""


def faults(people: Sequence[Person], options: SwissOptions, number: int, draw: SwissDraw) -> Iterator[str]:
    """Every rule the draw breaks without saying so, and everything it says that is not so."""
    check = RoundCheck(people, options, number, draw)
    yield from check.everybody_once()
    yield from check.tables()
    yield from check.hard_rules()
    yield from check.bye()
    yield from check.first_moves()
    yield from check.floats()
    yield from check.sums()
    if len(check.present) <= LARGEST_LEAST and not draw.broken:
        yield from check.least_difference()


class RoundCheck:
    """One round and the people before it, with every rule asked of the histories."""

    def __init__(self, people: Sequence[Person], options: SwissOptions, number: int, draw: SwissDraw) -> None:
        self.people = {person.id: person for person in people}
        self.present = {person.id: person for person in people if person.plays(number)}
        self.options, self.number, self.draw = options, number, draw
        self.pairs: list[tuple[Person, Person]] = [
            (self.people[first], self.people[second]) for first, second in draw.tables
        ]
        heeded = options.unit_rounds is None or number <= options.unit_rounds
        self.unit_rule = options.unit if heeded else UnitRule.OFF
        self.upper = self._upper_half()

    def _upper_half(self) -> set[str]:
        if self.options.first_round is not FirstRound.ACCELERATED or self.number > 2:
            return set()
        numbered = sorted(
            (person for person in self.people.values() if person.number is not None),
            key=lambda person: person.number or 0,
        )
        return {person.id for person in numbered[: (len(numbered) + 1) // 2]}

    def paired_by(self, person: Person) -> Points:
        return person.points + (2 if person.id in self.upper else 0)

    def same_unit(self, one: Person, other: Person) -> bool:
        return self.unit_rule is not UnitRule.OFF and one.unit is not None and one.unit == other.unit

    def twice_running(self, person: Person) -> Side | None:
        last = person.sides[-2:]
        return last[0] if self.options.sides and len(last) == 2 and last[0] == last[1] else None

    def third_side(self, one: Person, other: Person) -> bool:
        side = self.twice_running(one)
        return side is not None and side == self.twice_running(other)

    def had_bye(self, person: Person) -> bool:
        return person.byes > 0 or (self.options.forfeit_win_is_bye and person.walkovers > 0)

    def everybody_once(self) -> Iterator[str]:
        seated = [person.id for pair in self.pairs for person in pair]
        if self.draw.bye is not None:
            seated.append(self.draw.bye.entrant)
        if sorted(seated) != sorted(self.present):
            yield f"seated {sorted(seated)}, available {sorted(self.present)}"
        if sorted(self.draw.absent) != sorted(set(self.people) - set(self.present)):
            yield f"absent {self.draw.absent}"
        if (self.draw.bye is not None) != (len(self.present) % 2 == 1):
            yield "a bye where none is needed, or none where one is"

    def tables(self) -> Iterator[str]:
        if [pairing.table for pairing in self.draw.pairings] != list(range(1, len(self.pairs) + 1)):
            yield "tables are not numbered from 1"
        tops = [sorted((one.points, other.points), reverse=True) for one, other in self.pairs]
        if any(above < below for above, below in pairwise(tops)):
            yield "tables do not stand from the top"

    def hard_rules(self) -> Iterator[str]:
        broken: set[tuple[Rule, frozenset[str]]] = set()
        for one, other in self.pairs:
            both = frozenset({one.id, other.id})
            if other.id in one.met or one.id in other.met:
                broken.add((Rule.REMATCH, both))
            if self.unit_rule is UnitRule.HARD and self.same_unit(one, other):
                broken.add((Rule.SAME_UNIT, both))
            if self.third_side(one, other):
                broken.add((Rule.SAME_SIDE, both))
        if self.draw.bye is not None and self.had_bye(self.people[self.draw.bye.entrant]):
            broken.add((Rule.SECOND_BYE, frozenset({str(self.draw.bye.entrant)})))
        told = {(each.rule, frozenset(map(str, each.entrants))) for each in self.draw.broken}
        if told != broken:
            yield f"broken {broken}, told {told}"
        rules = {rule for rule, _ in broken}
        if bool(self.draw.needs_ruling) != bool(rules - {Rule.SAME_SIDE}):
            yield f"rulings {self.draw.needs_ruling} for {rules}"
        yielding = (Rule.SAME_SIDE, Rule.SAME_UNIT, Rule.SECOND_BYE, Rule.REMATCH)
        for at, rule in enumerate(yielding):
            if rule in rules and self.possible(yielding[:at]):
                yield f"{rule} is broken, but giving way in {yielding[:at]} alone is enough"
                return

    def possible(self, relaxed: Collection[Rule], bye_takers: Collection[str] | None = None) -> bool:
        """Whether everybody can be paired under the hard rules but the relaxed ones; with the bye for one of these."""
        ids = sorted(self.present)
        edges = [
            (ids.index(one), ids.index(other), 0)
            for one, other in combinations(ids, 2)
            if self.allowed(self.present[one], self.present[other], relaxed)
        ]
        if len(ids) % 2:
            for place, entrant in enumerate(ids):
                free = Rule.SECOND_BYE in relaxed or not self.had_bye(self.present[entrant])
                if free and (bye_takers is None or entrant in bye_takers):
                    edges.append((place, len(ids), 0))
        return self._matched(len(ids) + len(ids) % 2, edges)[0]

    def allowed(self, one: Person, other: Person, relaxed: Collection[Rule]) -> bool:
        apart: dict[Rule, Callable[[], bool]] = {
            Rule.REMATCH: lambda: other.id in one.met or one.id in other.met,
            Rule.SAME_UNIT: lambda: self.unit_rule is UnitRule.HARD and self.same_unit(one, other),
            Rule.SAME_SIDE: lambda: self.third_side(one, other),
        }
        return not any(holds() for rule, holds in apart.items() if rule not in relaxed)

    @staticmethod
    def _matched(nodes: int, edges: list[tuple[int, int, int]]) -> tuple[bool, int]:
        """Whether all nodes can be matched, and the least sum of costs then."""
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
        graph.add_nodes_from(range(nodes))
        graph.add_edges_from(edges)
        found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: -cost)
        cost = {frozenset(edge[:2]): edge[2] for edge in edges}
        return 2 * len(found) == nodes, sum(cost[frozenset(pair)] for pair in found)

    def bye(self) -> Iterator[str]:
        bye = self.draw.bye
        if bye is None or self.draw.broken:
            return
        person = self.people[bye.entrant]
        lower = [
            other.id
            for other in self.present.values()
            if not self.had_bye(other) and self.paired_by(other) < self.paired_by(person)
        ]
        if lower and self.possible((), lower):
            yield f"{bye.entrant} has the bye, but {lower} have less"
        if set(bye.passed_over) - set(bye.had) != set(lower):
            yield f"{bye.had} of {bye.passed_over} are said to have had a bye, but {lower} may have one"

    def first_moves(self) -> Iterator[str]:
        for first, second in self.pairs if self.options.sides else ():
            firsts = [person.sides.count(Side.FIRST) for person in (first, second)]
            running = [self.twice_running(person) for person in (first, second)]
            if running[0] is Side.FIRST and running[1] is not Side.FIRST:
                yield f"{first.id} moves first for the third time, against {second.id}"
            if running[1] is Side.SECOND and running[0] is not Side.SECOND:
                yield f"{second.id} moves second for the third time, against {first.id}"
            if running[0] == running[1] and firsts[0] > firsts[1]:
                yield f"{first.id} moves first with {firsts[0]} first moves, {second.id} has {firsts[1]}"

    def floats(self) -> Iterator[str]:
        for pairing, (first, second) in zip(self.draw.pairings, self.pairs, strict=True):
            gap = self.paired_by(first) - self.paired_by(second)
            down, up = (None, None) if not gap else (first, second) if gap > 0 else (second, first)
            told = (pairing.difference, pairing.down, pairing.up)
            if told != (abs(gap), down and down.id, up and up.id):
                yield f"{first.id}–{second.id}: {gap}, told {told}"
            upper = max(self.paired_by(first), self.paired_by(second))
            everybody = [self.paired_by(each) for each in self.present.values()]
            places = sorted(
                1 + sum(other > self.paired_by(each) for other in everybody) for each in (first, second)
            )
            if (sorted(pairing.places), pairing.equals) != (places, everybody.count(upper)):
                yield f"table {pairing.table} says places {pairing.places} and {pairing.equals} equals"
            topics = [each.topic for each in pairing.said]
            if not all(each.text.zh and each.text.en for each in pairing.said):
                yield f"table {pairing.table} has an empty reason"
            if (Topic.FLOAT in topics) != bool(gap) or (Topic.SIDE in topics) != self.options.sides:
                yield f"table {pairing.table} speaks of {topics}"
            if (Topic.AVOIDED in topics, Topic.BROKEN in topics) != (
                bool(pairing.avoided),
                bool(pairing.broken),
            ):
                yield f"table {pairing.table} speaks of {topics}"

    def sums(self) -> Iterator[str]:
        report = self.draw.report
        gaps = [abs(self.paired_by(one) - self.paired_by(other)) for one, other in self.pairs]
        imbalance = {
            person.id: 2 * person.sides.count(Side.FIRST) - len(person.sides)
            for person in self.present.values()
        }
        for first, second in self.pairs:
            imbalance[first.id] += 1
            imbalance[second.id] -= 1
        expected = {
            "total_difference": sum(gaps),
            "squares": sum(Fraction(gap) ** 2 for gap in gaps),
            "floats": sum(gap > 0 for gap in gaps),
            "unit_meetings": sum(self.same_unit(one, other) for one, other in self.pairs),
            "runs": sum(self.third_side(one, other) for one, other in self.pairs),
        }
        if self.options.sides:
            expected["imbalance"] = sum(each**2 for each in imbalance.values())
            expected["greatest_imbalance"] = max(map(abs, imbalance.values()), default=0)
        for name, value in expected.items():
            if getattr(report, name) != value:
                yield f"the report says {name} {getattr(report, name)}, it is {value}"

    def least_difference(self) -> Iterator[str]:
        """No draw under the hard rules, with a bye to somebody of the same points, has a smaller total difference."""
        ids = sorted(self.present)
        whole = 4  # points are halves at least
        edges = []
        for one, other in combinations(range(len(ids)), 2):
            left, right = self.present[ids[one]], self.present[ids[other]]
            if self.allowed(left, right, ()):
                edges.append((one, other, int(whole * abs(self.paired_by(left) - self.paired_by(right)))))
        if self.draw.bye is not None:
            taker = self.present[self.draw.bye.entrant]
            edges += [
                (place, len(ids), 0)
                for place, entrant in enumerate(ids)
                if not self.had_bye(self.present[entrant])
                and self.paired_by(self.present[entrant]) == self.paired_by(taker)
            ]
        found, least = self._matched(len(ids) + len(ids) % 2, edges)
        if not found or least != whole * self.draw.report.total_difference:
            yield f"total difference {self.draw.report.total_difference}, the least is {Fraction(least, whole)}"
