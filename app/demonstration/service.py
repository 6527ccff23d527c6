from __future__ import annotations

from datetime import UTC, datetime

from app import clock
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.demonstration import queries, seeding
from app.demonstration.rules import require_may_move_clock
from app.errors import InvalidError
from app.text import T

EARLIEST = datetime(2005, 1, 1, tzinfo=UTC)
LATEST = datetime(2100, 1, 1, tzinfo=UTC)


def seed(ctx: CommandContext) -> bool:
    """Write the demonstration's people and competitions, once; all of it or nothing. False if they are here."""
    if queries.is_seeded():
        return False
    seeding.write(ctx)
    return True


def move_clock(ctx: CommandContext, *, moment: datetime | None = None, reset: bool = False) -> datetime:
    """Move the demonstration's clock to ``moment``, or back to real time. Returns the new present."""
    require_may_move_clock(ctx.actor)
    if (moment is None) is not reset:
        text = T("请给出一个时间，或恢复真实时间，二选一。")
        raise InvalidError(text, fields={"moment": text})
    if moment is not None and not EARLIEST <= moment < LATEST:
        text = T(
            "请在 %(first)s 年到 %(last)s 年之间选择。", first=str(EARLIEST.year), last=str(LATEST.year - 1)
        )
        raise InvalidError(text, fields={"moment": text})
    target = moment or ctx.now - clock.offset()
    ctx.record(AuditAction.CLOCK_MOVED, ("Clock", "demonstration"), to=target.isoformat(), reset=reset)
    clock.move_to(target)
    return target
