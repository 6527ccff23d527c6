"""What the committee needs to know before it publishes, supplements or corrects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.errors import RefusedError, SaishiError
from app.publications import rules
from app.publications.queries.lists import in_force, publications
from app.publications.queries.views import PublicationView
from app.publications.rules import CountedFrom, Difference, PublishedEntry
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryState
from app.text import T
from app.workdays import queries as workdays
from app.workdays.rules import Window


@dataclass(frozen=True, slots=True)
class Readiness:
    """What the committee needs to know before it publishes.

    ``refusal`` is what publishing would answer now, or None; ``window`` is what it would start now, where it can
    be counted. ``warning``: publishing is allowed, but somebody should know.
    """

    approved: int
    waiting: int
    refusal: SaishiError | None
    window: Window | None
    counted_from: CountedFrom | None
    warning: T | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The lists in force, and what they do not say yet: who is approved and on none of them, and whose line is no longer right.

    ``added``: approved, on no list, and none is needed: they came by a granted application, and the text does not publish again.
    """

    lists: tuple[PublicationView, ...]
    unlisted: tuple[EntrantView, ...]
    stale: tuple[tuple[PublicationView, Difference], ...]
    added: tuple[EntrantView, ...] = ()


def readiness(event_id: int, now: datetime) -> Readiness:
    """Whether the first list could be published at ``now``, and the window it would have."""
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
    warning = rules.play_crossed(regulation, window.ends_at) if window else None
    return Readiness(approved, waiting, refusal, window, counted_from, warning)


def supplement(event: EventView, planned: Plan, now: datetime) -> Readiness:
    """Whether those who are on no list could be published at ``now``, and the window they would have."""
    regulation = event.regulation
    waiting = registrations.counts(event.id)[EntryState.SUBMITTED]
    refusal: SaishiError | None = None
    window = None
    try:
        window = rules.recounted(regulation, workdays.calendar(), now)
        rules.require_supplement(
            regulation,
            lists=len(planned.lists),
            drawn=event.entries_closed,
            waiting=waiting,
            unlisted=len(planned.unlisted),
        )
    except RefusedError as error:
        refusal = error
    warning = rules.play_crossed(regulation, window.ends_at) if window else None
    return Readiness(len(planned.unlisted), waiting, refusal, window, CountedFrom.SUPPLEMENT, warning)


def plan(event: EventView) -> Plan:
    """What the lists in force lack at present."""
    lists = in_force(event.id)
    if not lists:
        return Plan((), (), ())
    approved = registrations.approved_entries(event.id)
    unlisted = _unlisted(lists, approved)
    extra = _added(event, unlisted)
    today = today_of(approved)
    found = [
        (each, rules.difference(each.entries, rules.corrected_lines(each.entries, today, ())))
        for each in lists
    ]
    return Plan(
        lists,
        unlisted=tuple(each for each in unlisted if each not in extra),
        stale=tuple((each, stale) for each, stale in found if stale),
        added=extra,
    )


def added(event: EventView) -> tuple[EntrantView, ...]:
    """Whoever plays beside those on the lists: added or replaced by a granted application (变更申请) after the first list, where the
    text does not publish changes again. Nobody before the first list, which has them all."""
    lists = in_force(event.id)
    return _added(event, _unlisted(lists, registrations.approved_entries(event.id))) if lists else ()


def _unlisted(lists: Sequence[PublicationView], approved: Sequence[EntrantView]) -> tuple[EntrantView, ...]:
    listed = {line.entry_id for each in lists for line in each.entries}
    return tuple(each for each in approved if each.entry_id not in listed)


def _added(event: EventView, unlisted: Sequence[EntrantView]) -> tuple[EntrantView, ...]:
    """Of those on no list in force. Whoever a corrected list left out, and is approved again, needs a list all the same."""
    if not unlisted or event.regulation.registration.changes_published:
        return ()
    came = registrations.changed_entries(event.id)
    once = {line.entry_id for each in publications(event.id) for line in each.entries}
    return tuple(each for each in unlisted if each.entry_id in came and each.entry_id not in once)


def today_of(approved: tuple[EntrantView, ...]) -> Mapping[int, PublishedEntry]:
    """How an approved entry would read on a list of today, by its id."""
    return {each.entry_id: PublishedEntry(0, each.entry_id, each.name, each.unit_name) for each in approved}
