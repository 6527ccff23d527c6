"""The lists an objection may be about: those in force, and what took the place of one that was superseded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.publications import queries as publications
from app.publications.queries import PublicationView
from app.publications.rules import window_open


@dataclass(frozen=True, slots=True)
class ListInForce:
    """A list that no later one takes the place of; ``final`` once it is settled."""

    view: PublicationView

    @property
    def id(self) -> int:
        return self.view.id

    @property
    def number(self) -> int:
        return self.view.number

    @property
    def final(self) -> bool:
        return self.view.final_at is not None

    def open_at(self, now: datetime) -> bool:
        """Whether an objection against it is in time."""
        return not self.final and window_open(self.view, now)


def in_force(event_id: int) -> tuple[ListInForce, ...]:
    """The lists in force of an event, the newest first."""
    return tuple(ListInForce(view) for view in reversed(publications.in_force(event_id)))


def places(lists: Iterable[ListInForce]) -> Mapping[int, int]:
    """On which of these lists (id) each entry stands."""
    return {entry.entry_id: each.id for each in lists for entry in each.view.entries}


def current(event_id: int, publication_id: int) -> ListInForce:
    """The list in force in the place of this one; itself where none took it."""
    by_number = {each.number: each for each in publications.publications(event_id)}
    found = next(each for each in by_number.values() if each.id == publication_id)
    while found.superseded_by is not None:
        found = by_number[found.superseded_by]
    return ListInForce(found)
