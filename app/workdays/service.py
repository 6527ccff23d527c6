"""Entering a year of working days (录入工作日安排)."""

from __future__ import annotations

from datetime import date

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.workdays import rules
from app.workdays.models import WorkdayYear
from app.workdays.official import official_calendar


def enter_year(
    ctx: CommandContext,
    *,
    year: int,
    holidays: frozenset[date],
    makeup_workdays: frozenset[date],
    source: str,
) -> int:
    """Store a year's notice as typed, or replace what was entered for it before; returns the year.

    Windows that were published keep the days they were published with.
    """
    rules.require_may_enter(ctx.actor)
    rules.require_not_official(year, official_calendar().years)
    days = rules.check_year(year, holidays, makeup_workdays)
    row = ctx.session.scalar(select(WorkdayYear).where(WorkdayYear.year == year))
    if row is None:
        row = WorkdayYear(year=year)
        ctx.session.add(row)
    row.holidays = [day.isoformat() for day in sorted(days.holidays)]
    row.makeup_workdays = [day.isoformat() for day in sorted(days.makeup_workdays)]
    row.source = source
    row.entered_at = ctx.now
    row.entered_by_id = ctx.actor.user_id
    ctx.session.flush()
    ctx.record(
        AuditAction.WORKDAY_YEAR_ENTERED,
        row,
        year=year,
        holidays=row.holidays,
        makeup_workdays=row.makeup_workdays,
        source=source,
    )
    return year
