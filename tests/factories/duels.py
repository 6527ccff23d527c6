"""Competitions of pairs at 升级 (拖拉机, 八十分): a reviewed field of pairs, drawn rounds, sheets of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.commands import command
from app.draws.queries import TableView
from app.results import queries as results
from app.results import service as results_service
from app.results.service import Saved
from tests.factories import pairs
from tests.factories import results as results_factory
from tests.factories.publications import Travel

TRACTOR, EIGHTY = pairs.TRACTOR, pairs.EIGHTY
SLUG = "duels"


def field(travel: Travel, regulation: str = TRACTOR, entered: int = 6, **options: Any) -> None:
    """A reviewed field of pairs; the clock stands on the day of play."""
    pairs.field(travel, regulation, entered, SLUG, options=options)


def seats(table: TableView) -> list[str]:
    return results_factory.seats(table)


def deal(banker: str, points: int, **more: Any) -> dict[str, Any]:
    return {"banker": banker, "points": points} | more


def recorded(
    table: TableView,
    slug: str = SLUG,
    *,
    handed_in: bool = False,
    deals: Sequence[Mapping[str, Any]] = (),
    **said: Any,
) -> Saved:
    """A whole sheet in one revision."""
    with command(results_factory.referee(slug)) as ctx:
        return results_service.record_sheet(
            ctx, table.token, deals=deals, outcome=said, handed_in=handed_in, sent=results_factory.sent(table)
        )


def confirmed(table: TableView, slug: str = SLUG, **said: Any) -> Saved:
    """A sheet handed in; the first side ahead at 9 to 7 where nothing is said."""
    if not said:
        one, other = seats(table)
        said = {"levels": {one: "9", other: "7"}, "bank": one}
    return recorded(table, slug, handed_in=True, **said)


def sheet(table: TableView) -> results.SheetView:
    return results.sheet(table.token)
