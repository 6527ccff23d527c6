"""Who writes on a sheet (记分中): the device that wrote first, until it hands in or another one takes over (接管)."""

from __future__ import annotations

from app.commands import CommandContext
from app.results.rules import SheetAct, moved
from app.results.service.revising import for_recording, take


def take_over(ctx: CommandContext, token: str, *, device: str, reason: str) -> bool:
    """Write on a sheet from ``device`` from now on, in place of whoever did; False where it holds the sheet already.

    What the other device has not sent stays on it, and is a conflict when it comes. Raises ``ReasonMissingError``,
    ``SheetClosedError``.
    """
    locked = for_recording(ctx, token)
    row, sheet = locked.row, locked.view
    if (row.holder_id, row.holder_device) == (ctx.actor.user_id, device):
        return False
    moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
    take(ctx, row, device=device, reason=reason)
    return True
