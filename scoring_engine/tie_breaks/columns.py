"""Value_cos taken out of a column at many places together."""

from collections.abc import Sequence
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
