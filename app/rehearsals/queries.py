"""Which rows belong to a competition: whatever its foreign keys lead to it by, in every table there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Column, ColumnElement, ForeignKey, MetaData, Table, func, or_, select

from app.extensions import db

COMPETITIONS = "competitions"

RELEASED = frozenset({"incoming_messages"})
"""Rows that stay, emptied and of no competition: a message is known by its key if it comes again (``mailbox``)."""

SHOWN = ("units", "entries", "tables", "uploads", "messages")
"""What the page counts before everything is deleted."""


@dataclass(frozen=True, slots=True)
class Owned:
    """A table, and the condition that holds for its rows of one competition."""

    table: Table
    condition: ColumnElement[bool]


def owned(metadata: MetaData, competition_id: int) -> list[Owned]:
    """Every table with rows of a competition, in the order in which they can be written: parents first.

    A row belongs to what it must name (a column that is never null), by the shortest way to the competition; where it need not name
    anything, to whatever it names. An optional mention beside it makes nobody's row another's.
    """
    found: dict[str, Owned] = {}
    steps: dict[str, int] = {COMPETITIONS: 0}
    for table in metadata.sorted_tables:
        if table.name in RELEASED:
            continue
        links = [each for each in table.foreign_keys if each.column.table.name in steps]
        must = [each for each in links if not each.parent.nullable and each.column.table is not table]
        if must:
            nearest = min(
                must,
                key=lambda each: (steps[each.column.table.name], each.column.table.name, each.parent.name),
            )
            links = [nearest]
        if not links:
            continue
        steps[table.name] = 1 + min(steps[each.column.table.name] for each in links)
        links.sort(key=lambda each: each.parent.name)
        found[table.name] = Owned(table, or_(*(_leads(each, found, competition_id) for each in links)))
    return list(found.values())


def _leads(link: ForeignKey, found: Mapping[str, Owned], competition_id: int) -> ColumnElement[bool]:
    if link.column.table.name == COMPETITIONS:
        return link.parent == competition_id
    return link.parent.in_(select(link.column).where(found[link.column.table.name].condition))


def columns_to(metadata: MetaData, target: str) -> list[Column[int]]:
    """Every column of any table that names a row of ``target``."""
    return [
        each.parent
        for table in metadata.sorted_tables
        for each in table.foreign_keys
        if each.column.table.name == target
    ]


def contents(competition_id: int) -> dict[str, int]:
    """How many rows of ``SHOWN`` a competition has, by table."""
    return {
        each.table.name: db.session.scalar(select(func.count()).select_from(each.table).where(each.condition))
        or 0
        for each in owned(db.metadata, competition_id)
        if each.table.name in SHOWN
    }
