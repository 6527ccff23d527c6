from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.publications import queries, service
from app.publications.queries import PublicationView
from app.registrations import queries as registrations_queries
from app.registrations import service as registrations_service
from app.registrations.rules import Decision, DecisionKind
from app.text import BEIJING
from tests.factories import registrations

DEADLINE = datetime(2021, 10, 31, 18, 0, tzinfo=BEIJING)
AFTER_CLOSING = datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING)
"""The first second in which the list of regulation A may be published."""

LAST_SECOND = datetime(2021, 11, 5, 23, 59, 59, tzinfo=BEIJING)
WINDOW_OVER = datetime(2021, 11, 6, tzinfo=BEIJING)
"""The first instant after the window of a list published in time."""

Travel = Callable[[datetime], None]


def field(entrants: int = 9, units: int = 3, slug: str = "beach", *, approve: bool = True) -> CompetitionView:
    """A competition with this many handed-in entrants, spread over the units; approved unless told not to."""
    competition = registrations.competition(slug)
    serial = 0
    for unit in range(units):
        leader = registrations.leader(unit + 1, slug)
        for _ in range(entrants // units + (unit < entrants % units)):
            serial += 1
            registrations.member(leader, serial, slug)
        registrations.submission(leader, slug)
    if approve:
        approve_all(slug)
    return competition


def approve_all(slug: str = "beach") -> None:
    event = competitions.competition(slug).event
    waiting = [
        view.entry_id for view in registrations_queries.review_list(event) if view.state == "submitted"
    ]
    with command(registrations.committee(slug)) as ctx:
        registrations_service.decide(
            ctx, slug=slug, decisions=[Decision(each, DecisionKind.APPROVE) for each in waiting]
        )


def publish(slug: str = "beach", by: Actor | None = None) -> PublicationView:
    """Publish now; the caller's clock stands after the deadline."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        number = service.publish(ctx, event.id)
    return queries.publication(event.id, number)


def published_field(
    travel: Travel, entrants: int = 9, units: int = 3, slug: str = "beach"
) -> PublicationView:
    """An approved field whose list came out in the first second after the deadline, where the clock now stands."""
    field(entrants, units, slug)
    travel(AFTER_CLOSING)
    return publish(slug)
