"""One report to one reader: once, whatever runs twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.accounts import queries as accounts
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions.queries import CompetitionView, EventView
from app.notifications import service as notifications
from app.notifications.letters import Address, LetterKind
from app.notifications.rules import Attachment
from app.reports.models import Report
from app.reports.rules import key_of

LOCK = "reports"
"""Held by whoever writes reports: two workers at once would both make every table and throw one away."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is told: a kind, a name that is the same whenever it is looked at, and what of it is kept."""

    kind: LetterKind
    name: str
    competition: CompetitionView
    event: EventView | None = None
    details: Mapping[str, Any] | None = None

    def key(self, user_id: int | None) -> str:
        return key_of(self.kind.value, self.name, user_id)


def untold(ctx: CommandContext, occasion: Occasion, readers: Collection[int]) -> tuple[int, ...]:
    """Those of the readers who were not told yet, each once."""
    wanted = {occasion.key(each): each for each in readers}
    known = set(ctx.session.scalars(select(Report.key).where(Report.key.in_(wanted))))
    return tuple(reader for key, reader in wanted.items() if key not in known)


def tell(
    ctx: CommandContext,
    occasion: Occasion,
    user_id: int,
    context: Mapping[str, Any],
    *,
    files: Sequence[Attachment] = (),
    details: Mapping[str, Any] | None = None,
) -> bool:
    """Write a letter and note that it was told. Whether there is a letter: none where another worker was faster.

    A reader who cannot be reached, or wants no such mail, gets none and counts as told: later it would be old news.
    """
    row = _note(ctx, occasion, user_id, details)
    if row is None:
        return False
    queued = notifications.queue_letter(
        ctx,
        kind=occasion.kind,
        to=accounts.recipient(user_id),
        competition_id=occasion.competition.id,
        context=context,
        files=files,
        key=row.key,
    )
    row.written = queued is not None
    ctx.session.flush()
    return row.written


def mark_over(ctx: CommandContext, occasion: Occasion) -> bool:
    """Note that an occasion was looked at and nobody is to be told of it again; False where it was noted already."""
    return _note(ctx, occasion, None, None) is not None


def _note(
    ctx: CommandContext, occasion: Occasion, user_id: int | None, details: Mapping[str, Any] | None
) -> Report | None:
    kept = {**(occasion.details or {}), **(details or {})}
    row = Report(
        key=occasion.key(user_id),
        kind=occasion.kind.value,
        occasion=occasion.name,
        competition_id=occasion.competition.id,
        event_id=None if occasion.event is None else occasion.event.id,
        user_id=user_id,
        at=ctx.now,
        written=False,
        details=kept or None,
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(row)
            ctx.session.flush()
    except IntegrityError:
        return None
    ctx.record(AuditAction.REPORT_WRITTEN, row, kind=row.kind, occasion=row.occasion)
    return row


def heading(occasion: Occasion) -> dict[str, Any]:
    """What every report names: the competition, and the event where there are several."""
    event = occasion.event
    several = event is not None and len(occasion.competition.events) > 1
    return {
        "competition": occasion.competition.name,
        "event": event.title if several and event is not None else None,
        "home": Address(f"/c/{occasion.competition.slug}"),
    }
