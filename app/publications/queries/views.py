from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import select

from app.competitions import queries as competitions
from app.extensions import db
from app.mailbox import queries as mailbox
from app.mailbox.queries import NOTHING, Outstanding
from app.publications import rules
from app.publications.models import Publication
from app.publications.rules import CountedFrom, ListKind, PublicationStatus, PublishedEntry


@dataclass(frozen=True, slots=True)
class PublicationView:
    """One list with its window. ``canonical`` is the text whose SHA-256 is ``sha256``.

    ``supersedes`` and ``superseded_by`` are numbers of lists. ``objections`` counts the open ones, to this list and those it took the
    place of; ``mail`` is what came since they were published and nobody has looked at. ``final_at`` is when the list was found
    to be final, which a running worker does within a minute.
    """

    id: int
    event_id: int
    number: int
    event_name: str
    entries: tuple[PublishedEntry, ...]
    canonical: str
    sha256: str
    published_at: datetime
    counted_from: CountedFrom
    first_day: date
    last_day: date
    ends_at: datetime
    days: tuple[date, ...]
    kind: ListKind = ListKind.FIRST
    supersedes: int | None = None
    superseded_by: int | None = None
    reason: str | None = None
    final_at: datetime | None = None
    objections: int = 0
    mail: Outstanding = NOTHING

    def status(self, now: datetime) -> PublicationStatus:
        return rules.status_at(
            self.days,
            self.ends_at,
            now,
            superseded=self.superseded_by is not None,
            objections=self.objections,
            mail=bool(self.mail),
        )

    @property
    def in_force(self) -> bool:
        return self.superseded_by is None

    @property
    def by_unit(self) -> tuple[tuple[str, tuple[PublishedEntry, ...]], ...]:
        """The entries under their units, in the order of the list; a unit's stand together in it."""
        return tuple(
            (unit, tuple(entries)) for unit, entries in groupby(self.entries, key=lambda entry: entry.unit)
        )


@dataclass(frozen=True, slots=True)
class ListHead:
    """How the lists of an event follow each other, without their text."""

    id: int
    number: int
    supersedes_id: int | None
    published_at: datetime


def heads(event_id: int) -> tuple[ListHead, ...]:
    """Every list of an event, in the order published."""
    rows = db.session.execute(
        select(Publication.id, Publication.number, Publication.supersedes_id, Publication.published_at)
        .where(Publication.event_id == event_id)
        .order_by(Publication.number)
    )
    return tuple(ListHead(*row) for row in rows)


def standing(lists: Sequence[ListHead]) -> tuple[ListHead, ...]:
    """Those that no other list took the place of."""
    superseded = {each.supersedes_id for each in lists}
    return tuple(each for each in lists if each.id not in superseded)


def held(lists: Sequence[ListHead], wanted: Collection[int]) -> Mapping[int, int]:
    """How many objections are open to each of the wanted lists (ids) and to those before it."""
    before = {each.id: each.supersedes_id for each in lists}
    chains = {each: _chain(each, before) for each in wanted}
    found = rules.open_objections({each for chain in chains.values() for each in chain})
    return {each: sum(found.get(link, 0) for link in chain) for each, chain in chains.items()}


def awaited(lists: Sequence[ListHead], row: Publication) -> Outstanding:
    """What of the mail of a list's window, and of the windows of those before it, nobody has looked at; nothing once it is final."""
    if row.final_at is not None or row.id not in {each.id for each in standing(lists)}:
        return NOTHING
    chain = _chain(row.id, {each.id: each.supersedes_id for each in lists})
    begin = min(each.published_at for each in lists if each.id in chain)
    return mailbox.outstanding(competitions.event(row.event_id).competition_id, begin, row.ends_at)


def _chain(list_id: int, before: Mapping[int, int | None]) -> tuple[int, ...]:
    chain = []
    at: int | None = list_id
    while at is not None:
        chain.append(at)
        at = before.get(at)
    return tuple(chain)


def views(event_id: int, rows: Sequence[Publication]) -> tuple[PublicationView, ...]:
    if not rows:
        return ()
    lists = heads(event_id)
    numbers = {each.id: each.number for each in lists}
    superseded_by = {each.supersedes_id: each.number for each in lists if each.supersedes_id is not None}
    objections = held(lists, [row.id for row in rows])
    return tuple(_view(row, numbers, superseded_by, objections, awaited(lists, row)) for row in rows)


def lines_of(listing: str) -> tuple[PublishedEntry, ...]:
    """The lines of a stored text."""
    document: dict[str, Any] = json.loads(listing)
    return _lines(document)


def _lines(document: Mapping[str, Any]) -> tuple[PublishedEntry, ...]:
    return tuple(
        PublishedEntry(
            number=entry["number"],
            entry_id=int(entry["entrant"].removeprefix("e")),
            name=entry["name"],
            unit=entry["unit"],
        )
        for entry in document["entries"]
    )


def _view(
    row: Publication,
    numbers: Mapping[int, int],
    superseded_by: Mapping[int, int],
    objections: Mapping[int, int],
    mail: Outstanding,
) -> PublicationView:
    document: dict[str, Any] = json.loads(row.listing)
    return PublicationView(
        id=row.id,
        event_id=row.event_id,
        number=row.number,
        event_name=document["event"]["name"],
        entries=_lines(document),
        canonical=row.listing,
        sha256=row.sha256,
        published_at=row.published_at,
        counted_from=CountedFrom(row.counted_from),
        first_day=row.first_day,
        last_day=row.last_day,
        ends_at=row.ends_at,
        days=tuple(date.fromisoformat(day) for day in row.days),
        kind=ListKind(row.kind),
        supersedes=numbers[row.supersedes_id] if row.supersedes_id is not None else None,
        superseded_by=superseded_by.get(row.id),
        reason=row.reason,
        final_at=row.final_at,
        objections=objections[row.id],
        mail=mail,
    )
