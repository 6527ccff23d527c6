"""An entry that was drawn quits (退赛): no later round is drawn with it, and what was played stays."""

from __future__ import annotations

from app.commands import CommandContext
from app.competitions import queries as competitions
from app.draws.queries import attendance as attendance_queries
from app.draws.rules import entrant_of
from app.draws.rules.attendance import ActKind, NotByPointsError, swiss_stage
from app.standings.service.attendance import mark

REASON = "领队退赛"


def quit_rounds(ctx: CommandContext, event_id: int, entry_id: int, *, reason: str | None = None) -> None:
    """Keep in the attendance that this entry plays no round from the next one on. Of one that does so already nothing more is kept.

    Where rounds are not paired by points, or all are drawn, nothing is kept: the sheet of who does not come says the rest. Raises as
    ``mark``, such as ``CommittedListError`` while a seed is committed for a list with it.
    """
    try:
        stage = swiss_stage(competitions.event(event_id).regulation)
    except NotByPointsError:
        return
    attendance, entrant = attendance_queries.attendance(event_id), entrant_of(entry_id)
    number = attendance.last_drawn + 1
    known = attendance.presences.get(entrant)
    out = known.withdrawn_from if known else None
    if number <= stage.rounds and (out is None or out > number):
        mark(
            ctx,
            event_id,
            entrant=entrant,
            kind=ActKind.WITHDRAWN,
            number=number,
            reason=reason or REASON,
        )
