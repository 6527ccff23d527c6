"""Ranks from records and a chain of criteria, each placing saying what decided it (名次).

Equal in the whole chain is a shared rank, and the ranks after it move on: 1, 2, 2, 4 (A, 四(二)8(二)).

A criterion that one of several tied entrants has no value for (only totals were recorded) is passed over for all of
them: what is not known cannot separate them, and is not counted as zero. Such values are `counted=False`. So is the value of a
criterion that compares the tied among each other (直胜, 抽签) where nobody was tied any more: it is None there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from scoring_engine.tie_breaks import CRITERIA, LOW, options_of
from scoring_engine.tie_breaks.records import Field, StandingRecord
from scoring_engine.values import EntrantId, Figure, Points, reading_order


@dataclass(frozen=True, slots=True)
class CriterionValue:
    """One entrant's value in one criterion; None where unknown.

    `counted` is False where the criterion was passed over among the entrants tied before it.
    """

    criterion: str
    value: Figure | None
    counted: bool


@dataclass(frozen=True, slots=True)
class Placing:
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


@dataclass(slots=True)
class _Row:
    record: StandingRecord
    values: list[Figure | None]
    counted: list[bool]


def rank(
    records: Iterable[StandingRecord], chain: Sequence[str], field: Field | None = None
) -> tuple[Placing, ...]:
    """The placings of these records, best first, by a chain of criterion codes.

    `field` is everybody ranked together, with the options of the chain; without one it is these records, and every
    option has its first value. The order of `records` does not matter; entrants who share a rank are listed in the
    reading order of their ids. Takes about n log n comparisons for each criterion.
    """
    rows = [_Row(record, [None] * len(chain), [False] * len(chain)) for record in records]
    rows.sort(key=lambda row: reading_order(row.record.entrant))
    if field is None:
        field = Field({row.record.entrant: row.record for row in rows})
    for depth, code in enumerate(chain):
        if not CRITERIA[code].of_tied:
            _fill(rows, code, depth, field)
    placings: list[Placing] = []
    for tied, decided_by in _split(rows, chain, 0, None, field):
        shared = len(tied) > 1
        standing = len(placings) + 1
        for row in tied:
            values = tuple(
                CriterionValue(code, value, counted)
                for code, value, counted in zip(chain, row.values, row.counted, strict=True)
            )
            placings.append(
                Placing(standing, row.record.entrant, values, None if shared else decided_by, shared)
            )
    return tuple(placings)


def _fill(rows: Sequence[_Row], code: str, depth: int, field: Field) -> None:
    """The values of one criterion, asked for these rows together."""
    options = options_of(code, field.options.get(code, {}))
    computed = CRITERIA[code].compute([row.record for row in rows], field, options)
    for row, value in zip(rows, computed, strict=True):
        row.values[depth] = value


def _split(
    rows: list[_Row], chain: Sequence[str], depth: int, decided_by: str | None, field: Field
) -> Iterator[tuple[list[_Row], str | None]]:
    """The groups of rows that stay equal from `depth` on, best first, with what put each behind the group above."""
    if len(rows) == 1:
        rows[0].counted[depth:] = [value is not None for value in rows[0].values[depth:]]
    if depth == len(chain) or len(rows) == 1:
        yield rows, decided_by
        return
    code = chain[depth]
    if CRITERIA[code].of_tied:
        _fill(rows, code, depth, field)
    if any(row.values[depth] is None for row in rows):
        yield from _split(rows, chain, depth + 1, decided_by, field)
        return
    for row in rows:
        row.counted[depth] = True
    ordered = sorted(
        rows, key=lambda row: _sort_key(row.values[depth]), reverse=CRITERIA[code].direction != LOW
    )
    above = decided_by
    for _, same in groupby(ordered, key=lambda row: row.values[depth]):
        yield from _split(list(same), chain, depth + 1, above, field)
        above = code


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
