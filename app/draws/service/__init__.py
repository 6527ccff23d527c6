from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.actors import Role
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.draws import queries
from app.draws.models import OPEN, Division, DrawCommitment, DrawReason, DrawRuling, Round, Seat, Table
from app.draws.rules import (
    DRAWN,
    SEED_BYTES,
    AlreadyCommittedError,
    AlreadyContributedError,
    AlreadyDrawnError,
    NotCommittedError,
    SeedCommittedError,
    SeedUsedError,
    StageFromStandingsError,
    draw_proof,
    drawn_groups,
    entry_of,
    parse_contribution,
    parse_seed,
    require_enough,
    require_may_draw,
    require_same_list,
    stage_rule,
)
from app.draws.rules.repairs import parse_reason
from app.draws.rules.rulings import RulingGiven, parse_ruling_reason, require_may_rule
from app.publications import service as publications_service
from scoring_engine.pairing.commitments import commitment_of, entrants_sha256, mixed_seed
from scoring_engine.pairing.groups_of_three import Group, GroupsDraw
from scoring_engine.values import EntrantId

TOKEN_BYTES = 24
"""192 random bits in a table's address: nobody finds a score sheet by trying."""


@dataclass(frozen=True, slots=True)
class DrawSeed:
    """The seed of a draw, and the open commitment it comes from, if one was made."""

    value: bytes
    commitment: DrawCommitment | None = None


def draw(ctx: CommandContext, event_id: int, stage: str, seed: str | None = None) -> int:
    """Draw the first stage from the final published list (随机抽签分组). Returns the id of the round.

    Where a seed was committed to (``commit_seed``) it is drawn from that one, with the public contribution. Else ``seed`` is
    hexadecimal, 16 to 64 bytes; without one it is made here, and the round shows that nothing was published before.
    Raises ``UnknownStageError``, ``BadSeedError``, ``AlreadyDrawnError``, ``NotPublishedError``,
    ``PublicationRunningError``, ``ListStaleError``, ``UnlistedError``, ``RulingNeededError``, ``SeedCommittedError``, ``ListChangedError``, or
    ``StageFromStandingsError`` for a stage that is not drawn.
    """
    publication_id, event, entrants = _first_list(ctx, event_id, stage, seed)
    drawn_from = seed_for(ctx, event, stage, number=1, entrants=entrants, written=seed)
    result = drawn_groups(entrants, drawn_from.value)
    return _store(ctx, event, result, stage=stage, number=1, seed=drawn_from, publication_id=publication_id)


def commit_seed(ctx: CommandContext, event_id: int, stage: str, seed: str | None = None) -> int:
    """Commit to the seed of the first stage before it is drawn (种子承诺). Returns the id of the commitment.

    The list is frozen with it. ``seed`` as in ``draw``; without one it is made here and nobody sees it. Raises as ``draw``
    does, and ``AlreadyCommittedError``.
    """
    _, event, entrants = _first_list(ctx, event_id, stage, seed)
    return commit_to(ctx, event, stage, number=1, entrants=entrants, written=seed)


def _first_list(
    ctx: CommandContext, event_id: int, stage: str, seed: str | None
) -> tuple[int | None, EventView, Sequence[EntrantId]]:
    """Everything a draw of the first stage asks of its caller and of the list."""
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    rule = stage_rule(event.regulation, stage)
    require_seed(seed)
    # a decision on an entry and a draw wait for each other, so nobody rejected is seated
    competitions_service.lock_event(ctx, event_id)
    require_undrawn(ctx, event, stage)
    if rule is None or rule.kind != DRAWN:
        raise StageFromStandingsError(stage, rule.clause if rule else None)
    publication, entrants = queries.final_list(event, ctx.now)
    require_enough(len(entrants), event.regulation.scoring_rules())
    return publication.id if publication else None, event, entrants


def commit_to(
    ctx: CommandContext,
    event: EventView,
    stage: str,
    *,
    number: int,
    entrants: Sequence[EntrantId],
    written: str | None,
) -> int:
    """Store a commitment for a round of these entrants; the caller holds the event's lock and knows what is due.

    Raises ``AlreadyCommittedError``, ``BadSeedError``, ``SeedUsedError``.
    """
    earlier = open_commitment(ctx, event.id, stage, number)
    if earlier is not None:
        raise AlreadyCommittedError(stage, number, earlier.committed_at)
    seed = written_seed(ctx, event.id, written)
    made = DrawCommitment(
        event_id=event.id,
        stage=stage,
        number=number,
        seed=seed.hex(),
        commitment=commitment_of(seed),
        entrants=sorted(entrants),
        committed_at=ctx.now,
        committed_by_id=ctx.actor.user_id,
    )
    ctx.session.add(made)
    ctx.session.flush()
    ctx.record(
        AuditAction.DRAW_COMMITTED,
        made,
        stage=stage,
        number=number,
        commitment=made.commitment,
        entrants_sha256=entrants_sha256(made.entrants),
        own_seed=written is not None,
    )
    return made.id


def contribute(ctx: CommandContext, event_id: int, stage: str, number: int, contribution: str) -> None:
    """Write down what the public adds to the committed seed (公众数据), once, before the draw.

    Raises ``BadContributionError``, ``NotCommittedError``, ``AlreadyContributedError``.
    """
    open_one = _require_open(ctx, event_id, stage, number)
    if open_one.contribution is not None:
        raise AlreadyContributedError(open_one.contribution)
    open_one.contribution = parse_contribution(contribution)
    open_one.contributed_at = ctx.now
    ctx.session.flush()
    ctx.record(
        AuditAction.DRAW_CONTRIBUTED,
        open_one,
        stage=stage,
        number=number,
        contribution=open_one.contribution,
    )


def withdraw_commitment(ctx: CommandContext, event_id: int, stage: str, number: int, reason: str) -> None:
    """Give a commitment up before the draw (撤销承诺). Its seed, the time and the reason are public from now on.

    Raises ``NotCommittedError``, ``PrivateReasonError``.
    """
    open_one = _require_open(ctx, event_id, stage, number)
    open_one.withdrawn_at = ctx.now
    open_one.withdrawn_reason = parse_reason(reason)
    ctx.session.flush()
    ctx.record(
        AuditAction.DRAW_COMMITMENT_WITHDRAWN,
        open_one,
        stage=stage,
        number=number,
        commitment=open_one.commitment,
        reason=open_one.withdrawn_reason,
    )


def seed_for(
    ctx: CommandContext,
    event: EventView,
    stage: str,
    *,
    number: int,
    entrants: Sequence[EntrantId],
    written: str | None,
) -> DrawSeed:
    """The seed of a draw of these entrants: of the open commitment, as written, or a new one.

    Raises ``SeedCommittedError``, ``ListChangedError``, ``BadSeedError``, ``SeedUsedError``.
    """
    committed = open_commitment(ctx, event.id, stage, number)
    if committed is None:
        return DrawSeed(written_seed(ctx, event.id, written))
    if written:
        raise SeedCommittedError
    rule = event.regulation.scoring_rules().stage(stage)
    require_same_list(committed.entrants, entrants, rule.clause if rule else None)
    return DrawSeed(mixed_seed(bytes.fromhex(committed.seed), committed.contribution), committed)


def written_seed(ctx: CommandContext, event_id: int, written: str | None) -> bytes:
    """The seed as written, or a new one. Raises ``BadSeedError``; ``SeedUsedError`` where this event knows it already, be it of
    a round that stands or was taken back, or of a commitment that was drawn from, given up, or is still open."""
    if not written:
        return secrets.token_bytes(SEED_BYTES)
    seed = parse_seed(written)
    used = (
        select(Round.id).where(Round.event_id == event_id, Round.seed == seed.hex()),
        select(Division.id).where(Division.event_id == event_id, Division.seed == seed.hex()),
        select(DrawCommitment.id).where(
            DrawCommitment.event_id == event_id, DrawCommitment.commitment == commitment_of(seed)
        ),
    )
    if any(ctx.session.scalar(each.limit(1)) is not None for each in used):
        raise SeedUsedError
    return seed


def _require_open(ctx: CommandContext, event_id: int, stage: str, number: int) -> DrawCommitment:
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    stage_rule(event.regulation, stage)
    competitions_service.lock_event(ctx, event_id)  # a draw from this seed and this act wait for each other
    found = open_commitment(ctx, event_id, stage, number)
    if found is None:
        require_undrawn(ctx, event, stage, number)
        raise NotCommittedError(stage, number)
    return found


def open_commitment(ctx: CommandContext, event_id: int, stage: str, number: int) -> DrawCommitment | None:
    """The commitment that waits for the draw of a round, as it is now."""
    return ctx.session.scalar(
        select(DrawCommitment)
        .where(
            DrawCommitment.event_id == event_id,
            DrawCommitment.stage == stage,
            DrawCommitment.number == number,
            OPEN,
        )
        .execution_options(populate_existing=True)
    )


def seat(
    ctx: CommandContext,
    event: EventView,
    stage: str,
    *,
    number: int,
    tables: Sequence[Group],
    seed: DrawSeed,
    byes: Sequence[EntrantId] = (),
    publication_id: int | None = None,
    reasons: Mapping[int, Mapping[str, Any]] | None = None,
    ruling: RulingGiven | None = None,
) -> int:
    """Store a round of a later stage, a play-off (加赛), or a round paired by points with its byes (轮空), as the
    standings and the seed give it, and the ruling (裁决) it was accepted by. Returns its id.

    ``app.standings.service`` decides what is due. reasons: why people meet, as ``rules.reasons.kept`` has it. Raises
    ``AlreadyDrawnError``.
    """
    groups = GroupsDraw(tuple(tables), tuple(byes))
    round_id = _store(
        ctx, event, groups, stage=stage, number=number, seed=seed, publication_id=publication_id
    )
    ctx.session.add_all(
        DrawReason(round_id=round_id, number=place, reason=dict(reason))
        for place, reason in (reasons or {}).items()
    )
    ctx.session.flush()
    if ruling is not None:
        _store_ruling(ctx, event, round_id, ruling)
    return round_id


def _store_ruling(ctx: CommandContext, event: EventView, round_id: int, ruling: RulingGiven) -> None:
    require_may_rule(ctx.actor, event.competition_id)
    row = DrawRuling(
        round_id=round_id,
        questions=[dict(each) for each in ruling.questions],
        broken=[dict(each) for each in ruling.broken],
        reason=parse_ruling_reason(ruling.reason),
        made_as=Role.CHIEF_REFEREE.value,
        made_by_id=ctx.actor.user_id,
        made_at=ctx.now,
    )
    ctx.session.add(row)
    ctx.session.flush()
    ctx.record(
        AuditAction.RULING_ACCEPTED,
        row,
        round_id=round_id,
        reason=row.reason,
        clauses=[each["clause"] for each in row.questions],
        broken=[{"rule": each["rule"], "entrants": each["entrants"]} for each in row.broken],
    )


def require_seed(written: str | None) -> None:
    """Raises ``BadSeedError`` for a seed that cannot be one, before anything else is looked at."""
    if written:
        parse_seed(written)


def require_undrawn(ctx: CommandContext, event: EventView, stage: str, number: int = 1) -> None:
    """A round is drawn once. Raises ``AlreadyDrawnError``."""
    earlier = ctx.session.scalar(
        select(Round).where(Round.event_id == event.id, Round.stage == stage, Round.number == number)
    )
    if earlier is not None:
        rule = event.regulation.scoring_rules().stage(stage)
        clause = rule.clause if rule else None
        raise AlreadyDrawnError(stage, number, len(earlier.tables), earlier.drawn_at, clause)


def _store(
    ctx: CommandContext,
    event: EventView,
    result: GroupsDraw,
    *,
    stage: str,
    number: int,
    seed: DrawSeed,
    publication_id: int | None,
) -> int:
    entrants = sorted([*(seat for table in result.tables for seat in table), *result.direct])
    drawn = Round(
        event_id=event.id,
        stage=stage,
        number=number,
        publication_id=publication_id,
        seed=seed.value.hex(),
        drawn_at=ctx.now,
        drawn_by_id=ctx.actor.user_id,
        regulation_version_id=event.regulation_version_id,
        results_version=competitions_service.lock_event(ctx, event.id).results_version,
        entrants=entrants,
        direct=list(result.direct),
        tables=[_table(position, seats) for position, seats in enumerate(result.tables, start=1)],
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(drawn)
    except IntegrityError:
        # two people pressed the button at once: the other one's draw stands
        require_undrawn(ctx, event, stage, number)
        raise
    if seed.commitment is not None:
        seed.commitment.round_id = drawn.id
        ctx.session.flush()
    ctx.record(
        AuditAction.ROUND_DRAWN,
        drawn,
        stage=stage,
        number=number,
        seed=drawn.seed,
        entrants_sha256=entrants_sha256(entrants),
        proof=draw_proof(seed.value, result),
        commitment=seed.commitment.commitment if seed.commitment else None,
        tables=len(result.tables),
        direct=len(result.direct),
    )
    competitions_service.raise_results_version(ctx, event.id)  # the event file names the tables
    competitions_service.close_entries(ctx, event.id)
    publications_service.finish(ctx, event.id)  # every entrant has a number when the first round is there
    return drawn.id


def _table(number: int, seats: Sequence[EntrantId]) -> Table:
    return Table(
        number=number,
        token=secrets.token_urlsafe(TOKEN_BYTES),
        seats=[Seat(position=place, entry_id=entry_of(seat)) for place, seat in enumerate(seats)],
    )
