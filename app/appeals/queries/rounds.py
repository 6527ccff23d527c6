"""The rounds of an event with the clocks of their appeals, and where an entrant sat in one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.appeals.rules.clocks import Clocks, Terms, terms_of
from app.competitions.queries import EventView
from app.draws import queries as draws
from app.draws.models import Seat, Table
from app.draws.queries import RoundHead
from app.draws.rules import UnknownRoundError, entrant_of, round_name
from app.extensions import db
from app.floor.models import RoundRun
from app.registrations.rules import EntryId
from app.results.models import Sheet
from app.text import T


@dataclass(frozen=True, slots=True)
class RoundClock:
    """A drawn round that stands, and until when one may appeal against what happened in it."""

    head: RoundHead
    clocks: Clocks

    @property
    def id(self) -> int:
        return self.head.id

    @property
    def name(self) -> T:
        return round_name(self.head.stage, self.head.number)

    @property
    def ended_at(self) -> datetime | None:
        return self.clocks.ended_at


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entrant was in a round: at a table, or (None) with a bye."""

    table_id: int | None
    table: int | None


def of_event(event: EventView) -> tuple[RoundClock, ...]:
    """The rounds of an event, the newest first. Raises ``NoAppealsError`` where its text has no appeals."""
    terms = terms_of(event.regulation)
    heads = draws.heads(event.id)[::-1]
    ended = _ended([each.id for each in heads])
    return tuple(RoundClock(each, Clocks(terms, ended.get(each.id))) for each in heads)


def of_round(event: EventView, stage: str, number: int) -> RoundClock:
    """One of them. Raises ``UnknownRoundError``."""
    for each in of_event(event):
        if (each.head.stage, each.head.number) == (stage, number):
            return each
    raise UnknownRoundError


def current(event: EventView) -> RoundClock | None:
    """The round that appeals are about now: the newest that ended, else the newest."""
    found = of_event(event)
    return next((each for each in found if each.ended_at is not None), found[0] if found else None)


def clocks_of(terms: Terms, round_id: int) -> Clocks:
    """By the recorded end as it stands now."""
    return Clocks(terms, _ended([round_id]).get(round_id))


def place_of(round_: RoundHead, entry_id: int) -> Place | None:
    """Where this entry was in the round; None where it was not in it."""
    found = db.session.execute(
        select(Table.id, Table.number)
        .join(Seat, Seat.table_id == Table.id)
        .where(Table.round_id == round_.id, Seat.entry_id == entry_id)
    ).one_or_none()
    if found is not None:
        return Place(found.id, found.number)
    return Place(None, None) if entrant_of(EntryId(entry_id)) in round_.direct else None


def entries_at(table_id: int | None) -> tuple[int, ...]:
    """The entries at a table, in seat order."""
    if table_id is None:
        return ()
    return tuple(
        db.session.scalars(select(Seat.entry_id).where(Seat.table_id == table_id).order_by(Seat.position))
    )


def published_at(table_id: int | None) -> datetime | None:
    """When the score of a table was first published: a correction may be asked for from then on."""
    if table_id is None:
        return None
    return db.session.scalar(select(Sheet.published_at).where(Sheet.table_id == table_id))


def _ended(round_ids: list[int]) -> dict[int, datetime]:
    rows = db.session.execute(
        select(RoundRun.round_id, RoundRun.ended_at).where(
            RoundRun.round_id.in_(round_ids), RoundRun.ended_at.is_not(None)
        )
    )
    return {row.round_id: row.ended_at for row in rows}
