from __future__ import annotations

import hashlib

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.models import Event
from app.draws import service as draws
from app.draws.rules import DRAWN, stage_rule
from app.jobs import Job
from app.standings import queries
from app.standings.models import StandingsSnapshot
from app.standings.rules import AnotherStageDueError, canonical_bytes, require_may_draw, require_ready
from scoring_engine import event_file
from scoring_engine.values import EntrantId


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


def draw_stage(ctx: CommandContext, event_id: int, stage: str | None = None, seed: str | None = None) -> int:
    """Draw ``stage``, or whatever is due: the next stage, or a play-off (加赛). Returns the id of the round.

    The first stage is drawn from the published list, a later one from the standings: ``event_file.pair`` on the public
    event file gives anyone the same tables. Raises as ``draws.service.draw``; ``NextStageRefusedError`` naming the
    tables and people it waits for, or the ruling that is needed; ``AnotherStageDueError``.
    """
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    rule = None if stage is None else stage_rule(event.regulation, stage)
    if rule is not None and rule.kind == DRAWN:
        return draws.draw(ctx, event_id, rule.code, seed)
    seed_bytes = draws.seed_of(seed)
    competitions_service.lock_event(ctx, event_id)  # no result changes before the round is stored
    if rule is not None:
        draws.require_undrawn(ctx, event, rule.code)
    recompute(ctx, event_id)
    board = queries.stage_board(event_id)
    require_ready(board.next_step, board.waiting_tables, clause=board.clause)
    if stage not in (None, board.next_step.to_draw):
        raise AnotherStageDueError(str(stage), board.next_step.to_draw, board.clause)
    paired = event_file.pair(queries.event_file(event_id), event.regulation.scoring_rules(), seed_bytes)
    tables = [tuple(EntrantId(seat) for seat in table["entrants"]) for table in paired["tables"]]
    return draws.seat(ctx, event, paired["stage"], number=paired["round"], tables=tables, seed=seed_bytes)
