from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.draws.models import UNDECIDED, DrawChange, DrawRepair, Round, Seat, Table
from app.draws.queries import repairs as queries
from app.draws.queries.repairs import RepairView
from app.draws.rules import entry_of, require_may_draw
from app.draws.rules.repairs import (
    Change,
    NoRepairError,
    NothingChangedError,
    RepairConflictError,
    RoundStartedError,
    UndoneRepairError,
    UnfinishedRepairError,
    as_stored,
    made_as,
    parse_reason,
    require_second_person,
)
from scoring_engine.pairing.repairs import Placed


@dataclass(frozen=True, slots=True)
class Based:
    """What travels with an act on a repair: the revision its sender saw, and a key made once for the act."""

    base_revision: int
    idempotency_key: str


def open_repair(ctx: CommandContext, event_id: int, stage: str, number: int) -> int:
    """Open a manual phase (人工调整) on a round that has not started; the id of the open one, if there is one already.

    Raises ``UnknownRoundError``, ``RoundStartedError``.
    """
    event, round_id = _locked_round(ctx, event_id, stage, number)
    open_one = _open(ctx, round_id)
    if open_one is not None:
        return open_one.id
    round_ = queries.standing_round(event_id, stage, number)
    if round_.started_at is not None:
        rule = event.regulation.scoring_rules().stage(stage)
        raise RoundStartedError(stage, number, rule.clause if rule else None)
    repair = DrawRepair(
        round_id=round_id,
        revision=0,
        before=as_stored(round_.placed),
        opened_at=ctx.now,
        opened_by_id=ctx.actor.user_id,
    )
    ctx.session.add(repair)
    ctx.session.flush()
    ctx.record(AuditAction.REPAIR_OPENED, repair, round_id=round_id, stage=stage, number=number)
    return repair.id


def change(
    ctx: CommandContext,
    event_id: int,
    stage: str,
    number: int,
    *,
    change: Change,
    reason: str,
    based: Based,
) -> int:
    """Make one change of an open repair; the new revision. The same request twice is stored once.

    Raises ``NoRepairError``, ``BadChangeError``, ``PrivateReasonError``, ``RepairConflictError`` where somebody else's
    change came first.
    """
    event, round_id = _locked_round(ctx, event_id, stage, number)
    sent = {"change": dict(change), "reason": reason}
    digest = hashlib.sha256(
        json.dumps(sent, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    ).hexdigest()
    before: DrawChange | None = ctx.session.scalar(
        select(DrawChange)
        .join(DrawRepair, DrawRepair.id == DrawChange.repair_id)
        .where(DrawRepair.round_id == round_id, DrawChange.idempotency_key == based.idempotency_key)
        .order_by(DrawChange.id.desc())
    )
    if before is not None and before.request_sha256 == digest:
        # also where the repair was closed since: its answer was lost, the change was not
        return before.number
    repair = _require_open(ctx, round_id)
    view = queries.repair(event_id, stage, number)
    if before is not None or based.base_revision != repair.revision:
        raise _conflict(view, based, sent)
    public_reason = parse_reason(reason)
    queries.preview(view, change)  # refuses a change that cannot be made
    repair.revision += 1
    repair.changes.append(
        DrawChange(
            number=repair.revision,
            change=dict(change),
            reason=public_reason,
            made_as=made_as(ctx.actor, event.competition_id).value,
            made_by_id=ctx.actor.user_id,
            made_at=ctx.now,
            idempotency_key=based.idempotency_key,
            request_sha256=digest,
        )
    )
    ctx.session.flush()
    ctx.record(
        AuditAction.REPAIR_CHANGED,
        repair,
        round_id=round_id,
        revision=repair.revision,
        change=dict(change),
        reason=public_reason,
    )
    return repair.revision


def confirm(ctx: CommandContext, event_id: int, stage: str, number: int, *, based: Based) -> None:
    """Close a repair: the tables are as its changes made them. For a person who made none of them.

    Raises ``NoRepairError``, ``SamePersonError``, ``NothingChangedError``, ``UnfinishedRepairError``,
    ``UndoneRepairError``, ``RepairConflictError``.
    """
    _, round_id = _locked_round(ctx, event_id, stage, number)
    if _closed_by(ctx, round_id, based.idempotency_key):
        return
    repair = _require_open(ctx, round_id)
    view = queries.repair(event_id, stage, number)
    require_second_person(ctx.actor, view.authors)
    if based.base_revision != repair.revision:
        raise _conflict(view, based, {})
    if not view.changes:
        raise NothingChangedError
    if view.open_points:
        raise UnfinishedRepairError(view.open_points)
    if view.placed == view.before:
        raise UndoneRepairError
    repair.after = as_stored(view.placed)
    repair.confirmed_at = ctx.now
    repair.confirmed_by_id = ctx.actor.user_id
    repair.closing_key = based.idempotency_key
    _seat(ctx, round_id, view.placed)
    ctx.record(
        AuditAction.REPAIR_CONFIRMED,
        repair,
        round_id=round_id,
        revision=repair.revision,
        tables=repair.after["tables"],
        byes=repair.after["byes"],
    )
    competitions_service.raise_results_version(ctx, event_id)  # the event file names the tables


def cancel(ctx: CommandContext, event_id: int, stage: str, number: int, *, reason: str, based: Based) -> None:
    """Give a repair up (取消调整): the round stays as it was before. Its changes are kept.

    Raises ``NoRepairError``, ``PrivateReasonError``, ``RepairConflictError``.
    """
    _, round_id = _locked_round(ctx, event_id, stage, number)
    if _closed_by(ctx, round_id, based.idempotency_key):
        return
    repair = _require_open(ctx, round_id)
    if based.base_revision != repair.revision:
        raise _conflict(queries.repair(event_id, stage, number), based, {"reason": reason})
    repair.cancelled_at = ctx.now
    repair.cancelled_by_id = ctx.actor.user_id
    repair.cancelled_reason = parse_reason(reason)
    repair.closing_key = based.idempotency_key
    ctx.session.flush()
    ctx.record(
        AuditAction.REPAIR_CANCELLED,
        repair,
        round_id=round_id,
        revision=repair.revision,
        reason=repair.cancelled_reason,
    )


def _locked_round(ctx: CommandContext, event_id: int, stage: str, number: int) -> tuple[EventView, int]:
    """The round, while no sheet of it is started and nobody else repairs or draws."""
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    competitions_service.lock_event(ctx, event_id)
    return event, queries.standing_round(event_id, stage, number).id


def _open(ctx: CommandContext, round_id: int) -> DrawRepair | None:
    return ctx.session.scalar(
        select(DrawRepair)
        .where(DrawRepair.round_id == round_id, UNDECIDED)
        .execution_options(populate_existing=True)
    )


def _require_open(ctx: CommandContext, round_id: int) -> DrawRepair:
    found = _open(ctx, round_id)
    if found is None:
        raise NoRepairError
    return found


def _closed_by(ctx: CommandContext, round_id: int, key: str) -> bool:
    """Whether this very request closed a repair of the round before."""
    return (
        ctx.session.scalar(
            select(DrawRepair.id).where(DrawRepair.round_id == round_id, DrawRepair.closing_key == key)
        )
        is not None
    )


def _conflict(view: RepairView, based: Based, sent: Mapping[str, Any]) -> RepairConflictError:
    current = {
        "revision": view.revision,
        **as_stored(view.placed),
        "changes": [{"change": dict(each.change), "reason": each.reason} for each in view.changes],
    }
    return RepairConflictError(base_revision=based.base_revision, current=current, sent=sent)


def _seat(ctx: CommandContext, round_id: int, placed: Placed) -> None:
    """Write the seats and byes; tables keep their numbers and the codes on their cards."""
    round_ = ctx.session.get_one(Round, round_id, populate_existing=True)
    ids = [table.id for table in round_.tables]
    ctx.session.execute(delete(Seat).where(Seat.table_id.in_(ids)))
    ctx.session.add_all(
        Seat(table_id=table_id, position=place, entry_id=entry_of(entrant))
        for table_id, seats in zip(ids, placed.tables, strict=True)
        for place, entrant in enumerate(seats)
    )
    round_.direct = list(placed.byes)
    ctx.session.flush()
    for table in ctx.session.scalars(select(Table).where(Table.round_id == round_id)):
        ctx.session.expire(table, ["seats"])
