"""Who reviews a document (审核材料), how long it is his, and what a decision must say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.actors import Actor, Role
from app.documents.rules.fields import DocumentField, FieldType
from app.documents.rules.states import (
    HOLDER,
    PAGES,
    PLACE_NAMES,
    REASONS,
    DocumentState,
    Reason,
)
from app.documents.rules.verdicts import Verdict, first_broken
from app.errors import ConflictError, InvalidError, RefusedError
from app.registrations.rules.refusals import WRONG_FIELDS, with_clause
from app.text import T

REVIEWERS = (Role.COMMITTEE, Role.ORGANISER)

CLAIM_FOR = timedelta(minutes=10)
"""How long a document belongs to the reviewer who took it; what he does with it begins the time anew."""

RENEW_AFTER = timedelta(minutes=2)
"""A claim this old is renewed by activity; a younger one stays as it is, so that a look is not a write each time."""

SAME_LOOK = timedelta(minutes=5)
"""Looks of one person at one picture within this time are one entry of the record."""

OTHER = "other"
LONGEST_REASON = 200
MOST_AT_ONCE = 50
"""Documents of one batch: as many as somebody can really look at on one page."""

LEADER = "leader"
"""As what a leader looks at the documents of his own unit; reviewers by their role."""

TAKING_BACK = "decision"
"""The place under which the reason for taking a decision back is stored."""


class DecisionKind(StrEnum):
    ACCEPT = "accepted"
    NEEDS_CHANGES = "needs_changes"
    REJECT = "rejected"
    TAKEN_BACK = "taken_back"


class PictureKind(StrEnum):
    """What of a page is looked at: the picture on the screen, its small one, or the file itself."""

    PREVIEW = "preview"
    THUMBNAIL = "thumbnail"
    CONTENT = "content"


STATE_AFTER: Mapping[DecisionKind, DocumentState] = {
    DecisionKind.ACCEPT: DocumentState.ACCEPTED,
    DecisionKind.NEEDS_CHANGES: DocumentState.NEEDS_CHANGES,
    DecisionKind.REJECT: DocumentState.REJECTED,
    DecisionKind.TAKEN_BACK: DocumentState.UPLOADED,
}

DECIDED = frozenset(STATE_AFTER.values()) - {DocumentState.UPLOADED}

_OF_PAGES = ("unreadable", "incomplete", "other_document", "no_seal", "not_signed", "other")
_OF_HOLDER = ("other_person", "differs", "unreadable", "other")
_OF_DATES = ("differs", "not_valid", "unreadable", "other")
_OF_TEXTS = ("differs", "unreadable", "other")


def places_of(fields: Sequence[DocumentField]) -> Mapping[str, T]:
    """What a reason can be about: the pictures, whose name they bear, and each typed field; with the name of each."""
    return {**PLACE_NAMES, **{each.name: each.label for each in fields}}


def reasons_for(place: str, fields: Sequence[DocumentField]) -> Mapping[str, T]:
    """The list of reasons that fit a place; empty where the kind of document has no such place."""
    fitting: tuple[str, ...]
    if place == PAGES:
        fitting = _OF_PAGES
    elif place == HOLDER:
        fitting = _OF_HOLDER
    else:
        kinds = {each.name: each.type for each in fields}
        if place not in kinds:
            return {}
        fitting = _OF_DATES if kinds[place] is FieldType.DATE else _OF_TEXTS
    return {code: REASONS[code] for code in fitting}


@dataclass(frozen=True, slots=True)
class Written:
    """What a reviewer chose and typed at one place; either may be empty."""

    code: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who took the document for review, and until when."""

    by: int
    until: datetime

    def holds(self, now: datetime) -> bool:
        """The last moment still belongs to the claim."""
        return now <= self.until

    def keeps_out(self, user_id: int | None, now: datetime) -> bool:
        return self.by != user_id and self.holds(now)


@dataclass(frozen=True, slots=True)
class Standing:
    """A document as a decision finds it."""

    state: DocumentState
    revision: int
    leader_user_id: int
    claim: Claim | None
    fields: tuple[DocumentField, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


def require_may_review(actor: Actor, competition_id: int) -> None:
    """Committee or organiser of this very competition."""
    actor.require(competition_id, *REVIEWERS)


def reader_of(actor: Actor, competition_id: int, leader_user_id: int) -> str | None:
    """As what somebody may look at the pictures: a reviewer of the competition, or the unit's leader; None for others."""
    actor.require_signed_in()
    if actor.user_id == leader_user_id:
        return LEADER
    return next((role.value for role in REVIEWERS if actor.has(competition_id, role)), None)


def require_not_own(actor: Actor, leader_user_id: int) -> None:
    """Nobody decides on the documents of the unit he leads."""
    if actor.user_id == leader_user_id:
        raise OwnUnitError


def claim_for(actor: Actor, standing: Standing, now: datetime) -> Claim:
    """The claim that ``actor`` gets on the document now. Raises where it is another's, or there is nothing to review."""
    user_id = actor.require_signed_in()
    require_not_own(actor, standing.leader_user_id)
    if standing.state is not DocumentState.UPLOADED:
        raise AlreadyDecidedError(standing.state)
    if standing.claim is not None and standing.claim.keeps_out(user_id, now):
        raise ClaimedError(standing.claim.until)
    return Claim(user_id, now + CLAIM_FOR)


def is_young(claim: Claim, now: datetime) -> bool:
    """Whether a claim was made or renewed just now, so that activity need not renew it again."""
    return claim.until - now > CLAIM_FOR - RENEW_AFTER


def require_decidable(actor: Actor, standing: Standing, seen_revision: int, now: datetime) -> None:
    """Refuse a decision on what was decided, replaced or taken over meanwhile.

    A claim that ran out but that nobody took over is still the reviewer's: nobody else can have decided.
    """
    require_not_own(actor, standing.leader_user_id)
    if seen_revision != standing.revision:
        raise DocumentChangedError(seen_revision, standing.revision)
    if standing.state is not DocumentState.UPLOADED:
        raise AlreadyDecidedError(standing.state)
    if standing.claim is None or standing.claim.by != actor.user_id:
        raise ClaimLostError(standing.claim.until if standing.claim and standing.claim.holds(now) else None)


def check_reasons(
    kind: DecisionKind, written: Mapping[str, Written], fields: Sequence[DocumentField]
) -> dict[str, Reason]:
    """The reasons that a decision gives, by place. Raises ``DecisionRefusedError`` with a sentence per place."""
    problems: dict[str, T] = {}
    given: dict[str, Reason] = {}
    for place, each in written.items():
        code, text = each.code.strip(), each.text.strip()
        if not code and not text:
            continue
        fitting = reasons_for(place, fields)
        if not fitting:
            problems[f"reasons.{place}"] = T("这种材料没有这一项。")
        elif code and code not in fitting:
            problems[f"reasons.{place}.code"] = T("请从列表中选择原因，或写明原因。")
        elif code == OTHER and not text:
            problems[f"reasons.{place}.text"] = T("请写明原因，领队会看到。")
        elif len(text) > LONGEST_REASON:
            problems[f"reasons.{place}.text"] = T("最多 %(high)s 个字。", high=LONGEST_REASON)
        else:
            given[place] = Reason(code or OTHER, text)
    if kind is DecisionKind.ACCEPT and (given or problems):
        raise DecisionRefusedError({"reasons": T("写了原因的材料不能通过；请清空原因，或选择“需补正”。")})
    if kind is not DecisionKind.ACCEPT and not given and not problems:
        problems["reasons"] = T("请至少在一处选择或写明原因，领队会看到。")
    if problems:
        raise DecisionRefusedError(problems)
    return given


def require_acceptable(verdicts: Sequence[Verdict]) -> None:
    """A document whose typed dates break the regulation is not accepted; if a date is mistyped, it is sent back."""
    broken = first_broken(verdicts)
    if broken is not None and broken.refusal is not None:
        raise NotAcceptableError(broken.refusal, broken.clause)


def batch_problem(
    actor: Actor, standing: Standing, seen_revision: int, looked: bool, now: datetime
) -> T | None:
    """Why a document is not accepted together with others; None where it may be."""
    if actor.user_id == standing.leader_user_id:
        return OwnUnitError().text
    if seen_revision != standing.revision:
        return DocumentChangedError(seen_revision, standing.revision).text
    if standing.state is not DocumentState.UPLOADED:
        return AlreadyDecidedError(standing.state).text
    if standing.claim is not None and standing.claim.keeps_out(actor.user_id, now):
        return ClaimedError(standing.claim.until).text
    broken = first_broken(standing.verdicts)
    if broken is not None and broken.refusal is not None:
        return with_clause(broken.refusal, broken.clause)
    if not looked:
        return T("您还没有看过它的图片，不能通过。")
    return None


def require_may_take_back(
    actor: Actor, standing: Standing, reason: str, *, listed: bool, clause: str | None
) -> None:
    """A decision is taken back with a reason, until the list is published (公示); then a ruling is needed."""
    require_not_own(actor, standing.leader_user_id)
    if standing.state not in DECIDED:
        raise NothingToTakeBackError
    if listed:
        raise ListPublishedError(clause)
    if not reason.strip():
        raise DecisionRefusedError({"reason": T("请写明撤回的原因。")})
    if len(reason) > LONGEST_REASON:
        raise DecisionRefusedError({"reason": T("最多 %(high)s 个字。", high=LONGEST_REASON)})


STATE_NAMES: Mapping[DocumentState, T] = {
    DocumentState.UPLOADED: T("待审核"),
    DocumentState.NEEDS_CHANGES: T("需补正"),
    DocumentState.ACCEPTED: T("已通过"),
    DocumentState.REJECTED: T("未通过"),
    DocumentState.WITHDRAWN: T("已撤回"),
}


class OwnUnitError(RefusedError):
    """A reviewer who leads the unit himself."""

    code = "own_unit"

    def __init__(self) -> None:
        super().__init__(
            T("这是您自己单位的材料，不能由您审核。"), next_step=T("请由组委会的另一位成员审核。")
        )


class ClaimedError(ConflictError):
    """Another reviewer has the document."""

    code = "document_claimed"

    def __init__(self, until: datetime) -> None:
        super().__init__(
            T("另一位审核人正在看这份材料，%(until)s 前由他处理。", until=until),
            next_step=T("请先审核下一份。"),
            extra={"claimed_until": until.isoformat()},
        )


class ClaimLostError(ConflictError):
    """The document is not, or no longer, with this reviewer."""

    code = "claim_lost"

    def __init__(self, other_until: datetime | None) -> None:
        super().__init__(
            T("这份材料不在您手中，这次决定没有保存，填写的原因还在。")
            if other_until is None
            else T("这份材料已由另一位审核人接手，这次决定没有保存，填写的原因还在。"),
            next_step=T("请先点“开始审核”，再提交。")
            if other_until is None
            else T("请等到 %(until)s，或审核下一份。", until=other_until),
        )


class AlreadyDecidedError(ConflictError):
    """Somebody decided it meanwhile."""

    code = "document_decided"

    def __init__(self, state: DocumentState) -> None:
        super().__init__(
            T("这份材料已审核（%(state)s），没有重复保存。", state=STATE_NAMES[state]),
            next_step=T("如需更改，请先撤回原来的决定。"),
            extra={"state": state.value},
        )


class DocumentChangedError(ConflictError):
    """The leader handed the document in anew after the page was opened."""

    code = "document_changed"

    def __init__(self, seen: int, now: int) -> None:
        super().__init__(
            T(
                "领队已重新提交这份材料（第 %(now)s 次，您看的是第 %(seen)s 次），这次决定没有保存。",
                now=now,
                seen=seen,
            ),
            next_step=T("请查看新的图片后再决定；填写的原因还在。"),
            extra={"seen": seen, "revision": now},
        )


class NotAcceptableError(RefusedError):
    code = "not_acceptable"

    def __init__(self, refusal: T, clause: str) -> None:
        super().__init__(
            refusal,
            clause=clause,
            next_step=T("如果日期填写有误，请选择“需补正”并注明日期不符。"),
        )


class DecisionRefusedError(InvalidError):
    """A decision that lacks something, or a batch in which some cannot stand; nothing is stored."""

    code = "decision_refused"

    def __init__(self, fields: Mapping[str, T]) -> None:
        sentence = next(iter(fields.values())) if len(fields) == 1 else WRONG_FIELDS
        super().__init__(sentence, fields=fields, next_step=T("请改正标出的地方再提交；已填的内容都还在。"))


class NothingToTakeBackError(RefusedError):
    code = "nothing_to_take_back"

    def __init__(self) -> None:
        super().__init__(T("这份材料还没有决定，没有什么可以撤回。"), next_step=T("请刷新页面核对。"))


class ListPublishedError(RefusedError):
    code = "list_published"

    def __init__(self, clause: str | None) -> None:
        super().__init__(
            T("名单已公示，材料的审核决定不能再撤回。"),
            clause=clause,
            next_step=T("公示期内请按异议程序处理。"),
        )
