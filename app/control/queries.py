from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.appeals.queries import board as appeals
from app.competitions import queries as competitions
from app.control.rules import Blocker, TableOnDesk, blocker
from app.corrections import queries as corrections
from app.errors import SaishiError
from app.floor import queries as floor
from app.floor.queries import CallView, NoticeView, RunView
from app.results import queries as results
from app.results.queries import TableState
from app.standings import queries as standings
from app.standings.rules import require_ready
from app.text import T

SLOW = timedelta(minutes=3)
"""A call that waits longer stands out."""


@dataclass(frozen=True, slots=True)
class DeskTable:
    """One table as the chief referee sees it."""

    state: TableState
    referees: tuple[int, ...]
    """Numbers of the referees there."""
    missing: tuple[str, ...]
    """Who has not arrived, where arrivals are recorded and nothing is written on the sheet yet."""
    calls: int

    @property
    def shown_state(self) -> str:
        """Published once it is public, else as the sheet has it."""
        return "published" if self.state.in_force else self.state.shown_state

    @property
    def order(self) -> tuple[int, int]:
        """What needs somebody first."""
        urgent = {"disputed": 0, "entered": 2, "open": 3, "running": 4, "confirmed": 5, "published": 6}
        return (
            1 if self.calls and self.shown_state != "disputed" else urgent[self.shown_state]
        ), self.state.table.number


@dataclass(frozen=True, slots=True)
class Desk:
    """The newest round as it is at this moment; ``run`` is None before the first draw."""

    run: RunView | None
    tables: tuple[DeskTable, ...]
    calls: tuple[CallView, ...]
    notices: tuple[NoticeView, ...]
    corrections: int
    appeals: int
    blocker: Blocker | None
    next_step: T | None
    """What can be done once nothing holds the round up, or why it cannot, in the words of the stages."""
    ready: bool
    """Whether the next round, stage or play-off can be drawn now."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many tables are in each state."""
        return Counter(each.shown_state for each in self.tables)

    @property
    def missing(self) -> int:
        return sum(len(each.missing) for each in self.tables)


def desk(slug: str, now: datetime) -> Desk:
    """Everything the chief referee looks at; a few reads, whatever the number of tables."""
    competition = competitions.competition(slug)
    event = competition.event
    run = floor.current(event.id)
    calls = floor.open_calls(event.id)
    asked = len(corrections.open_requests(event.id))
    appealed = appeals.open_count(competition.id)
    shown = floor.notices(event.id, now)
    if run is None:
        return Desk(None, (), calls, shown, asked, appealed, None, None, ready=False)
    tables = _tables(event.competition_id, run, calls)
    board = standings.stage_board(event.id)
    found = blocker(
        [
            TableOnDesk(
                each.state.table.number,
                each.state.table.token,
                tuple(seat.name for seat in each.state.table.seats),
                each.state.shown_state,
                each.state.in_force,
            )
            for each in sorted(tables, key=lambda each: each.state.table.number)
        ],
        held_back=run.held_back,
        corrections=asked,
        behind=board.behind,
    )
    ready, said = False, None
    if found is None:
        try:
            require_ready(board.next_step, board.waiting_tables, clause=board.clause)
            ready = True
        except SaishiError as refusal:
            said = refusal.text
    return Desk(run, tables, calls, shown, asked, appealed, found, said, ready=ready)


def _tables(competition_id: int, run: RunView, calls: tuple[CallView, ...]) -> tuple[DeskTable, ...]:
    states = [each for each in results.table_states(run.event.id) if each.table.round_id == run.round_id]
    numbers = {each.user_id: each.number for each in floor.referees_of(competition_id)}
    placed = floor.referees([each.table.id for each in states])
    arrived = floor.arrivals(run.round_id)
    calling = Counter(each.table.id for each in calls)
    found = [
        DeskTable(
            state=each,
            referees=tuple(numbers[user] for user in placed.get(each.table.id, ()) if user in numbers),
            missing=tuple(seat.name for seat in each.table.seats if seat.entry_id not in arrived)
            if arrived and each.shown_state == "open"
            else (),
            calls=calling[each.table.id],
        )
        for each in states
    ]
    return tuple(sorted(found, key=lambda each: each.order))
