"""Changes after the deadline (变更申请): what a text allows, what an application needs, who may decide it. Pure decisions.

| rule | implemented |
|---|---|
| 报名截止后原则上不得变更；特殊情况须书面申请 (`registration.changes`, 三(四)2 of the beach games) | `terms_of` |
| still open after the deadline (`after_deadline`) | an application without letter: who comes new is reviewed all the same (三(四)1) |
| nothing said, or nothing allowed | refused with the clause, but for a withdrawal |
| 退赛 after the deadline, of which no text speaks | the option `late_withdrawal`, see below |
| before the deadline | the forms of registration themselves |
| once drawn, only a withdrawal | `terms_of`; the committee passes it on, what was played stays |

`late_withdrawal` is a reading: nobody can be made to play, so `free` (the default) takes a withdrawal at any time before play
without an application; by `by_application` it is a change like the others.
"""

from __future__ import annotations

from app.registrations.rules.changes.proposal import Proposal
from app.registrations.rules.changes.refusals import (
    ApplicationDecidedError,
    ApplicationMovedOnError,
    ApplicationStandsError,
    ChangeAnswerMissingError,
    ChangeRefusedError,
    ChangesClosedError,
    ChangesNotAllowedError,
    EntriesStillOpenError,
    NothingCorrectedError,
    NotOfferedError,
    NotRegisteredError,
    OtherFormsVoidedError,
    OwnApplicationError,
    UnknownApplicationError,
)
from app.registrations.rules.changes.terms import (
    CHANGEABLE,
    KIND_NAMES,
    LONGEST_REASON,
    STATE_NAMES,
    ApplicationState,
    ChangeKind,
    ChangeTerms,
    LateWithdrawal,
    late_withdrawal,
    reason_problems,
    require_other_than_leader,
    shown_state,
    terms_of,
)

__all__ = [
    "CHANGEABLE",
    "KIND_NAMES",
    "LONGEST_REASON",
    "STATE_NAMES",
    "ApplicationDecidedError",
    "ApplicationMovedOnError",
    "ApplicationStandsError",
    "ApplicationState",
    "ChangeAnswerMissingError",
    "ChangeKind",
    "ChangeRefusedError",
    "ChangeTerms",
    "ChangesClosedError",
    "ChangesNotAllowedError",
    "EntriesStillOpenError",
    "LateWithdrawal",
    "NotOfferedError",
    "NotRegisteredError",
    "NothingCorrectedError",
    "OtherFormsVoidedError",
    "OwnApplicationError",
    "Proposal",
    "UnknownApplicationError",
    "late_withdrawal",
    "reason_problems",
    "require_other_than_leader",
    "shown_state",
    "terms_of",
]
