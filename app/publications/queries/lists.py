from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, select

from app.extensions import db
from app.mailbox.queries import Outstanding
from app.publications.models import CompetitionNumber, Publication
from app.publications.queries.views import PublicationView, awaited, heads, held, standing, views
from app.publications.rules import (
    Difference,
    ListKind,
    NotOnListError,
    PublicationStatus,
    UnknownPublicationError,
    Verdict,
    difference,
    parse_fingerprint,
    status_at,
)
from app.registrations.rules import EntryId


def latest(event_id: int) -> PublicationView | None:
    """The newest list of an event that is in force, running or final."""
    found = in_force(event_id)
    return found[-1] if found else None


def in_force(event_id: int) -> tuple[PublicationView, ...]:
    """The lists that no other took the place of, in the order published: together they say who may play."""
    return _by_ids(event_id, [each.id for each in standing(heads(event_id))])


def foremost(lists: Sequence[PublicationView]) -> PublicationView | None:
    """Of all lists of an event the one a reader looks for: the first one, or what took its place, before any supplementary list.

    A corrected list has a higher number than a supplementary one that came before it.
    """
    supersedes = {each.number: each.supersedes for each in lists}

    def origin(number: int) -> int:
        earlier = supersedes[number]
        return number if earlier is None else origin(earlier)

    return min((each for each in lists if each.in_force), key=lambda each: origin(each.number), default=None)


@dataclass(frozen=True, slots=True)
class RunningList:
    """A list in force whose window runs, without its text."""

    number: int
    kind: ListKind
    status: PublicationStatus


def running(event_id: int, now: datetime) -> tuple[RunningList, ...]:
    """The lists that can be read and objected to at `now`, in the order published; cheap, for a page that only leads to them."""
    later = select(Publication.supersedes_id).where(Publication.supersedes_id.is_not(None))
    rows = db.session.execute(
        select(
            Publication.number,
            Publication.kind,
            Publication.days,
            Publication.published_at,
            Publication.ends_at,
        )
        .where(
            Publication.event_id == event_id,
            Publication.id.not_in(later),
            Publication.published_at <= now,
            Publication.ends_at > now,
        )
        .order_by(Publication.number)
    )
    return tuple(
        RunningList(
            row.number,
            ListKind(row.kind),
            status_at([date.fromisoformat(day) for day in row.days], row.ends_at, now),
        )
        for row in rows
    )


def in_force_at(event_id: int, moment: datetime) -> tuple[int, ...]:
    """The numbers of the lists that were in force at a moment, in the order published."""
    known = [each for each in heads(event_id) if each.published_at <= moment]
    return tuple(each.number for each in standing(known))


def publications(event_id: int) -> tuple[PublicationView, ...]:
    """Every list of an event, the newest first."""
    return tuple(reversed(_found(event_id)))


def numbers(event_id: int) -> dict[int, int]:
    """The number of every list of an event, by its id."""
    return {each.id: each.number for each in heads(event_id)}


def numbers_of(event_id: int) -> dict[int, int]:
    """The competition numbers (参赛号) that were given in an event, by entry; whoever left keeps his."""
    rows = db.session.execute(
        select(CompetitionNumber.entry_id, CompetitionNumber.number).where(
            CompetitionNumber.event_id == event_id
        )
    )
    return {row.entry_id: row.number for row in rows}


def publication(event_id: int, number: int) -> PublicationView:
    """Raises ``UnknownPublicationError``."""
    found = _found(event_id, Publication.number == number)
    if not found:
        raise UnknownPublicationError
    return found[0]


def entries_at(event_id: int, number: int, lines: Collection[int]) -> tuple[EntryId, ...]:
    """The entries at these numbers (序号) of a list. Raises ``UnknownPublicationError``, ``NotOnListError``."""
    at = {line.number: EntryId(line.entry_id) for line in publication(event_id, number).entries}
    if not at.keys() >= set(lines):
        raise NotOnListError(number, "lines")
    return tuple(at[line] for line in lines)


def difference_before(view: PublicationView) -> Difference | None:
    """What a corrected list says differently from the one it took the place of; None for any other list."""
    if view.supersedes is None:
        return None
    return difference(publication(view.event_id, view.supersedes).entries, view.entries)


@dataclass(frozen=True, slots=True)
class Verified:
    """What a fingerprint is, asked of list ``number``; ``found`` is the list that has it."""

    verdict: Verdict
    number: int
    found: PublicationView | None


def verify(event_id: int, number: int, fingerprint: str) -> Verified:
    """Whether a fingerprint is that of list ``number``, of another list of the event, or of none.

    Raises ``UnknownPublicationError``, ``BadFingerprintError``.
    """
    digits = parse_fingerprint(fingerprint)
    asked = publication(event_id, number)
    found = asked
    if asked.sha256 != digits:
        others = _found(event_id, Publication.sha256 == digits)
        if not others:
            return Verified(Verdict.UNKNOWN, number, None)
        found = others[0]
    if found.number != number:
        return Verified(Verdict.OTHER_LIST, number, found)
    return Verified(Verdict.IN_FORCE if found.in_force else Verdict.SUPERSEDED, number, found)


def held_lists(event_id: int, ids: Collection[int]) -> Mapping[int, int]:
    """How many objections are open to each of these lists and to those before it."""
    return held(heads(event_id), ids)


def awaited_mail(event_id: int, rows: Sequence[Publication]) -> Mapping[int, Outstanding]:
    """What of the mail of these lists' windows nobody has looked at, by the id of the list."""
    lists = heads(event_id)
    return {row.id: awaited(lists, row) for row in rows}


def due_events(now: datetime) -> tuple[int, ...]:
    """Events with a list in force whose window is over and that nobody found to be final yet."""
    later = select(Publication.supersedes_id).where(Publication.supersedes_id.is_not(None))
    return tuple(
        db.session.scalars(
            select(Publication.event_id)
            .where(Publication.final_at.is_(None), Publication.ends_at <= now, Publication.id.not_in(later))
            .distinct()
            .order_by(Publication.event_id)
        )
    )


def _by_ids(event_id: int, ids: Sequence[int]) -> tuple[PublicationView, ...]:
    return _found(event_id, Publication.id.in_(ids)) if ids else ()


def _found(event_id: int, *conditions: ColumnElement[bool]) -> tuple[PublicationView, ...]:
    rows = db.session.scalars(
        select(Publication).where(Publication.event_id == event_id, *conditions).order_by(Publication.number)
    ).all()
    return views(event_id, rows)
