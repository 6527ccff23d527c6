"""Rulings (裁决): a round drawn although no draw keeps every hard rule. Pure decisions.

The engine says who and why and names the draw that breaks least; the chief referee takes it or leaves it. The draw that is
looked at must be the one that is stored, and nobody may try seeds until one pleases: so its seed is committed to first, and
leaving it withdraws the commitment in public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.actors import Actor, Role
from app.draws.rules import stage_name
from app.draws.rules.repairs import parse_reason
from app.errors import ConflictError, InvalidError, RefusedError
from app.text import T


@dataclass(frozen=True, slots=True)
class RulingGiven:
    """What the chief referee accepts, and why. questions: what the engine asks, ``{"reason", "reason_en", "clause"}``;
    broken: each rule the draw breaks, ``{"rule", "entrants", "message", "message_en"}``."""

    reason: str
    questions: Sequence[Mapping[str, Any]]
    broken: Sequence[Mapping[str, Any]]


class NoQuestionError(RefusedError):
    """There is nothing to rule on."""

    def __init__(self) -> None:
        super().__init__(
            T("现在没有等待裁决的编排。"),
            next_step=T("请从“晋级与下一阶段”编排；需要裁决时会提示。"),
        )


class SeedNotCommittedError(RefusedError):
    def __init__(self, stage: str, number: int) -> None:
        super().__init__(
            T(
                "%(stage)s第 %(number)s 轮的种子还没有承诺，不能裁决。",
                stage=stage_name(stage),
                number=number,
            ),
            next_step=T("请先公布种子承诺：违反最少的编排由它算出，不能换种子再试。"),
        )


class NothingToAcceptError(RefusedError):
    """The engine could make no draw at all."""

    def __init__(self) -> None:
        super().__init__(
            T("没有可以接受的编排。"), next_step=T("请先按提示解决：调整出席登记，或由组委会分组。")
        )


class QuestionChangedError(ConflictError):
    """The draw is no longer the one that was looked at."""

    def __init__(self, sent: str, current: str) -> None:
        super().__init__(
            T("编排和您看到的不一样了（成绩、出席或公众数据有变化），没有保存任何内容。"),
            next_step=T("请重新看一遍现在的编排，再决定。"),
            extra={"current": {"proof": current}, "sent": {"proof": sent}},
        )


class RulingReasonMissingError(InvalidError):
    def __init__(self) -> None:
        text = T("请写明裁决的理由，理由会公开。")
        super().__init__(text, fields={"reason": text})


def require_may_rule(actor: Actor, competition_id: int) -> None:
    """A ruling is the chief referee's."""
    actor.require(competition_id, Role.CHIEF_REFEREE)


def parse_ruling_reason(written: str) -> str:
    """A reason as it is published. Raises ``RulingReasonMissingError``, ``PrivateReasonError``."""
    if not written.strip():
        raise RulingReasonMissingError
    return parse_reason(written.strip())
