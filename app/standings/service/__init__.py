from __future__ import annotations

from dataclasses import replace

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.models import Event
from app.competitions.queries import EventView
from app.draws import queries as draws_queries
from app.draws import service as draws
from app.draws.queries import division as divisions
from app.draws.rules import DRAWN, IN_ROUNDS, SeedUsedError, parse_seed, stage_rule
from app.draws.rules.reasons import kept
from app.jobs import Job
from app.standings import queries
from app.standings.models import StandingsSnapshot
from app.standings.queries import DueRound, computing
from app.standings.queries import lots as lots_queries
from app.standings.queries.computing import Computed
from app.standings.rules import (
    AnotherStageDueError,
    require_may_draw,
    require_no_ruling,
    require_ready,
)
from scoring_engine import event_file
from scoring_engine.stages.seeding import from_first_bidder
from scoring_engine.values import EntrantId


def recompute(ctx: CommandContext, event_id: int) -> int | None:
    """Compute the newest results version of an event into one snapshot; its id, or None where it is stored already.

    The event stays locked meanwhile: for an act that goes on from the newest standings. The worker computes first and stores
    afterwards (``queries.computing``, ``store``).
    """
    competitions_service.lock_event(ctx, event_id)
    found = computing.computed(event_id)
    return None if found is None else store(ctx, found)


def store(ctx: CommandContext, found: Computed) -> int | None:
    """Store what was computed of one results version; its id, or None where that version, or a newer one, is stored already.

    Safe to run twice, at once, or after a crash: the event's row is locked first, and the version decides. Results that came in
    while it was computed queued a job of their own.
    """
    competitions_service.lock_event(ctx, found.event_id)
    if queries.latest_version(found.event_id) >= found.results_version:
        return None
    snapshot = StandingsSnapshot(
        event_id=found.event_id,
        results_version=found.results_version,
        input_sha256=found.input_sha256,
        regulation_version_id=found.regulation_version_id,
        result=dict(found.result),
        computed_at=ctx.now,
    )
    ctx.session.add(snapshot)
    ctx.session.flush()
    ctx.record(
        AuditAction.STANDINGS_RECOMPUTED,
        snapshot,
        event_id=found.event_id,
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

    The first stage is drawn from the published list, a later one, and every round of a stage of several, from the
    standings: ``event_file.pair`` on the public event file gives anyone the same tables. Raises as
    ``draws.service.draw``; ``NextStageRefusedError`` naming the tables and people it waits for, or the ruling that is
    needed; ``AnotherStageDueError``.
    """
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    require_not_of_lots(event_id, seed)
    rule = None if stage is None else stage_rule(event.regulation, stage)
    if rule is not None and rule.kind == DRAWN:
        return draws.draw(ctx, event_id, rule.code, seed)
    due = due_round(ctx, event, stage, seed)
    drawn_from = draws.seed_for(ctx, event, due.stage, number=due.number, entrants=due.entrants, written=seed)
    paired = event_file.pair(queries.event_file(event_id), event.regulation.scoring_rules(), drawn_from.value)
    if due.in_rounds:
        require_no_ruling(paired, queries.naming(event_id))
        return draws.seat(
            ctx,
            event,
            due.stage,
            number=due.number,
            tables=[tuple(map(EntrantId, table["entrants"])) for table in paired["tables"]],
            seed=drawn_from,
            byes=tuple(map(EntrantId, paired["byes"])),
            reasons=kept(paired["report"]),
        )
    # here the first seat bids first in deal 1, and the draw says who that is (四(二)术语3, 抽签决定首叫)
    tables = [
        from_first_bidder(tuple(map(EntrantId, table["entrants"])), EntrantId(table["first_bidder"]))
        for table in paired["tables"]
    ]
    return draws.seat(ctx, event, due.stage, number=due.number, tables=tables, seed=drawn_from)


def commit_stage(
    ctx: CommandContext, event_id: int, stage: str | None = None, seed: str | None = None
) -> int:
    """Commit to the seed of ``stage``, or of whatever is due, before it is drawn (种子承诺). Returns the commitment's id.

    Raises as ``draw_stage`` does, and ``AlreadyCommittedError``.
    """
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    require_not_of_lots(event_id, seed)
    rule = None if stage is None else stage_rule(event.regulation, stage)
    if rule is not None and rule.kind == DRAWN:
        return draws.commit_seed(ctx, event_id, rule.code, seed)
    due = due_round(ctx, event, stage, seed)
    return draws.commit_to(ctx, event, due.stage, number=due.number, entrants=due.entrants, written=seed)


def require_not_of_lots(event_id: int, written: str | None) -> None:
    """No seed serves twice in an event: draws ask their own rounds, and here the lots (抽签定名次) are asked, which come after
    them. Raises ``BadSeedError``, ``SeedUsedError``."""
    if written and lots_queries.knows_seed(event_id, parse_seed(written)):
        raise SeedUsedError


def due_round(ctx: CommandContext, event: EventView, stage: str | None, seed: str | None) -> DueRound:
    """The later round that can be drawn now; no result changes until this command ends."""
    draws.require_seed(seed)
    competitions_service.lock_event(ctx, event.id)
    rule = None if stage is None else stage_rule(event.regulation, stage)
    if rule is not None and rule.kind not in IN_ROUNDS:
        draws.require_undrawn(ctx, event, rule.code)
    recompute(ctx, event.id)
    board = queries.stage_board(event.id)
    require_ready(board.next_step, board.waiting_tables, clause=board.clause)
    if board.due is None or stage not in (None, board.due.stage):
        raise AnotherStageDueError(str(stage), board.next_step.to_draw, board.clause)
    return _with_entrants(ctx, event, board.due) if board.due.in_rounds else board.due


def _with_entrants(ctx: CommandContext, event: EventView, due: DueRound) -> DueRound:
    """A round of a stage of several with whoever is in it: of the first round the final list, then whom the engine pairs."""
    if due.number == 1:
        divisions.require_divided(event, len(draws_queries.list_from_round_one(event, ctx.now)[1]))
        return replace(due, entrants=draws_queries.final_list(event, ctx.now)[1])
    if due.entrants:
        return due  # of a bracket the standings say who is left
    paired = event_file.pair(queries.event_file(event.id), event.regulation.scoring_rules())
    drawn = paired["report"].get("least_bad", paired)
    entrants = [*(entrant for table in drawn["tables"] for entrant in table["entrants"]), *drawn["byes"]]
    return replace(due, entrants=tuple(sorted(map(EntrantId, entrants))))
