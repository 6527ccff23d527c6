"""Appeals for programs of clerks and of the arbitration committee: the desk, one appeal, every act on it, the ledger of fees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.actors import Role
from app.appeals import sending, service
from app.appeals.queries import board, cases, effects, ledger, own
from app.appeals.queries.board import DeskRow
from app.appeals.queries.cases import CaseView, Heading
from app.appeals.queries.effects import Effect
from app.appeals.rules import CLERKS, DESK_READERS, LEDGER_READERS
from app.appeals.rules.handling import TREASURERS
from app.appeals.schemas.handling import (
    AppealCaseSchema,
    AppealDecisionSchema,
    AppealHearingSchema,
    AppealMinutesSchema,
    AppealRecusalSchema,
    AppealRefusalSchema,
    DeskAppealSchema,
    EffectRequestSchema,
    EffectSchema,
    FeeKeptSchema,
    FeeLedgerSchema,
    FeeMadeSchema,
    FeeReceiptSchema,
    FeeRefundSchema,
    FeeReversalSchema,
    OralAppealSchema,
    PaperAppealSchema,
)
from app.appeals.schemas.lodging import AppealAdditionSchema
from app.commands import command
from app.competitions import queries as competitions
from app.web import current_actor, staff
from app.web.api import ApiBlueprint
from app.web.i18n import show

blueprint = ApiBlueprint(
    "appeal_cases_api", __name__, description="申诉办理 appeals in the hands of clerks and arbitration"
)

DESK = "/competitions/<slug>/appeals"
CASE = f"{DESK}/<string(maxlength=20):number>"
LEDGER = "/competitions/<slug>/appeal-fees"


@blueprint.get(DESK)
@staff(*DESK_READERS)
@blueprint.response(200, DeskAppealSchema(many=True))
def desk(slug: str) -> list[dict[str, Any]]:
    """Every appeal, the open ones first; no texts."""
    competition_id = competitions.competition_id(slug)
    clerk = current_actor().has(competition_id, *CLERKS)
    return [_row(each, clerk=clerk) for each in board.desk(competition_id, current_actor().user_id)]


@blueprint.post(DESK)
@staff(*CLERKS)
@blueprint.arguments(OralAppealSchema)
@blueprint.response(201, DeskAppealSchema)
def log_oral(body: dict[str, Any], slug: str) -> dict[str, Any]:
    """Log an oral appeal (口头申诉) with the time it was said."""
    appeal_id = sending.log_oral(slug, current_actor(), **body)
    rows = board.desk(competitions.competition_id(slug), current_actor().user_id)
    return _row(next(each for each in rows if each.head.id == appeal_id), clerk=True)


@blueprint.post(f"{CASE}/written")
@staff(*CLERKS)
@blueprint.arguments(PaperAppealSchema)
@blueprint.response(204)
def log_written(body: dict[str, Any], slug: str, number: str) -> None:
    """Take a written appeal on paper in, with the time it was handed over."""
    with command(current_actor()) as ctx:
        service.log_written(ctx, slug=slug, number=number, **body)


@blueprint.post(f"{CASE}/additions")
@staff(*CLERKS)
@blueprint.arguments(AppealAdditionSchema)
@blueprint.response(204)
def add_for(body: dict[str, Any], slug: str, number: str) -> None:
    """Add evidence that was given to a clerk."""
    with command(current_actor()) as ctx:
        service.add_for(ctx, slug=slug, number=number, **body)


@blueprint.get(CASE)
@staff(Role.ARBITRATION)
@blueprint.response(200, AppealCaseSchema)
def show_case(slug: str, number: str) -> dict[str, Any]:
    """One appeal with all its papers; the reading is on record."""
    return _case(slug, number)


@blueprint.get(f"{CASE}/effects")
@staff(Role.ARBITRATION)
@blueprint.response(200, EffectSchema(many=True))
def possible(slug: str, number: str) -> list[dict[str, Any]]:
    """What each possible decision would change: every ruling withdrawn, every earlier score in force again."""
    return [_effect(each) for each in effects.effects(_read(slug, number))]


@blueprint.post(f"{CASE}/effects")
@staff(Role.ARBITRATION)
@blueprint.arguments(EffectRequestSchema)
@blueprint.response(200, EffectSchema)
def effect(body: dict[str, Any], slug: str, number: str) -> dict[str, Any]:
    """What this decision would change; nothing is stored."""
    return _effect(effects.effect_of(_read(slug, number), **body))


@blueprint.post(f"{CASE}/hearing")
@staff(Role.ARBITRATION)
@blueprint.arguments(AppealHearingSchema)
@blueprint.response(200, AppealCaseSchema)
def set_hearing(body: dict[str, Any], slug: str, number: str) -> dict[str, Any]:
    """Say when and where both sides are heard."""
    return _act(service.set_hearing, slug, number, body)


@blueprint.post(f"{CASE}/minutes")
@staff(Role.ARBITRATION)
@blueprint.arguments(AppealMinutesSchema)
@blueprint.response(200, AppealCaseSchema)
def hear(body: dict[str, Any], slug: str, number: str) -> dict[str, Any]:
    """Enter the minutes of the hearing (听证笔录)."""
    return _act(service.hear, slug, number, body)


@blueprint.post(f"{CASE}/decision")
@staff(Role.ARBITRATION)
@blueprint.arguments(AppealDecisionSchema)
@blueprint.response(200, AppealCaseSchema)
def decide(body: dict[str, Any], slug: str, number: str) -> dict[str, Any]:
    """Uphold it, with what follows, or dismiss it; with reasons."""
    return _act(service.decide, slug, number, body)


@blueprint.post(f"{CASE}/refusal")
@staff(Role.ARBITRATION)
@blueprint.arguments(AppealRefusalSchema)
@blueprint.response(200, AppealCaseSchema)
def refuse(body: dict[str, Any], slug: str, number: str) -> dict[str, Any]:
    """Refuse it (不予受理) for what it lacks."""
    return _act(service.refuse, slug, number, body)


@blueprint.post(f"{CASE}/recusal")
@staff(Role.ARBITRATION)
@blueprint.arguments(AppealRecusalSchema)
@blueprint.response(204)
def recuse(body: dict[str, Any], slug: str, number: str) -> None:
    """Leave it to the others (回避); you no longer see it."""
    with command(current_actor()) as ctx:
        service.recuse(ctx, slug=slug, number=number, **body)


@blueprint.post(f"{CASE}/fee")
@staff(*CLERKS)
@blueprint.arguments(FeeReceiptSchema)
@blueprint.response(201, FeeMadeSchema)
def receive(body: dict[str, Any], slug: str, number: str) -> dict[str, str]:
    """Register the fee; the number of its receipt."""
    with command(current_actor()) as ctx:
        return {"number": service.receive(ctx, slug=slug, number=number, **body)}


@blueprint.post(f"{CASE}/fee/refund")
@staff(*CLERKS)
@blueprint.arguments(FeeRefundSchema)
@blueprint.response(201, FeeMadeSchema)
def refund(body: dict[str, Any], slug: str, number: str) -> dict[str, str]:
    """Pay the fee back."""
    with command(current_actor()) as ctx:
        return {"number": service.refund(ctx, slug=slug, number=number, **body)}


@blueprint.post(f"{CASE}/fee/kept")
@staff(*CLERKS)
@blueprint.arguments(FeeKeptSchema)
@blueprint.response(201, FeeMadeSchema)
def keep(body: dict[str, Any], slug: str, number: str) -> dict[str, str]:
    """Enter the fee as kept, where that was reversed and is due again."""
    with command(current_actor()) as ctx:
        return {"number": service.keep(ctx, slug=slug, number=number, **body)}


@blueprint.get(LEDGER)
@staff(*LEDGER_READERS)
@blueprint.response(200, FeeLedgerSchema)
def ledger_(slug: str) -> dict[str, Any]:
    """The ledger of fees (申诉费台账)."""
    view = ledger.ledger(competitions.competition_id(slug))
    sums = {name: getattr(view.totals, name) for name in ("received", "refunded", "kept", "held")}
    return sums | {"due": view.due, "lines": view.lines}


@blueprint.post(f"{LEDGER}/<string(maxlength=30):entry>/reversal")
@staff(*TREASURERS)
@blueprint.arguments(FeeReversalSchema)
@blueprint.response(201, FeeMadeSchema)
def reverse(body: dict[str, Any], slug: str, entry: str) -> dict[str, str]:
    """Take an entry back (冲正), with a reason."""
    with command(current_actor()) as ctx:
        return {"number": service.reverse(ctx, slug=slug, entry=entry, **body)}


def _read(slug: str, number: str) -> int:
    with command(current_actor()) as ctx:
        return service.read(ctx, slug=slug, number=number)


def _act(act: Callable[..., Any], slug: str, number: str, body: dict[str, Any]) -> dict[str, Any]:
    with command(current_actor()) as ctx:
        act(ctx, slug=slug, number=number, **body)
    return _case(slug, number)


def _case(slug: str, number: str) -> dict[str, Any]:
    view: CaseView = cases.case(_read(slug, number))
    names = (
        "text",
        "papers",
        "rulings",
        "minutes",
        "decision",
        "summary",
        "decided_by",
        "outcome",
        "steps",
        "fees",
    )
    return (
        _head(view.head)
        | {name: getattr(view, name) for name in names}
        | {
            "revision": view.head.revision,
            "others": [each.name for each in view.others],
            "hearing_at": view.head.hearing_at,
            "hearing_place": view.head.hearing_place,
            "decided_at": view.head.decided_at,
            "clause": view.head.clause,
        }
    )


def _row(each: DeskRow, *, clerk: bool) -> dict[str, Any]:
    return _head(each.head) | {
        "interest": each.interest,
        "nobody": each.nobody,
        "receipt": own.token_of(each.head.id) if clerk else None,
    }


def _head(head: Heading) -> dict[str, Any]:
    return {
        "number": head.number,
        "state": head.state,
        "subject": head.subject,
        "stage": head.stage,
        "round": head.round_number,
        "table": head.table,
        "entry": head.entry.name,
        "entry_id": head.entry.entry_id,
        "oral_at": head.oral_at,
        "oral_claimed_at": head.oral_claimed_at,
        "written_at": head.written_at,
        "written_until": head.clocks.written.at if head.clocks.written else None,
        "fee_held": head.held,
    }


def _effect(found: Effect) -> dict[str, Any]:
    return {
        "name": show(found.name),
        "revision": found.revision,
        "ruling_id": found.ruling_id,
        "refusal": show(found.refusal) if found.refusal else None,
        "document": found.document,
        "lines": [
            {"title": show(each.title), "rows": [show(row) for row in each.rows]} for each in found.lines
        ],
    }
