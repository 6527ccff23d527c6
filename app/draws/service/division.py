from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.queries import EventView
from app.draws import queries, service
from app.draws.models import Division
from app.draws.queries import division as divisions
from app.draws.rules import SWISS, entry_of, require_may_draw
from app.draws.rules.division import (
    DIVISION,
    AlreadyDividedError,
    NoDivisionError,
    NoGroupsError,
    divided,
    require_divisible,
)
from app.draws.rules.repairs import AnotherDrawError, parse_reason, require_last
from app.draws.service.voiding import Voiding, withdraw_all
from app.publications import service as publications_service
from app.registrations import queries as registrations
from scoring_engine.pairing.commitments import entrants_sha256
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.rules import StageRule
from scoring_engine.values import EntrantId, UnitId


def divide(ctx: CommandContext, event_id: int, *, groups: int | None = None, seed: str | None = None) -> int:
    """Draw the entrants into groups (分组抽签) before the first round. Returns the id of the division.

    ``groups``: how many; None for as few as can be. Seed, commitment and public contribution are as of every draw
    (``draws.service.draw``); the list is closed with it. Raises as ``draw`` does, and ``NoGroupsError``, ``BadGroupsError``,
    ``RulingNeededError``, ``AlreadyDividedError``, ``AlreadyDrawnError``.
    """
    event, rule, publication_id, entrants = _list(ctx, event_id, seed, groups)
    drawn_from = service.seed_for(ctx, event, SWISS, number=DIVISION, entrants=entrants, written=seed)
    drawn = divided(_with_units(entrants), rule, drawn_from.value, groups)
    made = Division(
        event_id=event_id,
        stage=SWISS,
        publication_id=publication_id,
        seed=drawn_from.value.hex(),
        entrants=sorted(entrants),
        groups=[list(members) for members in drawn],
        drawn_at=ctx.now,
        drawn_by_id=ctx.actor.user_id,
    )
    try:
        with ctx.session.begin_nested():
            ctx.session.add(made)
    except IntegrityError:
        _require_undivided(event_id, rule)  # two people pressed the button at once: the other one's stands
        raise
    if drawn_from.commitment is not None:
        drawn_from.commitment.division_id = made.id
        ctx.session.flush()
    ctx.record(
        AuditAction.ENTRANTS_DIVIDED,
        made,
        stage=SWISS,
        seed=made.seed,
        entrants_sha256=entrants_sha256(made.entrants),
        proof=proof_of(drawn_from.value, entrants, drawn, ()),
        commitment=drawn_from.commitment.commitment if drawn_from.commitment else None,
        groups=[len(members) for members in drawn],
    )
    competitions_service.raise_results_version(ctx, event_id)  # the event file names the groups
    competitions_service.close_entries(ctx, event_id)
    publications_service.finish(ctx, event_id)  # every entrant has a number when the first round is there
    return made.id


def commit_seed(
    ctx: CommandContext, event_id: int, *, groups: int | None = None, seed: str | None = None
) -> int:
    """Commit to the seed of the division (种子承诺), with the list frozen. Returns the id of the commitment.

    ``groups`` is only looked at: nobody knows the seed, so the number may still be chosen when it is drawn. Raises as
    ``divide`` does, and ``AlreadyCommittedError``.
    """
    event, _, _, entrants = _list(ctx, event_id, seed, groups)
    return service.commit_to(ctx, event, SWISS, number=DIVISION, entrants=entrants, written=seed)


def take_back(ctx: CommandContext, event_id: int, *, voiding: Voiding) -> int:
    """Take the division back (作废) before the first round is drawn; it stays, with its seed and the reason. Returns its id.

    The list can be changed and divided again. The same request twice does it once. Raises ``NoDivisionError``,
    ``AnotherDrawError``, ``LaterRoundsStandError``, ``PrivateReasonError``.
    """
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    competitions_service.lock_event(ctx, event_id)
    done = ctx.session.scalar(
        select(Division.id).where(Division.event_id == event_id, Division.void_key == voiding.idempotency_key)
    )
    if done is not None:
        return done
    row = divisions.standing_row(event_id)
    if row is None:
        raise NoDivisionError
    if row.seed != voiding.seed:
        raise AnotherDrawError(voiding.seed, row.seed)
    require_last([(each.stage, each.number) for each in queries.rounds(event_id)])
    row.voided_at = ctx.now
    row.voided_by_id = ctx.actor.user_id
    row.void_reason = parse_reason(voiding.reason)
    row.void_key = voiding.idempotency_key
    ctx.session.flush()
    ctx.record(AuditAction.DIVISION_VOIDED, row, stage=row.stage, seed=row.seed, reason=row.void_reason)
    withdraw_all(ctx, event_id, reason=row.void_reason, fell_with=f"{row.stage}-{DIVISION}")
    competitions_service.raise_results_version(ctx, event_id)
    competitions_service.reopen_entries(ctx, event_id)
    return row.id


def _list(
    ctx: CommandContext, event_id: int, seed: str | None, groups: int | None = None
) -> tuple[EventView, StageRule, int | None, Sequence[EntrantId]]:
    """Everything a division asks of its caller and of the list."""
    event = competitions.event(event_id)
    require_may_draw(ctx.actor, event.competition_id)
    service.require_seed(seed)
    rule = divisions.stage_rule(event)
    if rule is None:
        first = event.regulation.scoring_rules().stages[0]
        raise NoGroupsError(first.clause)
    competitions_service.lock_event(ctx, event_id)
    service.require_undrawn(ctx, event, SWISS)
    _require_undivided(event_id, rule)
    publication, entrants = queries.list_from_round_one(event, ctx.now)
    require_divisible(len(entrants), rule, groups)
    return event, rule, publication.id if publication else None, entrants


def _require_undivided(event_id: int, rule: StageRule) -> None:
    row = divisions.standing_row(event_id)
    if row is not None:
        raise AlreadyDividedError(len(row.groups), row.drawn_at, rule.clause)


def _with_units(entrants: Sequence[EntrantId]) -> list[tuple[EntrantId, UnitId | None]]:
    """Each with the unit that the event file names."""
    people = registrations.named(entry_of(each) for each in entrants)
    return [(each, UnitId(f"u{people[entry_of(each)].unit_id}")) for each in entrants]
