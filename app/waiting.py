"""What waits for the staff of a competition (待办), as each feature tells it to the board, which knows no feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any

from app.actors import Role
from app.text import T


class Urgency(StrEnum):
    """``TODAY``: something ends today. ``ACT``: somebody has to act. ``RUNS``: nothing to do, but good to know."""

    TODAY = "today"
    ACT = "act"
    RUNS = "runs"


def age(waited: timedelta) -> T:
    """How long something has waited, in its largest whole unit."""
    if waited >= timedelta(days=1):
        return T("%(days)s 天", days=waited.days)
    hours = waited // timedelta(hours=1)
    return T("%(hours)s 小时", hours=hours) if hours > 0 else T("不到 1 小时")


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits: what, on which page it is done (``values`` beside the competition's address), by whom."""

    text: T
    action: T
    endpoint: str
    roles: tuple[Role, ...]
    urgency: Urgency = Urgency.ACT
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def to_do(self) -> bool:
        return self.urgency is not Urgency.RUNS
