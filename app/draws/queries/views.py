"""What draws look like to whoever reads them: a table, a round, a round without its tables, and a change by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from app.actors import Role
from app.draws import rules
from app.draws.models import DrawRepair
from app.draws.queries.rulings import RulingView
from app.draws.queries.seeds import CommitmentView
from app.draws.rules import entrant_of
from app.draws.rules.repairs import Change, TableDifference, change_text, differences
from app.registrations.queries import EntrantView
from app.text import T
from scoring_engine.pairing.commitments import entrants_sha256
from scoring_engine.pairing.groups_of_three import GroupsDraw
from scoring_engine.pairing.repairs import Placed
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class TableView:
    """One table with its entrants in seat order: of 二打一 counter-clockwise, the first bids first in deal 1; of a board
    game the first moves first."""

    id: int
    event_id: int
    round_id: int
    stage: str
    round_number: int
    number: int
    token: str
    seats: tuple[EntrantView, ...]
    group: str | None = None
    """The group (组别) that plays here, where the event was divided and the round stands."""

    @property
    def stage_name(self) -> T:
        return rules.stage_name(self.stage)


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One change by hand: what, why, when, and in which role it was made. Who made it is for staff rules alone."""

    number: int
    change: Change
    text: T
    reason: str
    made_as: Role
    made_at: datetime
    made_by_id: int | None


@dataclass(frozen=True, slots=True)
class VoidView:
    """That a round was taken back (作废), why, and how much had been entered then."""

    round_id: int
    at: datetime
    reason: str
    tables: int
    deals: int


@dataclass(frozen=True, slots=True)
class RoundHead:
    """One drawn round without its tables, for a page of one person or one table, however many entrants the event has.

    ``tables``: how many there are. ``direct`` are who has a bye or goes straight on, ``drawn_direct`` who did by the draw
    itself. ``moved``: the numbers of the tables that are not as they were drawn.
    """

    id: int
    stage: str
    number: int
    tables: int
    direct: tuple[EntrantId, ...]
    drawn_direct: tuple[EntrantId, ...]
    moved: frozenset[int]
    changes: tuple[ChangeView, ...]
    repairing: bool

    @property
    def stage_name(self) -> T:
        return rules.stage_name(self.stage)

    @property
    def by_points(self) -> bool:
        """Whether it is one of the rounds of a stage paired by points."""
        return self.stage == rules.SWISS

    @property
    def in_rounds(self) -> bool:
        """Whether its stage has several rounds; ``direct`` then have a bye (轮空) in it."""
        return self.stage in rules.ROUNDS_OF


@dataclass(frozen=True, slots=True)
class VoidHead:
    """One round that was taken back (作废) without its tables; ``number`` is the one it had."""

    id: int
    stage: str
    number: int
    tables: int
    void: VoidView

    @property
    def stage_name(self) -> T:
        return rules.stage_name(self.stage)

    @property
    def by_points(self) -> bool:
        """Whether it is one of the rounds of a stage paired by points."""
        return self.stage == rules.SWISS

    @property
    def in_rounds(self) -> bool:
        """Whether its stage has several rounds."""
        return self.stage in rules.ROUNDS_OF


@dataclass(frozen=True, slots=True)
class RoundView:
    """One drawn round. ``entrants`` are ids of the event file, sorted as text, as they went into the draw.

    ``tables`` and ``direct`` are what is played; ``drawn`` is what the seed gave. They differ only after a repair
    (人工调整), whose confirmed ``changes`` lead from one to the other. ``repairing``: a repair is open. ``commitment`` is
    None where no commitment was published before the draw, ``void`` where the round stands.
    """

    id: int
    event_id: int
    stage: str
    number: int
    seed: str
    drawn_at: datetime
    entrants: tuple[str, ...]
    direct: tuple[EntrantView, ...]
    tables: tuple[TableView, ...]
    publication_numbers: tuple[int, ...]
    """The lists in force when it was drawn, where it was drawn from lists."""
    commitment: CommitmentView | None
    started_at: datetime | None
    drawn: Placed
    changes: tuple[ChangeView, ...]
    repairing: bool
    void: VoidView | None
    regulation_version_id: int | None
    results_version: int | None = None
    """Of the results it was drawn from; None for a round drawn before that was kept."""
    ruling: RulingView | None = None
    """By which it was drawn although no draw keeps every hard rule (裁决)."""

    @property
    def stage_name(self) -> T:
        return rules.stage_name(self.stage)

    @property
    def head(self) -> RoundHead:
        """The round without its tables."""
        placed = self.placed
        return RoundHead(
            self.id,
            self.stage,
            self.number,
            len(self.tables),
            placed.byes,
            self.drawn.byes,
            moved_tables(self.drawn, placed),
            self.changes,
            self.repairing,
        )

    @property
    def placed(self) -> Placed:
        """What is played, by the event file's ids."""
        seats = tuple(tuple(entrant_of(seat.entry_id) for seat in table.seats) for table in self.tables)
        return Placed(seats, tuple(entrant_of(each.entry_id) for each in self.direct))

    @property
    def names(self) -> dict[str, str]:
        """Everyone's name by the event file's id."""
        return {str(entrant): each.name for entrant, each in self.people}

    @property
    def differences(self) -> tuple[TableDifference, ...]:
        """Where the tables that are played differ from the draw."""
        return differences(self.drawn, self.placed)

    @property
    def as_drawn(self) -> RoundView:
        """The round as its seed gave it, before any repair."""
        people = dict(self.people)
        tables = tuple(
            replace(table, seats=tuple(people[each] for each in seats))
            for table, seats in zip(self.tables, self.drawn.tables, strict=True)
        )
        return replace(self, tables=tables, direct=tuple(people[each] for each in self.drawn.byes))

    @property
    def by_points(self) -> bool:
        """Whether it is one of the rounds of a stage paired by points."""
        return self.stage == rules.SWISS

    @property
    def in_rounds(self) -> bool:
        """Whether its stage has several rounds; ``direct`` then have a bye (轮空) in it."""
        return self.stage in rules.ROUNDS_OF

    @property
    def people_a_table(self) -> int:
        """How many sit at each table; 0 where everybody has a bye."""
        return len(self.tables[0].seats) if self.tables else 0

    @property
    def entrants_sha256(self) -> str:
        return entrants_sha256(self.entrants)

    @property
    def proof(self) -> str:
        """What the seed gave, as one SHA-256."""
        return rules.draw_proof(bytes.fromhex(self.seed), GroupsDraw(self.drawn.tables, self.drawn.byes))

    @property
    def by_name(self) -> tuple[tuple[EntrantView, int | None], ...]:
        """Everyone with the table number, in the order of GB 2312; None goes straight on, or has a bye.

        GB 2312 lists its common characters by pinyin, so people find themselves as in a printed register.
        """
        seated = [(seat, table.number) for table in self.tables for seat in table.seats]
        everyone: list[tuple[EntrantView, int | None]] = [*seated, *((each, None) for each in self.direct)]
        everyone.sort(key=lambda each: (each[0].name.encode("gb18030"), each[0].entry_id))
        return tuple(everyone)

    @property
    def people(self) -> tuple[tuple[EntrantId, EntrantView], ...]:
        """Everyone in the draw with the id that was drawn, sorted by it as text."""
        everyone = [*(seat for table in self.tables for seat in table.seats), *self.direct]
        return tuple(sorted((entrant_of(each.entry_id), each) for each in everyone))


def moved_tables(drawn: Placed, placed: Placed) -> frozenset[int]:
    """The numbers of the tables that are not as they were drawn."""
    return frozenset(each.number for each in differences(drawn, placed) if each.number is not None)


def change_views(repair: DrawRepair, names: Mapping[str, str]) -> tuple[ChangeView, ...]:
    """The changes of one repair, in the order made."""
    return tuple(
        ChangeView(
            number=each.number,
            change=each.change,
            text=change_text(each.change, names),
            reason=each.reason,
            made_as=Role(each.made_as),
            made_at=each.made_at,
            made_by_id=each.made_by_id,
        )
        for each in repair.changes
    )
