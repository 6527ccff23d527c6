from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.draws import queries
from app.draws.models import Round, Seat, Table
from app.draws.rules import (
    DRAWN,
    SEED_BYTES,
    AlreadyDrawnError,
    StageFromStandingsError,
    draw_proof,
    drawn_groups,
    entrants_sha256,
    entry_of,
    parse_seed,
    require_enough,
    require_may_draw,
    stage_rule,
)
from scoring_engine.pairing.groups_of_three import Group, GroupsDraw
from scoring_engine.values import EntrantId

TOKEN_BYTES = 24
"""192 random bits in a table's address: nobody finds a score sheet by trying."""


def draw(ctx: CommandContext, event_id: int, stage: str, seed: str | None = None) -> int:
    """Draw the first stage from the final published list (随机抽签分组). Returns the id of the round.

    ``seed`` is hexadecimal, 16 to 64 bytes; without one it is made here. Raises ``UnknownStageError``,
    ``BadSeedError``, ``AlreadyDrawnError``, ``NotPublishedError``, ``PublicationRunningError``,
    ``RulingNeededError``, or ``StageFromStandingsError`` for a stage that is not drawn.
    """
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    rule = stage_rule(event.regulation, stage)
    seed_bytes = seed_of(seed)
    # a decision on an entry and a draw wait for each other, so nobody rejected is seated
    competitions_service.lock_event(ctx, event_id)
    require_undrawn(ctx, event, stage)
    if rule is None or rule.kind != DRAWN:
        raise StageFromStandingsError(stage, rule.clause if rule else None)
    publication, entrants = queries.final_list(event, ctx.now)
    require_enough(len(entrants), event.regulation.scoring_rules())
    result = drawn_groups(entrants, seed_bytes)
    return _store(ctx, event, result, stage=stage, number=1, seed=seed_bytes, publication_id=publication.id)


def seat(
    ctx: CommandContext, event: EventView, stage: str, *, number: int, tables: Sequence[Group], seed: bytes
) -> int:
    """Store a round of a later stage, or a play-off (加赛), as the standings and the seed give it. Returns its id.

    ``app.standings.service`` decides what is due. Raises ``AlreadyDrawnError``.
    """
    groups = GroupsDraw(tuple(tables), ())
    return _store(ctx, event, groups, stage=stage, number=number, seed=seed, publication_id=None)


def seed_of(written: str | None) -> bytes:
    """The seed as it was given, or a new one. Raises ``BadSeedError``."""
    return parse_seed(written) if written else secrets.token_bytes(SEED_BYTES)


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
    seed: bytes,
    publication_id: int | None,
) -> int:
    entrants = sorted([*(seat for table in result.tables for seat in table), *result.direct])
    drawn = Round(
        event_id=event.id,
        stage=stage,
        number=number,
        publication_id=publication_id,
        seed=seed.hex(),
        drawn_at=ctx.now,
        drawn_by_id=ctx.actor.user_id,
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
    ctx.record(
        AuditAction.ROUND_DRAWN,
        drawn,
        stage=stage,
        number=number,
        seed=drawn.seed,
        entrants_sha256=entrants_sha256(entrants),
        proof=draw_proof(seed, result),
        tables=len(result.tables),
        direct=len(result.direct),
    )
    competitions_service.raise_results_version(ctx, event.id)  # the event file names the tables
    competitions_service.close_entries(ctx, event.id)
    return drawn.id


def _table(number: int, seats: Sequence[EntrantId]) -> Table:
    return Table(
        number=number,
        token=secrets.token_urlsafe(TOKEN_BYTES),
        seats=[Seat(position=place, entry_id=entry_of(seat)) for place, seat in enumerate(seats)],
    )
