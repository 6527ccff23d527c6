"""Appeals (申诉) as pure decisions: until when, who hears them, what a decision must say, how the fee's ledger balances."""

from app.appeals.rules.clocks import Clocks, Terms, terms_of
from app.appeals.rules.handling import CLERKS, DESK_READERS, LEDGER_READERS, Correction, Decision, Interest
from app.appeals.rules.ledger import Totals, yuan
from app.appeals.rules.states import (
    DECIDED,
    FEE_KIND_NAMES,
    FEE_WAY_NAMES,
    OPEN,
    PAID_BY,
    PAPER_NAMES,
    STATE_NAMES,
    STEP_NAMES,
    SUBJECT_NAMES,
    AppealId,
    AppealState,
    FeeKind,
    FeeWay,
    Paper,
    StepKind,
    Subject,
)

__all__ = [
    "CLERKS",
    "DECIDED",
    "DESK_READERS",
    "FEE_KIND_NAMES",
    "FEE_WAY_NAMES",
    "LEDGER_READERS",
    "OPEN",
    "PAID_BY",
    "PAPER_NAMES",
    "STATE_NAMES",
    "STEP_NAMES",
    "SUBJECT_NAMES",
    "AppealId",
    "AppealState",
    "Clocks",
    "Correction",
    "Decision",
    "FeeKind",
    "FeeWay",
    "Interest",
    "Paper",
    "StepKind",
    "Subject",
    "Terms",
    "Totals",
    "terms_of",
    "yuan",
]
