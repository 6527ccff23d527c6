from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.clock import beijing
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import CompetitionView, EventView
from app.publications.models import Publication
from app.publications.rules import (
    FORMAT,
    FORMAT_VERSION,
    AlreadyPublishedError,
    CountedFrom,
    NoPublicationError,
    canonical_listing,
    require_may_publish,
    require_publishable,
    window_of,
)
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryState
from app.workdays import queries as workdays
from app.workdays.rules import Window


def publish(ctx: CommandContext, event_id: int) -> int:
    """Publish the list of approved entrants (公示) and return its number.

    Raises ``NoPublicationError``, ``RegistrationStillOpenError``, ``ReviewPendingError``, ``NothingToPublishError``,
    ``AlreadyPublishedError``, ``UnknownWorkdayYearError`` or ``WindowOverError``.
    """
    event = competitions.event(event_id)
    require_may_publish(ctx.actor, event.competition_id)
    if not event.regulation.has("publication"):
        raise NoPublicationError
    # a decision and the list wait for each other, so the list holds what is decided when it comes out
    competitions_service.lock_event(ctx, event_id)
    _require_unpublished(ctx, event)
    entrants = registrations.approved_entries(event_id)
    require_publishable(
        event.regulation,
        now=ctx.now,
        waiting=registrations.counts(event_id)[EntryState.SUBMITTED],
        approved=len(entrants),
    )
    window, counted_from = window_of(event.regulation, workdays.calendar(), ctx.now)
    number = 1
    listing = canonical_listing(
        _document(
            competitions.competition_by_id(event.competition_id),
            event,
            number=number,
            entrants=entrants,
            published_at=ctx.now,
            window=window,
            counted_from=counted_from,
        )
    )
    publication = Publication(
        event_id=event_id,
        number=number,
        regulation_version_id=event.regulation_version_id,
        listing=listing,
        sha256=hashlib.sha256(listing.encode()).hexdigest(),
        published_at=ctx.now,
        published_by_id=ctx.actor.user_id,
        counted_from=counted_from.value,
        first_day=window.first_day,
        last_day=window.last_day,
        ends_at=window.ends_at,
        days=[day.isoformat() for day in window.days],
        kind="first",
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(publication)
    except IntegrityError:
        # two members of the committee pressed the button at once: the other one's list stands
        _require_unpublished(ctx, event)
        raise
    ctx.record(
        AuditAction.LIST_PUBLISHED,
        publication,
        number=number,
        entries=len(entrants),
        sha256=publication.sha256,
        ends_at=window.ends_at.isoformat(),
    )
    return number


def _require_unpublished(ctx: CommandContext, event: EventView) -> None:
    earlier = ctx.session.execute(
        select(Publication.number, Publication.published_at).where(Publication.event_id == event.id)
    ).first()
    if earlier is not None:
        raise AlreadyPublishedError(earlier.number, earlier.published_at, event.regulation.publication.clause)


def _document(
    competition: CompetitionView,
    event: EventView,
    *,
    number: int,
    entrants: tuple[EntrantView, ...],
    published_at: datetime,
    window: Window,
    counted_from: CountedFrom,
) -> dict[str, Any]:
    """What is hashed: the list and its window, and nothing about anybody but name and unit."""
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "competition": {"slug": competition.slug, "name": competition.name},
        "event": {"code": event.code, "name": event.name},
        "regulation_sha256": event.regulation.sha256,
        "number": number,
        "registration_closes": event.regulation.calendar.registration_closes.isoformat(),
        "published_at": beijing(published_at).isoformat(timespec="seconds"),
        "window": {
            "counted_from": counted_from.value,
            "days": [day.isoformat() for day in window.days],
            "ends": window.ends_at.isoformat(),
        },
        "entries": [
            {
                "number": position,
                "entrant": f"e{each.entry_id}",
                "name": each.name,
                "unit": each.unit_name,
                "event": event.name,
            }
            for position, each in enumerate(entrants, start=1)
        ],
    }
