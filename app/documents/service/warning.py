"""Telling leaders what ends soon (临期提醒): once per document and reason."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.documents import queries
from app.documents.models import DocumentWarning
from app.documents.queries import UnitLists
from app.documents.rules import Row, Subject, Warned, WarningKind
from app.notifications import service as notifications
from app.notifications.rules import Channel
from app.text import T

Found = tuple[Subject, Row, Warned]


def warn(ctx: CommandContext, *, warn_days: int) -> int:
    """Write to each leader what ends within ``warn_days`` days, or has ended, and was not said before. How many messages.

    One message a unit, with the nearest day; names stand on the page, not in the message. Safe to run twice.
    """
    today, sent = beijing_date(ctx.now), 0
    for competition in competitions.competitions():
        demands = queries.demands(competition.events)
        if not demands or today > max(each.last_day for each in demands):
            continue
        for unit in queries.unit_lists(competition, ctx.now, warn_days=warn_days):
            sent += _warn_unit(ctx, competition, unit)
    return sent


def _warn_unit(ctx: CommandContext, competition: CompetitionView, unit: UnitLists) -> int:
    found = [
        (some.subject, row, warned)
        for some in unit.lists
        for row in some.rows
        for warned in row.warnings
        if row.to_do or warned.kind is WarningKind.EXPIRES  # what he cannot mend he is not sent for
    ]
    news = _unsaid(ctx, unit, found)
    phone = accounts.user_phone(unit.leader_user_id) if news else ""
    if not phone:
        return 0
    for subject, row, warned in news:
        ctx.session.add(
            DocumentWarning(
                unit_id=unit.unit_id,
                subject=str(subject),
                kind=row.kind,
                reason=warned.kind.value,
                day=warned.day,
                told_at=ctx.now,
            )
        )
    ctx.session.flush()
    notifications.queue_message(
        ctx,
        channel=Channel.SMS,
        recipient=phone,
        competition_id=competition.id,
        subject=T("材料提醒"),
        body=T(
            "“%(name)s”：您单位有 %(count)s 份材料要处理，最近的期限是%(day)s。请打开赛事页面的“我的报名”查看材料清单。",
            name=competition.name,
            count=len({(str(subject), row.kind) for subject, row, _ in news}),
            day=min(warned.day for _, _, warned in news),
        ),
    )
    ctx.record(AuditAction.DOCUMENT_WARNINGS_SENT, ("Unit", unit.unit_id), count=len(news))
    return 1


def _unsaid(ctx: CommandContext, unit: UnitLists, found: Sequence[Found]) -> list[Found]:
    if not found:
        return []
    said = {
        (row.subject, row.kind, row.reason, row.day)
        for row in ctx.session.scalars(select(DocumentWarning).where(DocumentWarning.unit_id == unit.unit_id))
    }
    return [
        (subject, row, warned)
        for subject, row, warned in found
        if (str(subject), row.kind, warned.kind.value, warned.day) not in said
    ]
