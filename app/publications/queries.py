from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import select

from app.actors import Role
from app.clock import beijing_date
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.errors import RefusedError, SaishiError
from app.extensions import db
from app.publications import rules
from app.publications.models import Publication
from app.publications.rules import CountedFrom, PublicationStatus, UnknownPublicationError
from app.registrations import queries as registrations
from app.registrations.rules import EntryState
from app.text import T, until
from app.waiting import Urgency, Waiting
from app.workdays import queries as workdays
from app.workdays.rules import UnknownWorkdayYearError, Window


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """One line of a list: what the public may see of an entrant, as it was on the day."""

    number: int
    entry_id: int
    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class PublicationView:
    """One list with its window. ``canonical`` is the text whose SHA-256 is ``sha256``."""

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

    def status(self, now: datetime) -> PublicationStatus:
        return rules.status_at(self.days, self.ends_at, now)

    @property
    def by_unit(self) -> tuple[tuple[str, tuple[PublishedEntry, ...]], ...]:
        """The entries under their units, in the order of the list; a unit's stand together in it."""
        return tuple(
            (unit, tuple(entries)) for unit, entries in groupby(self.entries, key=lambda entry: entry.unit)
        )


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the committee needs to know before it publishes.

    ``refusal`` is what publishing would answer now, or None; ``window`` is what it would start now, where it can
    be counted.
    """

    approved: int
    waiting: int
    refusal: SaishiError | None
    window: Window | None
    counted_from: CountedFrom | None


def latest(event_id: int) -> PublicationView | None:
    """The newest list of an event, running or final."""
    row = db.session.scalar(
        select(Publication)
        .where(Publication.event_id == event_id)
        .order_by(Publication.number.desc())
        .limit(1)
    )
    return None if row is None else _view(row)


def entry_states(event_id: int, now: datetime) -> dict[int, str]:
    """Of each entry on the newest list: ``in_publication`` (公示中) or, once the window is over, ``confirmed``."""
    newest = latest(event_id)
    if newest is None:
        return {}
    state = "in_publication" if newest.status(now).running else "confirmed"
    return {entry.entry_id: state for entry in newest.entries}


def publications(event_id: int) -> tuple[PublicationView, ...]:
    """Every list of an event, the newest first."""
    rows = db.session.scalars(
        select(Publication).where(Publication.event_id == event_id).order_by(Publication.number.desc())
    )
    return tuple(_view(row) for row in rows)


def numbers(event_id: int) -> dict[int, int]:
    """The number of every list of an event, by its id."""
    rows = db.session.execute(
        select(Publication.id, Publication.number).where(Publication.event_id == event_id)
    )
    return {row.id: row.number for row in rows}


def publication(event_id: int, number: int) -> PublicationView:
    """Raises ``UnknownPublicationError``."""
    row = db.session.scalar(
        select(Publication).where(Publication.event_id == event_id, Publication.number == number)
    )
    if row is None:
        raise UnknownPublicationError
    return _view(row)


def readiness(event_id: int, now: datetime) -> Readiness:
    """Whether the list could be published at ``now``, and the window it would have."""
    regulation = competitions.event(event_id).regulation
    approved = len(registrations.approved_entries(event_id))
    waiting = registrations.counts(event_id)[EntryState.SUBMITTED]
    refusal: SaishiError | None = None
    window, counted_from = None, None
    try:
        # before the deadline: the window of a list that comes out as soon as it may
        published_at = max(now, regulation.calendar.registration_closes)
        window, counted_from = rules.window_of(regulation, workdays.calendar(), published_at)
        rules.require_publishable(regulation, now=now, waiting=waiting, approved=approved)
    except RefusedError as error:
        refusal = error
    return Readiness(approved, waiting, refusal, window, counted_from)


def waiting(event: EventView, now: datetime) -> tuple[Waiting, ...]:
    """After the deadline: the list that could come out; then how far its window is. Entries under review come first."""
    if not event.regulation.has("publication"):
        return ()
    newest = db.session.execute(
        select(Publication.number, Publication.days, Publication.ends_at)
        .where(Publication.event_id == event.id)
        .order_by(Publication.number.desc())
        .limit(1)
    ).one_or_none()
    if newest is not None:
        status = rules.status_at([date.fromisoformat(day) for day in newest.days], newest.ends_at, now)
        return (_running(newest.number, status, now),) if status.running else ()
    if event.regulation.calendar.registration_deadline.accepts(now):
        return ()
    counts = registrations.counts(event.id)
    if counts[EntryState.SUBMITTED] or not counts[EntryState.APPROVED]:
        return ()
    try:
        rules.window_of(event.regulation, workdays.calendar(), now)
    except UnknownWorkdayYearError as problem:
        return (competitions.missing_year(problem),)
    except RefusedError as refusal:
        text: T = refusal.text
    else:
        text = T("报名已截止，%(count)s 人的名单还没有公示", count=counts[EntryState.APPROVED])
    return (Waiting(text, T("去公示名单"), "publications.staff_publication", (Role.COMMITTEE,)),)


def _running(number: int, status: PublicationStatus, now: datetime) -> Waiting:
    end = until(status.ends_at)
    today = rules.last_day_of(status.ends_at) == beijing_date(now)
    if today:
        text = T("第 %(number)s 号名单今天公示期满：%(end)s", number=number, end=end)
    elif status.day:
        text = T(
            "第 %(number)s 号名单公示第 %(day)s 天 / 共 %(of)s 天，%(end)s 结束",
            number=number,
            day=status.day,
            of=status.of,
            end=end,
        )
    else:
        text = T("第 %(number)s 号名单公示中，%(end)s 结束", number=number, end=end)
    return Waiting(
        text,
        T("看公示页"),
        "publications.show",
        (Role.ORGANISER, Role.COMMITTEE, Role.CHIEF_REFEREE),
        Urgency.TODAY if today else Urgency.RUNS,
    )


def _view(row: Publication) -> PublicationView:
    listing: dict[str, Any] = json.loads(row.listing)
    return PublicationView(
        id=row.id,
        event_id=row.event_id,
        number=row.number,
        event_name=listing["event"]["name"],
        entries=tuple(
            PublishedEntry(
                number=entry["number"],
                entry_id=int(entry["entrant"].removeprefix("e")),
                name=entry["name"],
                unit=entry["unit"],
            )
            for entry in listing["entries"]
        ),
        canonical=row.listing,
        sha256=row.sha256,
        published_at=row.published_at,
        counted_from=CountedFrom(row.counted_from),
        first_day=row.first_day,
        last_day=row.last_day,
        ends_at=row.ends_at,
        days=tuple(date.fromisoformat(day) for day in row.days),
    )
