"""What holds the next round up, one thing at a time, in the order in which it has to be done. Pure decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.actors import Role
from app.text import T

READERS = (Role.CHIEF_REFEREE, Role.COMMITTEE)
"""Who opens the desk: the chief referee, and the committee behind him."""


class Hindrance(StrEnum):
    """The one thing the next round waits for (下一轮在等什么)."""

    DISPUTE = "dispute"
    SHEETS = "sheets"
    CONFIRMATIONS = "confirmations"
    UNPUBLISHED = "unpublished"
    CORRECTIONS = "corrections"
    COMPUTING = "computing"
    STAGE = "stage"


@dataclass(frozen=True, slots=True)
class Blocker:
    """What the next round waits for, in a sentence that names it; ``endpoint`` is the page where it is done, ``token`` of a table."""

    kind: Hindrance
    text: T
    endpoint: str
    token: str | None = None


@dataclass(frozen=True, slots=True)
class TableOnDesk:
    """How far a table is, as the blocker sees it. ``state``: as the sheet's page has it; ``in_force``: confirmed and public."""

    number: int
    token: str
    names: tuple[str, ...]
    state: str
    in_force: bool


def blocker(
    tables: Sequence[TableOnDesk], *, held_back: bool, corrections: int, behind: bool
) -> Blocker | None:
    """The first of: a dispute, sheets not handed in, sheets not confirmed, results held back, corrections, the computation.

    None where the round is settled: what comes next is then said by the stages.
    """
    disputed = [each for each in tables if each.state == "disputed"]
    if disputed:
        first = disputed[0]
        text = T("%(table)s 号桌有争议：%(names)s", table=first.number, names="、".join(first.names))
        return Blocker(Hindrance.DISPUTE, text, "results.sheet", first.token)
    playing = [each for each in tables if each.state in ("open", "running")]
    if playing:
        return Blocker(
            Hindrance.SHEETS, _missing(playing, T("还没有交表")), "results.sheet", playing[0].token
        )
    entered = [each for each in tables if each.state == "entered"]
    if entered:
        return Blocker(
            Hindrance.CONFIRMATIONS, _missing(entered, T("还没有确认")), "results.sheet", entered[0].token
        )
    if held_back and any(not each.in_force for each in tables):
        return Blocker(Hindrance.UNPUBLISHED, T("各桌都已确认，等您公布本轮成绩"), "results.staff_tables")
    if corrections:
        text = T("%(count)s 份更正申请等裁判长决定", count=corrections)
        return Blocker(Hindrance.CORRECTIONS, text, "corrections.staff_requests")
    if behind:
        return Blocker(Hindrance.COMPUTING, T("成绩已全部确认，正在计算名次"), "standings.staff_stages")
    return None


def _missing(tables: Sequence[TableOnDesk], what: T) -> T:
    """The first table with its people, and how many more there are."""
    first = tables[0]
    names = "、".join(first.names)
    if len(tables) == 1:
        return T("%(table)s 号桌%(what)s：%(names)s", table=first.number, what=what, names=names)
    return T(
        "%(table)s 号桌等 %(count)s 桌%(what)s：%(names)s……",
        table=first.number,
        count=len(tables),
        what=what,
        names=names,
    )
