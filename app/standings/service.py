from __future__ import annotations

import hashlib

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.models import Event
from app.draws import service as draws
from app.draws.rules import Pair
from app.extensions import db
from app.jobs import Job
from app.standings import queries
from app.standings.models import StandingsSnapshot
from app.standings.rules import Step, canonical_bytes, require_may_draw, require_ready
from scoring_engine import event_file
from scoring_engine.rules import PLAYOFF


def recompute(ctx: CommandContext, event_id: int) -> int | None:
    """Compute the newest results version of an event into one snapshot; its id, or None where it is stored already.

    Safe to run twice, at once, or after a crash: the event's row is locked first, and the version decides.
    """
    event = competitions_service.lock_event(ctx, event_id)
    if queries.latest_version(event_id) >= event.results_version:
        return None
    document = queries.event_file(event_id)
    rules = competitions.event(event_id).regulation.scoring_rules()
    snapshot = StandingsSnapshot(
        event_id=event_id,
        results_version=event.results_version,
        input_sha256=hashlib.sha256(canonical_bytes(document)).hexdigest(),
        regulation_version_id=event.regulation_version_id,
        result=event_file.score(document, rules),
        computed_at=ctx.now,
    )
    ctx.session.add(snapshot)
    ctx.session.flush()
    ctx.record(
        AuditAction.STANDINGS_RECOMPUTED,
        snapshot,
        event_id=event_id,
        results_version=snapshot.results_version,
        input_sha256=snapshot.input_sha256,
    )
    return snapshot.id


def sweep(ctx: CommandContext) -> int:
    """Queue again every event whose newest results version has no snapshot (a job was lost). Returns how many."""
    newest = (
        select(StandingsSnapshot.event_id, func.max(StandingsSnapshot.results_version).label("version"))
        .group_by(StandingsSnapshot.event_id)
        .subquery()
    )
    behind = ctx.session.scalars(
        select(Event.id)
        .outerjoin(newest, newest.c.event_id == Event.id)
        .where(Event.results_version > func.coalesce(newest.c.version, 0))
        .order_by(Event.id)
    ).all()
    for event_id in behind:
        ctx.after_commit(Job.RECOMPUTE_STANDINGS, event_id=event_id)
    return len(behind)


def draw_next_stage(ctx: CommandContext, event_id: int, *, seed: str | None = None) -> int:
    """Draw the next stage, or the play-off that is due, from the standings. Returns the id of the round.

    Raises ``NextStageRefusedError`` naming the tables and people it waits for, or the ruling that is needed.
    """
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    pair = next_round(event_id)
    recompute(ctx, event_id)
    board = queries.stage_board(event_id)
    require_ready(board.next_step, board.waiting_tables, clause=board.clause)
    stage = PLAYOFF if board.next_step.step is Step.PLAYOFF else board.next_step.stage
    return draws.draw_next(ctx, event_id, stage, pair, seed)


def next_round(event_id: int) -> Pair:
    """``scoring_engine.event_file.pair`` on the event as it stands, for the command that is drawing a round.

    The event is locked, so that no result changes before the round is stored. Raises ``NextStageRefusedError``.
    """
    # draws may not import standings: it calls this within its own command, whose session is the scoped one
    db.session.get_one(Event, event_id, with_for_update={"key_share": True}, populate_existing=True)
    board = queries.stage_board(event_id)
    if board.waiting:
        require_ready(board.next_step, board.waiting_tables, clause=board.clause)
    document = queries.event_file(event_id)
    rules = competitions.event(event_id).regulation.scoring_rules()
    return lambda seed: event_file.pair(document, rules, seed)
