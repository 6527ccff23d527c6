from __future__ import annotations

import itertools
from typing import Any

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import RoundView, TableView
from app.results import queries, service
from app.results.service import Saved, Sent
from tests.factories import accounts
from tests.factories import draws as draws_factory
from tests.factories.publications import Travel

REFEREE, CHIEF = 9100, 9101
"""Phone serials of a referee and of the chief referee."""

_keys = itertools.count(1)


def key() -> str:
    """An idempotency key nobody used before."""
    return f"test-key-{next(_keys):06d}"


def referee(slug: str = "beach") -> Actor:
    return accounts.user(REFEREE, Role.REFEREE, competition_id=competitions.competition_id(slug))


def chief(slug: str = "beach") -> Actor:
    return accounts.user(CHIEF, Role.CHIEF_REFEREE, competition_id=competitions.competition_id(slug))


def prelim(travel: Travel, entrants: int = 9, slug: str = "beach") -> RoundView:
    """A drawn prelim of regulation A; the clock stands at the end of the publication window."""
    return draws_factory.drawn_prelim(travel, entrants, 3, slug)


def seats(table: TableView) -> list[str]:
    return [str(entrant) for entrant in queries.seats_of(table)]


def deal(landlord: str, bid: int = 1, winner: str = "landlord", **more: Any) -> dict[str, Any]:
    return {"landlord": landlord, "bid": bid, "winner": winner} | more


def deals(table: TableView, bid: int = 1, count: int = 10) -> list[dict[str, Any]]:
    """Ten deals that the first seat wins as landlord three times out of four, so that no two totals are equal."""
    first, second, _ = seats(table)
    return [
        deal(first if number % 4 else second, bid=bid if number < count - table.number else 1)
        for number in range(count)
    ]


def sent(table: TableView, **changes: Any) -> Sent:
    """A change based on the sheet as it stands."""
    values: dict[str, Any] = {
        "base_revision": queries.sheet(table.token).revision,
        "idempotency_key": key(),
    }
    return Sent(**(values | changes))


def recorded(table: TableView, records: list[dict[str, Any]], by: Actor | None = None) -> Saved:
    """All these deals in one revision, not handed in."""
    with command(by or referee()) as ctx:
        return service.record_sheet(ctx, table.token, deals=records, handed_in=False, sent=sent(table))


def confirmed(
    table: TableView, records: list[dict[str, Any]] | None = None, by: Actor | None = None
) -> Saved:
    """A sheet with all its deals, handed in and so confirmed."""
    wanted = queries.sheet(table.token).deals_wanted
    with command(by or referee()) as ctx:
        return service.record_sheet(
            ctx,
            table.token,
            deals=deals(table, bid=1 + table.number % 3, count=wanted) if records is None else records,
            handed_in=True,
            sent=sent(table),
        )


def all_confirmed(event_id: int) -> None:
    """Every table of the event that is not confirmed yet."""
    for each in queries.table_states(event_id):
        if not each.confirmed:
            confirmed(draws.table(each.table.id))
