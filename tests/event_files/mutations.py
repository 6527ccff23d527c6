"""Ways to break an event file: a key left out, a value replaced, a key added, list items repeated or swapped."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Place = tuple[str | int, ...]

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ["", " ", "e1", "e2", "e99", "prelim", "swiss", "landlord", "bye", "1.5", "-3", "0x1", "00ff"]
    )
    | st.just("\ud800")
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "entrant", "entrants", "number", "kind", "seats", "code", "x y", "passed_out"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)

PARTS = ("regulation", "options", "entrants", "stages", "adjustments", "draws", "lots", "published")
ANY_JSON = JSON_VALUES | st.fixed_dictionaries(
    {"format": st.just("saishi-event"), "version": st.just(1)},
    optional=dict.fromkeys(PARTS, JSON_VALUES),
)
"""Any JSON value, and objects that look like an event file at first sight."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is done at a place of a document: its value is replaced, or the key, or item, is left out."""

    place: Place
    value: Any = None
    missing: bool = False


def every_place(value: Any, prefix: Place = ()) -> Iterator[Place]:
    """The place of every value inside a document."""
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        yield (*prefix, key)
        yield from every_place(inner, (*prefix, key))


def one_of_each(document: Any) -> list[Place]:
    """Of places that differ only in the number of a list item, the first."""
    found: dict[tuple[Any, ...], Place] = {}
    for place in every_place(document):
        found.setdefault(tuple("*" if isinstance(step, int) else step for step in place), place)
    return list(found.values())


def at(document: Any, place: Place) -> Any:
    """The value at a place."""
    for key in place:
        document = document[key]
    return document


def mutated(document: Any, change: Change) -> Any:
    """A copy with the change made."""
    made = copy.deepcopy(document)
    *above, key = change.place
    inside = at(made, tuple(above))
    if change.missing:
        del inside[key]
    elif isinstance(inside, list) and key == len(inside):
        inside.append(change.value)
    else:
        inside[key] = change.value
    return made


@st.composite
def changes(draw: st.DrawFn, document: Any) -> Change:
    """One change anywhere: a value replaced, left out, or put beside its neighbours under any key."""
    place = draw(st.sampled_from(list(every_place(document))))
    kind = draw(st.sampled_from(["replace", "leave out", "add", "from elsewhere"]))
    if kind == "leave out":
        return Change(place, missing=True)
    if kind == "from elsewhere":
        return Change(place, at(document, draw(st.sampled_from(list(every_place(document))))))
    value = draw(JSON_VALUES)
    if kind == "add":
        above = at(document, place[:-1])
        if isinstance(above, list):
            return Change((*place[:-1], len(above)), value)
        known = st.sampled_from(
            [
                "number",
                "seats",
                "deals",
                "winner",
                "forfeits",
                "late",
                "note",
                "handicap",
                "byes",
                "direct",
                "points",
            ]
        )
        return Change((*place[:-1], draw(known | st.text(max_size=2))), value)
    return Change(place, value)
