from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import pytest

from app.actors import Actor
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.publications.queries import PublicationView
from app.registrations import queries as registrations
from tests.factories import objections as make
from tests.factories import publications
from tests.factories import registrations as people

Travel = Callable[[datetime], None]


@dataclass(frozen=True, slots=True)
class Scene:
    """Six entrants of three units, listed; two members of the committee who are nothing else."""

    competition: CompetitionView
    publication: PublicationView
    leaders: tuple[Actor, ...]
    units: tuple[int, ...]
    member: Actor
    colleague: Actor

    def entries(self, unit: int) -> list[int]:
        """The entries of a unit (0, 1, 2), in the order of the list."""
        known = registrations.approved_entries(self.competition.event.id)
        return [each.entry_id for each in known if each.unit_id == self.units[unit]]


def set_scene(travel: Travel, entrants: int = 6) -> Scene:
    """A list of this many entrants of three units; the clock stands in the first second of its window."""
    publication = publications.published_field(travel, entrants=entrants)
    competition = competitions.competition("beach")
    units = registrations.led_units(competition.id)
    return Scene(
        competition,
        publication,
        tuple(people.accounts.actor(each.leader_user_id) for each in units),
        tuple(each.id for each in units),
        make.member(0),
        make.member(1),
    )


@pytest.fixture
def scene(session: object, travel: Travel) -> Scene:
    """The clock stands in the first second of the window."""
    return set_scene(travel)
