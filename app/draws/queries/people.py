from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from app.draws.models import STANDS, Round, Seat, Table
from app.draws.queries.heads import heads, tables_of
from app.draws.queries.reasons import kept_reasons
from app.draws.queries.views import RoundHead, TableView
from app.draws.rules import UnknownEntrantError, entrant_of, entry_of
from app.draws.rules.reasons import WHOLE_ROUND, Reason, told_of_absence
from app.extensions import db
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class PersonView:
    """One entrant's way through the rounds, the newest first; the table is None where the entrant went straight on.

    ``latest`` is the newest round there is, whether he is in it or not; no rounds where he has been in none yet.
    """

    entrant: EntrantId
    person: EntrantView
    rounds: tuple[tuple[RoundHead, TableView | None], ...]
    latest: RoundHead

    @property
    def in_latest(self) -> bool:
        """Whether he sits in the newest round, or has a bye in it."""
        return bool(self.rounds) and self.rounds[0][0].id == self.latest.id

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where reasons are kept of his tables, his byes, and of the newest round (``Explained``)."""
        own = ((round_.id, table.number if table else WHOLE_ROUND) for round_, table in self.rounds)
        return (*own, (self.latest.id, WHOLE_ROUND))


@dataclass(frozen=True, slots=True)
class Found:
    """Where people of a name sit, the newest round first, and which of them have no table; ``more``: how many are left out.

    ``away``: who has been in no round yet, and why not in the newest.
    """

    tables: tuple[tuple[RoundHead, TableView], ...]
    direct: tuple[tuple[RoundHead, EntrantView], ...]
    away: tuple[tuple[RoundHead, EntrantView, Reason], ...]
    more: int


def person(event_id: int, entrant: EntrantId) -> PersonView:
    """Where an entrant sits, or that he is known and was not paired yet. Raises ``UnknownEntrantError``."""
    entry_id = entry_of(entrant)
    own = select(Seat.table_id).where(Seat.entry_id == entry_id)
    tables = tables_of(None, Round.event_id == event_id, STANDS, Table.id.in_(own))
    newest_first = heads(event_id)[::-1]
    way = tuple(
        (head, tables[head.id][0] if head.id in tables else None)
        for head in newest_first
        if head.id in tables or entrant in head.direct
    )
    if not way and not (newest_first and _left_out(newest_first[0], [entrant])):
        raise UnknownEntrantError
    return PersonView(entrant, registrations.named([entry_id])[entry_id], way, newest_first[0])


def _left_out(latest: RoundHead, entrants: Iterable[EntrantId]) -> dict[EntrantId, Reason]:
    """Why the newest round was drawn without those of these who belong to the field: absent, or not entered yet."""
    whole = kept_reasons([(latest.id, WHOLE_ROUND)]).get((latest.id, WHOLE_ROUND))
    told = {entrant: told_of_absence(whole, entrant) for entrant in entrants}
    return {entrant: reasons[0] for entrant, reasons in told.items() if reasons}


def search(event_id: int, name: str, most: int) -> Found:
    """At most so many tables, and people without one, where somebody's name contains ``name``, spaces aside."""
    wanted = _plain(name)
    people = {
        each.entry_id: each
        for each in registrations.entrants(event_id).values()
        if wanted and wanted in _plain(each.name)
    }
    newest_first = heads(event_id)[::-1]
    place = {head.id: at for at, head in enumerate(newest_first)}
    rows = db.session.execute(
        select(Table.round_id, Table.number, Table.id, Seat.entry_id)
        .join(Seat, Seat.table_id == Table.id)
        .where(Table.round_id.in_(place), Seat.entry_id.in_(people))
    ).all()
    seated = sorted({(place[round_id], number, table_id) for round_id, number, table_id, _ in rows})
    shown = tables_of(None, Table.id.in_([table_id for _, _, table_id in seated[:most]]))
    direct = [
        (head, each)
        for head in newest_first
        for each in people.values()
        if entrant_of(each.entry_id) in head.direct
    ]
    found = {entry for _, _, _, entry in rows} | {each.entry_id for _, each in direct}
    missed = [entrant_of(entry) for entry in people if entry not in found]
    away = _left_out(newest_first[0], missed) if missed and newest_first else {}
    return Found(
        tables=tuple((head, table) for head in newest_first for table in shown.get(head.id, ())),
        direct=tuple(direct[:most]),
        away=tuple((newest_first[0], people[entry_of(each)], why) for each, why in away.items())[:most],
        more=max(0, len(seated) - most) + max(0, len(direct) - most) + max(0, len(away) - most),
    )


def _plain(name: str) -> str:
    """A name as it is compared: full-width letters as usual ones, without spaces, in small letters."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
