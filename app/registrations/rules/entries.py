"""States of registrations and entries, the registration window, judgements and decisions."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import NewType

from app.actors import Actor, Role
from app.registrations.rules.refusals import (
    EventFullError,
    QuotaFullError,
    RegistrationClosedError,
    RegistrationNotOpenError,
    TeamFullError,
    TeamIncompleteError,
)
from app.regulations.rules import Person, Regulation
from app.text import T

UnitId = NewType("UnitId", int)
MemberId = NewType("MemberId", int)
EntryId = NewType("EntryId", int)
RegistrationId = NewType("RegistrationId", int)

MAX_ID = 2**31 - 1
"""The largest id a column holds; a longer one in an address is nobody's, and no database is asked."""

NOTICE_VERSION = "2026-12.2"
"""The privacy notice (个人信息保护声明) in force; a new text asks for a new agreement."""


class RegistrationState(StrEnum):
    DRAFT = "draft"
    SUBMITTED = "submitted"


class EntryState(StrEnum):
    """Where one entry (报名), of a member or of a pair, stands."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


REVIEWABLE = frozenset({EntryState.SUBMITTED, EntryState.APPROVED, EntryState.REJECTED})
"""A decision may be taken, and taken back, on these; a draft was not handed in, a withdrawn one is over."""


class DecisionKind(StrEnum):
    APPROVE = "approve"
    REJECT = "reject"


class Eligibility(StrEnum):
    """What rules, review and documents say of an entry together."""

    ELIGIBLE = "eligible"
    INELIGIBLE = "ineligible"
    OVERRIDDEN = "overridden"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Decision:
    """What the committee decides on one entry; ``revision`` is the state of the entry that was looked at.

    ``reason``: why it is rejected, or why it is approved although a document that is due with it is not accepted. ``override`` (特批):
    it is approved although a rule is not met, for this reason, which only the committee reads.
    """

    entry_id: EntryId
    kind: DecisionKind
    reason: str = ""
    revision: int | None = None
    override: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """One eligibility rule applied to one person; ``refusal`` is None where the rule is met."""

    rule: T
    clause: str
    refusal: T | None


def eligibility(state: EntryState, *, breaks_a_rule: bool, overridden: bool) -> Eligibility:
    """An approved entry is eligible, by the rules or over one of them; one that breaks a rule or was rejected is not; the rest waits
    for the review, its documents among it."""
    if state is EntryState.APPROVED:
        return Eligibility.OVERRIDDEN if overridden else Eligibility.ELIGIBLE
    if breaks_a_rule or state is EntryState.REJECTED:
        return Eligibility.INELIGIBLE
    return Eligibility.PENDING


def require_open(regulation: Regulation, now: datetime) -> None:
    """Refuse outside the registration window; the deadline's own second still counts (三(三)1: 至18:00)."""
    calendar = regulation.calendar
    if calendar.registration_opens is not None and now < calendar.registration_opens:
        raise RegistrationNotOpenError(calendar.registration_opens, calendar.clause("registration_opens"))
    deadline = calendar.registration_deadline
    if not deadline.accepts(now):
        raise RegistrationClosedError(
            deadline.at,
            deadline.clause,
            by_application=regulation.registration.changes_by_application,
            still=regulation.registration.changes_after_deadline,
        )


def require_room(regulation: Regulation, entered: int) -> None:
    """Refuse one more entry of a unit whose quota is used up."""
    limit = regulation.registration.entries_per_unit
    if limit is not None and entered >= limit:
        raise QuotaFullError(limit, regulation.registration.entries_clause, pairs=regulation.in_pairs)


def require_room_in_all(regulation: Regulation, entered: int) -> None:
    """Refuse one more entry of an event whose quota is used up."""
    terms = regulation.registration
    if terms.entries_in_all is not None and entered >= terms.entries_in_all:
        raise EventFullError(terms.entries_in_all, terms.in_all_clause, pairs=regulation.in_pairs)


def require_team_room(regulation: Regulation, named: int) -> None:
    """Refuse one more member named for a unit's team that has all its members (I-B-10: 附件4 以 2 人成队)."""
    if regulation.teams is not None and named >= regulation.teams.size:
        raise TeamFullError(regulation.teams.size, regulation.teams.clause)


def require_whole_team(regulation: Regulation, named: int) -> None:
    """Refuse a form that names some of a team: all its members, or nobody."""
    if regulation.teams is not None and 0 < named < regulation.teams.size:
        raise TeamIncompleteError(named, regulation.teams.size, regulation.teams.clause)


def replaces(regulation: Regulation, standing: Set[str], newer: Set[str]) -> bool:
    """Whether a newer form voids an older one (重复填写以最新一次为准), each as the hashes of its players.

    By person: one player in both is enough. By pair: both are the same. Where the text says nothing, never.
    """
    if regulation.entry.resubmission is None:
        return False
    reading, _ = regulation.entry.resubmission
    return standing == newer if reading == "latest_per_pair" else bool(standing & newer)


def require_may_review(actor: Actor, competition_id: int) -> None:
    """Only the committee (组委会) of the competition sees and decides entries: 三(四)1."""
    actor.require(competition_id, Role.COMMITTEE)


def judgements(regulation: Regulation, person: Person) -> tuple[Judgement, ...]:
    """Every eligibility rule of the regulation with what it says about this person."""
    judged = []
    for rule in regulation.eligibility:
        refusal = rule.judge(person)
        judged.append(Judgement(rule.describe(), rule.clause, refusal.text if refusal else None))
    return tuple(judged)


def receipt_number(registration_id: int) -> str:
    """The number on the receipt (回执): ``BG-0001``."""
    return f"BG-{registration_id:04d}"


def purge_day(last_days_of_play: Iterable[date], days: int) -> date:
    """The first day on which personal data is erased: ``days`` whole days after the last day of play."""
    return max(last_days_of_play) + timedelta(days=days + 1)
