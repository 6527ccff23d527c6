from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select, union

from app.accounts.models import RoleGrant
from app.actors import Role
from app.clock import beijing_date
from app.competitions import queries as competitions
from app.competitions.models import Competition, Event
from app.extensions import db
from app.notifications.letters import LETTERS, LetterKind
from app.notifications.models import Message
from app.notifications.rules import MessageState
from app.publications.models import Publication
from app.registrations.models import Entry
from app.reports.models import Report
from app.reports.queries.occasions import about
from app.reports.rules import LOOK_BACK, digest_due, is_followed, key_of
from app.standings.models import StandingsSnapshot
from app.text import T
from app.workdays import queries as workdays

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Told:
    """What one reader was told of one occasion."""

    occasion: str
    user_id: int | None
    at: datetime
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One occasion on the staff's page: how many were told, and what became of the letters. No reader is named.

    Decisions on entries are an occasion of each leader's own; those that were told in one go are one row, named by one of them.
    """

    kind: LetterKind
    occasion: str
    about: T | None
    event_name: str | None
    at: datetime
    readers: int
    letters: int
    sent: int
    failed: int
    bounced: int

    @property
    def name(self) -> T:
        return LETTERS[self.kind].name


def told(kind: LetterKind, *, event_id: int, since: datetime | None = None) -> tuple[Told, ...]:
    """What was told of an event, in the order written."""
    conditions = [Report.kind == kind.value, Report.event_id == event_id]
    if since is not None:
        conditions.append(Report.at > since)
    rows = db.session.scalars(select(Report).where(*conditions).order_by(Report.id))
    return tuple(Told(row.occasion, row.user_id, row.at, row.details or {}) for row in rows)


def last_digest(competition_id: int) -> datetime | None:
    """When the committee of a competition was last told what is new, or that nothing is."""
    return db.session.scalar(
        select(func.max(Report.at)).where(
            Report.kind == LetterKind.DIGEST.value,
            Report.competition_id == competition_id,
            Report.user_id.is_(None),
        )
    )


def holders(competition_id: int, role: Role) -> tuple[int, ...]:
    """Who holds a role in this competition itself, in the order granted."""
    rows = db.session.scalars(
        select(RoleGrant.user_id)
        .where(RoleGrant.competition_id == competition_id, RoleGrant.role == role.value)
        .order_by(RoleGrant.id)
    )
    return tuple(rows)


def organisers(competition_id: int) -> tuple[int, ...]:
    """The organisers of this competition: who was made one in it, else who made it."""
    found = holders(competition_id, Role.ORGANISER)
    if found:
        return found
    maker = db.session.scalar(select(Competition.created_by_id).where(Competition.id == competition_id))
    return () if maker is None else (maker,)


def due_competitions(now: datetime) -> tuple[int, ...]:
    """Competitions in which something happened lately that a report could tell."""
    since = now - LOOK_BACK
    happened = union(
        select(Entry.event_id).where(Entry.decided_at > since),
        select(Publication.event_id).where(
            (Publication.published_at > since) | (Publication.final_at > since)
        ),
        select(StandingsSnapshot.event_id).where(StandingsSnapshot.computed_at > since),
    )
    found = select(Event.competition_id).where(Event.id.in_(happened)).distinct()
    return tuple(db.session.scalars(found.order_by(Event.competition_id)))


def due_digests(now: datetime) -> tuple[int, ...]:
    """Competitions whose digest of today is due and was not looked at yet."""
    if not digest_due(workdays.calendar(), now).due:
        return ()
    day = beijing_date(now).isoformat()
    names = {
        key_of(LetterKind.DIGEST.value, f"{each.id}-{day}", None): each
        for each in competitions.competitions()
        if any(is_followed(event.regulation.calendar, now) for event in each.events)
    }
    done = set(db.session.scalars(select(Report.key).where(Report.key.in_(names))))
    return tuple(sorted(each.id for key, each in names.items() if key not in done))


def rows(competition_id: int, limit: int = PER_PAGE) -> tuple[ReportRow, ...]:
    """The occasions that were told, the newest first. A letter that the outbox has deleted since counts as sent.

    One that was taken and came back is counted as bounced, not as sent.
    """
    failed = Message.state == MessageState.FAILED.value
    waiting = Message.state.in_((MessageState.QUEUED.value, MessageState.SENDING.value))
    came_back = ~failed & ~waiting & Message.bounced_at.is_not(None)
    decided = Report.kind == LetterKind.ENTRY_DECIDED.value
    by_occasion, by_moment = case((~decided, Report.occasion)), case((decided, Report.at))
    found = db.session.execute(
        select(
            Report.kind,
            func.min(Report.occasion),
            Event.name,
            func.min(Report.at),
            func.count(),
            func.count().filter(Report.written),
            func.count().filter(Report.written & failed),
            func.count().filter(Report.written & waiting),
            func.count().filter(Report.written & came_back),
        )
        .outerjoin(Event, Event.id == Report.event_id)
        .outerjoin(Message, Message.key == Report.key)
        .where(Report.competition_id == competition_id, Report.user_id.is_not(None))
        .group_by(Report.kind, by_occasion, by_moment, Event.name)
        .order_by(func.min(Report.at).desc(), func.min(Report.id).desc())
        .limit(limit)
    ).all()
    words = about((LetterKind(row[0]), row[1]) for row in found)
    return tuple(
        ReportRow(
            LetterKind(kind),
            occasion,
            words.get((LetterKind(kind), occasion)),
            event,
            at,
            readers,
            letters,
            letters - bad - left - back,
            bad,
            back,
        )
        for kind, occasion, event, at, readers, letters, bad, left, back in found
    )
