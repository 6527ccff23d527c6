"""How long the purge may be held back (暂缓删除), and with which reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from app.errors import InvalidError
from app.text import T

LONGEST_REASON = 200
"""Characters of a reason."""

REASON_MISSING = T("请写明为什么暂缓删除，例如：申诉尚未答复。")

LONGEST_HOLD = timedelta(days=366)
"""A hold is looked at again after a year at the latest; it may be renewed."""


class HoldRefusedError(InvalidError):
    code = "hold_refused"

    def __init__(self, fields: Mapping[str, T]) -> None:
        super().__init__(next(iter(fields.values())), fields=fields)


def check_hold(reason: str, until: date, today: date) -> None:
    """Raises ``HoldRefusedError`` with a sentence per field."""
    problems: dict[str, T] = {}
    if not reason.strip():
        problems["reason"] = REASON_MISSING
    elif len(reason.strip()) > LONGEST_REASON:
        problems["reason"] = T("原因请不超过 %(most)s 字。", most=LONGEST_REASON)
    if until < today:
        problems["until"] = T("暂缓到的日期不能早于今天。")
    elif until > today + LONGEST_HOLD:
        problems["until"] = T("一次最多暂缓 %(days)s 天，到期可以再延。", days=LONGEST_HOLD.days)
    if problems:
        raise HoldRefusedError(problems)
