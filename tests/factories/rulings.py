"""Rulings (判罚) as referees and the chief referee give them."""

from __future__ import annotations

from typing import Any

from app.actors import SYSTEM, Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import TableView
from app.draws.rules import entry_of
from app.rulings import service
from app.standings import queries as standings
from app.standings import service as standings_service
from scoring_engine.values import EntrantId
from tests.factories import results


def given(
    table: TableView, code: str, *entrants: str, by: Actor | None = None, slug: str = "beach", **more: Any
) -> tuple[int, ...]:
    """A ruling about entrants (ids of the event file), by the chief referee where nobody is named."""
    values: dict[str, Any] = {"reason": "裁判当场看到", "idempotency_key": results.key()} | more
    with command(by or results.chief(slug)) as ctx:
        return service.rule(
            ctx, table.token, code=code, entry_ids=[entry_of(EntrantId(each)) for each in entrants], **values
        )


def withdrawn(ruling_id: int, by: Actor | None = None, slug: str = "beach", reason: str = "认错了人") -> None:
    event = competitions.competition(slug).event
    with command(by or results.chief(slug)) as ctx:
        service.withdraw(ctx, event.id, ruling_id, reason=reason)


def standing(slug: str = "beach") -> dict[str, Any]:
    """The score document of the newest results version, computed now."""
    event = competitions.competition(slug).event
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, event.id)
    snapshot = standings.latest(event.id)
    assert snapshot is not None
    assert snapshot.results_version == competitions.event(event.id).results_version
    return dict(snapshot.result)
