from __future__ import annotations

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.draws import service as draws
from app.draws.rules import AlreadyContributedError, parse_contribution
from app.draws.rules.repairs import parse_reason
from app.standings import queries
from app.standings.models import LotsDraw
from app.standings.rules import require_may_draw
from app.standings.rules.lots import (
    LotsCommittedError,
    LotsDrawnError,
    LotsNotCommittedError,
    NoLotsError,
    Ties,
    clause_of,
    drawn,
    ties_of,
)
from app.standings.service import recompute, require_not_of_lots
from scoring_engine.pairing.commitments import commitment_of, entrants_sha256, mixed_seed


def commit_lots(ctx: CommandContext, event_id: int, seed: str | None = None) -> int:
    """Commit to the seed of the lots that equal ranks need (抽签定名次). Returns the id. ``seed`` as of a draw.

    Raises ``NoLotsError``, ``LotsDrawnError``, ``LotsCommittedError``, ``BadSeedError``, ``SeedUsedError``.
    """
    _, ties, standing = _due(ctx, event_id)
    if standing is not None:
        raise LotsCommittedError
    row = _stored(ctx, event_id, ties, seed, committed=True)
    ctx.record(
        AuditAction.LOTS_COMMITTED,
        row,
        commitment=row.commitment,
        entrants_sha256=entrants_sha256(row.entrants),
        own_seed=seed is not None,
    )
    return row.id


def contribute_to_lots(ctx: CommandContext, event_id: int, contribution: str) -> None:
    """Write down what the public adds to the committed seed, once. Raises ``LotsNotCommittedError``,
    ``BadContributionError``, ``AlreadyContributedError``."""
    row = _open(ctx, event_id)
    if row.contribution is not None:
        raise AlreadyContributedError(row.contribution)
    row.contribution, row.contributed_at = parse_contribution(contribution), ctx.now
    ctx.session.flush()
    ctx.record(AuditAction.LOTS_CONTRIBUTED, row, contribution=row.contribution)


def withdraw_lots(ctx: CommandContext, event_id: int, reason: str) -> None:
    """Give a commitment up before the lots are drawn; its seed and the reason are public from now on."""
    row = _open(ctx, event_id)
    row.withdrawn_at, row.withdrawn_reason = ctx.now, parse_reason(reason)
    ctx.session.flush()
    ctx.record(AuditAction.LOTS_WITHDRAWN, row, commitment=row.commitment, reason=row.withdrawn_reason)


def draw_lots(ctx: CommandContext, event_id: int, seed: str | None = None) -> int:
    """Draw the lots: from the committed seed, else from ``seed`` or one made here. Returns the id.

    Raises ``NoLotsError``, ``LotsDrawnError``, ``LotsCommittedError`` for a seed beside a committed one, ``BadSeedError``,
    ``SeedUsedError``.
    """
    event, ties, row = _due(ctx, event_id)
    if row is not None and seed:
        raise LotsCommittedError
    if row is None:
        row = _stored(ctx, event_id, ties, seed, committed=False)
    used = mixed_seed(bytes.fromhex(row.seed), row.contribution)
    row.ties, row.team_ties = drawn(ties, used)
    row.drawn_at, row.drawn_by_id = ctx.now, ctx.actor.user_id
    ctx.session.flush()
    ctx.record(AuditAction.LOTS_DRAWN, row, seed=used.hex(), ties=row.ties, team_ties=row.team_ties)
    competitions_service.raise_results_version(ctx, event.id)
    return row.id


def _due(ctx: CommandContext, event_id: int) -> tuple[EventView, Ties, LotsDraw | None]:
    """The ties that lots have to decide now, and the open commitment; lots of another list than now took part fall."""
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    competitions_service.lock_event(ctx, event_id)
    recompute(ctx, event_id)
    rules = event.regulation.scoring_rules()
    snapshot = queries.latest(event_id)
    row = _standing(ctx, event_id)
    if row is not None and row.drawn_at is not None and snapshot is not None:
        took_part = sorted(placing["entrant"] for placing in snapshot.result["placings"])
        if took_part == row.entrants:
            raise LotsDrawnError(row.drawn_at, clause_of(rules))
    ties = None if snapshot is None else ties_of(snapshot.result, rules)
    if ties is None:
        raise NoLotsError(clause_of(rules))
    if row is not None and tuple(row.entrants) != ties.everybody:
        row.withdrawn_at, row.withdrawn_reason = ctx.now, None
        ctx.session.flush()
        ctx.record(AuditAction.LOTS_WITHDRAWN, row, commitment=row.commitment, reason=None)
        row = None
    return event, ties, row


def _stored(ctx: CommandContext, event_id: int, ties: Ties, seed: str | None, *, committed: bool) -> LotsDraw:
    value = draws.written_seed(ctx, event_id, seed)
    require_not_of_lots(event_id, seed)
    row = LotsDraw(
        event_id=event_id,
        seed=value.hex(),
        commitment=commitment_of(value),
        committed=committed,
        committed_at=ctx.now,
        committed_by_id=ctx.actor.user_id,
        entrants=list(ties.everybody),
        ties=[list(tie) for tie in ties.entrants],
        team_ties=[list(tie) for tie in ties.teams],
    )
    ctx.session.add(row)
    ctx.session.flush()
    return row


def _standing(ctx: CommandContext, event_id: int) -> LotsDraw | None:
    return ctx.session.scalar(
        select(LotsDraw)
        .where(LotsDraw.event_id == event_id, LotsDraw.withdrawn_at.is_(None))
        .execution_options(populate_existing=True)
    )


def _open(ctx: CommandContext, event_id: int) -> LotsDraw:
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    competitions_service.lock_event(ctx, event_id)
    row = _standing(ctx, event_id)
    if row is None or row.drawn_at is not None:
        raise LotsNotCommittedError
    return row
