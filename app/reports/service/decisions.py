"""To leaders: what the committee decided on their entries (审核结果)."""

from __future__ import annotations

import hashlib

from app.commands import CommandContext
from app.competitions.queries import CompetitionView, EventView
from app.notifications.letters import Address, LetterKind
from app.registrations.rules import EntryState
from app.reports import queries
from app.reports.queries.entries import OwnEntry, by_leader, decided_entries
from app.reports.rules import LOOK_BACK, decisions_due
from app.reports.service.writing import Occasion, heading, tell
from app.text import T


def tell_decisions(
    ctx: CommandContext, competition: CompetitionView, event: EventView, *, at_once: bool = False
) -> int:
    """One letter to each leader for all decisions that he was not told of yet. How many."""
    found = decided_entries(event.id, ctx.now - LOOK_BACK)
    if not found:
        return 0
    # a letter is written within an hour of the decision: with twice as far back none of its kind is missed
    known = queries.told(LetterKind.ENTRY_DECIDED, event_id=event.id, since=ctx.now - 2 * LOOK_BACK)
    told = {decision for each in known for decision in each.details.get("decisions", ())}
    written = 0
    for leader_id, entries in by_leader(found).items():
        fresh = [each for each in entries if _name(each) not in told]
        moments = [each.decided_at for each in fresh if each.decided_at is not None]
        if moments and (at_once or decisions_due(moments, ctx.now)):
            written += _tell(ctx, competition, event, leader_id, fresh)
    return written


def _tell(
    ctx: CommandContext,
    competition: CompetitionView,
    event: EventView,
    leader_id: int,
    fresh: list[OwnEntry],
) -> bool:
    decisions = [_name(each) for each in fresh]
    name = f"{event.id}-{hashlib.sha256(' '.join(decisions).encode()).hexdigest()[:32]}"
    occasion = Occasion(LetterKind.ENTRY_DECIDED, name, competition, event, {"decisions": decisions})
    approved = [each for each in fresh if each.state is EntryState.APPROVED]
    rejected = [each for each in fresh if each.state is EntryState.REJECTED]
    context = heading(occasion) | {
        "approved": [each.name for each in approved],
        "rejected": [(each.name, each.reason or "") for each in rejected],
        "mine": Address(f"/c/{competition.slug}/my"),
        "short": T(
            "【赛事小站】%(competition)s：您的报名有审核结果，通过 %(approved)s 份，未通过 %(rejected)s 份。请登录“我的报名”查看。",
            competition=competition.name,
            approved=len(approved),
            rejected=len(rejected),
        ),
    }
    return tell(ctx, occasion, leader_id, context)


def _name(entry: OwnEntry) -> str:
    """One decision on one entry: another one later has another name."""
    moment = "" if entry.decided_at is None else f"{entry.decided_at:%Y%m%dT%H%M%S%f}"
    return f"e{entry.entry_id}-{moment}"
