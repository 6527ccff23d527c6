"""Rounds without their tables, and single tables: what a page of one person reads, however many entrants there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from sqlalchemy import ColumnElement, func, select

from app.draws.models import STANDS, DrawRepair, Round, Seat, Table, VoidRound
from app.draws.queries.division import groups as groups_of
from app.draws.queries.views import RoundHead, TableView, VoidHead, VoidView, change_views, moved_tables
from app.draws.rules import UnknownRoundError, UnknownTableError, entrant_of
from app.draws.rules.repairs import placed_from
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryId
from scoring_engine.values import EntrantId


def heads(event_id: int, *conditions: ColumnElement[bool]) -> tuple[RoundHead, ...]:
    """Every drawn round of an event that stands, in the order drawn, without its tables."""
    count = select(func.count()).where(Table.round_id == Round.id).scalar_subquery()
    rows = db.session.execute(
        select(Round.id, Round.stage, Round.number, Round.direct, count)
        .where(Round.event_id == event_id, STANDS, *conditions)
        .order_by(Round.id)
    ).all()
    repairs = repairs_of(row[0] for row in rows)
    found = []
    for round_id, stage, number, direct, tables in rows:
        byes = tuple(map(EntrantId, direct))
        head = RoundHead(
            id=round_id,
            stage=stage,
            number=number,
            tables=tables,
            direct=byes,
            drawn_direct=byes,
            moved=frozenset(),
            changes=(),
            repairing=False,
        )
        found.append(_with_repairs(head, event_id, repairs.get(round_id, ())))
    return tuple(found)


def void_heads(event_id: int) -> tuple[VoidHead, ...]:
    """Every round of an event that was taken back (作废), in the order drawn, without its tables."""
    count = select(func.count()).where(Table.round_id == Round.id).scalar_subquery()
    rows = db.session.execute(
        select(Round.stage, VoidRound, count)
        .join(VoidRound, VoidRound.round_id == Round.id)
        .where(Round.event_id == event_id)
        .order_by(Round.id)
    ).all()
    return tuple(
        VoidHead(
            void.round_id,
            stage,
            void.number,
            tables,
            VoidView(void.round_id, void.voided_at, void.reason, void.tables, void.deals),
        )
        for stage, void, tables in rows
    )


def _with_repairs(head: RoundHead, event_id: int, repairs: Sequence[DrawRepair]) -> RoundHead:
    repairing = any(each.confirmed_at is None and each.cancelled_at is None for each in repairs)
    confirmed = [each for each in repairs if each.confirmed_at is not None]
    if not confirmed or confirmed[-1].after is None:
        return replace(head, repairing=repairing)
    drawn = placed_from(confirmed[0].before)
    people = registrations.entrants(event_id)
    names = {str(entrant_of(entry_id)): each.name for entry_id, each in people.items()}
    return replace(
        head,
        drawn_direct=drawn.byes,
        moved=moved_tables(drawn, placed_from(confirmed[-1].after)),
        changes=tuple(view for each in confirmed for view in change_views(each, names)),
        repairing=repairing,
    )


def repairs_of(round_ids: Iterable[int]) -> dict[int, list[DrawRepair]]:
    """The repairs of these rounds, in the order opened."""
    found: dict[int, list[DrawRepair]] = {}
    for repair in db.session.scalars(
        select(DrawRepair).where(DrawRepair.round_id.in_(tuple(round_ids))).order_by(DrawRepair.id)
    ):
        found.setdefault(repair.round_id, []).append(repair)
    return found


def tables_of(
    people: Mapping[EntryId, EntrantView] | None, *conditions: ColumnElement[bool]
) -> dict[int, tuple[TableView, ...]]:
    """The tables of `tables` and `rounds` for which the conditions hold, by round, from table 1; people are read where None.

    Columns are read, not objects: a round has thousands of seats.
    """
    rows = db.session.execute(
        select(
            Table.id,
            Table.round_id,
            Table.number,
            Table.token,
            Round.event_id,
            Round.stage,
            Round.number,
            Seat.entry_id,
        )
        .select_from(Table)
        .join(Round, Round.id == Table.round_id)
        .join(Seat, Seat.table_id == Table.id)
        .where(*conditions)
        .order_by(Table.round_id, Table.number, Seat.position)
    ).all()
    known = registrations.named({row[7] for row in rows}) if people is None else people
    groups: dict[int, Mapping[EntrantId, str]] = {}
    found: dict[int, list[TableView]] = {}
    for _, seats in groupby(rows, key=lambda row: row[0]):
        own = list(seats)
        table_id, round_id, number, token, event_id, stage, round_number, first = own[0]
        if event_id not in groups:
            groups[event_id] = groups_of(event_id)
        found.setdefault(round_id, []).append(
            TableView(
                id=table_id,
                event_id=event_id,
                round_id=round_id,
                stage=stage,
                round_number=round_number,
                number=number,
                token=token,
                seats=tuple(known[EntryId(seat[7])] for seat in own),
                group=groups[event_id].get(entrant_of(first)) if round_number > 0 else None,
            )
        )
    return {round_id: tuple(tables) for round_id, tables in found.items()}


def standing_table(event_id: int, stage: str, number: int, table: int) -> tuple[RoundHead, TableView]:
    """One table of a round that stands, and the round. Raises ``UnknownRoundError``, ``UnknownTableError``."""
    found = heads(event_id, Round.stage == stage, Round.number == number)
    if not found:
        raise UnknownRoundError
    (head,) = found
    tables = tables_of(None, Table.round_id == head.id, Table.number == table)
    if not tables:
        raise UnknownTableError
    return head, tables[head.id][0]
