from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import select

from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.models import Event
from app.competitions.queries import CompetitionView
from app.publications import queries, service
from app.publications.queries import PublicationView
from app.publications.rules import objections
from app.registrations import queries as registrations_queries
from app.registrations import service as registrations_service
from app.registrations.rules import Decision, DecisionKind, EntryId
from app.regulations import library
from app.regulations import service as regulations_service
from app.regulations.rules import Regulation
from app.text import BEIJING
from tests.factories import registrations

DEADLINE = datetime(2021, 10, 31, 18, 0, tzinfo=BEIJING)
AFTER_CLOSING = datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING)
"""The first second in which the list of regulation A may be published."""

LAST_SECOND = datetime(2021, 11, 5, 23, 59, 59, tzinfo=BEIJING)
WINDOW_OVER = datetime(2021, 11, 6, tzinfo=BEIJING)
"""The first instant after the window of a list published in time."""

GOLDEN_WINDOWS = [
    ("2021-10-31", "2021-11-05"),  # 三(四)1: a Sunday
    ("2021-09-30", "2021-10-13"),  # the National Day, with 9 October worked (调休)
    ("2021-04-30", "2021-05-11"),  # Labour Day, with 8 May worked
    ("2021-02-09", "2021-02-22"),  # the Spring Festival, with 20 February worked
    ("2023-10-18", "2023-10-25"),
    ("2024-12-31", "2025-01-08"),  # across New Year, by the calendars of two years
]
"""Deadline -> last day of five working days (golden.md, 三(四)1)."""

Travel = Callable[[datetime], None]


def closing_on(day: str) -> None:
    """The regulation of the competition with another deadline: the day is in the text, not in the program."""
    document = library.load("beach-games-landlord-2021").document
    document["calendar"]["registration_closes"]["at"] = f"{day}T18:00:00+08:00"
    with command(SYSTEM) as ctx:
        event = ctx.session.scalars(select(Event)).one()
        event.regulation_version_id = regulations_service.freeze(ctx, Regulation.from_document(document))
        ctx.record(AuditAction.REGULATION_IN_FORCE, event)


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


def supplement(slug: str = "beach", by: Actor | None = None) -> PublicationView:
    """Publish whoever is approved and on no list."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        number = service.publish_supplementary(ctx, event.id)
    return queries.publication(event.id, number)


def supersede(
    number: int,
    left_out: Sequence[int] = (),
    *,
    reason: str = "资格复核后更正。",
    slug: str = "beach",
    by: Actor | None = None,
) -> PublicationView:
    """Take the place of a list by a corrected one."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        made = service.supersede(
            ctx, event.id, number, reason=reason, left_out=[EntryId(each) for each in left_out]
        )
    return queries.publication(event.id, made)


def finish() -> int:
    """What the worker does every quarter of a minute; how many lists became final."""
    with command(SYSTEM) as ctx:
        return service.finish_due(ctx)


@contextmanager
def held(*publication_ids: int) -> Iterator[set[int]]:
    """Lists (ids) with one open objection each, as a later feature would say; take one out of the set to decide it."""
    open_ = set(publication_ids)
    before = objections._Bound.open_objections
    objections.bind_open_objections(lambda wanted: {each: 1 for each in wanted if each in open_})
    try:
        yield open_
    finally:
        objections.bind_open_objections(before)
