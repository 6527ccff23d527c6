from __future__ import annotations

from app.audit.actions import AuditAction
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions import service as competitions_service
from app.draws import service as draws
from app.draws.rules import SWISS
from app.draws.rules.reasons import kept
from app.draws.rules.rulings import (
    NoQuestionError,
    NothingToAcceptError,
    QuestionChangedError,
    RulingGiven,
    SeedNotCommittedError,
    parse_ruling_reason,
    require_may_rule,
)
from app.standings import queries
from app.standings.queries.rulings import least_bad_of, question, questions_of
from app.standings.service import due_round
from scoring_engine import event_file


def accept(ctx: CommandContext, event_id: int, *, proof: str, reason: str) -> int:
    """Draw the round that is due although no draw keeps every hard rule (裁决): the chief referee accepts the one that
    breaks least. Returns the id of the round, stored with the ruling, or nothing is.

    ``proof`` is that of the draw he looked at, made from the committed seed. Raises ``NoQuestionError``,
    ``SeedNotCommittedError``, ``NothingToAcceptError``, ``QuestionChangedError``, ``RulingReasonMissingError``,
    ``ListChangedError``, and what ``draw_stage`` raises of a round that is not due.
    """
    event = competitions.event(event_id)
    require_may_rule(ctx.actor, event.competition_id)
    why = parse_ruling_reason(reason)
    due = due_round(ctx, event, None, None)
    if due.stage != SWISS:
        raise NoQuestionError
    if draws.open_commitment(ctx, event_id, due.stage, due.number) is None:
        raise SeedNotCommittedError(due.stage, due.number)
    seed = draws.seed_for(ctx, event, due.stage, number=due.number, entrants=due.entrants, written=None)
    paired = event_file.pair(queries.event_file(event_id), event.regulation.scoring_rules(), seed.value)
    if paired["needs_ruling"] is None:
        raise NoQuestionError
    report = paired["report"]
    made = least_bad_of(report)
    if made is None:
        raise NothingToAcceptError
    if made.proof != proof:
        raise QuestionChangedError(proof, made.proof)
    return draws.seat(
        ctx,
        event,
        due.stage,
        number=due.number,
        tables=made.tables,
        seed=seed,
        byes=made.byes,
        reasons=kept(report),
        ruling=RulingGiven(why, questions_of(report), report.get("broken", ())),
    )


def refuse(ctx: CommandContext, event_id: int, *, reason: str) -> None:
    """Leave the draw that breaks least: its commitment is withdrawn in public with this reason, nothing is drawn.

    Raises ``NoQuestionError``, ``SeedNotCommittedError``, ``RulingReasonMissingError``.
    """
    event = competitions.event(event_id)
    require_may_rule(ctx.actor, event.competition_id)
    why = parse_ruling_reason(reason)
    competitions_service.lock_event(ctx, event_id)
    asked = question(event, ctx.now)
    if asked is None:
        raise NoQuestionError
    committed = draws.open_commitment(ctx, event_id, asked.stage, asked.number)
    if committed is None:
        raise SeedNotCommittedError(asked.stage, asked.number)
    ctx.record(AuditAction.RULING_REFUSED, committed, stage=asked.stage, number=asked.number, reason=why)
    draws.withdraw_commitment(ctx, event_id, asked.stage, asked.number, why)
