from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.publications import queries
from app.publications.models import CompetitionNumber, Publication
from app.publications.rules import ObjectionsHoldError, WindowRunningError, parse_hand_reason
from app.publications.service.publishing import locked, standing_list
from app.registrations import queries as registrations


def finish_due(ctx: CommandContext) -> int:
    """Find every list final whose window is over and that no objection holds. How many; safe to run twice."""
    return sum(finish(ctx, event_id) for event_id in queries.due_events(ctx.now))


def finish(ctx: CommandContext, event_id: int) -> int:
    """The same for one event, whose entries get their competition numbers (参赛号) with it. How many lists became final.

    Numbers follow the order of the first list; whoever stands on a later one gets the next. They are kept when a list is
    corrected and never given again. Whoever is no longer approved gets none; whoever was added and needs no list
    comes after all lists, by the draw at the latest. Where the text has no published list, the
    approved entries get theirs once entries are closed by the draw.
    """
    closed = competitions_service.lock_event(ctx, event_id).entries_closed_at is not None
    if not competitions.event(event_id).regulation.has("publication"):
        if closed:
            _give_numbers(
                ctx, event_id, [each.entry_id for each in registrations.approved_entries(event_id)], None
            )
        return 0
    rows = ctx.session.scalars(
        select(Publication)
        .where(Publication.event_id == event_id)
        .order_by(Publication.number)
        .execution_options(populate_existing=True)
    ).all()
    superseded = {row.supersedes_id for row in rows}
    standing = [row for row in rows if row.id not in superseded]
    became_final = 0
    over = [row for row in standing if row.final_at is None and row.ends_at <= ctx.now]
    objections = queries.held_lists(event_id, [row.id for row in over])
    mail = queries.awaited_mail(event_id, over)
    for row in over:
        if objections[row.id] or mail[row.id]:
            continue
        row.final_at = ctx.now
        became_final += 1
        ctx.record(AuditAction.LIST_FINAL, row, number=row.number, sha256=row.sha256)
    for row in standing:
        if row.final_at is not None:
            _give_numbers(ctx, event_id, [line.entry_id for line in queries.lines_of(row.listing)], row)
    if standing and all(row.final_at is not None for row in standing):
        added = queries.added(competitions.event(event_id))
        _give_numbers(ctx, event_id, [each.entry_id for each in added], None)
    return became_final


def finish_by_hand(ctx: CommandContext, event_id: int, number: int, *, reason: str) -> None:
    """Find a list final without waiting for the rest of its mail, for a ``reason`` that stays on record. Again: nothing more happens.

    A mailbox that cannot be read, or letters that nobody can sort, do not hold a competition for ever; what is known to be
    objected does. Raises ``NoPublicationError``, ``UnknownPublicationError``, ``SupersededError``, ``WindowRunningError``,
    ``ObjectionsHoldError``, ``HandReasonError`` or ``ReasonTooLongError``.
    """
    event = locked(ctx, event_id)
    row = standing_list(ctx, event_id, number)
    written = parse_hand_reason(reason)
    clause = event.regulation.publication.clause
    if row.final_at is not None:
        return
    if ctx.now < row.ends_at:
        raise WindowRunningError(number, row.ends_at, clause)
    if count := queries.held_lists(event_id, [row.id])[row.id]:
        raise ObjectionsHoldError(number, count, clause)
    mail = queries.awaited_mail(event_id, [row])[row.id]
    row.final_at = ctx.now
    ctx.record(
        AuditAction.LIST_FINAL,
        row,
        number=row.number,
        sha256=row.sha256,
        reason=written,
        unread=mail.unread,
        letters=mail.letters + mail.unplaced,
    )
    finish(ctx, event_id)


def reopen(ctx: CommandContext, publication_id: int) -> None:
    """A list is not final after all: an objection that came within its window waited for the event while ``finish`` held it, or
    came by mail and was read later. Numbers that were given stay. The caller holds the event's lock, and what came holds the list.
    """
    row = ctx.session.get_one(Publication, publication_id, populate_existing=True)
    if row.final_at is not None:
        row.final_at = None
        ctx.session.flush()
        ctx.record(AuditAction.LIST_REOPENED, row, number=row.number, sha256=row.sha256)


def _give_numbers(
    ctx: CommandContext, event_id: int, entry_ids: Sequence[int], row: Publication | None
) -> None:
    """The next numbers for those of the entries that are approved and have none, in this order."""
    given = set(
        ctx.session.scalars(select(CompetitionNumber.entry_id).where(CompetitionNumber.event_id == event_id))
    )
    approved = {each.entry_id for each in registrations.approved_entries(event_id)}
    new = [each for each in entry_ids if each in approved and each not in given]
    if not new:
        return
    last = (
        ctx.session.scalar(
            select(func.max(CompetitionNumber.number)).where(CompetitionNumber.event_id == event_id)
        )
        or 0
    )
    for number, entry_id in enumerate(new, start=last + 1):
        ctx.session.add(
            CompetitionNumber(
                entry_id=entry_id,
                event_id=event_id,
                number=number,
                publication_id=row.id if row else None,
                given_at=ctx.now,
            )
        )
    ctx.session.flush()
    ctx.record(
        AuditAction.NUMBERS_GIVEN,
        ("Event", event_id),
        publication=row.number if row else None,
        first=last + 1,
        last=last + len(new),
    )
