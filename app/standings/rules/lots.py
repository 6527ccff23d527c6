"""Lots (抽签定名次): who is still equal once all is played, and the order a seed gives them. Pure decisions.

| rule | implemented |
|---|---|
| lots decide where the whole chain leaves entrants, or teams, equal | `ties_of`, from the score document |
| the list they are of is all who took part; each group by itself | `drawn` |
| drawn once: a corrected result is decided by the same lots | `LotsDrawnError` |
| where others took part since, the lots fall with their list | `app.standings.queries.lots` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.errors import RefusedError
from app.text import T
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.lots import lots_of
from scoring_engine.values import EntrantId

LOTS = "lots"

Tie = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ties:
    """Who is equal: entrants, and teams by their ids. ``groups``: everybody ranked, each group by itself."""

    groups: tuple[tuple[str, ...], ...]
    entrants: tuple[Tie, ...]
    teams: tuple[Tie, ...]
    all_teams: tuple[str, ...]

    @property
    def everybody(self) -> tuple[str, ...]:
        """All who took part, sorted as text."""
        return tuple(sorted(entrant for group in self.groups for entrant in group))


class NoLotsError(RefusedError):
    """Nothing is to be drawn: not all is played, nobody is equal, or the text has something else decide."""

    def __init__(self, clause: str | None) -> None:
        super().__init__(
            T("现在没有需要抽签决定的名次。"),
            clause=clause,
            next_step=T("各轮成绩全部确认、名次仍相同时，才抽签决定。"),
        )


class LotsDrawnError(RefusedError):
    def __init__(self, drawn_at: datetime, clause: str | None) -> None:
        super().__init__(
            T("名次的抽签已于 %(at)s 完成，不能重抽。", at=drawn_at),
            clause=clause,
            next_step=T("结果见名次页；成绩更正后仍按这次抽签的先后。"),
        )


class LotsCommittedError(RefusedError):
    def __init__(self) -> None:
        super().__init__(
            T("名次抽签的种子已经承诺，还没有抽签。"),
            next_step=T("请用这个种子抽签；要换种子，先撤销承诺并写明原因，原因会公开。"),
        )


class LotsNotCommittedError(RefusedError):
    def __init__(self) -> None:
        super().__init__(T("名次抽签没有等待的种子承诺。"), next_step=T("请先公布种子承诺，再写入公众数据。"))


def ties_of(result: Mapping[str, Any], rules: ScoringRules) -> Ties | None:
    """Who is equal in everything in a score document; None where lots have nothing to decide."""
    if not result["complete"] or LOTS not in rules.chain:
        return None
    groups: dict[str | None, list[str]] = {}
    equal: dict[tuple[str | None, int], list[str]] = {}
    for placing in result["placings"]:
        group = placing.get("group")
        groups.setdefault(group, []).append(placing["entrant"])
        equal.setdefault((group, placing["rank"]), []).append(placing["entrant"])
    by_lot = rules.teams is not None and rules.teams.ties == "chain"
    teams: dict[int, list[str]] = {}
    for team in result["teams"] if by_lot else ():
        teams.setdefault(team["rank"], []).append(team["team"])
    found = Ties(
        groups=tuple(tuple(members) for members in groups.values()),
        entrants=tuple(tuple(sorted(tie)) for tie in equal.values() if len(tie) > 1),
        teams=tuple(tuple(sorted(tie)) for tie in teams.values() if len(tie) > 1),
        all_teams=tuple(team for tie in teams.values() for team in tie),
    )
    return found if found.entrants or found.teams else None


def drawn(ties: Ties, seed: bytes) -> tuple[list[list[str]], list[list[str]]]:
    """The equal entrants, and the equal teams, in the order of their lots, as the engine draws them."""
    places: dict[EntrantId, int] = {}
    for group in ties.groups:
        places.update(lots_of(seed, map(EntrantId, group)) or {})
    teams = lots_of(seed, map(EntrantId, ties.all_teams)) or {}
    return _ordered(ties.entrants, places), _ordered(ties.teams, teams)


def _ordered(ties: Sequence[Tie], places: Mapping[Any, int]) -> list[list[str]]:
    return [sorted(tie, key=lambda one: places[one]) for tie in ties]


def clause_of(rules: ScoringRules) -> str | None:
    """Where the text has lots decide."""
    return next((link.clause for link in rules.ranking if link.code == LOTS), None)
