"""Expulsion (取消参赛资格): no later round is paired with the entrant, what was played stays, and who entered it is told."""

from __future__ import annotations

from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.draws.queries import attendance as attendance_queries
from app.draws.rules.attendance import ActKind, NotByPointsError, swiss_stage
from app.rulings.queries import RulingView
from app.rulings.service.telling import tell_expulsion
from app.standings.service.attendance import mark, take_back
from scoring_engine.rules import Format


def _reason(given: RulingView) -> str:
    """What the attendance says of it; by this it is found again."""
    return f"取消参赛资格（判罚 {given.id}）"


def expel(ctx: CommandContext, given: RulingView) -> None:
    """Leave the entrant out of the rounds that are paired from now on. Raises as ``standings.service.attendance.mark``.

    In a knock-out the event file says it (``standings.queries.expelled``), and the standings are computed again.
    """
    number = _next_round(given)
    if number is not None:
        attendance = attendance_queries.attendance(given.event_id)
        known = attendance.presences.get(given.entrant)
        out = known.withdrawn_from if known else None
        if out is None or out > number:
            mark(
                ctx,
                given.event_id,
                entrant=given.entrant,
                kind=ActKind.WITHDRAWN,
                number=number,
                reason=_reason(given),
            )
    _recompute(ctx, given)
    tell_expulsion(ctx, given, withdrawn=False)


def take_expulsion_back(ctx: CommandContext, given: RulingView) -> None:
    """The entrant plays again: as if nothing had been where no round was paired since, else from the next one on."""
    number = _next_round(given)
    said = attendance_queries.attendance(given.event_id).of(given.entrant)
    acts = [each for each in said if each.reason == _reason(given)]
    if number is not None and acts:
        (act,) = acts
        if act.number >= number:
            take_back(ctx, given.event_id, act.id)
        else:
            mark(
                ctx,
                given.event_id,
                entrant=given.entrant,
                kind=ActKind.RETURNED,
                number=number,
                reason=f"判罚 {given.id} 已撤销",
            )
    _recompute(ctx, given)
    tell_expulsion(ctx, given, withdrawn=True)


def _recompute(ctx: CommandContext, given: RulingView) -> None:
    if competitions.event(given.event_id).regulation.scoring_rules().format is not Format.SWISS:
        competitions_service.raise_results_version(ctx, given.event_id)


def _next_round(given: RulingView) -> int | None:
    """The round that is paired next; None where none is, or not by points."""
    try:
        stage = swiss_stage(competitions.event(given.event_id).regulation)
    except NotByPointsError:
        return None
    number = attendance_queries.attendance(given.event_id).last_drawn + 1
    return number if number <= stage.rounds else None
