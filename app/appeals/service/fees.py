"""The fee of an appeal (申诉费): it comes in, goes back or is kept; each is an entry of the ledger, and none is ever changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from sqlalchemy import func, select

from app.appeals.models import FeeEntry
from app.appeals.queries import ledger
from app.appeals.rules.handling import TREASURERS, require_texts
from app.appeals.rules.ledger import (
    require_receivable,
    require_reversible,
    require_settleable,
    require_way,
    settled_as,
    totals,
)
from app.appeals.rules.refusals import NotReversibleError
from app.appeals.rules.states import AppealState, FeeKind, FeeWay, StepKind, receipt_number
from app.appeals.service.cases import Case, clerked, note
from app.commands import CommandContext
from app.competitions import queries as competitions
from app.competitions.models import Competition

LONGEST_REASON = 200
STEPS: Mapping[FeeKind, StepKind] = {
    FeeKind.RECEIVED: StepKind.FEE_RECEIVED,
    FeeKind.REFUNDED: StepKind.FEE_REFUNDED,
    FeeKind.KEPT: StepKind.FEE_KEPT,
    FeeKind.REVERSAL: StepKind.FEE_REVERSED,
}


def receive(
    ctx: CommandContext,
    *,
    slug: str,
    number: str,
    amount: int,
    way: FeeWay,
    reference: str = "",
    idempotency_key: str,
) -> str:
    """Register the fee (收取), by a clerk; ``amount`` in fen. The number of the receipt; the same key again is the same receipt.

    Raises ``FeeAmountError``, ``FeeReferenceError``, ``FeeReceivedError``, ``FeeNotDueError``, ``NoFeeError``.
    """
    case = clerked(ctx, slug, number, with_event=True)
    if (repeated := _repeated(ctx, case, idempotency_key)) is not None:
        return repeated
    require_receivable(
        case.standing.state,
        ledger.entries(case.row.id),
        case.terms,
        amount=amount,
        way=way,
        reference=reference,
    )
    return _enter(ctx, case, FeeKind.RECEIVED, amount, way, reference=reference, key=idempotency_key)


def refund(
    ctx: CommandContext,
    *,
    slug: str,
    number: str,
    way: FeeWay,
    reference: str = "",
    idempotency_key: str,
) -> str:
    """Pay the fee back (退还), by a clerk, once the appeal calls for it. As ``receive``; whatever is held goes back, once."""
    case = clerked(ctx, slug, number, with_event=True)
    if (repeated := _repeated(ctx, case, idempotency_key)) is not None:
        return repeated
    held = require_settleable(case.standing.state, ledger.entries(case.row.id), case.terms, FeeKind.REFUNDED)
    require_way(way, reference)
    return _enter(ctx, case, FeeKind.REFUNDED, held, way, reference=reference, key=idempotency_key)


def keep(ctx: CommandContext, *, slug: str, number: str, idempotency_key: str) -> str:
    """Enter the fee as kept (不退), where that was taken back and is due again. As ``refund``."""
    case = clerked(ctx, slug, number, with_event=True)
    if (repeated := _repeated(ctx, case, idempotency_key)) is not None:
        return repeated
    held = require_settleable(case.standing.state, ledger.entries(case.row.id), case.terms, FeeKind.KEPT)
    return _enter(ctx, case, FeeKind.KEPT, held, FeeWay.BOOK, key=idempotency_key)


def reverse(ctx: CommandContext, *, slug: str, entry: str, reason: str, idempotency_key: str) -> str:
    """Take an entry of the ledger back (冲正), whole and with a reason, by the chief referee or the committee.

    ``entry`` is its number. Raises ``NotReversibleError``: also for one that was taken back already.
    """
    ctx.actor.require(competitions.competition_id(slug), *TREASURERS)
    row = ctx.session.scalar(
        select(FeeEntry).where(
            FeeEntry.number == entry, FeeEntry.competition_id == competitions.competition_id(slug)
        )
    )
    if row is None:
        raise NotReversibleError
    appeal = next(line.appeal for line in ledger.of_appeal(row.appeal_id))
    case = clerked(ctx, slug, appeal, with_event=True)
    if (repeated := _repeated(ctx, case, idempotency_key)) is not None:
        return repeated
    require_texts(reason=(reason, LONGEST_REASON))
    taken = require_reversible(ledger.entries(case.row.id), row.id)
    return _enter(
        ctx,
        case,
        FeeKind.REVERSAL,
        taken.amount,
        FeeWay(row.way),
        reason=reason.strip(),
        reverses_id=row.id,
        key=idempotency_key,
    )


def settle(ctx: CommandContext, case: Case) -> None:
    """After an appeal has ended: what is held and kept is entered at once; what goes back waits for a clerk to pay it."""
    ctx.session.flush()
    entries = ledger.entries(case.row.id)
    held = totals(entries).held
    if held > 0 and settled_as(AppealState(case.row.state), case.terms) is FeeKind.KEPT:
        _enter(ctx, case, FeeKind.KEPT, held, FeeWay.BOOK, key=f"kept {case.row.number} {case.row.revision}")


def _enter(
    ctx: CommandContext,
    case: Case,
    kind: FeeKind,
    amount: int,
    way: FeeWay,
    *,
    key: str,
    reference: str = "",
    reason: str | None = None,
    reverses_id: int | None = None,
) -> str:
    competition_id = case.row.competition_id
    # events of one competition share its ledger, whose numbers have no gap
    ctx.session.get_one(
        Competition, competition_id, with_for_update={"key_share": True}, populate_existing=True
    )
    place = ctx.session.scalar(
        select(func.count()).select_from(FeeEntry).where(FeeEntry.competition_id == competition_id)
    )
    row = FeeEntry(
        competition_id=competition_id,
        appeal_id=case.row.id,
        number=receipt_number(competition_id, (place or 0) + 1, ctx.now),
        kind=kind.value,
        amount=amount,
        way=way.value,
        reference=reference.strip() or None,
        reverses_id=reverses_id,
        reason=reason,
        at=ctx.now,
        by_id=ctx.actor.user_id,
        idempotency_key=_key(case, key),
    )
    ctx.session.add(row)
    ctx.session.flush()
    details = {"receipt": row.number, "amount": amount, "way": way.value}
    note(ctx, case.row, STEPS[kind], details=details, text=reason, said=details)
    return row.number


def _repeated(ctx: CommandContext, case: Case, key: str) -> str | None:
    return ctx.session.scalar(
        select(FeeEntry.number).where(
            FeeEntry.competition_id == case.row.competition_id, FeeEntry.idempotency_key == _key(case, key)
        )
    )


def _key(case: Case, key: str) -> str:
    return hashlib.sha256(f"{case.row.number} {key}".encode()).hexdigest()
