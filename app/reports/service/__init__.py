"""Reports by mail: written by jobs, or at once when somebody sends for them."""

from __future__ import annotations

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.database import lock_name
from app.reports.rules import require_may_read
from app.reports.service.decisions import tell_decisions
from app.reports.service.digest import Waits, tell_digest
from app.reports.service.lists import tell_lists
from app.reports.service.writing import LOCK

__all__ = ["send_now", "tell_digest", "write"]


def write(ctx: CommandContext, competition_id: int, *, report_minutes: int, at_once: bool = False) -> int:
    """Tell leaders and organisers what they were not told yet. How many letters; safe to run twice, and at once."""
    lock_name(ctx.session, LOCK)
    competition = competitions.competition_by_id(competition_id)
    written = 0
    for event in competition.events:
        written += tell_decisions(ctx, competition, event, at_once=at_once)
        written += tell_lists(ctx, competition, event)
    return written


def send_now(ctx: CommandContext, competition_id: int, *, waits: Waits, report_minutes: int) -> int:
    """Write at once what would wait: for more decisions, for the hour of the digest, for the next correction. How many."""
    require_may_read(ctx.actor, competition_id)
    written = write(ctx, competition_id, report_minutes=report_minutes, at_once=True)
    written += tell_digest(ctx, competition_id, waits=waits)
    ctx.record(AuditAction.REPORTS_SENT_FOR, ("Competition", competition_id), letters=written)
    return written
