"""Ranks from records and a chain of criteria, each placing saying what decided it (名次).

Equal in the whole chain is a shared rank, and the ranks after it move on: 1, 2, 2, 4 (A, 四(二)8(二)).

A criterion that one of several tied entrants has no value for (only totals were recorded) is passed over for all of
them: what is not known cannot separate them, and is not counted as zero. Such values are `counted=False`. So is the value of a
criterion that compares the tied among each other (直胜, 抽签) where nobody was tied any more: it is None there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress, islice, pairwise, repeat, takewhile
from operator import ne, neg
from typing import Any, NamedTuple, cast

from scoring_engine.tie_breaks import CRITERIA, LOW, options_of
from scoring_engine.tie_breaks.columns import BLOCK, picked
from scoring_engine.tie_breaks.records import Field, StandingRecord
from scoring_engine.values import EntrantId, Figure, Points, reading_order


class CriterionValue(NamedTuple):
    """One entrant's value in one criterion; None where unknown.

    `counted` is False where the criterion was passed over among the entrants tied before it.
    """

    criterion: str
    value: Figure | None
    counted: bool


class Placing(NamedTuple):
    """One entrant's rank; `decided_by` is the criterion that put it behind the entrant above.

    `decided_by` is None for the first rank and for a rank that is shared.
    """

    rank: int
    entrant: EntrantId
    values: tuple[CriterionValue, ...]
    decided_by: str | None
    shared: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why one entrant stands ahead of another (为什么).

    equal: the criteria in which both are equal, before the deciding one. decided_by: the deciding criterion with both
    values, or None where the whole chain is equal. place: where values are compared one after the other (依次), the
    first, from 1, that differs. unknown: criteria passed over because a value is missing. ahead: who stands ahead, or
    None.
    """

    first: EntrantId
    second: EntrantId
    equal: tuple[tuple[str, Figure | None], ...]
    unknown: tuple[str, ...]
    decided_by: str | None
    values: tuple[Figure | None, Figure | None]
    ahead: EntrantId | None

    @property
    def place(self) -> int | None:
        one, other = self.values
        if not isinstance(one, tuple) or not isinstance(other, tuple):
            return None
        same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
        return 1 + sum(1 for _ in same)

    @property
    def numbers(self) -> tuple[Points | None, Points | None]:
        """The two numbers that differ; None for the list that has no further one."""
        one, other = (_number_at(value, self.place) for value in self.values)
        return one, other


def _number_at(value: Figure | None, place: int | None) -> Points | None:
    if not isinstance(value, tuple):
        return value
    return value[place - 1] if place is not None and place <= len(value) else None


def rank(
    records: Iterable[StandingRecord], chain: Sequence[str], field: Field | None = None
) -> tuple[Placing, ...]:
    """The placings of these records, best first, by a chain of criterion codes.

    `field` is everybody ranked together, with the options of the chain; without one it is these records, and every
    option has its first value. The order of `records` does not matter; entrants who share a rank are listed in the
    reading order of their ids. Takes about n log n comparisons for each criterion.
    """
    return _Table(records, chain, field).placings()


def ranks(records: Iterable[StandingRecord], chain: Sequence[str], field: Field) -> dict[EntrantId, int]:
    """The rank of everybody alone, as `rank` gives it: what the criteria of later rounds ask for."""
    table = _Table(records, chain, field)
    found: dict[EntrantId, int] = {}
    for block in table.blocks():
        found.update(zip(table.entrants(block), table.ranks[block], strict=True))
    return found


_placing: Callable[[tuple[Any, ...]], Placing] = partial(tuple.__new__, Placing)
_criterion_value: Callable[[tuple[Any, ...]], CriterionValue] = partial(tuple.__new__, CriterionValue)
"""The same as calling the class with the parts of the tuple, in a third of the time; there is one for every entrant."""


def _without(placing: Placing, passed_over: Sequence[int]) -> Placing:
    """The placing, with the criteria at these depths not counted."""
    counted = [depth for depth in passed_over if placing.values[depth].counted]
    if not counted:
        return placing
    values = list(placing.values)
    for depth in counted:
        values[depth] = values[depth]._replace(counted=False)
    return placing._replace(values=tuple(values))


class _Cells(dict[Any, CriterionValue]):
    """The cell of each number of a column, made when it is first asked for."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code = code

    def __missing__(self, value: Points | None) -> CriterionValue:
        cell = self[value] = CriterionValue(self._code, value, value is not None)
        return cell


class _Column:
    """One criterion's values by row.

    Of a criterion that compares the tied among each other they come in as ties are met; before that they are None. unknown:
    some are None. numbers: none is a list of numbers.
    """

    def __init__(self, code: str, records: Sequence[StandingRecord], field: Field) -> None:
        self.code = code
        self._kind = CRITERIA[code]
        self._records = records
        self._field = field
        self._options = options_of(code, field.options.get(code, {}))
        self.of_tied = self._kind.of_tied
        self.high_first = self._kind.direction != LOW
        self.values: list[Any] = [None] * len(records) if self.of_tied else self._computed(records)
        self._unknown = None in self.values
        self.numbers = tuple not in set(map(type, self.values))
        self._cells = _Cells(code)

    def _computed(self, records: Sequence[StandingRecord]) -> list[Figure | None]:
        return list(self._kind.compute(records, self._field, self._options))

    @cached_property
    def _may_part(self) -> Callable[[Sequence[int]], bool]:
        return self._kind.may_part(self._records, self._field, self._options)

    def key(self) -> Iterable[Points] | None:
        """The values as numbers of which the lowest stands ahead; None where one is a list or is not known."""
        if self._unknown or not self.numbers:
            return None
        return map(neg, self.values) if self.high_first else self.values

    def known(self, tied: Sequence[int]) -> bool:
        """Whether the value of all these rows, who are tied, is known; a criterion that needs to know of the tie is asked."""
        if self.of_tied:
            if not self._may_part(tied):
                return False  # as nearly all
            values = self._computed([self._records[row] for row in tied])
            if None in values:
                return False  # theirs stay None
            for row, value in zip(tied, values, strict=True):
                self.values[row] = value
            return True
        return not self._unknown or all(self.values[row] is not None for row in tied)

    def shown(self, rows: Sequence[int]) -> Sequence[CriterionValue]:
        """The values of rows as they are shown: equal numbers are one object, as there are few of them.

        Lists are copied. The copies are made in the order of the ranking and so lie beside each other in memory; the
        originals are in the order of the records, and every one would have to be waited for again.
        """
        values = picked(self.values, rows)
        if self.numbers:
            return picked(self._cells, values)
        return [
            _criterion_value((self.code, None if value is None else (*value,), value is not None))
            for value in values
        ]


class _Table:
    """The records as rows and the criteria as columns, and the rows in order, best first.

    The rows are parted by the numbers the chain begins with together, as few of them differ; what is still equal, by one
    criterion after the other. `order` has the rows; `ranks`, `decided_by` and `shared` are those of its places.
    """

    def __init__(self, records: Iterable[StandingRecord], chain: Sequence[str], field: Field | None) -> None:
        self._records = list(records)
        self._entrants = [record.entrant for record in self._records]
        field = field or Field(dict(zip(self._entrants, self._records, strict=True)))
        self._columns = [_Column(code, self._records, field) for code in chain]
        self.order: list[int] = []
        self.decided_by: list[str | None] = []
        self.ranks: list[int] = []
        self.shared: list[bool] = []
        self._ties: list[range] = []
        self._passed_over: list[tuple[range, tuple[int, ...]]] = []

    def entrants(self, block: slice) -> tuple[EntrantId, ...]:
        """Who has these places."""
        return picked(self._entrants, self.order[block])

    def placings(self) -> tuple[Placing, ...]:
        """Everybody's placing, best first."""
        found: list[Placing] = []
        for block in self.blocks():
            rows = self.order[block]
            shown = [column.shown(rows) for column in self._columns]
            parts = (
                self.ranks[block],
                self.entrants(block),
                zip(*shown, strict=True) if shown else repeat(()),
                self.decided_by[block],
                self.shared[block],
            )
            found += map(_placing, zip(*parts, strict=False))
        for places, passed_over in self._passed_over:
            for place in places:
                found[place] = _without(found[place], passed_over)
        return tuple(found)

    def blocks(self) -> Iterator[slice]:
        """Put all rows in order, once, best first; answer the places of each block as soon as they are decided.

        What was compared for them is still in the fast memory then.
        """
        done = 0
        for rows, depth, decided_by in self._parts():
            self._split(rows, depth, (), decided_by)
            if len(self.order) - done >= BLOCK:
                yield self._ranked(done)
                done = len(self.order)
        yield self._ranked(done)

    def _ranked(self, first: int) -> slice:
        """The places from this one on, which have their ranks now."""
        block = slice(first, len(self.order))
        self.ranks += range(block.start + 1, block.stop + 1)
        self.shared += [False] * (block.stop - block.start)
        for places in self._ties:
            for place in places:
                self.ranks[place], self.shared[place] = places[0] + 1, True
        self._ties.clear()
        return block

    def _parts(self) -> Iterator[tuple[Sequence[int], int, str | None]]:
        """The rows by the numbers that the chain begins with and that everybody has, best first.

        Each part with how many criteria it is equal in, and the one that put it behind the part before.
        """
        keys = list(takewhile(lambda key: key is not None, [column.key() for column in self._columns]))
        if not keys:
            yield range(len(self._records)), 0, None
            return
        parts: dict[tuple[Points, ...], list[int]] = defaultdict(list)
        for row, key in enumerate(zip(*cast("list[Iterable[Points]]", keys), strict=True)):
            parts[key].append(row)
        above: tuple[Points, ...] | None = None
        for key in sorted(parts):
            decided_by = None
            if above is not None:
                depth = next(depth for depth, value in enumerate(key) if above[depth] != value)
                decided_by = self._columns[depth].code
            yield parts[key], len(keys), decided_by
            above = key

    def _split(
        self, tied: Sequence[int], depth: int, passed_over: tuple[int, ...], decided_by: str | None
    ) -> None:
        """Put these rows, equal so far, in order by the criteria from `depth` on.

        passed_over: the depths at which they were tied and a value was missing. decided_by: what put them behind.
        """
        if len(tied) < 2:
            self._place(tied, passed_over, decided_by)
            return
        for place in range(depth, len(self._columns)):
            column = self._columns[place]
            if not column.known(tied):
                if not column.of_tied:  # where it is, nobody has a value that could be counted
                    passed_over = (*passed_over, place)
                continue
            ordered = sorted(tied, key=column.values.__getitem__, reverse=column.high_first)
            values = picked(column.values, ordered)
            differ = list(compress(range(1, len(ordered)), map(ne, values, islice(values, 1, None))))
            if not differ:
                continue
            for start, end in pairwise((0, *differ, len(ordered))):
                if end - start == 1 and not passed_over:  # as most: the same without a call
                    self.order.append(ordered[start])
                    self.decided_by.append(decided_by)
                else:
                    self._split(ordered[start:end], place + 1, passed_over, decided_by)
                decided_by = column.code
            return
        listed = sorted(tied, key=lambda row: reading_order(self._entrants[row]))
        self._ties.append(range(len(self.order), len(self.order) + len(tied)))
        self._place(listed, passed_over, None)

    def _place(self, rows: Sequence[int], passed_over: tuple[int, ...], decided_by: str | None) -> None:
        """Put these rows next in order."""
        if passed_over:
            self._passed_over.append((range(len(self.order), len(self.order) + len(rows)), passed_over))
        self.order += rows
        self.decided_by += [decided_by] * len(rows)


def _sort_key(value: Figure | None) -> tuple[Points, ...]:
    """A key of one criterion's values: numbers, and lists of numbers compared one after the other."""
    if value is None:
        raise ValueError("an unknown value has no place in an order")
    return value if isinstance(value, tuple) else (value,)


def compare(first: Placing, second: Placing) -> Comparison:
    """What separates two placings of one ranking: the criteria compared, both values, and which decided."""
    equal: list[tuple[str, Figure | None]] = []
    unknown: list[str] = []
    for a, b in zip(first.values, second.values, strict=True):
        if not (a.counted and b.counted):
            unknown.append(a.criterion)
            continue
        if a.value != b.value:
            higher = _sort_key(a.value) > _sort_key(b.value)
            first_ahead = higher == (CRITERIA[a.criterion].direction != LOW)
            return Comparison(
                first.entrant,
                second.entrant,
                tuple(equal),
                tuple(unknown),
                a.criterion,
                (a.value, b.value),
                first.entrant if first_ahead else second.entrant,
            )
        equal.append((a.criterion, a.value))
    return Comparison(first.entrant, second.entrant, tuple(equal), tuple(unknown), None, (None, None), None)
