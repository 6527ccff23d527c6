from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.draws.rules import UnknownEntrantError, entry_of
from app.registrations.queries import EntrantView
from scoring_engine.values import EntrantId

if TYPE_CHECKING:
    from app.draws.queries import RoundView, TableView


@dataclass(frozen=True, slots=True)
class PersonView:
    """One entrant's way through the rounds, the newest first; the table is None where the entrant went straight on."""

    entrant: EntrantId
    person: EntrantView
    rounds: tuple[tuple[RoundView, TableView | None], ...]


def person(found: Iterable[RoundView], entrant: EntrantId) -> PersonView:
    """Where an entrant sits. Raises ``UnknownEntrantError``."""
    entry_id = entry_of(entrant)
    way: list[tuple[RoundView, TableView | None]] = []
    who: EntrantView | None = None
    for each in reversed(tuple(found)):
        for table_ in (*each.tables, None):
            people = each.direct if table_ is None else table_.seats
            here = next((one for one in people if one.entry_id == entry_id), None)
            if here is not None:
                who = here
                way.append((each, table_))
    if who is None:
        raise UnknownEntrantError
    return PersonView(entrant, who, tuple(way))


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
