"""A round goes on: scheduled, opened, its clock started, time called, ended, published, locked; each moment once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.draws import queries as draws
from app.draws.rules.repairs import RepairOpenError
from app.floor import queries
from app.floor.models import FloorNotice, FloorTerms, RoundRun
from app.floor.queries import RunView
from app.floor.rules import Confirmation, Publication, RoundNotOpenError, require_may_run
from app.floor.rules.rounds import (
    BadScheduleError,
    NoClockError,
    RoundOverError,
    require_call_due,
    require_may_lock,
)
from app.floor.rules.terms import default_terms, require_may_set_terms, require_minutes


def set_terms(
    ctx: CommandContext,
    event_id: int,
    *,
    confirmation: Confirmation,
    publication: Publication,
    round_minutes: int | None = None,
    call_minutes: int | None = None,
) -> None:
    """Choose how the sheets of an event are confirmed and published from now on (办赛方式).

    Minutes that are None are those of the regulation. Raises ``InvalidError`` for a clock that cannot run.
    """
    event = competitions.event(event_id)
    require_may_set_terms(ctx.actor, event.competition_id)
    competitions_service.lock_event(ctx, event_id)
    default = default_terms(event.regulation)
    require_minutes(round_minutes or default.round_minutes, call_minutes or default.call_minutes)
    require_minutes(round_minutes, None)
    row = ctx.session.get(FloorTerms, event_id, populate_existing=True)
    if row is None:
        row = FloorTerms(event_id=event_id)
        ctx.session.add(row)
    row.confirmation, row.publication = confirmation.value, publication.value
    row.round_minutes, row.call_minutes = round_minutes, call_minutes
    row.set_at, row.set_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(
        AuditAction.FLOOR_TERMS_SET,
        ("Event", event_id),
        confirmation=row.confirmation,
        publication=row.publication,
        round_minutes=round_minutes,
        call_minutes=call_minutes,
    )


def schedule_round(
    ctx: CommandContext, event_id: int, stage: str, number: int, *, scheduled_at: datetime | None
) -> None:
    """Say when players have to be there (规定的到场时间): lateness counts from it. Raises ``BadScheduleError`` once it is open."""
    view, row = _for_running(ctx, event_id, stage, number)
    if row.opened_at is not None:
        raise BadScheduleError
    if row.scheduled_at == scheduled_at:
        return
    row.scheduled_at = scheduled_at
    _record(ctx, AuditAction.ROUND_SCHEDULED, view, at=scheduled_at.isoformat() if scheduled_at else None)


def open_round(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Open a round (开赛); again: nothing. Without a scheduled time players have to be there now.

    Raises ``UnknownRoundError``, ``RepairOpenError``.
    """
    view, row = _for_running(ctx, event_id, stage, number)
    head = next(each for each in draws.heads(event_id) if each.id == view.round_id)
    if head.repairing:
        raise RepairOpenError
    _open(ctx, view, row)


def start_clock(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Start the clock of a round (开始计时), which opens it; again: nothing. Raises ``NoClockError``, ``RoundOverError``."""
    view, row = _for_running(ctx, event_id, stage, number)
    if view.terms.round_minutes is None:
        raise NoClockError
    if row.ended_at is not None:
        raise RoundOverError(row.ended_at)
    if row.started_at is not None:
        return
    head = next(each for each in draws.heads(event_id) if each.id == view.round_id)
    if head.repairing:
        raise RepairOpenError
    _open(ctx, view, row)
    row.started_at = ctx.now
    _record(ctx, AuditAction.ROUND_CLOCK_STARTED, view, minutes=view.terms.round_minutes)


def call_time(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Announce the last minutes of a round to every phone, in the words of its text (C 八(四)); again: nothing.

    Raises ``ClockNotStartedError``, ``NothingToCallError``, ``CalledTooEarlyError``, ``RoundOverError``.
    """
    view, row = _for_running(ctx, event_id, stage, number)
    if row.called_at is not None:
        return
    if row.ended_at is not None:
        raise RoundOverError(row.ended_at)
    require_call_due(view.clock, ctx.now, view.terms.call_minutes, view.clause)
    words = view.call_words
    if words is not None:  # `require_call_due` has seen that there are minutes to call
        ctx.session.add(
            FloorNotice(
                event_id=event_id,
                text=words.zh,
                text_en=words.en,
                made_at=ctx.now,
                made_by_id=ctx.actor.user_id,
                idempotency_key=f"call-{view.round_id}",
            )
        )
    row.called_at = ctx.now
    _record(ctx, AuditAction.ROUND_TIME_CALLED, view)


def end_round(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Record the end of a round (本轮结束), from which appeals count; again: nothing. Raises ``RoundNotOpenError``."""
    view, row = _for_running(ctx, event_id, stage, number)
    if row.opened_at is None:
        raise RoundNotOpenError
    _end(ctx, view, row)


def lock_round(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Lock a published round (锁定), which a correction window does by itself; again: nothing.

    Raises ``NotPublishedYetError``, ``CorrectionRunningError``.
    """
    view, row = _for_running(ctx, event_id, stage, number)
    if row.locked_at is not None:
        return
    require_may_lock(view.moments, ctx.now, view.window)
    row.locked_at, row.locked_by_id = ctx.now, ctx.actor.user_id
    _record(ctx, AuditAction.ROUND_LOCKED, view)


def note_opened(ctx: CommandContext, round_id: int) -> None:
    """The first score of a round is being entered: it is open, whoever forgot to open it. The caller holds the event's lock."""
    view, row = _row(ctx, round_id)
    _open(ctx, view, row)


def note_ended(ctx: CommandContext, round_id: int) -> None:
    """The last table of a round has handed in: it has ended, the first time. The caller holds the event's lock."""
    view, row = _row(ctx, round_id)
    _open(ctx, view, row)
    _end(ctx, view, row)


def note_published(ctx: CommandContext, round_id: int) -> None:
    """Every result of a round is public, the first time: its corrections count from now. The caller holds the event's lock."""
    view, row = _row(ctx, round_id)
    if row.published_at is not None:
        return
    _open(ctx, view, row)
    _end(ctx, view, row)
    row.published_at, row.published_by_id = ctx.now, ctx.actor.user_id
    _record(ctx, AuditAction.ROUND_PUBLISHED, view)


def _open(ctx: CommandContext, view: RunView, row: RoundRun) -> None:
    if row.opened_at is not None:
        return
    row.opened_at, row.opened_by_id = ctx.now, ctx.actor.user_id
    _record(ctx, AuditAction.ROUND_OPENED, view)


def _end(ctx: CommandContext, view: RunView, row: RoundRun) -> None:
    if row.ended_at is not None:
        return
    row.ended_at, row.ended_by_id = ctx.now, ctx.actor.user_id
    _record(ctx, AuditAction.ROUND_ENDED, view)


def _for_running(ctx: CommandContext, event_id: int, stage: str, number: int) -> tuple[RunView, RoundRun]:
    """A round for an act of whoever runs it; results, draws and repairs of the event wait until this command ends."""
    require_may_run(ctx.actor, competitions.event(event_id).competition_id)
    competitions_service.lock_event(ctx, event_id)
    return _row(ctx, queries.run_of(event_id, stage, number).round_id)


def _row(ctx: CommandContext, round_id: int) -> tuple[RunView, RoundRun]:
    """The round and its row, locked; the row is made with the first moment that is noted."""
    mine = (
        select(RoundRun)
        .where(RoundRun.round_id == round_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    row = ctx.session.scalar(mine)
    view = queries.run(round_id)
    if row is None:
        row = RoundRun(event_id=view.event.id, round_id=round_id)
        try:
            with ctx.session.begin_nested():
                ctx.session.add(row)
        except IntegrityError:
            # whoever does not hold the event's lock made it at the same moment
            row = ctx.session.scalars(mine).one()
            view = queries.run(round_id)
    return view, row


def _record(ctx: CommandContext, action: AuditAction, view: RunView, **details: object) -> None:
    ctx.session.flush()
    ctx.record(action, ("Round", view.round_id), stage=view.stage, number=view.number, **details)
