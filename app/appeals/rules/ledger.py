"""The ledger of appeal fees (申诉费台账): what may be entered, and that it balances. Amounts are whole fen (分).

Received = refunded + kept + held, for every appeal and for all of them together. Entries are never changed; a reversal takes a
whole entry back, once, and nothing is ever below zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.appeals.rules.clocks import Terms
from app.appeals.rules.refusals import (
    FeeAmountError,
    FeeNotDueError,
    FeeReceivedError,
    FeeReferenceError,
    NoFeeError,
    NothingHeldError,
    NotReversibleError,
)
from app.appeals.rules.states import DECIDED, PAID_BY, UNHEARD, AppealState, FeeKind, FeeWay

LONGEST_REFERENCE = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the ledger; ``amount`` in fen, above zero."""

    id: int
    appeal_id: int
    kind: FeeKind
    amount: int
    reverses_id: int | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums in fen, reversals taken off."""

    received: int = 0
    refunded: int = 0
    kept: int = 0

    @property
    def held(self) -> int:
        """What was received and is neither refunded nor kept (在管)."""
        return self.received - self.refunded - self.kept


def totals(entries: Iterable[Entry]) -> Totals:
    """What the entries come to. Raises ``ValueError`` for a reversal of an entry that is not among them."""
    sums = {FeeKind.RECEIVED: 0, FeeKind.REFUNDED: 0, FeeKind.KEPT: 0}
    known: dict[int, Entry] = {}
    for each in entries:
        known[each.id] = each
        if each.kind is not FeeKind.REVERSAL:
            sums[each.kind] += each.amount
            continue
        reversed_ = known.get(each.reverses_id or 0)
        if reversed_ is None or reversed_.kind is FeeKind.REVERSAL:
            raise ValueError(f"entry {each.id} reverses nothing that is there")
        sums[reversed_.kind] -= each.amount
    return Totals(sums[FeeKind.RECEIVED], sums[FeeKind.REFUNDED], sums[FeeKind.KEPT])


def settled_as(state: AppealState, terms: Terms) -> FeeKind | None:
    """What becomes of a fee that is held; None while the appeal is open.

    四(二)8(十): 败诉不退，成功退还. What was never heard goes back, or is kept by option `appeal_fee_unheard` (I-A-26).
    """
    if state is AppealState.DISMISSED:
        return FeeKind.KEPT
    if state is AppealState.UPHELD:
        refunded = terms.fee is None or terms.fee.refunded_when_won
        return FeeKind.REFUNDED if refunded else FeeKind.KEPT
    if state in UNHEARD:
        return FeeKind.REFUNDED if terms.unheard_refunded else FeeKind.KEPT
    return None


def require_receivable(
    state: AppealState, entries: Sequence[Entry], terms: Terms, *, amount: int, way: FeeWay, reference: str
) -> None:
    """Whether this fee may be registered: the whole of it, once, while the appeal is open."""
    if terms.fee is None:
        raise NoFeeError(terms.clause)
    if state in DECIDED or state in UNHEARD:
        raise FeeNotDueError(state, terms.fee.clause)
    if totals(entries).received:
        raise FeeReceivedError(terms.fee.clause)
    if amount != terms.fen:
        raise FeeAmountError(terms.fee.amount, terms.fee.clause)
    require_way(way, reference)


def require_settleable(state: AppealState, entries: Sequence[Entry], terms: Terms, kind: FeeKind) -> int:
    """How much goes back or is kept, in fen. Raises ``FeeNotDueError``, ``NothingHeldError``."""
    clause = terms.fee.clause if terms.fee else terms.clause
    if settled_as(state, terms) is not kind:
        raise FeeNotDueError(state, clause)
    held = totals(entries).held
    if held <= 0:
        raise NothingHeldError(clause)
    return held


def require_reversible(entries: Sequence[Entry], entry_id: int) -> Entry:
    """The entry that a reversal takes back. Raises ``NotReversibleError``: it is one, was taken back, or what it brought is gone."""
    found = next((each for each in entries if each.id == entry_id), None)
    if found is None or found.kind is FeeKind.REVERSAL:
        raise NotReversibleError
    if any(each.reverses_id == entry_id for each in entries):
        raise NotReversibleError
    if found.kind is FeeKind.RECEIVED and totals(entries).held < found.amount:
        raise NotReversibleError
    return found


def require_way(way: FeeWay, reference: str) -> None:
    """A transfer has a reference. Raises ``FeeReferenceError``."""
    if way not in PAID_BY or (way is FeeWay.TRANSFER and not reference.strip()):
        raise FeeReferenceError
    if len(reference) > LONGEST_REFERENCE:
        raise FeeReferenceError(longest=LONGEST_REFERENCE)


def yuan(fen: int) -> str:
    """``500``, ``500.50``: an amount in yuan as it is written."""
    whole, part = divmod(abs(fen), 100)
    sign = "−" if fen < 0 else ""
    return f"{sign}{whole}" + (f".{part:02d}" if part else "")
