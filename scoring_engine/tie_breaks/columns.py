"""Values taken out of a column at many places together, and a field walked in blocks."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Protocol, TypeVar

Place_contra = TypeVar("Place_contra", contravariant=True)
Value_co = TypeVar("Value_co", covariant=True)


class Column(Protocol[Place_contra, Value_co]):
    """A list by row, or a mapping by id."""

    def __getitem__(self, place: Place_contra, /) -> Value_co: ...


def picked(column: Column[Place_contra, Value_co], places: Sequence[Place_contra]) -> tuple[Value_co, ...]:
    """The values at these places, in their order. Raises KeyError or IndexError where there is none.

    The places lie all over memory, and each has to be waited for; asked for in one call, the waits overlap, which makes
    it several times as fast as a loop.
    """
    if len(places) < 2:  # `itemgetter` of one place answers the value itself
        return tuple(column[place] for place in places)
    found: tuple[Value_co, ...] = itemgetter(*places)(column)
    return found


BLOCK = 250
"""Entrants in a block: what is kept for one meanwhile stays in the fast memory, and its room is used again."""


def blocks(count: int) -> Iterator[slice]:
    """The numbers from 0 up to `count`, block after block."""
    return (slice(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK))
