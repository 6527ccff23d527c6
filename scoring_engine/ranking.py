"""Ranks from records and a chain of criteria, each placing saying what decided it (名次).

Equal in the whole chain is a shared rank, and the ranks after it move on: 1, 2, 2, 4 (A, 四(二)8(二)).

A criterion that one of several tied entrants has no value for (only totals were recorded) is passed over for all of
them: what is not known cannot separate them, and is not counted as zero. Such values are `counted=False`. So is the value of a
criterion that compares the tied among each other (直胜, 抽签) where nobody was tied any more: it is None there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Any, NamedTuple, TypeAlias

from scoring_engine.tie_breaks import CRITERIA, LOW, options_of
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
    table = _Table(records, chain, field)
    rows = list(zip(*table.cells(), strict=True)) or [()] * len(table.entrants)
    placings: list[Placing] = []
    for tied, _, decided_by in table.groups:
        standing, shared = len(placings) + 1, len(tied) > 1
        for row in tied:
            placings.append(Placing(standing, table.entrants[row], rows[row], decided_by, shared))
    return tuple(placings)


def ranks(records: Iterable[StandingRecord], chain: Sequence[str], field: Field) -> dict[EntrantId, int]:
    """The rank of everybody alone, as `rank` gives it: what the criteria of later rounds ask for."""
    table = _Table(records, chain, field)
    found: dict[EntrantId, int] = {}
    for tied, _, _ in table.groups:
        standing = len(found) + 1
        for row in tied:
            found[table.entrants[row]] = standing
    return found


_Group: TypeAlias = tuple[Sequence[int], tuple[int, ...], str | None]
"""Rows equal in the whole chain; the depths at which they were tied and a value was missing; what put them behind."""


class _Table:
    """The records as rows and the criteria as columns, split into groups, best first.

    A column is computed at once, but that of a criterion that compares the tied among each other only where some are.
    """

    def __init__(self, records: Iterable[StandingRecord], chain: Sequence[str], field: Field | None) -> None:
        self._records = list(records)
        self.entrants = [record.entrant for record in self._records]
        self._field = field or Field(dict(zip(self.entrants, self._records, strict=True)))
        self._chain = chain
        self._options = [options_of(code, self._field.options.get(code, {})) for code in chain]
        self._columns: list[list[Figure | None]] = [
            [None] * len(self._records) if CRITERIA[code].of_tied else self._computed(depth, self._records)
            for depth, code in enumerate(chain)
        ]
        self._unknown = [any(value is None for value in column) for column in self._columns]
        self.groups: list[_Group] = []
        everyone = range(len(self._records))
        if len(everyone) > 1:
            self._split(everyone, 0, (), None)
        elif everyone:
            self.groups.append((everyone, (), None))

    def cells(self) -> list[list[CriterionValue]]:
        """The values by column; equal ones are one object, as a field has few different values of most criteria."""
        cells = []
        for code, column in zip(self._chain, self._columns, strict=True):
            made = {value: CriterionValue(code, value, value is not None) for value in set(column)}
            cells.append([made[value] for value in column])
        for tied, passed_over, _ in self.groups:
            for depth in passed_over:
                for row in tied:
                    if cells[depth][row].counted:
                        cells[depth][row] = cells[depth][row]._replace(counted=False)
        return cells

    def _computed(self, depth: int, records: Sequence[StandingRecord]) -> list[Figure | None]:
        """The values of one criterion, asked for these records together."""
        return list(CRITERIA[self._chain[depth]].compute(records, self._field, self._options[depth]))

    def _split(
        self, tied: Sequence[int], depth: int, passed_over: tuple[int, ...], decided_by: str | None
    ) -> None:
        """Add the groups in which these rows, several and equal so far, stay equal from `depth` on."""
        for place in range(depth, len(self._chain)):
            code, column = self._chain[place], self._columns[place]
            if CRITERIA[code].of_tied:
                values = self._computed(place, [self._records[row] for row in tied])
                for row, value in zip(tied, values, strict=True):
                    column[row] = value
            if self._unknown[place] and any(column[row] is None for row in tied):
                passed_over = (*passed_over, place)
                continue
            parts = _in_order(tied, column, reverse=CRITERIA[code].direction != LOW)
            if len(parts) > 1:
                for part in parts:
                    if len(part) > 1:
                        self._split(part, place + 1, passed_over, decided_by)
                    else:
                        self.groups.append((part, passed_over, decided_by))
                    decided_by = code
                return
        listed = sorted(tied, key=lambda row: reading_order(self.entrants[row]))
        self.groups.append((listed, passed_over, None))


def _in_order(tied: Sequence[int], column: Sequence[Any], *, reverse: bool) -> list[list[int]]:
    """Rows by their value in a column that has no None, each part of equal ones by itself."""
    ordered = sorted(tied, key=column.__getitem__, reverse=reverse)
    return [list(part) for _, part in groupby(ordered, key=column.__getitem__)]


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
