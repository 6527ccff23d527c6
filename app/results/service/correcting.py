"""Changing what was confirmed: re-opened in the correction window, restored, or corrected by what was judged elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.draws import queries as draws
from app.floor.rules import require_unlocked
from app.results import queries
from app.results.rules import (
    Content,
    LaterRoundDrawnError,
    NothingToRestoreError,
    Outcome,
    SheetAct,
    SheetState,
    moved,
    require_in_correction_window,
    require_may_reopen,
)
from app.results.service.checks import checked_content, require_complete
from app.results.service.revising import (
    Saved,
    Sent,
    correction_clause,
    correction_window,
    locked_with_event,
    revise,
)


def reopen(ctx: CommandContext, token: str, *, reason: str, sent: Sent) -> Saved:
    """Give a confirmed sheet back for correction (更正), within the window after its publication where the regulation has
    one, and before a later round is drawn from it.

    The published revision stays in force until the correction is confirmed. Raises ``CorrectionClosedError``,
    ``LaterRoundDrawnError``, ``SheetClosedError``, ``floor.rules.RoundLockedError``.
    """
    require_may_reopen(ctx.actor, queries.sheet(token).event.competition_id)
    locked = locked_with_event(ctx, token)  # a draw holds the event: it is seen here, or sees the sheet
    sheet = locked.view
    window, clause = correction_window(sheet), correction_clause(sheet)

    def content_after() -> Content:
        moved(sheet.state, SheetAct.REOPEN, clause=clause)
        if window is not None and sheet.published_at is not None:
            require_in_correction_window(ctx.now, sheet.published_at, window)
        require_unlocked(sheet.run.moments, ctx.now, window, clause=clause)
        newest = draws.rounds(sheet.event.id)[-1]
        if sheet.table.id not in {each.id for each in newest.tables}:
            raise LaterRoundDrawnError(clause=clause)
        return sheet.content

    request = {"act": "reopen", "reason": reason}
    return revise(ctx, locked, sent, request, content_after, act=SheetAct.REOPEN, reason=reason)


def restore(ctx: CommandContext, token: str, *, reason: str, sent: Sent) -> Saved:
    """Put the confirmed scores of a re-opened sheet back in force (恢复已确认的成绩), as a new revision.

    For a correction that is given up, or that was not handed in before its window ended. Raises ``NothingToRestoreError``
    for a sheet that was never confirmed, or is confirmed.
    """
    require_may_reopen(ctx.actor, queries.sheet(token).event.competition_id)
    locked = locked_with_event(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        content = queries.content_of(locked.row.id, locked.row.confirmed_revision)
        if content is None or sheet.state is SheetState.CONFIRMED:
            raise NothingToRestoreError(clause=correction_clause(sheet))
        moved(sheet.state, SheetAct.RESTORE, clause=correction_clause(sheet))
        return content

    request = {"act": "restore", "reason": reason}
    return revise(ctx, locked, sent, request, content_after, act=SheetAct.RESTORE, reason=reason)


def correct(
    ctx: CommandContext,
    token: str,
    *,
    deals: Sequence[Mapping[str, Any]] = (),
    outcome: Outcome | None = None,
    reason: str,
    act: AuditAction,
    key: str,
    base_revision: int | None = None,
) -> Saved:
    """Put what was judged elsewhere on a sheet: a correction that was granted (更正), an appeal (申诉), a ruling (判罚).

    The new revision is confirmed at once, whatever the sheet's state, the correction window and the lock of the round: the caller
    has judged that, and asked who may. It is in force at once too, unless the round is held back and not public yet (封盘). ``deals`` and
    ``outcome`` are the whole of it, as ``record_sheet`` takes them; ``act`` is what the audit says of it; the same ``key`` does it
    once. With ``base_revision`` a sheet that has moved on since is a conflict.

    Raises ``InvalidDealError``, ``InvalidOutcomeError``, ``DealsMissingError``, ``SheetConflictError``.
    """
    locked = locked_with_event(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.CORRECT, clause=sheet.stage.clause)
        after = checked_content(sheet, deals, outcome)
        require_complete(sheet, after)
        return after

    request: dict[str, Any] = {"act": act.value, "deals": [dict(each) for each in deals], "reason": reason}
    if outcome:
        request |= {"outcome": dict(outcome)}
    sent = Sent(sheet.revision if base_revision is None else base_revision, key)
    return revise(ctx, locked, sent, request, content_after, act=SheetAct.CORRECT, reason=reason, audit=act)
