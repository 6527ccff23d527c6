from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select

from app.amendments import queries
from app.amendments.rules import (
    DraftMovedError,
    NoDraftError,
    RulingUnconfirmedError,
    require_may_publish,
    require_reason,
    start_of_force,
)
from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.competitions.models import Event
from app.regulations import queries as regulations
from app.regulations import service as regulations_service
from app.regulations.models import RegulationEdition
from app.regulations.service import Amendment, EditionId


def publish(
    ctx: CommandContext,
    draft_id: int,
    *,
    reason: str,
    base_revision: int,
    ruling: bool = False,
    in_force_from: datetime | None = None,
) -> EditionId:
    """Publish a draft as the next version of its event's regulation (公布新版规程). Returns the id of the version.

    ``base_revision`` is the revision whose impact was shown. ``ruling`` says that the chief referee saw the warning:
    what makes results changes after the first result. The event runs by it from ``in_force_from`` on, at once where that
    is left out; its standings are then computed again.

    Raises what ``queries.prospect`` does, ``DraftMovedError``, ``DraftClosedError``, ``RulingUnconfirmedError``, and
    ``InvalidError`` for a reason or a moment that cannot be taken.
    """
    begun = regulations.draft(draft_id)
    event_id, competition_id = begun.event_id, begun.competition_id
    if event_id is None or competition_id is None:
        raise NoDraftError
    # nobody records, draws or publishes a list until this command ends: what is affected is computed once
    competitions_service.lock_event(ctx, event_id)
    require_may_publish(ctx.actor, competition_id, ruling=False)
    regulations_service.lock_draft(ctx, draft_id)
    draft = regulations.draft(draft_id)  # as it is now: somebody may have saved it while this waited
    if draft.revision != base_revision:
        raise DraftMovedError(draft.revision)
    written = require_reason(reason)
    starts = start_of_force(in_force_from, ctx.now)
    prospect = queries.prospect(competitions.event(event_id), draft, ctx.now)
    role = require_may_publish(ctx.actor, competition_id, ruling=prospect.ruling)
    if prospect.ruling and not ruling:
        raise RulingUnconfirmedError
    version_id = regulations_service.freeze(ctx, prospect.regulation)
    edition_id = regulations_service.continue_chain(
        ctx,
        event_id=event_id,
        version_id=version_id,
        amendment=Amendment(written, prospect.ruling, role, starts, prospect.impact),
    )
    regulations_service.close_draft(ctx, draft_id, edition_id)
    if starts <= ctx.now:
        _put_in_force(ctx, event_id)
    return edition_id


def put_in_force(ctx: CommandContext) -> int:
    """Move every event on to the newest version whose moment has come (执行). Returns how many; safe to run twice."""
    newest = (
        select(RegulationEdition.event_id, func.max(RegulationEdition.number).label("number"))
        .where(RegulationEdition.in_force_from <= ctx.now)
        .group_by(RegulationEdition.event_id)
        .subquery()
    )
    due = ctx.session.scalars(
        select(Event.id)
        .join(newest, newest.c.event_id == Event.id)
        .join(
            RegulationEdition,
            (RegulationEdition.event_id == Event.id) & (RegulationEdition.number == newest.c.number),
        )
        .where(RegulationEdition.regulation_version_id != Event.regulation_version_id)
        .order_by(Event.id)
    ).all()
    return sum(_put_in_force(ctx, event_id) for event_id in due)


def _put_in_force(ctx: CommandContext, event_id: int) -> bool:
    event = competitions_service.lock_event(ctx, event_id)
    newest = [each for each in regulations.editions(event_id) if each.in_force(ctx.now)][-1]
    if newest.regulation_version_id == event.regulation_version_id:
        return False
    event.regulation_version_id = newest.regulation_version_id
    ctx.session.flush()
    ctx.record(
        AuditAction.REGULATION_IN_FORCE,
        ("RegulationEdition", newest.id),
        event_id=event_id,
        number=newest.number,
    )
    if event.results_version:
        competitions_service.raise_results_version(ctx, event_id)
    return True
