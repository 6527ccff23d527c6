"""Where a case (异议、举报) stands, what happened to it, and what it must carry."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NewType

from app.text import BEIJING, T

ObjectionId = NewType("ObjectionId", int)
HearingId = NewType("HearingId", int)


class Channel(StrEnum):
    """How it came in."""

    WEB = "web"
    MAIL = "mail"


class CaseState(StrEnum):
    """``INCOMPLETE`` lacks something and may be completed while the window runs; ``RECEIVED`` waits for the committee."""

    INCOMPLETE = "incomplete"
    RECEIVED = "received"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UPHELD = "upheld"
    DISMISSED = "dismissed"
    WITHDRAWN = "withdrawn"


OPEN = frozenset({CaseState.INCOMPLETE, CaseState.RECEIVED, CaseState.ACCEPTED})
"""While a case is in one of these, its list does not become final."""

DECIDED = frozenset({CaseState.UPHELD, CaseState.DISMISSED})

STATE_NAMES: Mapping[CaseState, T] = {
    CaseState.INCOMPLETE: T("待补齐"),
    CaseState.RECEIVED: T("待受理"),
    CaseState.ACCEPTED: T("办理中"),
    CaseState.REFUSED: T("不予受理"),
    CaseState.UPHELD: T("成立"),
    CaseState.DISMISSED: T("不成立"),
    CaseState.WITHDRAWN: T("已撤回"),
}

AFTER: Mapping[CaseState, frozenset[CaseState]] = {
    CaseState.INCOMPLETE: frozenset({CaseState.RECEIVED, CaseState.REFUSED, CaseState.WITHDRAWN}),
    CaseState.RECEIVED: frozenset(
        {CaseState.INCOMPLETE, CaseState.ACCEPTED, CaseState.REFUSED, CaseState.WITHDRAWN}
    ),
    CaseState.ACCEPTED: frozenset(
        {CaseState.UPHELD, CaseState.DISMISSED, CaseState.REFUSED, CaseState.WITHDRAWN}
    ),
    CaseState.REFUSED: frozenset(),
    CaseState.UPHELD: frozenset(),
    CaseState.DISMISSED: frozenset(),
    CaseState.WITHDRAWN: frozenset(),
}
"""The states a case may go to; what is closed stays closed."""


class StepKind(StrEnum):
    """One line of the record of a case (办理记录); stored, so a value never changes its meaning."""

    LODGED = "lodged"
    ADDED = "added"
    ASKED_TO_COMPLETE = "asked_to_complete"
    ASSIGNED = "assigned"
    IDENTIFIED = "identified"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    EXPIRED = "expired"
    RECUSED = "recused"
    HEARING_ASKED = "hearing_asked"
    HEARING_ANSWERED = "hearing_answered"
    UPHELD = "upheld"
    DISMISSED = "dismissed"
    WITHDRAWN = "withdrawn"
    PURGED = "purged"


STEP_NAMES: Mapping[StepKind, T] = {
    StepKind.LODGED: T("收到异议"),
    StepKind.ADDED: T("提交人补充材料"),
    StepKind.ASKED_TO_COMPLETE: T("已要求补齐"),
    StepKind.ASSIGNED: T("已指定承办人"),
    StepKind.IDENTIFIED: T("已核实提出单位"),
    StepKind.ACCEPTED: T("已受理"),
    StepKind.REFUSED: T("不予受理"),
    StepKind.EXPIRED: T("公示期内没有补齐，不予受理"),
    StepKind.RECUSED: T("回避"),
    StepKind.HEARING_ASKED: T("已向对方征求意见"),
    StepKind.HEARING_ANSWERED: T("对方答复"),
    StepKind.UPHELD: T("决定：成立"),
    StepKind.DISMISSED: T("决定：不成立"),
    StepKind.WITHDRAWN: T("提交人撤回"),
    StepKind.PURGED: T("个人信息已删除"),
}


class Requirement(StrEnum):
    """What the text asks of an objection. ``WINDOW`` and ``STANDING`` cannot be made up for, the others can."""

    WINDOW = "window"
    STANDING = "standing"
    NAME = "name"
    SEAL = "seal"
    EVIDENCE = "evidence"


REQUIREMENT_NAMES: Mapping[Requirement, T] = {
    Requirement.WINDOW: T("在公示期内提出"),
    Requirement.STANDING: T("由有权提出的单位提出"),
    Requirement.NAME: T("实名"),
    Requirement.SEAL: T("加盖公章的书面材料"),
    Requirement.EVIDENCE: T("可供核实的依据"),
}

TO_COMPLETE = (Requirement.STANDING, Requirement.NAME, Requirement.SEAL, Requirement.EVIDENCE)
"""What the committee may ask a reporter to complete; ``STANDING`` where a letter does not say which unit wrote it."""


class Outcome(StrEnum):
    """What became of an entry that was objected to."""

    KEPT = "kept"
    WITHDRAWN = "withdrawn"
    CORRECTED = "corrected"


OUTCOME_NAMES: Mapping[Outcome, T] = {
    Outcome.KEPT: T("保留，名单不变"),
    Outcome.WITHDRAWN: T("取消参赛资格"),
    Outcome.CORRECTED: T("更正姓名"),
}


class FileRole(StrEnum):
    """What a file of a case is. ``ATTACHED`` came by mail: nobody said which it is."""

    LETTER = "letter"
    EVIDENCE = "evidence"
    ATTACHED = "attached"
    ANSWER = "answer"


FILE_NAMES: Mapping[FileRole, T] = {
    FileRole.LETTER: T("盖章材料"),
    FileRole.EVIDENCE: T("依据材料"),
    FileRole.ATTACHED: T("邮件附件"),
    FileRole.ANSWER: T("对方提交"),
}

PURPOSES: Mapping[FileRole, str] = {
    FileRole.LETTER: "letter",
    FileRole.EVIDENCE: "evidence",
    FileRole.ANSWER: "evidence",
}
"""For what the files of a form are uploaded (``app.uploads.rules.PURPOSES``)."""


def case_number(row_id: int, received_at: datetime) -> str:
    """``YY2021-0003``: the year it came in, in Beijing, and a number that this installation gives once."""
    return f"YY{received_at.astimezone(BEIJING).year}-{row_id:04d}"
