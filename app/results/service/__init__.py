from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import service as competitions
from app.draws import queries as draws
from app.draws.service import voiding as draws_service
from app.regulations.rules import TimeWindow
from app.results import queries
from app.results.models import Sheet, SheetRevision
from app.results.queries import SheetView
from app.results.rules import (
    Content,
    DealNumberError,
    Kind,
    LaterRoundDrawnError,
    NothingToRestoreError,
    Outcome,
    SheetAct,
    SheetConflictError,
    SheetState,
    moved,
    require_in_correction_window,
    require_may_record,
    require_may_reopen,
    require_not_too_many,
    with_deal,
)
from app.results.service.checks import (
    checked_deal,
    require_complete,
    require_deal_possible,
    require_possible,
)
from app.results.service.undrawing import undraw as undraw
from app.text import T


@dataclass(frozen=True, slots=True)
class Sent:
    """What travels with every change of a sheet: what it was based on, and where it came from."""

    base_revision: int
    idempotency_key: str
    device: str | None = None
    client_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer to a change. ``repeated``: this very request had been stored before."""

    revision: int
    state: SheetState
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class _Locked:
    """A sheet's row, locked, and what it says."""

    row: Sheet
    view: SheetView


def record_deal(
    ctx: CommandContext, token: str, *, deal_number: int, deal: Mapping[str, Any], sent: Sent
) -> Saved:
    """Record one deal (一副), or replace it while the sheet is open; the revision holds all deals so far.

    Raises ``InvalidDealError``, ``DealNumberError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    locked = _for_recording(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        _require_still_correctable(ctx, sheet)
        record = checked_deal(sheet, deal)
        if sheet.game.counts_deals and deal_number > len(sheet.deals) and sheet.complete:
            # an eleventh deal is said to be one, whatever number the device gave it
            require_not_too_many([*sheet.deals, record], sheet.stage, sheet.deals_wanted, sheet.rules)
        deals = with_deal(sheet.deals, deal_number, record, clause=sheet.stage.clause)
        if sheet.game.counts_deals:
            require_not_too_many(deals, sheet.stage, sheet.deals_wanted, sheet.rules)
        after = Content(tuple(deals), sheet.outcome)
        require_deal_possible(sheet, after, deal_number)
        return after

    request = {"act": "record_deal", "deal_number": deal_number, "deal": dict(deal)}
    return _revise(ctx, locked, sent, request, content_after, handed_in=False)


def record_sheet(
    ctx: CommandContext,
    token: str,
    *,
    handed_in: bool,
    sent: Sent,
    deals: Sequence[Mapping[str, Any]] = (),
    outcome: Outcome | None = None,
    checked: bool = True,
) -> Saved:
    """Record everything of a sheet at once, and with ``handed_in`` hand it in; refused whole or stored whole.

    ``outcome`` is what the event file says of the table besides its seats and deals. ``checked``: the players looked at
    it. Raises as ``record_deal`` and ``hand_in``, and ``InvalidOutcomeError``.
    """
    locked = _for_recording(ctx, token, handed_in=handed_in)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        _require_still_correctable(ctx, sheet)
        game = sheet.game
        records = [checked_deal(sheet, each, f"deals.{index}.") for index, each in enumerate(deals)]
        if game.counts_deals:
            require_not_too_many(records, sheet.stage, sheet.deals_wanted, sheet.rules, field="deals")
        said = game.checked(outcome or {}, sheet.names, sheet.rules)
        after = game.with_outcome(Content(tuple(records)), said, sheet.rules)
        require_possible(sheet, after, added=len(after.deals) - len(records))
        if handed_in:
            require_complete(sheet, after)
            if not checked:
                raise sheet.game.not_checked(clause=_correction_clause(sheet))
        return after

    request = {"act": "record_sheet", "deals": [dict(each) for each in deals], "handed_in": handed_in}
    if outcome:
        request |= {"outcome": dict(outcome)}
    return _revise(ctx, locked, sent, request, content_after, handed_in=handed_in)


def record_outcome(ctx: CommandContext, token: str, *, outcome: Outcome, sent: Sent) -> Saved:
    """Record what a sheet says besides its deals (弃权、迟到), in place of what it said; the deals stay.

    Raises ``InvalidOutcomeError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    locked = _for_recording(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        _require_still_correctable(ctx, sheet)
        said = sheet.game.checked(outcome, sheet.names, sheet.rules)
        after = sheet.game.with_outcome(sheet.content, said, sheet.rules)
        require_possible(sheet, after, besides_deals=True)
        return after

    request = {"act": "record_outcome", "outcome": dict(outcome)}
    return _revise(ctx, locked, sent, request, content_after, handed_in=False)


def remove_last_deal(ctx: CommandContext, token: str, *, deal_number: int, sent: Sent) -> Saved:
    """Take the last deal of a match out (删去最后一副), where it was written by mistake; the earlier revisions keep it.

    ``deal_number`` says which one the sender saw as the last. Raises ``DealNumberError``, ``SheetClosedError``,
    ``SheetConflictError``.
    """
    locked = _for_recording(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.RECORD, clause=sheet.stage.clause)
        _require_still_correctable(ctx, sheet)
        if sheet.game.kind is not Kind.MATCH or not sheet.deals or deal_number != len(sheet.deals):
            text = T("只能删去最后一副。")
            raise DealNumberError(text, clause=sheet.stage.clause)
        after = Content(sheet.deals[:-1], sheet.outcome)
        require_possible(sheet, after, besides_deals=True)
        return after

    request = {"act": "remove_last_deal", "deal_number": deal_number}
    return _revise(ctx, locked, sent, request, content_after, handed_in=False)


def hand_in(ctx: CommandContext, token: str, *, checked: bool, sent: Sent) -> Saved:
    """Hand the sheet in (交表) after the players checked it: it is entered and confirmed in one act.

    Raises ``NotCheckedError``, ``DealsMissingError``, ``SheetClosedError``, ``SheetConflictError``.
    """
    locked = _for_recording(ctx, token, handed_in=True)
    sheet = locked.view

    def content_after() -> Content:
        moved(sheet.state, SheetAct.HAND_IN, clause=sheet.stage.clause)
        _require_still_correctable(ctx, sheet)
        require_possible(sheet, sheet.content)
        require_complete(sheet, sheet.content)
        if not checked:
            raise sheet.game.not_checked(clause=_correction_clause(sheet))
        return sheet.content

    return _revise(ctx, locked, sent, {"act": "hand_in", "checked": checked}, content_after, handed_in=True)


def reopen(ctx: CommandContext, token: str, *, reason: str, sent: Sent) -> Saved:
    """Give a confirmed sheet back for correction (更正), within the window after its publication where the regulation has
    one, and before a later round is drawn from it.

    The confirmed revision stays in force until the correction is handed in. Raises ``CorrectionClosedError``,
    ``LaterRoundDrawnError``, ``SheetClosedError``.
    """
    require_may_reopen(ctx.actor, queries.sheet(token).event.competition_id)
    locked = _locked_with_event(ctx, token)  # a draw holds the event: it is seen here, or sees the sheet
    sheet = locked.view
    window, clause = _correction_window(sheet), _correction_clause(sheet)

    def content_after() -> Content:
        moved(sheet.state, SheetAct.REOPEN, clause=clause)
        if window is not None and sheet.published_at is not None:
            require_in_correction_window(ctx.now, sheet.published_at, window)
        newest = draws.rounds(sheet.event.id)[-1]
        if sheet.table.id not in {each.id for each in newest.tables}:
            raise LaterRoundDrawnError(clause=clause)
        return sheet.content

    request = {"act": "reopen", "reason": reason}
    return _revise(ctx, locked, sent, request, content_after, handed_in=False, reason=reason)


def restore(ctx: CommandContext, token: str, *, reason: str, sent: Sent) -> Saved:
    """Put the confirmed scores of a re-opened sheet back in force (恢复已确认的成绩), as a new revision.

    For a correction that is given up, or that was not handed in before its window ended. Raises ``SheetClosedError``
    for a sheet that was never confirmed, or is not open.
    """
    require_may_reopen(ctx.actor, queries.sheet(token).event.competition_id)
    locked = _locked_with_event(ctx, token)
    sheet = locked.view

    def content_after() -> Content:
        if locked.row.confirmed_revision is None or sheet.state is not SheetState.OPEN:
            raise NothingToRestoreError(clause=_correction_clause(sheet))
        deals, outcome = ctx.session.execute(
            select(SheetRevision.deals, SheetRevision.outcome).where(
                SheetRevision.sheet_id == locked.row.id, SheetRevision.number == locked.row.confirmed_revision
            )
        ).one()
        return Content(tuple(deals), outcome)

    request = {"act": "restore", "reason": reason}
    return _revise(ctx, locked, sent, request, content_after, handed_in=True, reason=reason)


def _correction_window(sheet: SheetView) -> TimeWindow | None:
    """更正时限; None where the text has none: then a sheet may be re-opened until the next round is drawn."""
    return sheet.event.regulation.windows.get("correction")


def _correction_clause(sheet: SheetView) -> str:
    window = _correction_window(sheet)
    return sheet.stage.clause if window is None else window.clause


def _require_still_correctable(ctx: CommandContext, sheet: SheetView) -> None:
    """A sheet that was public is changed only within the window: 逾时不得更改."""
    window = _correction_window(sheet)
    if window is not None and sheet.published_at is not None:
        require_in_correction_window(ctx.now, sheet.published_at, window, reopened=True)


def _for_recording(ctx: CommandContext, token: str, *, handed_in: bool = False) -> _Locked:
    require_may_record(ctx.actor, queries.sheet(token).event.competition_id)
    return _locked_with_event(ctx, token) if handed_in else _locked(ctx, token)


def _locked_with_event(ctx: CommandContext, token: str) -> _Locked:
    """The sheet for an act that changes the results: the event first, then the sheet, as the first deal takes them.

    The other way round, two devices at one table could wait for each other, and PostgreSQL would end one of them.
    """
    competitions.lock_event(ctx, draws.table_by_token(token).event_id)
    return _locked(ctx, token)


def _locked(ctx: CommandContext, token: str) -> _Locked:
    """The sheet in its newest state; nobody else writes on it until this command ends."""
    table = draws.table_by_token(token)
    mine = (
        select(Sheet)
        .where(Sheet.table_id == table.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    row = ctx.session.scalar(mine)
    if row is None:
        # a repair of the round, or taking it back, holds the event: it is seen now, or sees that the round has started
        competitions.lock_event(ctx, table.event_id)
        draws.table_by_token(token)
        draws_service.start_round(ctx, table.round_id)
        row = ctx.session.scalar(mine)
    if row is None:
        row = Sheet(event_id=table.event_id, table_id=table.id, state=SheetState.OPEN.value, revision=0)
        try:
            with ctx.session.begin_nested():
                ctx.session.add(row)
        except IntegrityError:
            # two devices sent the first deal at once: the other transaction made the sheet first
            row = ctx.session.scalars(mine).one()
    return _Locked(row, queries.sheet(token))


def _revise(
    ctx: CommandContext,
    locked: _Locked,
    sent: Sent,
    request: Mapping[str, Any],
    content_after: Callable[[], Content],
    *,
    handed_in: bool,
    reason: str | None = None,
) -> Saved:
    """Append one revision: the same request twice is stored once, an outdated one is a conflict."""
    row, sheet = locked.row, locked.view
    digest = _digest(request)
    before = ctx.session.scalar(
        select(SheetRevision).where(
            SheetRevision.sheet_id == row.id, SheetRevision.idempotency_key == sent.idempotency_key
        )
    )
    if before is not None and before.request_sha256 == digest:
        return Saved(before.number, SheetState(row.state), repeated=True)
    if before is not None:
        # a page went back in history and was sent again with other content: never dropped in silence
        raise _conflict(sheet, sent, request)
    if sent.base_revision != sheet.revision:
        raise _conflict(sheet, sent, request)
    content = content_after()
    row.revision += 1
    revision = SheetRevision(
        sheet_id=row.id,
        number=row.revision,
        deals=list(content.deals),
        outcome=content.outcome,
        handed_in=handed_in,
        recorded_by_id=ctx.actor.user_id,
        recorded_at=ctx.now,
        device=sent.device,
        client_time=sent.client_time,
        idempotency_key=sent.idempotency_key,
        request_sha256=digest,
        reason=reason,
        regulation_version_id=sheet.event.regulation_version_id,
    )
    ctx.session.add(revision)
    _move(ctx, row, sheet, handed_in=handed_in, reopened=request["act"] == "reopen")
    ctx.session.flush()
    return Saved(row.revision, SheetState(row.state))


def _move(ctx: CommandContext, row: Sheet, sheet: SheetView, *, handed_in: bool, reopened: bool) -> None:
    clause = sheet.stage.clause
    facts = {"table_id": row.table_id, "revision": row.revision}
    if reopened:
        row.state = moved(SheetState(row.state), SheetAct.REOPEN, clause=clause).value
        ctx.record(AuditAction.SHEET_REOPENED, row, **facts)
        return
    row.state = moved(SheetState(row.state), SheetAct.RECORD, clause=clause).value
    if not handed_in:
        ctx.record(AuditAction.SHEET_REVISED, row, **facts)
        return
    entered = moved(SheetState(row.state), SheetAct.HAND_IN, clause=clause)
    row.state = moved(entered, SheetAct.CONFIRM, clause=clause).value
    row.confirmed_revision = row.revision
    row.published_at = row.published_at or ctx.now
    ctx.record(AuditAction.SHEET_HANDED_IN, row, **facts)
    competitions.raise_results_version(ctx, row.event_id)


def _conflict(sheet: SheetView, sent: Sent, request: Mapping[str, Any]) -> SheetConflictError:
    return SheetConflictError(
        base_revision=sent.base_revision,
        current={
            "revision": sheet.revision,
            "state": sheet.state.value,
            "deals": list(sheet.deals),
            **(sheet.outcome or {}),
        },
        sent={key: value for key, value in request.items() if key != "act"},
    )


def _digest(request: Mapping[str, Any]) -> str:
    canonical = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()
