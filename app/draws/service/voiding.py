from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import service as competitions_service
from app.draws import queries
from app.draws.models import OPEN, STANDS, DrawCommitment, Round, VoidRound
from app.draws.queries.division import standing_row
from app.draws.queries.repairs import standing_round
from app.draws.rules.repairs import AnotherDrawError, RepairOpenError, parse_reason, require_last


@dataclass(frozen=True, slots=True)
class Voiding:
    """What travels with taking a round back: the seed of the draw that is meant, why, and a key made once for the act."""

    seed: str
    reason: str
    idempotency_key: str


def voided_by(ctx: CommandContext, event_id: int, key: str) -> int | None:
    """The id of the round that this very request took back before, or None."""
    return ctx.session.scalar(
        select(VoidRound.round_id)
        .join(VoidRound.round)
        .where(Round.event_id == event_id, VoidRound.idempotency_key == key)
    )


def void_round(
    ctx: CommandContext, event_id: int, stage: str, number: int, *, voiding: Voiding, tables: int, deals: int
) -> int:
    """Take a round back (作废): it stays with its seed and everything entered, and can be drawn again. Returns its id.

    ``app.results.service`` asks for the permission, and says how many tables had how many deals; the caller holds the
    event's lock. Open commitments of later rounds are withdrawn with it. Raises ``UnknownRoundError``,
    ``AnotherDrawError``, ``RepairOpenError``, ``LaterRoundsStandError``.
    """
    round_ = standing_round(event_id, stage, number)
    if round_.seed != voiding.seed:
        raise AnotherDrawError(voiding.seed, round_.seed)
    if round_.repairing:
        raise RepairOpenError
    require_last([(each.stage, each.number) for each in queries.rounds(event_id) if each.id > round_.id])
    row = ctx.session.get_one(Round, round_.id)
    void = VoidRound(
        round_id=row.id,
        number=row.number,
        voided_at=ctx.now,
        voided_by_id=ctx.actor.user_id,
        reason=parse_reason(voiding.reason),
        tables=tables,
        deals=deals,
        idempotency_key=voiding.idempotency_key,
    )
    row.number = -row.id
    ctx.session.add(void)
    ctx.session.flush()
    ctx.record(
        AuditAction.ROUND_VOIDED,
        row,
        stage=stage,
        number=number,
        seed=row.seed,
        reason=void.reason,
        tables=tables,
        deals=deals,
    )
    withdraw_all(ctx, event_id, reason=void.reason, fell_with=f"{stage}-{number}")
    competitions_service.raise_results_version(ctx, event_id)
    standing = ctx.session.scalar(
        select(func.count()).select_from(Round).where(Round.event_id == event_id, STANDS)
    )
    if not standing and standing_row(event_id) is None:
        competitions_service.reopen_entries(ctx, event_id)
    return row.id


def withdraw_all(ctx: CommandContext, event_id: int, *, reason: str, fell_with: str) -> None:
    """Every open commitment falls with what was taken back: it froze a list, and a seed, that hung on it. Its seed is public from
    now on, with the same reason, and whoever draws that round later commits anew. The caller holds the event's lock."""
    for open_one in ctx.session.scalars(
        select(DrawCommitment)
        .where(DrawCommitment.event_id == event_id, OPEN)
        .order_by(DrawCommitment.id)
        .execution_options(populate_existing=True)
    ):
        open_one.withdrawn_at = ctx.now
        open_one.withdrawn_reason = reason
        open_one.withdrawn_with = fell_with
        ctx.session.flush()
        ctx.record(
            AuditAction.DRAW_COMMITMENT_WITHDRAWN,
            open_one,
            stage=open_one.stage,
            number=open_one.number,
            commitment=open_one.commitment,
            reason=reason,
            fell_with=fell_with,
        )


def start_round(ctx: CommandContext, round_id: int) -> None:
    """The first score of a round is being entered; the caller holds the event's lock and records it."""
    row = ctx.session.get_one(Round, round_id, populate_existing=True)
    if row.started_at is None:  # else a request that changes nothing would write, and record nothing
        row.started_at = ctx.now
