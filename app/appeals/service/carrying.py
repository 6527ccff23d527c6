"""What an upheld appeal changes: the sheet of the table, rulings. The committee has judged it; its own rights are not asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.appeals.models import Appeal
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.draws import queries as draws
from app.results import service as results
from app.rulings import service as rulings
from app.text import T


def correct_sheet(
    ctx: CommandContext,
    row: Appeal,
    *,
    deals: Sequence[Mapping[str, Any]],
    outcome: Mapping[str, Any] | None,
) -> int:
    """Put the corrected score in force, whatever the window and the lock of the round; the number of its revision."""
    assert row.table_id is not None
    saved = results.correct(
        ctx,
        draws.table(row.table_id).token,
        deals=deals,
        outcome=outcome,
        reason=str(T("申诉 %(number)s 成立", number=row.number)),
        act=AuditAction.APPEAL_UPHELD,
        key=f"appeal {row.number}",
    )
    return saved.revision


def lift_ruling(ctx: CommandContext, row: Appeal, ruling_id: int) -> None:
    """Withdraw a ruling (撤销判罚), with the appeal as its reason; what it wrote on the sheet is taken out."""
    reason = str(T("申诉 %(number)s 成立", number=row.number))
    rulings.lift(ctx, row.event_id, ruling_id, reason=reason)
