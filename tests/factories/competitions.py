from __future__ import annotations

from typing import Any

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries, service
from app.competitions.queries import CompetitionView
from tests.factories import accounts

REGULATION = "beach-games-landlord-2021"
ORGANISER_SERIAL = 90_000_001


def organiser() -> Actor:
    """An organiser of the whole installation."""
    return accounts.user(ORGANISER_SERIAL, Role.ORGANISER)


def competition(by: Actor | None = None, **changes: Any) -> CompetitionView:
    """A competition by regulation A with the dates of its text. Needs an application context."""
    values: dict[str, Any] = {"regulation": REGULATION, "place": "三亚", "slug": "beach-2021"} | changes
    with command(by or organiser()) as ctx:
        competition_id = service.create_competition(ctx, **values)
    return queries.competition_by_id(competition_id)
