"""Changing a drawn round by hand (人工调整): exchange people or tables, give a bye, set a table.

| change | what it does |
|---|---|
| `SWAP` | two people exchange their places, seats or byes |
| `SWAP_TABLES` | two tables exchange their numbers |
| `BYE` | somebody leaves his table for a bye; `other`, who has one, takes his seat, where he is named |
| `SET_TABLE` | a table gets these people in this order; whoever of them sits elsewhere leaves there |

Changes are made one after the other. Whoever is left without a place, and a table left with too few, has to be put right by
a later change: `Placed.left_over` and the shape of the tables say what is still open.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring_engine.values import EntrantId, Text

Table = tuple[EntrantId, ...]


class ChangeKind(StrEnum):
    """What a repair does."""

    SWAP = "swap"
    SWAP_TABLES = "swap_tables"
    BYE = "bye"
    SET_TABLE = "set_table"


@dataclass(frozen=True, slots=True)
class Repair:
    """One change by hand: who made it, why, and what; `at`: when, an ISO 8601 moment with its offset, where it is said.

    entrants: the two of a swap, who gets the bye, or the seats of the table that is set. other: who gives his bye for it.
    tables: the numbers of the two tables, or of the one that is set, from 1.
    """

    by: str
    reason: str
    kind: ChangeKind
    entrants: tuple[EntrantId, ...] = ()
    other: EntrantId | None = None
    tables: tuple[int, ...] = ()
    path: str = ""
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A round: tables from 1 in seat order, and byes. left_over: who has lost his place to a change, and has none."""

    tables: tuple[Table, ...]
    byes: tuple[EntrantId, ...]
    left_over: tuple[EntrantId, ...] = ()


class RepairError(ValueError):
    """A change that cannot be made to this round."""

    def __init__(self, repair: Repair, text: Text) -> None:
        super().__init__(text.zh)
        self.repair = repair
        self.text = text


def apply_repairs(drawn: Placed, repairs: Sequence[Repair]) -> Placed:
    """The round after all changes; tables nobody sits at any more are gone. Raises RepairError at the first that cannot be
    made."""
    placed = apply_changes(drawn, repairs)
    return replace(placed, tables=tuple(filter(None, placed.tables)))


def apply_changes(drawn: Placed, repairs: Sequence[Repair]) -> Placed:
    """As `apply_repairs`, while more changes may follow: a table nobody sits at keeps its number."""
    placed = drawn
    for repair in repairs:
        placed = _CHANGES[repair.kind](placed, repair)
    return placed


def _swap(placed: Placed, repair: Repair) -> Placed:
    one, other = repair.entrants
    _require(placed, repair, (one, other))
    exchanged = {one: other, other: one}

    def moved(entrants: Sequence[EntrantId]) -> tuple[EntrantId, ...]:
        return tuple(exchanged.get(entrant, entrant) for entrant in entrants)

    return Placed(tuple(map(moved, placed.tables)), moved(placed.byes), moved(placed.left_over))


def _swap_tables(placed: Placed, repair: Repair) -> Placed:
    for number in repair.tables:
        if number > len(placed.tables):
            raise RepairError(repair, Text(f"没有第{number}桌。", f"There is no table {number}."))
    tables = list(placed.tables)
    one, other = (number - 1 for number in repair.tables)
    tables[one], tables[other] = tables[other], tables[one]
    return replace(placed, tables=tuple(tables))


def _bye(placed: Placed, repair: Repair) -> Placed:
    (entrant,) = repair.entrants
    _require(placed, repair, (entrant,))
    if entrant in placed.byes:
        raise RepairError(repair, Text(f"{entrant}已经轮空。", f"{entrant} has a bye already."))
    if repair.other is not None:
        if repair.other not in placed.byes:
            raise RepairError(repair, Text(f"{repair.other}没有轮空。", f"{repair.other} has no bye."))
        return _swap(placed, replace(repair, entrants=(entrant, repair.other)))
    left = _without(placed, (entrant,))
    return replace(left, byes=(*left.byes, entrant))


def _set_table(placed: Placed, repair: Repair) -> Placed:
    (number,) = repair.tables
    if number > len(placed.tables) + 1:
        raise RepairError(
            repair,
            Text(
                f"共{len(placed.tables)}桌，不能设第{number}桌。",
                f"There are {len(placed.tables)} tables; table {number} cannot be set.",
            ),
        )
    _require(placed, repair, repair.entrants)
    seated = placed.tables[number - 1] if number <= len(placed.tables) else ()
    left = _without(placed, repair.entrants)
    tables = [*left.tables, ()] if number > len(left.tables) else list(left.tables)
    tables[number - 1] = repair.entrants
    displaced = tuple(entrant for entrant in seated if entrant not in repair.entrants)
    return Placed(tuple(tables), left.byes, (*left.left_over, *displaced))


_CHANGES = {
    ChangeKind.SWAP: _swap,
    ChangeKind.SWAP_TABLES: _swap_tables,
    ChangeKind.BYE: _bye,
    ChangeKind.SET_TABLE: _set_table,
}


def _require(placed: Placed, repair: Repair, entrants: Sequence[EntrantId]) -> None:
    known = {entrant for table in placed.tables for entrant in table} | {*placed.byes, *placed.left_over}
    for entrant in entrants:
        if entrant not in known:
            raise RepairError(repair, Text(f"{entrant}不在本轮之中。", f"{entrant} is not in this round."))


def _without(placed: Placed, entrants: Sequence[EntrantId]) -> Placed:
    def kept(found: Sequence[EntrantId]) -> tuple[EntrantId, ...]:
        return tuple(entrant for entrant in found if entrant not in entrants)

    return Placed(tuple(map(kept, placed.tables)), kept(placed.byes), kept(placed.left_over))
