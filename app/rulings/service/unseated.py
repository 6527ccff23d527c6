"""Expulsion (取消参赛资格) of somebody who has no table now: he goes straight on (直接进入复赛, 轮空), or waits for the next stage."""

from __future__ import annotations

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions_queries
from app.competitions import service as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of
from app.registrations.rules import EntryId
from app.rulings import queries
from app.rulings.models import Ruling
from app.rulings.rules import (
    EXPULSION,
    AlreadyExpelledError,
    NotInTheEventError,
    RulingKind,
    Wanted,
    parse_reason,
    require_may_give,
)
from app.rulings.rules.choices import checked, choice
from app.rulings.service.expelling import expel


def expel_unseated(
    ctx: CommandContext, event_id: int, *, entry_id: int, rule: str, reason: str, idempotency_key: str
) -> int:
    """Expel somebody who was drawn, wherever he is; the ruling is of the newest round. Its id; the same key does it once.

    Raises ``ChiefOnlyError``, ``UnknownChoiceError``, ``ParameterError``, ``RulingReasonError``, ``NotInTheEventError``,
    ``AlreadyExpelledError``, and what keeping him out of the next round raises.
    """
    competitions.lock_event(ctx, event_id)
    event = competitions_queries.event(event_id)
    chosen = choice(event.regulation, EXPULSION)
    made_as = require_may_give(
        ctx.actor, event.competition_id, chief_only=chosen.chief_only, clause=chosen.clause
    )
    before = queries.given_with_key(event_id, idempotency_key)
    if before is not None:
        return before
    why = parse_reason(reason)
    rounds, entrant = draws.rounds(event_id), entrant_of(EntryId(entry_id))
    if not any(entrant in each.entrants for each in rounds):
        raise NotInTheEventError
    newest = rounds[-1]
    checked(Wanted(EXPULSION, rule), chosen, event.regulation.scoring_rules(), newest.stage)
    rested = choice(event.regulation, rule)
    if entrant in queries.expelled(event_id):
        raise AlreadyExpelledError(queries.expelled(event_id)[entrant].person.name)
    row = Ruling(
        event_id=event_id,
        round_id=newest.id,
        table_id=None,
        entry_id=entry_id,
        kind=RulingKind.EXPULSION.value,
        rule=rule,
        clause=rested.clause,
        count=1,
        insisted=False,
        on_sheet=False,
        given_version=event.results_version,
        reason=why,
        made_as=made_as.value,
        made_by_id=ctx.actor.user_id,
        made_at=ctx.now,
        idempotency_key=idempotency_key,
    )
    ctx.session.add(row)
    ctx.session.flush()
    expel(ctx, queries.ruling(event_id, row.id))
    ctx.record(
        AuditAction.RULING_GIVEN,
        row,
        table_id=None,
        kind=row.kind,
        rule=row.rule,
        clause=row.clause,
        made_as=row.made_as,
    )
    return row.id
