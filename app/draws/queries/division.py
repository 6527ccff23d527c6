from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.competitions.queries import EventView
from app.draws import rules
from app.draws.models import DIVIDED, Division
from app.draws.queries.attendance import standing_presences
from app.draws.queries.seeds import CommitmentView, commitment_rows, commitment_view
from app.draws.rules import SWISS, entry_of
from app.draws.rules.division import (
    DIVISION,
    NoDivisionError,
    NotDividedError,
    group_name,
    possible,
    with_late,
)
from app.extensions import db
from app.publications import queries as publications
from app.registrations import queries as registrations
from app.registrations.queries import EntrantView
from app.text import T
from scoring_engine.pairing.commitments import entrants_sha256
from scoring_engine.pairing.groups_of_three import proof_of
from scoring_engine.rules import StageRule
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class GroupView:
    """One group (组别) with its members in drawn order."""

    name: str
    members: tuple[tuple[EntrantId, EntrantView], ...]

    @property
    def title(self) -> T:
        return group_name(self.name)


@dataclass(frozen=True, slots=True)
class DivisionView:
    """A division of the entrants into groups by draw. ``entrants`` are ids of the event file, sorted as text.

    ``voided_at`` and ``void_reason`` are None while it stands; ``commitment`` where nothing was published before.
    """

    id: int
    event_id: int
    stage: str
    seed: str
    entrants: tuple[EntrantId, ...]
    groups: tuple[GroupView, ...]
    drawn_at: datetime
    publication_numbers: tuple[int, ...]
    commitment: CommitmentView | None
    voided_at: datetime | None
    void_reason: str | None

    number: int = DIVISION

    @property
    def stage_name(self) -> T:
        return rules.stage_name(self.stage)

    @property
    def ids(self) -> tuple[tuple[EntrantId, ...], ...]:
        """The members of each group by the event file's ids."""
        return tuple(tuple(entrant for entrant, _ in group.members) for group in self.groups)

    @property
    def entrants_sha256(self) -> str:
        return entrants_sha256(self.entrants)

    @property
    def proof(self) -> str:
        """What the seed gave, as one SHA-256: the proof of a draw whose tables are the groups."""
        return proof_of(bytes.fromhex(self.seed), self.entrants, self.ids, ())


def division(event_id: int) -> DivisionView | None:
    """The division that stands, or None."""
    row = standing_row(event_id)
    return None if row is None else _views(event_id, [row])[0]


def require_division(event_id: int) -> DivisionView:
    """The division that stands. Raises ``NoDivisionError``."""
    found = division(event_id)
    if found is None:
        raise NoDivisionError
    return found


def void_divisions(event_id: int) -> tuple[DivisionView, ...]:
    """Every division that was taken back, in the order drawn."""
    rows = db.session.scalars(
        select(Division)
        .where(Division.event_id == event_id, Division.voided_at.is_not(None))
        .order_by(Division.id)
    ).all()
    return tuple(_views(event_id, rows))


def groups(event_id: int) -> Mapping[EntrantId, str]:
    """The group of everybody, also of who entered after the first round; empty where the event was not divided."""
    row = standing_row(event_id)
    if row is None:
        return {}
    drawn = {
        EntrantId(member): str(number)
        for number, members in enumerate(row.groups, start=1)
        for member in members
    }
    said = standing_presences(event_id)
    # who withdraws before his first round takes nobody's place: he comes last
    late = [
        (each.withdrawn_from is not None and each.withdrawn_from <= each.enters_in, each.enters_in, entrant)
        for entrant, each in said.items()
    ]
    return with_late(
        drawn, [entrant for *_, entrant in sorted(late, key=lambda each: (*each[:2], entry_of(each[2])))]
    )


def standing_row(event_id: int) -> Division | None:
    return db.session.scalar(
        select(Division)
        .where(Division.event_id == event_id, DIVIDED)
        .execution_options(populate_existing=True)
    )


def groups_due(event: EventView, entrants: int) -> tuple[int, ...]:
    """How many groups so many can make that have to be divided first; empty where they need not be, or are already."""
    counts = possible(stage_rule(event), entrants)
    return () if not counts or standing_row(event.id) is not None else counts


def require_divided(event: EventView, entrants: int) -> None:
    """Raises ``NotDividedError`` where so many have to be divided into groups before the first round."""
    counts = groups_due(event, entrants)
    rule = stage_rule(event)
    if counts and rule is not None:
        raise NotDividedError(entrants, counts, rule.clause)


def stage_rule(event: EventView) -> StageRule | None:
    """The stage paired by points, where the event has one."""
    return event.regulation.scoring_rules().stage(SWISS)


def _views(event_id: int, rows: Sequence[Division]) -> list[DivisionView]:
    if not rows:
        return []
    people = registrations.entrants(event_id)
    committed = {
        row.division_id: commitment_view(row) for row in commitment_rows(event_id) if row.division_id
    }
    return [
        DivisionView(
            id=row.id,
            event_id=row.event_id,
            stage=row.stage,
            seed=row.seed,
            entrants=tuple(map(EntrantId, row.entrants)),
            groups=tuple(
                GroupView(str(number), tuple((EntrantId(each), people[entry_of(each)]) for each in members))
                for number, members in enumerate(row.groups, start=1)
            ),
            drawn_at=row.drawn_at,
            publication_numbers=publications.in_force_at(row.event_id, row.drawn_at)
            if row.publication_id is not None
            else (),
            commitment=committed.get(row.id),
            voided_at=row.voided_at,
            void_reason=row.void_reason,
        )
        for row in rows
    ]
