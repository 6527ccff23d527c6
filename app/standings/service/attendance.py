from __future__ import annotations

from app.commands import CommandContext
from app.competitions import service as competitions_service
from app.draws.rules.attendance import ActKind
from app.draws.service import attendance as draws
from app.standings.queries import attendance as queries


def mark(
    ctx: CommandContext,
    event_id: int,
    *,
    entrant: str,
    kind: ActKind,
    number: int,
    reason: str | None = None,
) -> int:
    """Keep attendance (出席登记): one act of one entrant. Returns its id. Raises as ``draws.service.attendance.mark``.

    Who stands out after forfeits running is asked of the engine where somebody is to be reinstated, in the same lock.
    """
    competitions_service.lock_event(ctx, event_id)
    standing_out = queries.standing_out(event_id) if kind is ActKind.REINSTATED else frozenset()
    return draws.mark(
        ctx,
        event_id,
        entrant=entrant,
        kind=kind,
        number=number,
        reason=reason,
        standing_out=standing_out,
    )


def take_back(ctx: CommandContext, event_id: int, act_id: int) -> None:
    """Take one act back. Raises as ``draws.service.attendance.take_back``."""
    draws.take_back(ctx, event_id, act_id)
