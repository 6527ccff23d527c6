"""Competitions paired by points (积分编排): a reviewed field, drawn rounds, results of boards."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.queries import RoundView, TableView
from app.results import queries as results
from app.results import service as results_service
from app.results.service import Saved
from app.standings import service
from app.text import BEIJING
from tests.factories import accounts, registrations
from tests.factories import competitions as competitions_factory
from tests.factories import results as results_factory
from tests.factories.publications import Travel

GO, XIANGQI, LANDLORD = "dongcheng-go-2021", "dongcheng-xiangqi-2021", "dongcheng-landlord-2021"
DURING_ENTRIES = datetime(2021, 5, 25, 12, 0, tzinfo=BEIJING)
PLAY = datetime(2021, 6, 12, 9, 0, tzinfo=BEIJING)
SLUG = "rounds"


def field(
    travel: Travel,
    regulation: str = XIANGQI,
    entrants: int = 6,
    slug: str = SLUG,
    *,
    unit: int = 2,
    options: dict[str, Any] | None = None,
) -> None:
    """A reviewed field, two to a unit or as many as ``unit``; the clock stands on the first day of play."""
    travel(DURING_ENTRIES)
    by = accounts.user(registrations.ORGANISER, Role.ORGANISER)
    competitions_factory.competition(by, regulation=regulation, slug=slug, name="演练赛", options=options)
    for number, first in enumerate(range(0, entrants, unit), start=1):
        registrations.approved(number, min(unit, entrants - first), slug)
    travel(PLAY)


def drawn(slug: str = SLUG, seed: str | None = None) -> RoundView:
    """The next round, drawn now."""
    event = competitions.competition(slug).event
    with command(registrations.committee(slug)) as ctx:
        round_id = service.draw_stage(ctx, event.id, seed=seed)
    return next(each for each in draws.rounds(event.id) if each.id == round_id)


def confirmed(table: TableView, slug: str = SLUG, **said: Any) -> Saved:
    """A sheet handed in with this content; a win of the first seat where nothing is said."""
    deals = said.pop("deals", [])
    outcome = said or ({} if deals else {"winner": results_factory.seats(table)[0]})
    with command(results_factory.referee(slug)) as ctx:
        return results_service.record_sheet(
            ctx,
            table.token,
            deals=deals,
            outcome=outcome,
            handed_in=True,
            sent=results_factory.sent(table),
        )


def played(round_: RoundView, slug: str = SLUG) -> None:
    """Every table of a round won by its first seat."""
    for table in round_.tables:
        confirmed(table, slug)


def sheet(table: TableView) -> results.SheetView:
    return results.sheet(table.token)
