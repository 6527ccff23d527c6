from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.draws.rules import UnknownEntrantError, entry_of
from app.draws.rules.reasons import WHOLE_ROUND
from app.registrations.queries import EntrantView
from scoring_engine.values import EntrantId

if TYPE_CHECKING:
    from app.draws.queries import RoundView, TableView


@dataclass(frozen=True, slots=True)
class PersonView:
    """One entrant's way through the rounds, the newest first; the table is None where the entrant went straight on.

    ``latest`` is the newest round there is, whether he is in it or not.
    """

    entrant: EntrantId
    person: EntrantView
    rounds: tuple[tuple[RoundView, TableView | None], ...]
    latest: RoundView

    @property
    def in_latest(self) -> bool:
        """Whether he sits in the newest round, or has a bye in it."""
        return self.rounds[0][0].id == self.latest.id

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where reasons are kept of his tables, his byes, and of the newest round (``Explained``)."""
        own = ((round_.id, table.number if table else WHOLE_ROUND) for round_, table in self.rounds)
        return (*own, (self.latest.id, WHOLE_ROUND))


def person(found: Iterable[RoundView], entrant: EntrantId) -> PersonView:
    """Where an entrant sits. Raises ``UnknownEntrantError``."""
    entry_id = entry_of(entrant)
    newest_first = tuple(reversed(tuple(found)))
    way: list[tuple[RoundView, TableView | None]] = []
    who: EntrantView | None = None
    for each in newest_first:
        for table_ in (*each.tables, None):
            people = each.direct if table_ is None else table_.seats
            here = next((one for one in people if one.entry_id == entry_id), None)
            if here is not None:
                who = here
                way.append((each, table_))
    if who is None:
        raise UnknownEntrantError
    return PersonView(entrant, who, tuple(way), newest_first[0])


def find_by_name(found: Iterable[RoundView], name: str) -> tuple[tuple[RoundView, TableView], ...]:
    """The tables at which somebody sits whose name contains ``name``, the newest round first."""
    wanted = name.strip()
    return tuple(
        (each, table)
        for each in reversed(tuple(found))
        for table in each.tables
        if any(wanted in seat.name for seat in table.seats)
    )


def find_direct(found: Iterable[RoundView], name: str) -> tuple[tuple[RoundView, EntrantView], ...]:
    """Who goes straight on (直接进入下一阶段) and has a name that contains ``name``."""
    wanted = name.strip()
    return tuple((each, entrant) for each in found for entrant in each.direct if wanted in entrant.name)
