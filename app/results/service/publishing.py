"""Making confirmed results public (公布): one by one with their confirmation, or a round as a whole."""

from __future__ import annotations

from sqlalchemy import select

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions_queries
from app.competitions import service as competitions
from app.draws.queries.repairs import standing_round
from app.floor import queries as floor
from app.results.models import Sheet
from app.results.rules import SheetState
from app.results.rules.confirming import RoundNotReadyError, require_may_publish
from app.results.service.revising import publish


def publish_round(ctx: CommandContext, event_id: int, stage: str, number: int) -> tuple[int, ...]:
    """Publish what is confirmed and not public of a round; the numbers of the tables that are public now and were not.

    A round that is held back (逐轮公布、封盘) is published as a whole or not at all. Doing it again changes nothing. Raises ``RoundNotReadyError``, which
    names the tables that block it, ``draws.rules.UnknownRoundError``.
    """
    require_may_publish(ctx.actor, competitions_queries.event(event_id).competition_id)
    competitions.lock_event(ctx, event_id)
    round_ = standing_round(event_id, stage, number)
    run = floor.run(round_.id)
    numbers = {table.id: table.number for table in round_.tables}
    rows = ctx.session.scalars(
        select(Sheet)
        .where(Sheet.table_id.in_(numbers))
        .order_by(Sheet.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).all()
    ready = [row for row in rows if row.state == SheetState.CONFIRMED.value]
    if run.held_back:
        waiting = sorted(set(numbers.values()) - {numbers[row.table_id] for row in ready})
        if waiting:
            disputed = [numbers[row.table_id] for row in rows if row.state == SheetState.DISPUTED.value]
            raise RoundNotReadyError(waiting, sorted(disputed), clause=run.clause)
    new = [row for row in ready if row.published_revision != row.confirmed_revision]
    told = tuple(sorted(numbers[row.table_id] for row in new))
    if new:
        ctx.record(AuditAction.SHEETS_PUBLISHED, ("Round", round_.id), tables=list(told))
        publish(ctx, new, event_id=event_id, round_id=round_.id)
    return told
