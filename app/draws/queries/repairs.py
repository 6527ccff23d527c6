from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.competitions import queries as competitions
from app.draws import queries
from app.draws.models import UNDECIDED, DrawRepair
from app.draws.queries import ChangeView, RoundView
from app.draws.queries.division import groups
from app.draws.rules import UnknownRoundError
from app.draws.rules.breaches import Warnings, warnings_of
from app.draws.rules.division import require_groups_apart
from app.draws.rules.repairs import (
    Change,
    NoRepairError,
    TableDifference,
    change_text,
    differences,
    made,
    open_points,
    placed_from,
)
from app.extensions import db
from app.text import T
from scoring_engine import event_file as engine
from scoring_engine.pairing.repairs import Placed

EventFile = Callable[[int], Mapping[str, Any]]
"""The public event file of an event; results, which stand in it, belong to a later feature."""


@dataclass(frozen=True, slots=True)
class RepairView:
    """An open repair (人工调整) of a round, as its changes have made it so far. ``revision`` counts the changes."""

    round: RoundView
    revision: int
    before: Placed
    placed: Placed
    opened_at: datetime
    changes: tuple[ChangeView, ...]

    @property
    def names(self) -> Mapping[str, str]:
        return self.round.names

    @property
    def differences(self) -> tuple[TableDifference, ...]:
        """Where it differs from the engine's draw."""
        return differences(self.round.drawn, self.placed)

    @property
    def open_points(self) -> tuple[T, ...]:
        """What stands in the way of a confirmation."""
        return open_points(self.before, self.placed, self.names)

    @property
    def authors(self) -> frozenset[int | None]:
        """Who made one of the changes, and so cannot confirm them."""
        return frozenset(each.made_by_id for each in self.changes)


@dataclass(frozen=True, slots=True)
class Preview:
    """What one more change would make of an open repair."""

    change: Change
    text: T
    placed: Placed
    differences: tuple[TableDifference, ...]
    open_points: tuple[T, ...]


def standing_round(event_id: int, stage: str, number: int) -> RoundView:
    """A drawn round. Raises ``UnknownRoundError``."""
    found = queries.round_of(event_id, stage, number)
    if found is None:
        raise UnknownRoundError
    return found


def open_repair(event_id: int, stage: str, number: int) -> RepairView | None:
    """The repair that is open for a round, or None. Raises ``UnknownRoundError``."""
    round_ = standing_round(event_id, stage, number)
    row = db.session.scalar(
        select(DrawRepair)
        .where(DrawRepair.round_id == round_.id, UNDECIDED)
        .execution_options(populate_existing=True)
    )
    if row is None:
        return None
    before = placed_from(row.before)
    placed = made(before, [each.change for each in row.changes], round_.names)
    return RepairView(
        round=round_,
        revision=row.revision,
        before=before,
        placed=placed,
        opened_at=row.opened_at,
        changes=queries.change_views(row, round_.names),
    )


def repair(event_id: int, stage: str, number: int) -> RepairView:
    """The repair that is open for a round. Raises ``UnknownRoundError``, ``NoRepairError``."""
    found = open_repair(event_id, stage, number)
    if found is None:
        raise NoRepairError
    return found


def warnings(round_: RoundView, placed: Placed, file: EventFile) -> Warnings:
    """What the round would break of the regulation's rules of pairing if it were played so."""
    if not round_.by_points:
        return Warnings()  # its seats follow from the seed, or from the stage before
    rules = competitions.event(round_.event_id).regulation.scoring_rules()
    found = engine.round_breaches(file(round_.event_id), rules, round_.number, placed, round_.drawn)
    return warnings_of(found, round_.names)


def preview(view: RepairView, change: Change) -> Preview:
    """What a change would make of it. Raises ``BadChangeError``."""
    placed = made(view.before, [*(each.change for each in view.changes), change], view.names)
    require_groups_apart(placed, groups(view.round.event_id), view.names)
    return Preview(
        change=change,
        text=change_text(change, view.names),
        placed=placed,
        differences=differences(view.round.drawn, placed),
        open_points=open_points(view.before, placed, view.names),
    )
