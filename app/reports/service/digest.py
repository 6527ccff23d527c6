"""To the committee: what is new and what waits (每日摘要), at 08:30 on workdays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from app.actors import Role
from app.clock import beijing_date
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.database import lock_name
from app.notifications.letters import Address, LetterKind
from app.reports import queries
from app.reports.queries.cases import open_cases
from app.reports.queries.entries import new_entries
from app.reports.rules import digest_due, is_followed
from app.reports.service.writing import LOCK, Occasion, heading, mark_over, tell
from app.text import BEIJING, T
from app.waiting import Urgency, Waiting
from app.workdays import queries as workdays

Waits = Sequence[Callable[[EventView, datetime], tuple[Waiting, ...]]]
"""What each feature says is waiting in an event (``routes.WAITING``): the digest says what the board says."""


def tell_digest(ctx: CommandContext, competition_id: int, *, waits: Waits) -> int:
    """The digest of one competition for today; nothing the second time, and none where there is nothing to say. How many letters.

    One that is sent for before its hour, or on a day off, is one more: that of the day still comes, with what is new since.
    """
    lock_name(ctx.session, LOCK)
    competition = competitions.competition_by_id(competition_id)
    day = beijing_date(ctx.now)
    due = digest_due(workdays.calendar(), ctx.now)
    name = f"{competition.id}-{day.isoformat()}{'' if due.due else '-early'}"
    occasion = Occasion(LetterKind.DIGEST, name, competition)
    since = queries.last_digest(competition.id) or competition.created_at
    if not mark_over(ctx, occasion):
        return 0
    followed = [each for each in competition.events if is_followed(each.regulation.calendar, ctx.now)]
    events = [_event(each, since, ctx.now, waits) for each in followed]
    unknown_year = due.unknown_year
    written = 0
    for reader in queries.holders(competition.id, Role.COMMITTEE):
        cases = open_cases(competition.id, reader)
        if not cases and not any(each["new"] or each["to_do"] or each["ending"] for each in events):
            continue
        context = heading(occasion) | {
            "day": day,
            "since": since,
            "events": [each for each in events if each["new"] or each["lines"] or each["ending"]],
            "several": len(competition.events) > 1,
            "cases": [{"number": case.number, "state": case.state} for case in cases],
            "unknown_year": unknown_year,
            "board": Address(f"/staff/c/{competition.slug}"),
            "calendar": Address(f"/staff/workdays?year={unknown_year}"),
        }
        written += tell(ctx, occasion, reader, context)
    return written


def _event(event: EventView, since: datetime, now: datetime, waits: Waits) -> dict[str, Any]:
    """One event: new entries, what ends today, what waits. Lines for other roles are left out."""
    found = [
        each
        for ask in (competitions.waiting, *waits)
        for each in ask(event, now)
        if Role.COMMITTEE in each.roles
    ]
    ending = [each.text for each in found if each.urgency is Urgency.TODAY]
    closes = event.regulation.calendar.registration_closes
    if now <= closes and beijing_date(closes) == beijing_date(now):
        ending.insert(0, T("报名今天截止：%(at)s", at=closes))
    elif now < closes and closes == _midnight(now) + timedelta(days=1):
        ending.insert(0, T("报名今天 24:00 截止"))
    lines = [each for each in found if each.urgency is not Urgency.TODAY]
    return {
        "name": event.title,
        "new": new_entries(event.id, since, now),
        "ending": ending,
        "lines": [each.text for each in lines],
        "to_do": sum(each.to_do for each in lines),
    }


def _midnight(now: datetime) -> datetime:
    return now.astimezone(BEIJING).replace(hour=0, minute=0, second=0, microsecond=0)
