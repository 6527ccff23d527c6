"""An appeal is decided (裁定): with reasons, after it was heard, and what was decided is carried out in the same transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from app.appeals.models import Appeal
from app.appeals.queries import people
from app.appeals.rules.handling import Correction, Decision, Open, check_decision, require_way
from app.appeals.rules.states import AppealState, StepKind
from app.appeals.service import carrying, fees, letters
from app.appeals.service.cases import Case, arbitrated, note
from app.commands import CommandContext
from app.results.models import Sheet, SheetRevision
from app.rulings.models import Ruling
from app.text import T


def decide(ctx: CommandContext, *, slug: str, number: str, revision: int, decision: Decision) -> None:
    """Uphold (成立) or dismiss (驳回) an appeal at the ``revision`` that was looked at.

    Upheld: the sheet is corrected, rulings are withdrawn, or another measure is said in words; the standings are computed
    again, also after the next draw or the final, whose seats stay. The fee is due back. Dismissed: it is kept (四(二)8(十)).
    Both sides are told. Raises ``AppealInvalidError`` with every wrong place, ``AppealChangedError``, ``AppealConflictError``.
    """
    case = arbitrated(ctx, slug, number, revision, with_event=True)
    row = case.row
    to = AppealState.UPHELD if decision.upheld else AppealState.DISMISSED
    require_way(case.standing, to, case.terms.clause)
    check_decision(decision, may=may_change(ctx, row), names=people.names_of(row), clause=case.terms.clause)
    row.decision, row.summary = decision.reasons.strip(), decision.summary.strip()
    row.decided_at, row.decided_by_id, row.clause = ctx.now, ctx.actor.user_id, case.terms.clause
    outcome = _carry_out(ctx, case, decision)
    row.outcome = outcome or None
    note(
        ctx,
        row,
        StepKind.UPHELD if decision.upheld else StepKind.DISMISSED,
        to=to,
        text=row.decision,
        details={"outcome": outcome},
        said={key: value for key, value in outcome.items() if key != "measure"},
    )
    fees.settle(ctx, case)
    letters.decided(ctx, row, case.event, done=done(row))


def may_change(ctx: CommandContext, row: Appeal) -> Open:
    """The revisions of the sheet of the table, and the rulings that stand, of the table or of who appeals in that round."""
    rulings = ctx.session.scalars(
        select(Ruling.id).where(
            Ruling.round_id == row.round_id,
            Ruling.withdrawn_at.is_(None),
            (Ruling.entry_id == row.entry_id) | (Ruling.table_id == row.table_id),
        )
    )
    sheet = ctx.session.scalar(select(Sheet).where(Sheet.table_id == row.table_id)) if row.table_id else None
    if sheet is None:
        return Open(frozenset(), None, frozenset(rulings))
    handed_in = ctx.session.scalars(
        select(SheetRevision.number).where(SheetRevision.sheet_id == sheet.id, SheetRevision.handed_in)
    )
    return Open(frozenset(handed_in), sheet.published_revision, frozenset(rulings))


def done(row: Appeal) -> tuple[T, ...]:
    """What an upheld appeal changed, in sentences."""
    outcome = row.outcome or {}
    found = []
    if "sheet_revision" in outcome:
        found.append(T("成绩已更正（记分表第 %(number)s 次修订）。", number=outcome["sheet_revision"]))
    if outcome.get("withdrawn"):
        found.append(T("已撤销 %(count)s 项判罚。", count=len(outcome["withdrawn"])))
    if outcome.get("measure"):
        found.append(T("%(measure)s", measure=outcome["measure"]))
    return tuple(found)


def _carry_out(ctx: CommandContext, case: Case, decision: Decision) -> dict[str, Any]:
    outcome: dict[str, Any] = {}
    if not decision.upheld:
        return outcome
    # rulings first: a corrected score is the whole of the sheet, whatever they had written on it
    for ruling_id in sorted(set(decision.withdrawn), reverse=True):
        carrying.lift_ruling(ctx, case.row, ruling_id)
    if decision.correction is not None:
        outcome["sheet_revision"] = _correct(ctx, case.row, decision.correction)
    if decision.withdrawn:
        outcome["withdrawn"] = sorted(set(decision.withdrawn))
    if decision.measure.strip():
        outcome["measure"] = decision.measure.strip()
    return outcome


def _correct(ctx: CommandContext, row: Appeal, correction: Correction) -> int:
    deals, outcome = correction.deals, correction.outcome
    if correction.revision is not None:
        found = ctx.session.execute(
            select(SheetRevision.deals, SheetRevision.outcome)
            .join(Sheet, Sheet.id == SheetRevision.sheet_id)
            .where(Sheet.table_id == row.table_id, SheetRevision.number == correction.revision)
        ).one()
        deals, outcome = tuple(found.deals), found.outcome
    return carrying.correct_sheet(ctx, row, deals=deals, outcome=outcome)
