"""Where an appeal stands, what happened to it, what it is about, and how its fee moves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NewType

from app.text import BEIJING, T

AppealId = NewType("AppealId", int)


class AppealState(StrEnum):
    """``ORAL`` was said and waits for the written one, ``RECEIVED`` waits for its hearing, ``HEARD`` for the decision."""

    ORAL = "oral"
    RECEIVED = "received"
    HEARD = "heard"
    UPHELD = "upheld"
    DISMISSED = "dismissed"
    REFUSED = "refused"
    LAPSED = "lapsed"
    WITHDRAWN = "withdrawn"


OPEN = frozenset({AppealState.ORAL, AppealState.RECEIVED, AppealState.HEARD})
DECIDED = frozenset({AppealState.UPHELD, AppealState.DISMISSED})
UNHEARD = frozenset({AppealState.REFUSED, AppealState.LAPSED, AppealState.WITHDRAWN})
"""Ended without a decision on what was appealed."""

STATE_NAMES: Mapping[AppealState, T] = {
    AppealState.ORAL: T("已口头提出"),
    AppealState.RECEIVED: T("已收书面"),
    AppealState.HEARD: T("已听证"),
    AppealState.UPHELD: T("申诉成立"),
    AppealState.DISMISSED: T("已驳回"),
    AppealState.REFUSED: T("不予受理"),
    AppealState.LAPSED: T("逾期失效"),
    AppealState.WITHDRAWN: T("已撤回"),
}

AFTER: Mapping[AppealState, frozenset[AppealState]] = {
    AppealState.ORAL: frozenset(
        {AppealState.RECEIVED, AppealState.REFUSED, AppealState.LAPSED, AppealState.WITHDRAWN}
    ),
    AppealState.RECEIVED: frozenset({AppealState.HEARD, AppealState.REFUSED, AppealState.WITHDRAWN}),
    AppealState.HEARD: frozenset({AppealState.UPHELD, AppealState.DISMISSED, AppealState.WITHDRAWN}),
    AppealState.UPHELD: frozenset(),
    AppealState.DISMISSED: frozenset(),
    AppealState.REFUSED: frozenset(),
    AppealState.LAPSED: frozenset(),
    AppealState.WITHDRAWN: frozenset(),
}
"""The states an appeal may go to; what is closed stays closed."""


class StepKind(StrEnum):
    """One line of the record of an appeal (办理记录); stored, so a value never changes its meaning."""

    ORAL_LOGGED = "oral_logged"
    WRITTEN = "written"
    ADDED = "added"
    FEE_RECEIVED = "fee_received"
    FEE_REFUNDED = "fee_refunded"
    FEE_KEPT = "fee_kept"
    FEE_REVERSED = "fee_reversed"
    RECUSED = "recused"
    HEARING_SET = "hearing_set"
    HEARD = "heard"
    UPHELD = "upheld"
    DISMISSED = "dismissed"
    REFUSED = "refused"
    LAPSED = "lapsed"
    WITHDRAWN = "withdrawn"
    PURGED = "purged"


STEP_NAMES: Mapping[StepKind, T] = {
    StepKind.ORAL_LOGGED: T("口头申诉已登记"),
    StepKind.WRITTEN: T("收到书面申诉"),
    StepKind.ADDED: T("补充证据"),
    StepKind.FEE_RECEIVED: T("已收申诉费"),
    StepKind.FEE_REFUNDED: T("已退申诉费"),
    StepKind.FEE_KEPT: T("申诉费不退"),
    StepKind.FEE_REVERSED: T("申诉费冲正"),
    StepKind.RECUSED: T("回避"),
    StepKind.HEARING_SET: T("已定听证时间"),
    StepKind.HEARD: T("已听证"),
    StepKind.UPHELD: T("裁定：申诉成立"),
    StepKind.DISMISSED: T("裁定：驳回申诉"),
    StepKind.REFUSED: T("不予受理"),
    StepKind.LAPSED: T("逾期没有收到书面申诉"),
    StepKind.WITHDRAWN: T("申诉人撤回"),
    StepKind.PURGED: T("个人信息已删除"),
}


class Subject(StrEnum):
    """What is appealed against."""

    RULING = "ruling"
    SCORE = "score"
    OTHER = "other"


SUBJECT_NAMES: Mapping[Subject, T] = {
    Subject.RULING: T("裁判的判罚"),
    Subject.SCORE: T("成绩记录"),
    Subject.OTHER: T("比赛中的其他处理"),
}


class Paper(StrEnum):
    """What a file of an appeal is: the written appeal on paper, or evidence."""

    WRITTEN = "written"
    EVIDENCE = "evidence"


PAPER_NAMES: Mapping[Paper, T] = {Paper.WRITTEN: T("申诉书"), Paper.EVIDENCE: T("证据")}

UPLOADED_FOR = "evidence"
"""The purpose of every upload of an appeal (``app.uploads.rules.PURPOSES``)."""


class FeeKind(StrEnum):
    """One entry of the ledger. A reversal (冲正) takes one of the others back, whole."""

    RECEIVED = "received"
    REFUNDED = "refunded"
    KEPT = "kept"
    REVERSAL = "reversal"


FEE_KIND_NAMES: Mapping[FeeKind, T] = {
    FeeKind.RECEIVED: T("收取"),
    FeeKind.REFUNDED: T("退还"),
    FeeKind.KEPT: T("不退"),
    FeeKind.REVERSAL: T("冲正"),
}


class FeeWay(StrEnum):
    """How money moved. A transfer has the reference that the bank or the payer gave it."""

    CASH = "cash"
    TRANSFER = "transfer"
    BOOK = "book"


FEE_WAY_NAMES: Mapping[FeeWay, T] = {
    FeeWay.CASH: T("现金"),
    FeeWay.TRANSFER: T("转账"),
    FeeWay.BOOK: T("转账簿，不动现金"),
}

PAID_BY = (FeeWay.CASH, FeeWay.TRANSFER)
"""The ways in which a fee comes in or goes back; ``BOOK`` moves nothing but what the ledger says."""


def case_number(row_id: int, at: datetime) -> str:
    """``SS2021-0003``: the year in Beijing, and a number that this installation gives once."""
    return f"SS{at.astimezone(BEIJING).year}-{row_id:04d}"


def receipt_number(competition_id: int, place: int, at: datetime) -> str:
    """``SJ2021-12-0003``: the entries of a competition's ledger have consecutive numbers from 1."""
    return f"SJ{at.astimezone(BEIJING).year}-{competition_id}-{place:04d}"
