"""What a member may read, copy and have deleted (个人信息权利): the table of what is deleted when, and in which words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from app.audit.actions import AuditAction
from app.documents.rules.review import LEADER
from app.errors import ConflictError, InvalidError, NotFoundError, RefusedError
from app.registrations.rules import EntryState
from app.text import T
from app.workdays.rules import WorkdayCalendar

COMMITTEE = "committee"
"""As what everybody but the leader reads: no other role may."""

SYSTEM = "system"
"""Nobody: the purge after the event."""

READER_NAMES: Mapping[str, T] = {
    COMMITTEE: T("组委会"),
    LEADER: T("领队或本人"),
    SYSTEM: T("系统（赛后统一删除）"),
}

WHAT_NAMES: Mapping[AuditAction, T] = {
    AuditAction.DOCUMENT_READ: T("查阅"),
    AuditAction.DOCUMENT_ACCEPTED: T("审核通过"),
    AuditAction.DOCUMENT_SENT_BACK: T("要求补正"),
    AuditAction.DOCUMENT_REJECTED: T("审核不通过"),
    AuditAction.DOCUMENT_DECISION_TAKEN_BACK: T("撤回审核"),
    AuditAction.DOCUMENT_LINK_MADE: T("给出签字链接："),
    AuditAction.PERSONAL_DATA_READ: T("查阅"),
    AuditAction.PERSONAL_DATA_DELETED: T("删除"),
    AuditAction.DOCUMENTS_PURGED: T("删除"),
}
"""What was done, before the name of what it was done to."""

LAW = T("《个人信息保护法》第四十七条")
"""PIPL 47: what is no longer needed for its purpose, or whose consent is withdrawn, is deleted on request."""

ANSWER_WORKDAYS = 15
"""Working days within which a request is answered: 《App违法违规收集使用个人信息行为认定方法》六 (承诺时限不得超过15个工作日)."""

LONGEST_ANSWER = 200


class Scope(StrEnum):
    """What is to be deleted: one document, or everything of a member."""

    DOCUMENT = "document"
    MEMBER = "member"


class Stage(StrEnum):
    """Where a member's entries stand, as far as deletion is concerned."""

    DRAFT = "draft"
    OPEN = "open"
    REVIEW = "review"
    LISTED = "listed"
    PLAYING = "playing"
    OVER = "over"
    HELD = "held"


class Answer(StrEnum):
    """What comes of a request: done at once, answered by the committee, or not possible yet."""

    AT_ONCE = "at_once"
    ASKED = "asked"
    NOT_YET = "not_yet"


@dataclass(frozen=True, slots=True)
class DeletionRule:
    """One field of the table: the answer, and the sentence that says it."""

    answer: Answer
    sentence: T


_NOT_YET_HELD = T("有异议或申诉还没有了结，主办方已暂缓删除；了结后可以删除。")

DELETIONS: Mapping[tuple[Stage, Scope], DeletionRule] = {
    (Stage.DRAFT, Scope.DOCUMENT): DeletionRule(
        Answer.AT_ONCE, T("报名还没有提交：这份材料连同文件立即删除。")
    ),
    (Stage.DRAFT, Scope.MEMBER): DeletionRule(
        Answer.AT_ONCE, T("报名还没有提交：这个人的全部资料立即删除，不留记录。")
    ),
    (Stage.OPEN, Scope.DOCUMENT): DeletionRule(
        Answer.AT_ONCE, T("报名还在进行：这份材料立即删除；规程要求的，截止前要重新提交。")
    ),
    (Stage.OPEN, Scope.MEMBER): DeletionRule(
        Answer.AT_ONCE,
        T(
            "报名还在进行：报名随之撤回（双人赛整对撤回），证件号码、手机号和材料立即删除，只留下“已退赛”的姓名。"
        ),
    ),
    (Stage.REVIEW, Scope.DOCUMENT): DeletionRule(
        Answer.ASKED, T("报名已截止，正在审核：由组委会答复，审核还要用到的会说明理由。")
    ),
    (Stage.REVIEW, Scope.MEMBER): DeletionRule(
        Answer.ASKED,
        T(
            "报名已截止，正在审核：由组委会答复；同意后报名撤回（双人赛整对撤回），证件号码、手机号和材料删除。"
        ),
    ),
    (Stage.LISTED, Scope.DOCUMENT): DeletionRule(
        Answer.NOT_YET, T("名单正在公示，有人提出异议时要用材料核对；公示期满后可以删除。")
    ),
    (Stage.LISTED, Scope.MEMBER): DeletionRule(
        Answer.NOT_YET,
        T("名单正在公示，有人提出异议时要用材料核对；公示期满后可以删除。公示名单上的姓名作为公开记录保留。"),
    ),
    (Stage.PLAYING, Scope.DOCUMENT): DeletionRule(
        Answer.ASKED, T("公示已结束：由组委会答复，检录时还要用到的会说明理由。")
    ),
    (Stage.PLAYING, Scope.MEMBER): DeletionRule(
        Answer.ASKED,
        T("公示已结束：由组委会答复；同意后证件号码、手机号和材料删除。名单和成绩上的姓名作为公开记录保留。"),
    ),
    (Stage.OVER, Scope.DOCUMENT): DeletionRule(Answer.AT_ONCE, T("比赛已结束：这份材料连同文件立即删除。")),
    (Stage.OVER, Scope.MEMBER): DeletionRule(
        Answer.AT_ONCE,
        T("比赛已结束：证件号码、手机号和全部材料立即删除。名单和成绩上的姓名作为公开记录保留。"),
    ),
    (Stage.HELD, Scope.DOCUMENT): DeletionRule(Answer.NOT_YET, _NOT_YET_HELD),
    (Stage.HELD, Scope.MEMBER): DeletionRule(Answer.NOT_YET, _NOT_YET_HELD),
}
"""The whole table. What a frozen list or a result says stays: it was published by the regulation's own terms."""


def stage_of(
    states: Collection[EntryState],
    *,
    published: Collection[str],
    entries_open: bool,
    closed: bool,
    over: bool,
    held: bool,
) -> Stage:
    """Where a member stands. ``published``: ``in_publication``, ``objected`` or ``confirmed`` of each of his entries on a list.

    ``closed``: the first draw was made, so that an event without a list is as far as one whose list is confirmed.
    """
    if held:
        return Stage.HELD
    if over:
        return Stage.OVER
    if states and all(state is EntryState.DRAFT for state in states):
        return Stage.DRAFT
    if not {"in_publication", "objected"}.isdisjoint(published):
        return Stage.LISTED
    if "confirmed" in published or closed:
        return Stage.PLAYING
    return Stage.OPEN if entries_open else Stage.REVIEW


def rule_for(stage: Stage, scope: Scope, *, accepted: bool = False) -> DeletionRule:
    """What a request comes to. A document that was accepted is asked for as long as an entry rests on it."""
    if stage is Stage.OPEN and scope is Scope.DOCUMENT and accepted:
        return DELETIONS[Stage.REVIEW, scope]
    return DELETIONS[stage, scope]


def answer_by(asked: date, calendar: WorkdayCalendar) -> date:
    """The day by which a request is answered: ``ANSWER_WORKDAYS`` working days after it.

    In a year whose calendar is not known yet, Monday to Friday count.
    """
    day, left = asked, ANSWER_WORKDAYS
    while left:
        day += timedelta(days=1)
        left -= calendar.is_workday(day) if calendar.knows(day.year) else day.weekday() < 5
    return day


OWN_EMAIL = T(
    "您确认过的邮箱只用来寄通知，随时可以在“我的邮箱”删除；赛后您在本站没有别的报名和身份的，与手机号一起删除。"
)
"""Of the account of whoever acts, not of a member: ``accounts.service.remove_email`` and ``forget_users``."""


class RequestState(StrEnum):
    OPEN = "open"
    GRANTED = "granted"
    REFUSED = "refused"


class DeletionNotYetError(RefusedError):
    code = "deletion_not_yet"

    def __init__(self, rule: DeletionRule) -> None:
        super().__init__(rule.sentence, next_step=T("依据：%(law)s。到期没有申请的，也会自动删除。", law=LAW))


class NothingToDeleteError(RefusedError):
    code = "nothing_to_delete"

    def __init__(self) -> None:
        super().__init__(
            T("这个人的资料已经删除，没有可以再删的。"),
            next_step=T("不用再做什么；名单和成绩上的姓名作为公开记录保留。"),
        )


class NoUnitError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("您在这个赛事没有登记单位。"), next_step=T("请从“我的报名”进入。"))


class UnknownRequestError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(T("没有这个删除请求。"), next_step=T("请从“个人信息”页进入。"))


class AnsweredError(ConflictError):
    code = "deletion_answered"

    def __init__(self) -> None:
        super().__init__(T("这个请求已经答复过。"), next_step=T("请刷新页面查看答复。"))


class ReasonMissingError(InvalidError):
    code = "reason_missing"

    def __init__(self) -> None:
        text = T("不同意删除时请写明理由，对方会看到。")
        super().__init__(text, fields={"reason": text}, next_step=T("写明理由后再提交。"))


class OwnRequestError(RefusedError):
    """A member of the committee who leads the unit himself."""

    code = "own_request"

    def __init__(self) -> None:
        super().__init__(T("这是您自己提出的请求。"), next_step=T("请由组委会的另一位成员答复。"))
