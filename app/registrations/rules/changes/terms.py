"""Which change a text allows now, and what an application needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.clock import beijing_date
from app.errors import SaishiError
from app.registrations.rules.changes.refusals import (
    ChangesClosedError,
    ChangesNotAllowedError,
    EntriesStillOpenError,
    OwnApplicationError,
)
from app.registrations.rules.entries import EntryState
from app.registrations.rules.refusals import with_clause
from app.regulations.rules import Regulation
from app.regulations.rules.calendar import CalendarKey
from app.text import T

LONGEST_REASON = 500
"""Characters of a reason, and of an answer."""

CHANGEABLE = frozenset({EntryState.SUBMITTED, EntryState.APPROVED, EntryState.REJECTED})
"""Entries that an application may be about: handed in, and not over."""


class ChangeKind(StrEnum):
    """What is asked for; the value is stored."""

    ADD = "add"
    REPLACE = "replace"
    CORRECT = "correct"
    WITHDRAW = "withdraw"


KIND_NAMES: Mapping[ChangeKind, T] = {
    ChangeKind.ADD: T("增加选手"),
    ChangeKind.REPLACE: T("换人"),
    ChangeKind.CORRECT: T("更正姓名或证件号"),
    ChangeKind.WITHDRAW: T("办理退赛"),
}


class ApplicationState(StrEnum):
    """Where an application stands; the value is stored. ``OVERTAKEN``: its entry left the field another way."""

    WAITING = "waiting"
    GRANTED = "granted"
    REFUSED = "refused"
    TAKEN_BACK = "taken_back"
    OVERTAKEN = "overtaken"


STATE_NAMES: Mapping[ApplicationState, T] = {
    ApplicationState.WAITING: T("等待答复"),
    ApplicationState.GRANTED: T("已同意"),
    ApplicationState.REFUSED: T("没有同意"),
    ApplicationState.TAKEN_BACK: T("已撤回"),
    ApplicationState.OVERTAKEN: T("不再适用"),
}


class LateWithdrawal(StrEnum):
    """Values of the option ``late_withdrawal``."""

    FREE = "free"
    BY_APPLICATION = "by_application"


def late_withdrawal(regulation: Regulation) -> LateWithdrawal:
    """The reading in force of what a text says of withdrawals after the deadline."""
    return LateWithdrawal(str(regulation.options.get("late_withdrawal", LateWithdrawal.FREE.value)))


@dataclass(frozen=True, slots=True)
class ChangeTerms:
    """What holds of one kind of change at one moment.

    ``refusal``: why it is not possible now. ``written``: reason and letter are required. ``at_once``: it is done when it is
    said, and nobody answers it.
    """

    kind: ChangeKind
    clause: str
    written: bool
    at_once: bool
    refusal: SaishiError | None = None

    def require(self) -> None:
        """Raises ``refusal``."""
        if self.refusal is not None:
            raise self.refusal


def terms_of(regulation: Regulation, kind: ChangeKind, now: datetime, *, drawn: bool) -> ChangeTerms:
    """What the text says of this change now. ``drawn``: the first draw was made from the list (entries are closed)."""
    said = regulation.registration
    clause = said.changes_clause
    free = kind is ChangeKind.WITHDRAW and late_withdrawal(regulation) is LateWithdrawal.FREE
    written = said.changes_by_application and not said.changes_after_deadline and not free
    refusal: SaishiError | None = None
    deadline = regulation.calendar.registration_deadline
    if deadline.accepts(now):
        refusal = EntriesStillOpenError(deadline.at, deadline.clause)
    elif is_over(regulation, now):
        refusal = ChangesClosedError(clause, over=True)
    elif not free and not (said.changes_after_deadline or said.changes_by_application):
        refusal = ChangesNotAllowedError(clause, stated=said.changes_stated)
    elif drawn and kind is not ChangeKind.WITHDRAW:
        refusal = ChangesClosedError(clause)
    return ChangeTerms(kind, clause, written=written, at_once=free and not drawn, refusal=refusal)


def is_over(regulation: Regulation, now: datetime) -> bool:
    """Whether the last day of play is behind us; of a text whose days are not announced yet, never."""
    calendar = regulation.calendar
    known = [key for key in (CalendarKey.PLAY_TO, CalendarKey.PLAY_FROM) if key in calendar.dates]
    return bool(known) and beijing_date(now) > calendar.day(known[0])


def reason_problems(terms: ChangeTerms, reason: str, letters: int) -> dict[str, T]:
    """What is wrong with reason and letter, by field."""
    problems: dict[str, T] = {}
    if terms.written and not reason.strip():
        problems["reason"] = with_clause(T("请写明需要变更的特殊情况。"), terms.clause)
    elif len(reason.strip()) > LONGEST_REASON:
        problems["reason"] = T("请不超过 %(most)s 字。", most=LONGEST_REASON)
    if terms.written and not letters:
        problems["uploads"] = with_clause(T("请上传书面申请的照片或 PDF。"), terms.clause)
    return problems


def require_other_than_leader(leader_user_id: int, user_id: int | None) -> None:
    """Nobody decides an application of the unit he leads. Raises ``OwnApplicationError``."""
    if leader_user_id == user_id:
        raise OwnApplicationError


APPLIED = "applied"


def shown_state(state: EntryState, published: str | None, *, late: bool) -> str:
    """How an entry's state is shown to its leader. ``published``: what is shown of it by the lists, where there are any; ``late``: it
    is there by an application."""
    if late and state is EntryState.DRAFT:
        return APPLIED
    if state is EntryState.APPROVED and published is not None:
        return published
    return state.value
