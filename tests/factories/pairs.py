"""Competitions that pairs enter (一对): 拖拉机 by units, 八十分 by the players themselves."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import CompetitionView
from app.registrations import queries, service
from app.registrations.rules import Decision, DecisionKind, EntryId, MemberForm
from app.text import BEIJING
from tests.factories import accounts, people, registrations
from tests.factories import competitions as competitions_factory
from tests.factories.publications import Travel

TRACTOR, EIGHTY = "baiyun-tractor-2016", "siming-eighty-2023"
DURING_ENTRIES = {
    TRACTOR: datetime(2016, 5, 10, 12, 0, tzinfo=BEIJING),
    EIGHTY: datetime(2023, 10, 10, 12, 0, tzinfo=BEIJING),
}
PLAY = {
    TRACTOR: datetime(2016, 5, 28, 9, 0, tzinfo=BEIJING),
    EIGHTY: datetime(2023, 10, 29, 9, 0, tzinfo=BEIJING),
}
DAYS_OF_PLAY = {TRACTOR: {"play_from": "2016-05-28", "play_to": "2016-05-28"}, EIGHTY: {}}
"""What the text leaves to a further notice, the organiser says."""
DECLARED = {TRACTOR: ("healthy",), EIGHTY: ("union_members",)}
SLUG = "pairs"


def competition(
    travel: Travel, regulation: str = EIGHTY, slug: str = SLUG, **changes: Any
) -> CompetitionView:
    """A competition of pairs; the clock stands in the days of entry."""
    travel(DURING_ENTRIES[regulation])
    by = accounts.user(registrations.ORGANISER, Role.ORGANISER)
    dates = DAYS_OF_PLAY[regulation] | changes.pop("calendar", {})
    return competitions_factory.competition(by, regulation=regulation, slug=slug, calendar=dates, **changes)


def player(serial: int, born: date = date(1985, 6, 15), **changes: Any) -> dict[str, Any]:
    """One player's part of the form, as the API takes it; everything declared that either text asks for."""
    form = {
        "name": people.person_name(serial),
        "id_number": people.id_number(serial, born),
        "phone": people.phone(1000 + serial),
        "unit_name": f"第{serial}厂工会",
        "declared": {"union_members": True, "healthy": True},
    }
    return form | changes


def form(
    serial: int = 1, first: dict[str, Any] | None = None, second: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Both players of pair ``serial``: people number 2·serial − 1 and 2·serial."""
    return [player(2 * serial - 1, **(first or {})), player(2 * serial, **(second or {}))]


def typed(members: list[dict[str, Any]]) -> list[MemberForm]:
    return [
        MemberForm(
            **(each | {"declared": frozenset(rule for rule, said in each["declared"].items() if said)})
        )
        for each in members
    ]


def entrant(serial: int, slug: str = SLUG) -> Actor:
    """Somebody who agreed to the privacy notice; with a unit where a unit's leader enters its pairs."""
    by_players = competitions.competition(slug).event.regulation.by_players
    return registrations.leader(serial, slug, with_unit=not by_players)


def pair(person: Actor, serial: int = 1, slug: str = SLUG, **changes: Any) -> EntryId:
    with command(person) as ctx:
        return service.add_pair(ctx, slug=slug, members=typed(form(serial, **changes)))


def submitted(serial: int, slug: str = SLUG, *, pairs: int = 1) -> Actor:
    """Who entered ``pairs`` pairs, handed in. The first pair has the serial of whoever enters it, the others 100 more each."""
    person = entrant(serial, slug)
    for number in range(pairs):
        pair(person, serial + 100 * number, slug)
    registrations.submission(person, slug)
    return person


def approve(slug: str = SLUG) -> None:
    """The committee approves whatever waits."""
    event = competitions.competition(slug).event
    waiting = [view.entry_id for view in queries.review_list(event) if view.state == "submitted"]
    with command(registrations.committee(slug)) as ctx:
        service.decide(ctx, slug=slug, decisions=[Decision(each, DecisionKind.APPROVE) for each in waiting])


def field(
    travel: Travel, regulation: str = EIGHTY, pairs: int = 8, slug: str = SLUG, **changes: Any
) -> CompetitionView:
    """A reviewed field of pairs, each entered by somebody else; the clock stands on the day of play."""
    made = competition(travel, regulation, slug, **changes)
    for serial in range(1, pairs + 1):
        submitted(serial, slug)
    approve(slug)
    travel(PLAY[regulation])
    return made
