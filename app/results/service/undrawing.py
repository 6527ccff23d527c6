"""Taking a round's draw back (作废), with what was entered at its tables."""

from __future__ import annotations

from sqlalchemy import select

from app.commands import CommandContext
from app.competitions import queries as competitions_queries
from app.competitions import service as competitions
from app.draws import queries as draws
from app.draws.service import voiding as draws_service
from app.draws.service.voiding import Voiding
from app.results import queries
from app.results.models import Sheet
from app.results.rules import require_deals_typed, require_may_undraw


def undraw(
    ctx: CommandContext,
    event_id: int,
    stage: str,
    number: int,
    *,
    voiding: Voiding,
    deals: int | None = None,
) -> int:
    """Take a round's draw back (作废). Returns the id of the void round; the same request twice does it once.

    Once scores were entered it takes the chief referee, who types the number of ``deals`` that no longer count, results of
    boards among them. They are kept with the void round. Raises ``UndrawingNotTypedError``, and as ``draws.service.voiding.void_round`` does.
    """
    competition_id = competitions_queries.event(event_id).competition_id
    require_may_undraw(ctx.actor, competition_id, started=False)
    competitions.lock_event(ctx, event_id)
    _hold_sheets(ctx, event_id, stage, number)
    done = draws_service.voided_by(ctx, event_id, voiding.idempotency_key)
    if done is not None:
        return done
    lost = queries.loss(event_id, stage, number)
    if lost.started:
        require_may_undraw(ctx.actor, competition_id, started=True)
    if lost.started and not lost.later:
        require_deals_typed(deals, lost.deals)
    return draws_service.void_round(
        ctx, event_id, stage, number, voiding=voiding, tables=len(lost.entered), deals=lost.deals
    )


def _hold_sheets(ctx: CommandContext, event_id: int, stage: str, number: int) -> None:
    """Nobody writes on a sheet of this round until this command ends. The event before its sheets, as handing in does."""
    found = draws.round_of(event_id, stage, number)
    tables = [table.id for table in found.tables] if found else []
    ctx.session.scalars(
        select(Sheet)
        .where(Sheet.table_id.in_(tables))
        .order_by(Sheet.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).all()
