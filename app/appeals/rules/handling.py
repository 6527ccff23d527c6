"""Who hears an appeal, what an act needs, and what a decision must say: pure decisions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from app.actors import Actor, Role
from app.appeals.rules.clocks import Terms
from app.appeals.rules.refusals import (
    AppealChangedError,
    AppealConflictError,
    AppealInvalidError,
    AppealStateError,
    FeeMissingError,
    OralUnconfirmedError,
)
from app.appeals.rules.states import AFTER, OPEN, AppealState
from app.objections.rules.secrecy import NAMES_SOMEBODY, holds_number, names_one_of
from app.text import T

LONGEST_TEXT = 3000
LONGEST_MINUTES = 5000
LONGEST_SUMMARY = 300
LONGEST_NOTE = 500
LONGEST_PLACE = 100
SAME_LOOK = timedelta(minutes=5)
"""Looks of one person at one case, or one page of its files, within this time are one entry of the record."""

CLERKS = (Role.REFEREE, Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who logs an oral appeal (书记), takes papers and fees in and pays refunds out."""

TREASURERS = (Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who takes an entry of the ledger back (冲正)."""

LEDGER_READERS = (Role.ORGANISER, Role.COMMITTEE, Role.CHIEF_REFEREE, Role.ARBITRATION)
DESK_READERS = (Role.REFEREE, Role.CHIEF_REFEREE, Role.COMMITTEE, Role.ARBITRATION)


class Interest(StrEnum):
    """Why a member of the arbitration committee does not hear a case (回避)."""

    RECUSED = "recused"
    LODGED = "lodged"
    LEADS = "leads"
    JUDGED = "judged"


@dataclass(frozen=True, slots=True)
class Standing:
    """An appeal as an act finds it. ``leaders``: who leads a unit at the table; ``judges``: who ruled or kept the sheet there."""

    state: AppealState
    revision: int
    lodged_by: int | None
    leaders: frozenset[int]
    judges: frozenset[int]
    recused: frozenset[int]


def interest_of(user_id: int | None, standing: Standing) -> Interest | None:
    """Why this person does not hear the case; None where he may."""
    if user_id is None:
        return None
    if user_id in standing.recused:
        return Interest.RECUSED
    if user_id == standing.lodged_by:
        return Interest.LODGED
    if user_id in standing.leaders:
        return Interest.LEADS
    return Interest.JUDGED if user_id in standing.judges else None


def free_arbiters(committee: Collection[int], standing: Standing) -> frozenset[int]:
    """The members of the arbitration committee who may hear the case."""
    return frozenset(each for each in committee if interest_of(each, standing) is None)


def require_arbiter(actor: Actor, competition_id: int, standing: Standing) -> None:
    """A member of the arbitration committee (五(二)) who is not concerned. Raises ``AppealConflictError``."""
    actor.require(competition_id, Role.ARBITRATION)
    interest = interest_of(actor.user_id, standing)
    if interest is not None:
        raise AppealConflictError(recused=interest is Interest.RECUSED)


def require_clerk(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *CLERKS)


def require_seen(standing: Standing, seen: int | None) -> None:
    """``seen`` is the revision that was looked at. Raises ``AppealChangedError`` (409)."""
    if seen is not None and seen != standing.revision:
        raise AppealChangedError(seen, standing.revision)


def require_way(standing: Standing, to: AppealState, clause: str | None = None) -> None:
    """Whether the appeal may go there. Raises ``AppealStateError``."""
    if to not in AFTER[standing.state]:
        raise AppealStateError(standing.state, clause)


def require_open(standing: Standing, clause: str | None = None) -> None:
    if standing.state not in OPEN:
        raise AppealStateError(standing.state, clause)


def require_hearable(terms: Terms, *, oral_at: datetime | None, held: int) -> None:
    """Nothing is heard without the oral appeal in time and the fee (四(二)8(十)). ``held`` in fen."""
    if terms.oral_first and terms.oral is not None and oral_at is None:
        raise OralUnconfirmedError(terms.oral.clause)
    if terms.fee is not None and held < terms.fen:
        raise FeeMissingError(terms.fee.amount, terms.fee.clause)


@dataclass(frozen=True, slots=True)
class Correction:
    """The sheet as it shall be: an earlier revision of it, or deals and outcome as the sheet of its game holds them."""

    revision: int | None = None
    deals: tuple[Mapping[str, Any], ...] = ()
    outcome: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the committee decides (裁定), and what follows where it is upheld: at least one of the last three."""

    upheld: bool
    reasons: str
    summary: str
    correction: Correction | None = None
    withdrawn: tuple[int, ...] = ()
    """Ids of rulings that no longer count."""
    measure: str = ""
    """Another measure, in words."""


@dataclass(frozen=True, slots=True)
class Open:
    """What a decision may change: the revisions of the sheet, and the rulings that stand, of this table or entrant."""

    revisions: frozenset[int]
    in_force: int | None
    rulings: frozenset[int]


def check_decision(decision: Decision, *, may: Open, names: Sequence[str], clause: str) -> None:
    """Raises ``AppealInvalidError`` with a sentence per place. ``names``: of everybody concerned, for no public text."""
    problems: dict[str, T] = {}
    if (problem := text_problem(decision.reasons, LONGEST_TEXT)) is not None:
        problems["reasons"] = problem
    if (problem := text_problem(decision.summary, LONGEST_SUMMARY)) is not None:
        problems["summary"] = problem
    elif names_one_of(decision.summary, names) or holds_number(decision.summary):
        problems["summary"] = NAMES_SOMEBODY
    if len(decision.measure) > LONGEST_NOTE:
        problems["measure"] = T("最多 %(high)s 个字。", high=LONGEST_NOTE)
    carried = decision.correction is not None or decision.withdrawn or decision.measure.strip()
    if decision.upheld and not carried:
        problems["measure"] = T("裁定成立的，请选择更正成绩、撤销判罚，或写明其他处理。")
    if not decision.upheld and carried:
        problems["upheld"] = T("驳回申诉的，不能更正成绩、撤销判罚或作其他处理。")
    if any(each not in may.rulings for each in decision.withdrawn):
        problems["withdrawn"] = T("只能撤销本轮与这件申诉有关、仍然有效的判罚。")
    correction = decision.correction
    if correction is not None and not may.revisions:
        problems["correction"] = T("这件申诉没有对应的记分表，不能更正成绩；请写明其他处理。")
    elif correction is not None and correction.revision is not None:
        if correction.revision not in may.revisions:
            problems["correction"] = T("记分表没有这一次修订。")
        elif correction.revision == may.in_force:
            problems["correction"] = T("这一次修订正在生效，更正与不更正相同。")
    if problems:
        raise AppealInvalidError(problems, clause)


def text_problem(text: str, longest: int) -> T | None:
    """What is wrong with a text that has to be there."""
    if not text.strip():
        return T("请填写。")
    return T("最多 %(high)s 个字。", high=longest) if len(text) > longest else None


def require_texts(clause: str | None = None, **texts: tuple[str, int]) -> None:
    """Each text is there and not too long, by field. Raises ``AppealInvalidError``."""
    found = {field: text_problem(text, longest) for field, (text, longest) in texts.items()}
    problems = {field: problem for field, problem in found.items() if problem is not None}
    if problems:
        raise AppealInvalidError(problems, clause)
