"""What every act on a sheet goes through: its row locked, one revision appended, its state moved, what is in force made public.

The event is locked before the sheet wherever results change, as the first deal takes them; the other way round, two devices
at one table could wait for each other, and PostgreSQL would end one of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, exists, select, update

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions_queries
from app.competitions import service as competitions
from app.draws import queries as draws
from app.draws.models import Table
from app.draws.queries import Spot, TableView
from app.draws.service import voiding as draws_service
from app.floor import service as floor
from app.floor.rules import Confirmation
from app.regulations.rules import TimeWindow
from app.results import queries
from app.results.models import Sheet, SheetRevision, SheetTakeover
from app.results.queries import SheetView
from app.results.rules import (
    Content,
    SheetAct,
    SheetConflictError,
    SheetState,
    moved,
    require_in_correction_window,
    require_may_record,
)
from app.results.rules.confirming import ReasonMissingError, SheetHeldError, require_words


@dataclass(frozen=True, slots=True)
class Sent:
    """What travels with every change of a sheet: what it was based on, and where it came from.

    ``device`` is what the browser calls itself; ``device_id`` is the key of this very device, None of a client that has none.
    ``takeover_reason``: why it writes on in place of the device that holds the sheet.
    """

    base_revision: int
    idempotency_key: str
    device: str | None = None
    client_time: datetime | None = None
    device_id: str | None = None
    takeover_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer to a change. ``repeated``: this very request had been stored before. ``table``: whose sheet it is."""

    revision: int
    state: SheetState
    table: TableView
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Locked:
    """A sheet's row, locked, and what it says."""

    row: Sheet
    view: SheetView


HELD_ACTS = (SheetAct.RECORD, SheetAct.HAND_IN)
"""Acts of whoever writes at the table; the others are the chief referee's."""


def correction_window(sheet: SheetView) -> TimeWindow | None:
    """更正时限; None where the text has none: then a sheet may be re-opened until the next round is drawn."""
    return sheet.event.regulation.windows.get("correction")


def correction_clause(sheet: SheetView) -> str:
    window = correction_window(sheet)
    return sheet.stage.clause if window is None else window.clause


def require_still_correctable(ctx: CommandContext, sheet: SheetView) -> None:
    """A sheet that was public is changed only within the window: 逾时不得更改."""
    window = correction_window(sheet)
    if window is not None and sheet.published_at is not None:
        require_in_correction_window(ctx.now, sheet.published_at, window, reopened=True)


def for_recording(ctx: CommandContext, token: str, *, handed_in: bool = False) -> Locked:
    spot = draws.spot(token)
    require_may_record(ctx.actor, competitions_queries.event(spot.event_id).competition_id)
    return _locked_with_event(ctx, token, spot) if handed_in else _locked(ctx, token, spot)


def locked_with_event(ctx: CommandContext, token: str) -> Locked:
    """The sheet for an act that changes the results."""
    return _locked_with_event(ctx, token, draws.spot(token))


def _locked_with_event(ctx: CommandContext, token: str, spot: Spot) -> Locked:
    competitions.lock_event(ctx, spot.event_id)
    return _locked(ctx, token, spot)


def _locked(ctx: CommandContext, token: str, spot: Spot) -> Locked:
    """The sheet in its newest state; nobody else writes on it until this command ends."""
    mine = (
        select(Sheet)
        .where(Sheet.table_id == spot.table_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    row, table = ctx.session.scalar(mine), None
    if row is None:
        # a repair of the round, or taking it back, holds the event: it is seen now, or sees that the round has started
        competitions.lock_event(ctx, spot.event_id)
        table = draws.table_by_token(token)
        draws_service.start_round(ctx, spot.round_id)
        floor.note_opened(ctx, spot.round_id)
        row = ctx.session.scalar(mine)
    if row is None:
        # of two devices that send the first deal at once one waits for the event above, and finds the other's sheet
        row = Sheet(event_id=spot.event_id, table_id=spot.table_id, state=SheetState.OPEN.value, revision=0)
        ctx.session.add(row)
        ctx.session.flush()
    return Locked(row, queries.sheet_at(table or draws.table_by_token(token)))


def revise(
    ctx: CommandContext,
    locked: Locked,
    sent: Sent,
    request: Mapping[str, Any],
    content_after: Callable[[], Content],
    *,
    act: SheetAct,
    reason: str | None = None,
    audit: AuditAction | None = None,
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
        return Saved(before.number, SheetState(row.state), sheet.table, repeated=True)
    if before is not None or sent.base_revision != sheet.revision:
        # with the key of another request a page went back in history and was sent again: never dropped in silence
        raise conflict(sheet, sent, request)
    content = content_after()
    if act in HELD_ACTS:
        hold(ctx, locked, sent)
    row.revision += 1
    ctx.session.add(
        SheetRevision(
            sheet_id=row.id,
            number=row.revision,
            deals=list(content.deals),
            outcome=content.outcome,
            handed_in=act in (SheetAct.HAND_IN, SheetAct.RESTORE, SheetAct.CORRECT),
            recorded_by_id=ctx.actor.user_id,
            recorded_at=ctx.now,
            device=sent.device,
            client_time=sent.client_time,
            idempotency_key=sent.idempotency_key,
            request_sha256=digest,
            reason=reason,
            regulation_version_id=sheet.event.regulation_version_id,
        )
    )
    _move(ctx, row, sheet, act, audit)
    ctx.session.flush()
    if sheet.state is SheetState.DISPUTED:
        floor.close_disputes(ctx, row.table_id, outcome=reason)
    return Saved(row.revision, SheetState(row.state), sheet.table)


_AUDITS: Mapping[SheetAct, AuditAction] = {
    SheetAct.RECORD: AuditAction.SHEET_REVISED,
    SheetAct.HAND_IN: AuditAction.SHEET_HANDED_IN,
    SheetAct.REOPEN: AuditAction.SHEET_REOPENED,
    SheetAct.SEND_BACK: AuditAction.SHEET_DISPUTE_DECIDED,
    SheetAct.RESTORE: AuditAction.SHEET_HANDED_IN,
}


def _move(
    ctx: CommandContext, row: Sheet, sheet: SheetView, act: SheetAct, audit: AuditAction | None
) -> None:
    clause = sheet.stage.clause
    row.state = moved(SheetState(row.state), act, clause=clause).value
    ctx.record(audit or _AUDITS[act], row, table_id=row.table_id, revision=row.revision)
    if act is SheetAct.RECORD:
        return
    release(row)
    if SheetState(row.state) is SheetState.ENTERED:
        _note_end(ctx, sheet)
        if act is not SheetAct.HAND_IN or sheet.terms.confirmation is Confirmation.AT_TABLE:
            settle(ctx, row, sheet)


def settle(ctx: CommandContext, row: Sheet, sheet: SheetView) -> None:
    """The handed-in revision is confirmed: it is public at once, unless the round is held back (封盘)."""
    row.state = moved(SheetState(row.state), SheetAct.CONFIRM, clause=sheet.stage.clause).value
    row.confirmed_revision = row.revision
    if row.published_revision is not None or not sheet.run.held_back:
        publish(ctx, [row], event_id=row.event_id, round_id=sheet.table.round_id)


def publish(ctx: CommandContext, rows: Sequence[Sheet], *, event_id: int, round_id: int) -> None:
    """Put confirmed revisions of a round in force; the caller holds the event. With the last table the round is public."""
    for row in rows:
        if row.confirmed_revision is None or SheetState(row.state) is not SheetState.CONFIRMED:
            raise RuntimeError("only a confirmed sheet is published")
        row.published_revision = row.confirmed_revision
        row.published_at = row.published_at or ctx.now
    version = competitions.raise_results_version(ctx, event_id)
    ctx.session.flush()
    for row in rows:
        # draws of later rounds are replayed from what was in force when they were made
        ctx.session.execute(
            update(SheetRevision)
            .where(SheetRevision.sheet_id == row.id, SheetRevision.number == row.published_revision)
            .where(SheetRevision.in_force_version.is_(None))
            .values(in_force_version=version)
        )
    if _every_table(
        ctx, round_id, Sheet.state == SheetState.CONFIRMED.value, Sheet.published_revision == Sheet.revision
    ):
        floor.note_published(ctx, round_id)


def _note_end(ctx: CommandContext, sheet: SheetView) -> None:
    """The round ends (结束) when the last of its tables hands in."""
    ctx.session.flush()
    if _every_table(ctx, sheet.table.round_id, Sheet.state != SheetState.OPEN.value):
        floor.note_ended(ctx, sheet.table.round_id)


def _every_table(ctx: CommandContext, round_id: int, *conditions: ColumnElement[bool]) -> bool:
    """Whether the sheet of every table of a round is so far. The event is held: no other sheet of it moves meanwhile."""
    so_far = select(Sheet.id).where(Sheet.table_id == Table.id, *conditions).exists()
    return not ctx.session.scalar(select(exists().where(Table.round_id == round_id, ~so_far)))


def hold(ctx: CommandContext, locked: Locked, sent: Sent) -> None:
    """The device that writes on a sheet holds it. Raises ``SheetHeldError`` while another one does.

    A client that names no device, such as a program, holds nothing; it is told of other changes by ``base_revision`` alone.
    """
    row = locked.row
    if sent.device_id is None:
        return
    if row.holder_device is None or (row.holder_id, row.holder_device) == (ctx.actor.user_id, sent.device_id):
        row.holder_id, row.holder_device = ctx.actor.user_id, sent.device_id
        row.held_at = row.held_at or ctx.now
        return
    if sent.takeover_reason is None:
        raise held(ctx, locked)
    take(ctx, row, device=sent.device_id, reason=sent.takeover_reason)


def take(ctx: CommandContext, row: Sheet, *, device: str, reason: str) -> None:
    """Let another device write on the sheet from now on (接管). Raises ``ReasonMissingError``."""
    said = require_words(reason, ReasonMissingError)
    ctx.session.add(
        SheetTakeover(
            sheet_id=row.id,
            at=ctx.now,
            from_id=row.holder_id,
            from_device=row.holder_device,
            by_id=ctx.actor.user_id,
            by_device=device,
            reason=said,
        )
    )
    row.holder_id, row.holder_device, row.held_at = ctx.actor.user_id, device, ctx.now
    ctx.record(AuditAction.SHEET_TAKEN_OVER, row, table_id=row.table_id, revision=row.revision)


def held(ctx: CommandContext, locked: Locked) -> SheetHeldError:
    """Who holds the sheet, as a refusal."""
    told = queries.holding(locked.view)
    return SheetHeldError(
        role=told.role if told else None,
        phone_masked=told.phone_masked if told else None,
        since=locked.row.held_at or ctx.now,
        same_person=locked.row.holder_id == ctx.actor.user_id,
    )


def release(row: Sheet) -> None:
    """Nobody writes on the sheet any more."""
    row.holder_id = row.holder_device = row.held_at = None


def conflict(sheet: SheetView, sent: Sent, request: Mapping[str, Any]) -> SheetConflictError:
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
