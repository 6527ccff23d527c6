from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.competitions import queries as competitions
from app.draws import queries
from app.draws.models import UNDECIDED, DrawRepair
from app.draws.queries import ChangeView, RoundView
from app.draws.rules import UnknownRoundError
from app.draws.rules.breaches import broken, kept_rules
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
from scoring_engine.pairing.repairs import Placed


@dataclass(frozen=True, slots=True)
class RepairView:
    """An open repair (人工调整) of a round, as its changes have made it so far. ``revision`` counts the changes."""

    round: RoundView
    revision: int
    before: Placed
    placed: Placed
    opened_at: datetime
    changes: tuple[ChangeView, ...]
    warnings: tuple[T, ...]

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
    warnings: tuple[T, ...]
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
        warnings=_warnings(round_, placed),
        opened_at=row.opened_at,
        changes=queries.change_views(row, round_.names),
    )


def repair(event_id: int, stage: str, number: int) -> RepairView:
    """The repair that is open for a round. Raises ``UnknownRoundError``, ``NoRepairError``."""
    found = open_repair(event_id, stage, number)
    if found is None:
        raise NoRepairError
    return found


def _warnings(round_: RoundView, placed: Placed) -> tuple[T, ...]:
    """The regulation's rules of pairing that the round would break, given the rounds of its stage before it."""
    rules = competitions.event(round_.event_id).regulation.scoring_rules()
    earlier = [
        each.placed
        for each in queries.rounds(round_.event_id)
        if each.stage == round_.stage and each.number < round_.number
    ]
    units = {entrant: each.unit_id for entrant, each in round_.people}
    return broken(placed, earlier, units, round_.names, kept_rules(rules, round_.stage, round_.number))


def preview(view: RepairView, change: Change) -> Preview:
    """What a change would make of it. Raises ``BadChangeError``."""
    placed = made(view.before, [*(each.change for each in view.changes), change], view.names)
    return Preview(
        change=change,
        text=change_text(change, view.names),
        placed=placed,
        warnings=_warnings(view.round, placed),
        differences=differences(view.round.drawn, placed),
        open_points=open_points(view.before, placed, view.names),
    )
