from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions.queries import EventView
from app.publications import queries
from app.publications.models import Publication
from app.publications.rules import (
    CorrectedWindow,
    CountedFrom,
    Difference,
    ListKind,
    NothingToCorrectError,
    NotOnListError,
    PublishedEntry,
    corrected_lines,
    corrected_window,
    difference,
    parse_reason,
    recounted,
    require_undrawn,
)
from app.publications.service.finishing import finish
from app.publications.service.publishing import locked, next_number, standing_list
from app.publications.service.storing import Correction, store
from app.registrations import queries as registrations
from app.registrations import service as registrations_service
from app.registrations.rules import EntryId
from app.workdays import queries as workdays
from app.workdays.rules import Window


def supersede(
    ctx: CommandContext,
    event_id: int,
    number: int,
    *,
    reason: str,
    left_out: Sequence[EntryId] = (),
) -> int:
    """Take the place of list ``number`` by a corrected one (更正名单) and return the new number. Neither text is ever altered.

    The new list has the old lines with today's names and units, without the entries that are no longer approved and those of
    ``left_out``, which lose their approval with it. ``reason`` is public: no names of whoever objected. The window goes on or is
    counted anew (I-A-22). A list whose window is over, and that nothing holds, is final at once; numbers are kept.

    Raises ``NoPublicationError``, ``ListDrawnError``, ``UnknownPublicationError``, ``SupersededError``, ``NotOnListError``,
    ``NothingToCorrectError``, ``UnknownWorkdayYearError``, ``ReasonMissingError``, ``ReasonTooLongError`` or ``PrivateReasonError``.
    """
    event = locked(ctx, event_id)
    require_undrawn(event.regulation, drawn=event.entries_closed)
    old = standing_list(ctx, event_id, number)
    before = queries.lines_of(old.listing)
    if not {line.entry_id for line in before}.issuperset(left_out):
        raise NotOnListError(number)
    written = parse_reason(reason)
    today = queries.today_of(registrations.approved_entries(event_id))
    after = corrected_lines(before, today, left_out)
    found = difference(before, after)
    if not found:
        raise NothingToCorrectError(number, event.regulation.publication.clause)
    registrations_service.revoke_approval(ctx, event_id, left_out, reason=written)
    made = store(
        ctx,
        event,
        after,
        _window(ctx, event, old, found),
        kind=ListKind.CORRECTED,
        number=next_number(ctx, event_id),
        correction=Correction(old, written),
    )
    ctx.session.flush()
    _record(ctx, made, old, after, found)
    finish(ctx, event_id)
    return made.number


def _window(
    ctx: CommandContext, event: EventView, old: Publication, found: Difference
) -> tuple[Window, CountedFrom]:
    """Where entries were only left out the window goes on, unless the option counts it anew (I-A-22)."""
    if found.changed or corrected_window(event.regulation) is CorrectedWindow.RECOUNT:
        return recounted(event.regulation, workdays.calendar(), ctx.now), CountedFrom.CORRECTION
    kept = Window(
        first_day=old.first_day,
        last_day=old.last_day,
        ends_at=old.ends_at,
        days=tuple(date.fromisoformat(day) for day in old.days),
    )
    return kept, CountedFrom(old.counted_from)


def _record(
    ctx: CommandContext,
    made: Publication,
    old: Publication,
    after: Collection[PublishedEntry],
    found: Difference,
) -> None:
    ctx.record(
        AuditAction.LIST_SUPERSEDED,
        made,
        number=made.number,
        supersedes=old.number,
        entries=len(after),
        left_out=[line.entry_id for line in found.left_out],
        changed=[line.after.entry_id for line in found.changed],
        sha256=made.sha256,
        ends_at=made.ends_at.isoformat(),
    )
