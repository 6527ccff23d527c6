from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.publications import queries
from app.publications.models import Publication
from app.publications.rules import (
    AlreadyPublishedError,
    CountedFrom,
    ListKind,
    NoPublicationError,
    PublishedEntry,
    SupersededError,
    UnknownPublicationError,
    recounted,
    require_may_publish,
    require_publishable,
    require_supplement,
    window_of,
)
from app.publications.service.storing import store
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.registrations.rules import EntryState
from app.workdays import queries as workdays


def publish(ctx: CommandContext, event_id: int) -> int:
    """Publish the list of approved entrants (公示) and return its number.

    Raises ``NoPublicationError``, ``RegistrationStillOpenError``, ``ReviewPendingError``, ``NothingToPublishError``,
    ``AlreadyPublishedError``, ``UnknownWorkdayYearError`` or ``WindowOverError``.
    """
    event = locked(ctx, event_id)
    _require_unpublished(ctx, event)
    entrants = registrations.approved_entries(event_id)
    require_publishable(
        event.regulation,
        now=ctx.now,
        waiting=registrations.counts(event_id)[EntryState.SUBMITTED],
        approved=len(entrants),
    )
    window = window_of(event.regulation, workdays.calendar(), ctx.now)
    try:
        with ctx.session.begin_nested():
            made = store(ctx, event, numbered(entrants), window, kind=ListKind.FIRST, number=1)
    except IntegrityError:
        # two members of the committee pressed the button at once: the other one's list stands
        _require_unpublished(ctx, event)
        raise
    _record(ctx, made, len(entrants))
    return made.number


def publish_supplementary(ctx: CommandContext, event_id: int) -> int:
    """Publish whoever is approved and stands on no list in force (补充公示) and return the number of the list.

    Its window is counted from its own publication (三(四)2). Raises ``NoPublicationError``, ``NothingPublishedError``,
    ``ListDrawnError``, ``ReviewPendingError``, ``NothingToAddError`` or ``UnknownWorkdayYearError``.
    """
    event = locked(ctx, event_id)
    planned = queries.plan(event)
    require_supplement(
        event.regulation,
        lists=len(planned.lists),
        drawn=event.entries_closed,
        waiting=registrations.counts(event_id)[EntryState.SUBMITTED],
        unlisted=len(planned.unlisted),
    )
    window = recounted(event.regulation, workdays.calendar(), ctx.now)
    made = store(
        ctx,
        event,
        numbered(planned.unlisted),
        (window, CountedFrom.SUPPLEMENT),
        kind=ListKind.SUPPLEMENTARY,
        number=next_number(ctx, event_id),
    )
    ctx.session.flush()
    _record(ctx, made, len(planned.unlisted))
    return made.number


def locked(ctx: CommandContext, event_id: int) -> EventView:
    """The event, for a member of its committee, where the text has a published list. A decision and the list wait for each
    other, so the list holds what is decided when it comes out."""
    require_may_publish(ctx.actor, competitions.event(event_id).competition_id)
    competitions_service.lock_event(ctx, event_id)
    event = competitions.event(event_id)
    if not event.regulation.has("publication"):
        raise NoPublicationError
    return event


def standing_list(ctx: CommandContext, event_id: int, number: int) -> Publication:
    """A list that no other took the place of. Raises ``UnknownPublicationError``, ``SupersededError``."""
    row: Publication | None = ctx.session.scalar(
        select(Publication).where(Publication.event_id == event_id, Publication.number == number)
    )
    if row is None:
        raise UnknownPublicationError
    by = ctx.session.scalar(select(Publication.number).where(Publication.supersedes_id == row.id))
    if by is not None:
        raise SupersededError(number, by)
    return row


def next_number(ctx: CommandContext, event_id: int) -> int:
    """Lists of an event are numbered without a gap; the caller holds the event's lock."""
    newest = ctx.session.scalar(select(func.max(Publication.number)).where(Publication.event_id == event_id))
    return (newest or 0) + 1


def numbered(entrants: Sequence[EntrantView]) -> tuple[PublishedEntry, ...]:
    return tuple(
        PublishedEntry(position, each.entry_id, each.name, each.unit_name)
        for position, each in enumerate(entrants, start=1)
    )


def _require_unpublished(ctx: CommandContext, event: EventView) -> None:
    earlier = ctx.session.execute(
        select(Publication.number, Publication.published_at)
        .where(Publication.event_id == event.id)
        .order_by(Publication.number)
    ).first()
    if earlier is not None:
        raise AlreadyPublishedError(earlier.number, earlier.published_at, event.regulation.publication.clause)


def _record(ctx: CommandContext, made: Publication, entries: int) -> None:
    ctx.record(
        AuditAction.LIST_PUBLISHED,
        made,
        number=made.number,
        kind=made.kind,
        entries=entries,
        sha256=made.sha256,
        ends_at=made.ends_at.isoformat(),
    )
