"""Who handles a case, what an act needs, and what a decision must say: pure decisions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.objections.rules.refusals import (
    CaseChangedError,
    CaseStateError,
    ConflictOfInterestError,
    ObjectionRefusedError,
    StillLackingError,
)
from app.objections.rules.secrecy import (
    GIVES_AWAY,
    NAMES_SOMEBODY,
    Identity,
    gives_away,
    holds_number,
    names_one_of,
)
from app.objections.rules.states import AFTER, OPEN, CaseState, Outcome, Requirement
from app.registrations.rules import EntryId
from app.text import T

LONGEST_REASONS = 2000
LONGEST_SUMMARY = 300
LONGEST_NOTE = 500
SAME_LOOK = timedelta(minutes=5)
"""Looks of one person at one case, or one page of its files, within this time are one entry of the record."""

LONGEST_HEARING = timedelta(days=60)


class Interest(StrEnum):
    """Why a member of the committee does not handle a case (回避)."""

    RECUSED = "recused"
    LODGED = "lodged"
    LEADS = "leads"


@dataclass(frozen=True, slots=True)
class Standing:
    """A case as an act finds it. ``leaders``: who leads a unit concerned, of either side."""

    state: CaseState
    revision: int
    lacking: tuple[Requirement, ...]
    lodged_by: int | None
    leaders: frozenset[int]
    recused: frozenset[int]


def interest_of(user_id: int | None, standing: Standing) -> Interest | None:
    """Why this person does not handle the case; None where he may."""
    if user_id is None:
        return None
    if user_id in standing.recused:
        return Interest.RECUSED
    if user_id == standing.lodged_by:
        return Interest.LODGED
    return Interest.LEADS if user_id in standing.leaders else None


def free_handlers(committee: Collection[int], standing: Standing) -> frozenset[int]:
    """The members of the committee who may handle the case."""
    return frozenset(each for each in committee if interest_of(each, standing) is None)


def require_committee(actor: Actor, competition_id: int) -> None:
    """The organising committee handles objections (三(四)1): neither organiser nor referee as such."""
    actor.require(competition_id, Role.COMMITTEE)


def require_handler(actor: Actor, competition_id: int, standing: Standing) -> None:
    """A member of the committee who is not concerned. Raises ``ConflictOfInterestError``."""
    require_committee(actor, competition_id)
    interest = interest_of(actor.user_id, standing)
    if interest is not None:
        raise ConflictOfInterestError(recused=interest is Interest.RECUSED)


def require_seen(standing: Standing, seen: int | None) -> None:
    """``seen`` is the revision that was looked at. Raises ``CaseChangedError`` (409)."""
    if seen is not None and seen != standing.revision:
        raise CaseChangedError(seen, standing.revision)


def require_way(standing: Standing, to: CaseState, clause: str | None = None) -> None:
    """Whether the case may go there. Raises ``CaseStateError``."""
    if to not in AFTER[standing.state]:
        raise CaseStateError(standing.state, clause)


def require_open(standing: Standing, clause: str | None = None) -> None:
    if standing.state not in OPEN:
        raise CaseStateError(standing.state, clause)


def require_acceptable(standing: Standing, clause: str) -> None:
    """受理: nothing may be lacking."""
    if standing.lacking:
        raise StillLackingError(standing.lacking, clause)
    require_way(standing, CaseState.ACCEPTED, clause)


@dataclass(frozen=True, slots=True)
class Heard:
    """A unit objected to, whether it was asked, and what came of it."""

    unit_id: int
    due_at: datetime | None
    answered_at: datetime | None

    def counts(self, now: datetime) -> bool:
        """An answer, or the time for it is over."""
        return self.answered_at is not None or (self.due_at is not None and self.due_at <= now)


@dataclass(frozen=True, slots=True)
class DecidedEntry:
    """An entry of a case as a decision finds it: its players, whether it still stands on a list."""

    entry_id: EntryId
    players: tuple[str, ...]
    unit_name: str
    stands: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """What the committee decides. ``names``: the right names of the players of a corrected entry."""

    upheld: bool
    outcomes: Mapping[EntryId, Outcome]
    names: Mapping[EntryId, tuple[str, ...]]
    reasons: str
    summary: str
    unheard: str = ""
    """Why the other side was not heard, where it was not."""
    after_draw: bool = False
    """The round stays: who decides knows that the list was drawn from, and no list is superseded."""


AFTER_DRAW = T("已按这份名单抽签，名单不能再更正。请看“抽签之后”的两种办法，选定一种。")
PUT_OUT = "组委会取消参赛资格"
"""Why an entry plays no further round, beside its rounds, where a decision after the draw took it out."""


def check_decision(
    decision: Decision,
    *,
    drawn: bool = False,
    entries: Sequence[DecidedEntry],
    heard: Sequence[Heard],
    identity: Identity,
    now: datetime,
    clause: str,
) -> dict[EntryId, Outcome]:
    """The outcome of every entry. Raises ``ObjectionRefusedError`` with a sentence per place.

    ``drawn``: the draw was made from the list, so that what changes an entry on it must be meant for after the draw.
    """
    problems: dict[str, T] = {}
    public = [name for each in entries for name in (*each.players, each.unit_name)]
    for field, text, longest in (
        ("reasons", decision.reasons, LONGEST_REASONS),
        ("summary", decision.summary, LONGEST_SUMMARY),
    ):
        problem = text_problem(text, longest, identity, public)
        if problem is not None:
            problems[field] = problem
    if "summary" not in problems and (
        names_one_of(decision.summary, public) or holds_number(decision.summary)
    ):
        problems["summary"] = NAMES_SOMEBODY
    if not all(each.counts(now) for each in heard) and not decision.unheard.strip():
        problems["unheard"] = T("还没有听取对方意见：请先征求意见，或写明不听取的理由。")
    elif decision.unheard.strip():
        problem = text_problem(decision.unheard, LONGEST_NOTE, identity, public)
        if problem is not None:
            problems["unheard"] = problem
    outcomes = {
        each.entry_id: decision.outcomes.get(each.entry_id, Outcome.KEPT) if decision.upheld else Outcome.KEPT
        for each in entries
    }
    if decision.upheld and all(each is Outcome.KEPT for each in outcomes.values()):
        problems["outcomes"] = T("决定成立的，至少有一名选手要取消资格或更正。")
    for each in entries:
        problem = _outcome_problem(each, outcomes[each.entry_id], decision.names.get(each.entry_id, ()))
        if problem is not None:
            problems[f"outcomes.{each.entry_id}"] = problem
    changed = any(each.stands and outcomes[each.entry_id] is not Outcome.KEPT for each in entries)
    if drawn and changed and not decision.after_draw:
        problems["after_draw"] = AFTER_DRAW
    if problems:
        raise ObjectionRefusedError(problems, clause)
    return outcomes


def text_problem(text: str, longest: int, identity: Identity, public: Sequence[str] = ()) -> T | None:
    """What is wrong with a text that the other side or the public reads."""
    if not text.strip():
        return T("请填写。")
    if len(text) > longest:
        return T("最多 %(high)s 个字。", high=longest)
    return GIVES_AWAY if gives_away(text, identity, public) else None


def _outcome_problem(entry: DecidedEntry, outcome: Outcome, names: Sequence[str]) -> T | None:
    if outcome is not Outcome.CORRECTED:
        return None
    if not entry.stands:
        return T("这条报名已不在名单上，不能更正。")
    given = [name for name in names if name.strip()]
    if len(given) != len(entry.players):
        return T("请写出更正后的姓名。")
    return T("更正后的姓名与原来相同。") if tuple(given) == entry.players else None


def require_hearing_due(due_at: datetime, now: datetime) -> None:
    """An answer is due later than now, and not next year."""
    if not now < due_at <= now + LONGEST_HEARING:
        raise ObjectionRefusedError({"due_at": T("答复期限应在今后 60 天之内。")})
