from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest

from app.actors import Actor
from app.appeals.queries import people
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.draws import queries as draws
from app.draws.queries import RoundView, TableView
from app.registrations import queries as registrations
from app.text import BEIJING
from tests.factories import accounts, results
from tests.factories import appeals as make

Travel = Callable[[datetime], None]
END = datetime(2021, 12, 3, 10, 0, tzinfo=BEIJING)
"""When the round ends (golden values: oral until 10:05:00, written until 10:10:00)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Nine entrants of three units have played the prelim, which ended at ``END``, where the clock stands."""

    competition: CompetitionView
    round: RoundView
    arbiter: Actor
    colleague: Actor

    @property
    def event_id(self) -> int:
        return self.competition.event.id

    @property
    def table(self) -> TableView:
        """The first table, as it is now."""
        return draws.table(self.round.tables[0].id)

    def leader(self, seat: int = 0) -> Actor:
        """Who leads the entrant of a seat of the first table."""
        entry_id = self.table.seats[seat].entry_id
        return accounts.actor(people.sides([entry_id])[entry_id].leader_user_id)

    def stranger(self) -> Actor:
        """A leader with nobody at the first table, or a person who leads nobody."""
        here = {self.leader(seat).user_id for seat in range(len(self.table.seats))}
        units = registrations.led_units(self.competition.id)
        others = [each.leader_user_id for each in units if each.leader_user_id not in here]
        return accounts.actor(others[0]) if others else accounts.user(777)


def set_scene(travel: Travel, entrants: int = 9) -> Scene:
    round_ = results.prelim(travel, entrants)
    travel(END)
    results.all_confirmed(round_.event_id)
    make.ended(round_, END)
    return Scene(competitions.competition("beach"), round_, make.arbiter(0), make.arbiter(1))


@pytest.fixture
def scene(session: object, travel: Travel) -> Scene:
    return set_scene(travel)
