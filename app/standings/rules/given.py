"""Rulings (判罚) as adjustments of the event file. What a later feature says of them.

Standings come before rulings and know none. The feature that does is bound once in every process, when the application is made;
without it no event has any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from scoring_engine.rules import ScoringRules
from scoring_engine.stages.matches import LATE
from scoring_engine.tractor.matches import MatchFormat
from scoring_engine.values import EntrantId

Adjustment = Mapping[str, Any]
"""One entry of ``adjustments`` of the event file (docs/event-file.schema.json), with its ``stage`` and ``round``."""


class Given(Protocol):
    """Every ruling of an event that is in force, in the order they were given; with ``version`` those that were at that results
    version."""

    def __call__(self, event_id: int, version: int | None = None, /) -> Sequence[Adjustment]: ...


@dataclass(frozen=True, slots=True)
class PutOut:
    """That somebody was expelled (取消参赛资格): since when, and until when where it was taken back."""

    entrant: EntrantId
    since: datetime
    until: datetime | None


Expelled = Callable[[int], Sequence[PutOut]]
"""Every expulsion from an event (its id), by a ruling or by a decision on an objection after the draw."""


class _Bound:
    given: Given | None = None
    expelled: Expelled | None = None


def bind_rulings(given: Given | None) -> None:
    """Ask this from now on; called once by ``create_app``. None asks nobody."""
    _Bound.given = given


def bind_expulsions(expelled: Expelled | None) -> None:
    """Ask this from now on who was expelled; called once by ``create_app``. None asks nobody."""
    _Bound.expelled = expelled


def expulsions(event_id: int) -> Sequence[PutOut]:
    return () if _Bound.expelled is None else _Bound.expelled(event_id)


def given_rulings(event_id: int, version: int | None = None) -> Sequence[Adjustment]:
    return () if _Bound.given is None else _Bound.given(event_id, version)


def known_to(rules: ScoringRules, given: Sequence[Adjustment]) -> tuple[Adjustment, ...]:
    """The rulings by a rule this regulation has."""
    names: set[str] = {*rules.penalties}
    if isinstance(rules.scoring, MatchFormat):
        names |= {*rules.scoring.penalties.rules, LATE}
    return tuple(each for each in given if each["rule"] in names)
