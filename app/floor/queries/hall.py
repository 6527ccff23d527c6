from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlalchemy import ColumnElement, select

from app.accounts import queries as accounts
from app.actors import Actor, Role
from app.draws.models import STANDS, Round, Seat, Table
from app.draws.queries import TableView
from app.draws.queries.heads import tables_of
from app.draws.rules import round_name
from app.extensions import db
from app.floor.models import Arrival, FloorNotice, RefereeCall, RoundRun, TableReferee
from app.floor.rules.hall import CALL_TAKERS, NOTICE_STANDS, ArrivalWay, CallKind, lateness
from app.registrations import queries as registrations
from app.text import T


@dataclass(frozen=True, slots=True)
class RefereeView:
    """A referee as staff see him: the number in the list of the competition's referees, and his masked phone."""

    user_id: int
    number: int
    phone_masked: str


def referees_of(competition_id: int) -> tuple[RefereeView, ...]:
    """Everybody who can be at a table: referees, then chief referees, in the order granted."""
    roles = (Role.REFEREE, Role.CHIEF_REFEREE)
    ids = dict.fromkeys(each for role in roles for each in accounts.holders(competition_id, role))
    people = ((user_id, accounts.session_user(user_id)) for user_id in ids)
    return tuple(
        RefereeView(user_id, number, "" if person is None else person.phone_masked)
        for number, (user_id, person) in enumerate(people, start=1)
    )


def ordinary_referees(competition_id: int) -> tuple[int, ...]:
    """Who is spread over the tables: the referees, without the chief referee, who goes where he is called."""
    chiefs = set(accounts.holders(competition_id, Role.CHIEF_REFEREE))
    return tuple(each for each in accounts.holders(competition_id, Role.REFEREE) if each not in chiefs)


def referees(table_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Who is at these tables (执裁安排): ids of users by table id, in the order assigned; tables without anybody are left out."""
    rows = db.session.execute(
        select(TableReferee.table_id, TableReferee.user_id)
        .where(TableReferee.table_id.in_(tuple(table_ids)), TableReferee.released_at.is_(None))
        .order_by(TableReferee.id)
    )
    found: dict[int, list[int]] = {}
    for table_id, user_id in rows:
        found.setdefault(table_id, []).append(user_id)
    return {table_id: tuple(each) for table_id, each in found.items()}


def tables_of_referee(event_id: int, user_id: int) -> tuple[TableView, ...]:
    """The tables of an event where somebody referees, of rounds that stand, the newest round first."""
    own = select(TableReferee.table_id).where(
        TableReferee.user_id == user_id, TableReferee.released_at.is_(None)
    )
    rounds = tables_of(None, Round.event_id == event_id, STANDS, Table.id.in_(own))
    return tuple(table for round_id in sorted(rounds, reverse=True) for table in rounds[round_id])


@dataclass(frozen=True, slots=True)
class CallView:
    """A call from a table, as staff see it. ``caller``: the player who called; None where staff did."""

    id: int
    event_id: int
    table: TableView
    kind: CallKind
    note: str | None
    called_at: datetime
    caller: str | None
    caller_entry_id: int | None
    taken_at: datetime | None
    taken_by_id: int | None
    taken_by: str | None
    """The masked phone of who is on the way."""
    closed_at: datetime | None
    outcome: str | None

    @property
    def open(self) -> bool:
        return self.closed_at is None

    @property
    def place(self) -> T:
        """The round and the table in words."""
        return T(
            "%(round)s %(table)s 号桌",
            round=round_name(self.table.stage, self.table.round_number),
            table=self.table.number,
        )

    def may_take(self, actor: Actor, competition_id: int) -> bool:
        return actor.has(competition_id, *CALL_TAKERS[self.kind])


def open_calls(event_id: int) -> tuple[CallView, ...]:
    """The queue of an event (呼叫队列): calls nobody closed yet, first come first served."""
    return _calls(RefereeCall.event_id == event_id, RefereeCall.closed_at.is_(None))


def calls_of_table(table_id: int) -> tuple[CallView, ...]:
    """Every call of one table, in order."""
    return _calls(RefereeCall.table_id == table_id)


def call(call_id: int) -> CallView | None:
    found = _calls(RefereeCall.id == call_id)
    return found[0] if found else None


def _calls(*conditions: ColumnElement[bool]) -> tuple[CallView, ...]:
    rows = db.session.scalars(
        select(RefereeCall).where(*conditions).order_by(RefereeCall.called_at, RefereeCall.id)
    ).all()
    rounds = tables_of(None, Table.id.in_({row.table_id for row in rows})) if rows else {}
    tables = {table.id: table for each in rounds.values() for table in each}
    people = registrations.named(row.caller_entry_id for row in rows if row.caller_entry_id is not None)
    names = {int(entry_id): each.name for entry_id, each in people.items()}
    phones = _phones({row.taken_by_id for row in rows if row.taken_by_id is not None})
    return tuple(
        CallView(
            id=row.id,
            event_id=row.event_id,
            table=tables[row.table_id],
            kind=CallKind(row.kind),
            note=row.note,
            called_at=row.called_at,
            caller=None if row.caller_entry_id is None else names.get(row.caller_entry_id),
            caller_entry_id=row.caller_entry_id,
            taken_at=row.taken_at,
            taken_by_id=row.taken_by_id,
            taken_by=None if row.taken_by_id is None else phones.get(row.taken_by_id),
            closed_at=row.closed_at,
            outcome=row.outcome,
        )
        for row in rows
    )


def _phones(user_ids: Iterable[int]) -> dict[int, str]:
    people = ((each, accounts.session_user(each)) for each in user_ids)
    return {user_id: person.phone_masked for user_id, person in people if person is not None}


@dataclass(frozen=True, slots=True)
class ArrivalView:
    """That an entrant came to a round, when, and how it was recorded."""

    entry_id: int
    at: datetime
    way: ArrivalWay


def arrival_views(round_id: int) -> dict[int, ArrivalView]:
    """Who has arrived at a round, by entry; what was taken back is left out."""
    rows = db.session.execute(
        select(Arrival.entry_id, Arrival.at, Arrival.way).where(
            Arrival.round_id == round_id, Arrival.taken_back_at.is_(None)
        )
    )
    return {entry_id: ArrivalView(entry_id, at, ArrivalWay(way)) for entry_id, at, way in rows}


def arrivals(round_id: int) -> dict[int, datetime]:
    """When each entrant arrived at a round (到场), by entry."""
    return {entry_id: each.at for entry_id, each in arrival_views(round_id).items()}


def minutes_late(round_id: int) -> dict[int, Fraction]:
    """How many minutes after the scheduled time each came who came too late, exactly, by entry; nobody without such a time."""
    at = db.session.scalar(select(RoundRun.scheduled_at).where(RoundRun.round_id == round_id))
    if at is None:
        return {}
    found = {entry_id: lateness(arrived, at) for entry_id, arrived in arrivals(round_id).items()}
    return {entry_id: minutes for entry_id, minutes in found.items() if minutes > 0}


def missing(round_id: int) -> tuple[int, ...]:
    """The entries that are seated in a round and have not arrived."""
    seated = db.session.scalars(
        select(Seat.entry_id)
        .join(Table, Table.id == Seat.table_id)
        .where(Table.round_id == round_id)
        .order_by(Table.number, Seat.position)
    ).all()
    there = arrivals(round_id)
    return tuple(each for each in seated if each not in there)


def table_of(round_id: int, entry_id: int) -> int | None:
    """The id of the table at which an entry sits in a round."""
    return db.session.scalar(
        select(Table.id)
        .join(Seat, Seat.table_id == Table.id)
        .where(Table.round_id == round_id, Seat.entry_id == entry_id)
    )


@dataclass(frozen=True, slots=True)
class NoticeView:
    """An announcement to every phone (赛场广播)."""

    id: int
    text: str
    text_en: str | None
    made_at: datetime
    withdrawn_at: datetime | None

    def in_language(self, language: str) -> str:
        """In English where it was written in English too."""
        return self.text_en if language == "en" and self.text_en else self.text


def notices(event_id: int, now: datetime) -> tuple[NoticeView, ...]:
    """What every phone shows at ``now``, the newest first."""
    return _notices(
        FloorNotice.event_id == event_id,
        FloorNotice.withdrawn_at.is_(None),
        FloorNotice.made_at > now - NOTICE_STANDS,
        FloorNotice.made_at <= now,  # a moved clock may have been set back
    )


def all_notices(event_id: int) -> tuple[NoticeView, ...]:
    """Everything that was announced, the newest first."""
    return _notices(FloorNotice.event_id == event_id)


def _notices(*conditions: ColumnElement[bool]) -> tuple[NoticeView, ...]:
    rows: Sequence[FloorNotice] = db.session.scalars(
        select(FloorNotice).where(*conditions).order_by(FloorNotice.made_at.desc(), FloorNotice.id.desc())
    ).all()
    return tuple(NoticeView(row.id, row.text, row.text_en, row.made_at, row.withdrawn_at) for row in rows)
