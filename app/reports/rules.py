"""When a report is due, and what makes two of them different.

| rule | implemented |
|---|---|
| the committee's digest: 08:30 on workdays, 调休 Saturdays included | `digest_due` |
| no worker at 08:30 | made up for on the same day, never on the next |
| a year without an official calendar | a digest every day on which there is something to say, with a line that names the year: a letter too many does less harm than a window that ends unseen, and no day is guessed to be free |
| nothing to say | no letter, and none later on the same day |
| decisions on entries | one letter for all that a unit was told in one go (`decisions_due`) |
| results of a round | once every table of it is confirmed and computed; what was corrected later is told again, at most once in ``SAISHI_REPORT_MINUTES`` |
| old events | nothing that happened longer ago than `LOOK_BACK` is told |
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from app.actors import Actor, Role
from app.clock import beijing_date
from app.errors import NotFoundError
from app.regulations.rules.calendar import Calendar, CalendarKey
from app.text import BEIJING, T
from app.workdays.rules import WorkdayCalendar

READERS = (Role.ORGANISER, Role.COMMITTEE)
"""Who sees which reports went out, sends for them, and takes the final report."""

DIGEST_HOUR = time(8, 30)
"""Beijing time."""

LOOK_BACK = timedelta(days=3)
"""What happened longer ago is not told any more: a worker that was away over a weekend still tells it."""

FOLLOWED = timedelta(days=60)
"""So long after the last day of play the committee still gets its digest."""

QUIET = timedelta(minutes=10)
"""Decisions of a unit are told once none was added for so long …"""

LONGEST_WAIT = timedelta(hours=1)
"""… or once the first has waited this long."""


class NoFinalReportError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(
            T("比赛还没有结束，没有总结报告。"), next_step=T("最后一轮成绩全部确认并算出名次后可以下载。")
        )


@dataclass(frozen=True, slots=True)
class DigestDay:
    """Whether a digest is due; ``unknown_year`` is the year whose workdays nobody knows."""

    due: bool
    unknown_year: int | None = None


def digest_due(calendar: WorkdayCalendar, now: datetime) -> DigestDay:
    """Whether this moment is in the part of a workday in which its digest is written."""
    day = beijing_date(now)
    late_enough = now.astimezone(BEIJING).time() >= DIGEST_HOUR
    if not calendar.knows(day.year):
        return DigestDay(late_enough, day.year)
    return DigestDay(late_enough and calendar.is_workday(day))


def is_followed(calendar: Calendar, now: datetime) -> bool:
    """Whether an event still has a committee that wants to hear of it; one without a last day of play always."""
    if CalendarKey.PLAY_TO not in calendar.dates:
        return True
    return beijing_date(now) <= calendar.play_to + FOLLOWED


def decisions_due(decided: Collection[datetime], now: datetime) -> bool:
    """Whether a unit is told now of what was decided at these moments."""
    return bool(decided) and (now >= max(decided) + QUIET or now >= min(decided) + LONGEST_WAIT)


@dataclass(frozen=True, slots=True)
class RoundPrint:
    """Fingerprints of what a round came to: of its tables, and of the ranks after it. Kept as ``details`` of a report."""

    version: int
    tables: str
    ranks: str

    @classmethod
    def of(
        cls, result: Mapping[str, Any], version: int, stage: str, number: int, placings: Collection[Any]
    ) -> RoundPrint:
        """``result`` is a ``saishi-score`` document, ``placings`` those told with the round."""
        tables = [each for each in result["tables"] if (each["stage"], each["round"]) == (stage, number)]
        given = [
            each
            for each in result["adjustments"]
            if (each.get("stage"), each.get("round")) == (stage, number)
        ]
        ranks = [[each["entrant"], each["rank"], each["values"]] for each in placings]
        return cls(version, _digest([tables, given]), _digest(ranks))

    @classmethod
    def read(cls, details: Mapping[str, Any]) -> RoundPrint:
        return cls(details["version"], details["tables"], details["ranks"])

    def details(self) -> dict[str, Any]:
        return {"version": self.version, "tables": self.tables, "ranks": self.ranks}

    def differs(self, told: RoundPrint, *, newest: bool) -> bool:
        """Whether what was told no longer holds. Ranks move with every later round, so they count for the newest only."""
        return self.tables != told.tables or (newest and self.ranks != told.ranks)


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def key_of(kind: str, occasion: str, user_id: int | None) -> str:
    """The name of one report to one reader, for the outbox too; without a reader it marks the occasion as over."""
    return f"{kind}:{occasion}:{'over' if user_id is None else user_id}"


def require_may_read(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *READERS)
