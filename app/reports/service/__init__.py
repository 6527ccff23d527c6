"""Reports by mail: written by jobs, or at once when somebody sends for them."""

from __future__ import annotations

from datetime import timedelta

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.database import lock_name
from app.reports.queries.final import due_final
from app.reports.queries.rounds import due_rounds
from app.reports.rules import require_may_read
from app.reports.service.decisions import tell_decisions
from app.reports.service.digest import Waits, tell_digest
from app.reports.service.files import Prepared, files_of, prepare
from app.reports.service.final import tell_final
from app.reports.service.lists import tell_lists
from app.reports.service.rounds import tell_round
from app.reports.service.writing import LOCK

__all__ = ["files_of", "prepare", "send_now", "tell_digest", "write"]


def write(
    ctx: CommandContext,
    competition_id: int,
    *,
    prepared: Prepared,
    report_minutes: int,
    at_once: bool = False,
) -> int:
    """Tell leaders and organisers what they were not told yet. How many letters; safe to run twice, and at once.

    ``prepared`` are the files of what was due a moment ago: what became due since, or changed, waits for the next time.
    ``at_once`` waits for nothing: neither for more decisions nor for ``report_minutes`` to pass since the last letter.
    """
    lock_name(ctx.session, LOCK)
    competition = competitions.competition_by_id(competition_id)
    apart = None if at_once else timedelta(minutes=report_minutes)
    written = 0
    for event in competition.events:
        written += tell_decisions(ctx, competition, event, at_once=at_once)
        written += tell_lists(ctx, competition, event)
        for round_ in due_rounds(competition, event, ctx.now, apart=apart):
            written += tell_round(ctx, round_, prepared)
        final = due_final(competition, event, ctx.now, apart=apart)
        if final is not None:
            written += tell_final(ctx, final, prepared)
    return written


def send_now(
    ctx: CommandContext, competition_id: int, *, prepared: Prepared, waits: Waits, report_minutes: int
) -> int:
    """Write at once what would wait: for more decisions, for the hour of the digest, for the next correction. How many."""
    require_may_read(ctx.actor, competition_id)
    written = write(ctx, competition_id, prepared=prepared, report_minutes=report_minutes, at_once=True)
    written += tell_digest(ctx, competition_id, waits=waits)
    ctx.record(AuditAction.REPORTS_SENT_FOR, ("Competition", competition_id), letters=written)
    return written
