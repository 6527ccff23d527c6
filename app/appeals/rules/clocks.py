"""Until when one may appeal, and what it costs: pure decisions.

| rule (四(二)8(十) of regulation A) | implemented |
|---|---|
| orally to the chief referee within 5 minutes of the round | `Clocks.oral`: counted from the round's recorded end, the last second is in time |
| in writing within 10 minutes, with the fee of 500 | `Clocks.written`; the fee is registered apart, and no appeal is heard without it |
| both are needed | `Terms.oral_first`, option `appeal_oral_first` (I-A-25) |
| upheld: the fee goes back; dismissed: it is kept | `ledger.settled_as` |
| the fee of what was never heard | silent: option `appeal_fee_unheard` (I-A-26) |

A text without these windows has no appeals here (`terms_of`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.appeals.rules.refusals import (
    AppealLateError,
    NoAppealsError,
    OralMissingError,
    RoundRunningError,
    SaidLaterError,
)
from app.regulations.rules import Deadline, Regulation
from app.regulations.rules.terms import Fee, Notice, TimeWindow
from app.text import T

ORAL, WRITTEN, CORRECTION, FEE = "appeal_oral", "appeal_written", "correction", "appeal"
COMMANDS_END = timedelta(minutes=1)
"""What began in time is through by then, however long it waited for a lock: nothing lapses before."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How one appeals by a regulation. ``oral`` is None where the text wants no oral one; ``fee`` None where it is free."""

    oral: TimeWindow | None
    written: TimeWindow
    correction: TimeWindow | None
    fee: Fee | None
    oral_first: bool
    unheard_refunded: bool

    @property
    def clause(self) -> str:
        return self.written.clause

    @property
    def fen(self) -> int:
        """The fee in fen (分); 0 where there is none."""
        return self.fee.amount * 100 if self.fee else 0


def terms_of(regulation: Regulation) -> Terms:
    """Raises ``NoAppealsError`` where the text has no window for a written appeal."""
    written = regulation.windows.get(WRITTEN)
    if written is None:
        raise NoAppealsError(interpreter_of(regulation))
    oral = regulation.windows.get(ORAL)
    return Terms(
        oral=oral,
        written=written,
        correction=regulation.windows.get(CORRECTION),
        fee=regulation.fees.get(written.fee) if written.fee else None,
        oral_first=oral is not None and regulation.options.get("appeal_oral_first", "required") == "required",
        unheard_refunded=regulation.options.get("appeal_fee_unheard", "refunded") == "refunded",
    )


def interpreter_of(regulation: Regulation) -> Notice | None:
    """The clause that says who interprets the text (解释权): whom to ask where it has no appeals."""
    return next((each for each in regulation.notices if "解释权" in each.text.zh), None)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The deadlines of one round, from its recorded end; both None while it has none."""

    terms: Terms
    ended_at: datetime | None

    @property
    def oral(self) -> Deadline | None:
        return self._deadline(self.terms.oral)

    @property
    def written(self) -> Deadline | None:
        return self._deadline(self.terms.written)

    def _deadline(self, window: TimeWindow | None) -> Deadline | None:
        if window is None or self.ended_at is None:
            return None
        return Deadline(self.ended_at + window.length, window.clause)

    def oral_open(self, now: datetime) -> bool:
        return self.oral is not None and self.oral.accepts(now)

    def written_open(self, now: datetime) -> bool:
        return self.written is not None and self.written.accepts(now)

    def lapsed(self, now: datetime) -> bool:
        """Whether a written appeal can no longer come, not even one that waits for a lock."""
        return self.written is not None and not self.written.accepts(now - COMMANDS_END)


def require_ended(clocks: Clocks) -> datetime:
    """The recorded end of the round. Raises ``RoundRunningError`` while it has none."""
    if clocks.ended_at is None:
        raise RoundRunningError(clocks.terms.clause)
    return clocks.ended_at


def require_said_in_time(clocks: Clocks, said_at: datetime, now: datetime, *, remains: T) -> None:
    """An oral appeal counts from when it was said, not from when it was logged; said before the round's end it is in time.

    Raises ``SaidLaterError`` for a moment to come, ``AppealLateError`` for the first second after the window.
    """
    require_ended(clocks)
    if said_at > now:
        raise SaidLaterError
    deadline = clocks.oral
    if deadline is not None and not deadline.accepts(said_at):
        raise AppealLateError("oral", deadline, remains=remains, field="said_at")


def require_written_in_time(clocks: Clocks, handed_at: datetime, now: datetime, *, remains: T) -> None:
    """As ``require_said_in_time``, for the written appeal and the moment it was handed over."""
    require_ended(clocks)
    if handed_at > now:
        raise SaidLaterError("handed_at")
    deadline = clocks.written
    if deadline is not None and not deadline.accepts(handed_at):
        raise AppealLateError("written", deadline, remains=remains, field="handed_at")


def require_oral(clocks: Clocks, logged_at: datetime | None, claimed_at: datetime | None) -> None:
    """A written appeal names the oral one before it: logged, or claimed with its time for the clerk to confirm.

    Raises ``OralMissingError`` where neither is there, ``AppealLateError`` for a claim that would be late.
    """
    if not clocks.terms.oral_first or logged_at is not None or clocks.oral is None:
        return
    if claimed_at is None:
        raise OralMissingError(clocks.oral)
    if not clocks.oral.accepts(claimed_at):
        raise AppealLateError("oral", clocks.oral, remains=LATE_REMAINS, field="oral_at")


LATE_REMAINS = T("对名次或记录仍有疑问的，请向组委会书面反映，由组委会决定是否核查。")


def what_remains(clocks: Clocks, published_at: datetime | None, now: datetime) -> T:
    """What somebody who is late can still do: the written appeal where an oral one was logged, a correction of the score."""
    window = clocks.terms.correction
    if window is not None and published_at is not None:
        correction = Deadline(published_at + window.length, window.clause)
        if correction.accepts(now):
            return T(
                "记分有误的，在 %(end)s 前还可以申请更正（规程 %(clause)s）；其他情况请向组委会书面反映。",
                end=correction.at,
                clause=correction.clause,
            )
    return LATE_REMAINS
