"""Acts on the floor, as the tests need them: by the chief referee of the competition where nobody else is named."""

from __future__ import annotations

from typing import Any

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.floor import queries, service
from app.floor.queries import RunView
from app.floor.rules import Confirmation, Publication
from tests.factories import registrations, results


def act(name: str, round_: RoundView, slug: str = "beach", by: Actor | None = None, **more: Any) -> RunView:
    """One act on a round, such as ``open_round``; the round as it stands afterwards."""
    with command(by or results.chief(slug)) as ctx:
        getattr(service, name)(ctx, round_.event_id, round_.stage, round_.number, **more)
    return queries.run(round_.id)


def set_terms(
    slug: str = "beach",
    *,
    confirmation: Confirmation = Confirmation.AT_TABLE,
    publication: Publication = Publication.AT_ONCE,
    by: Actor | None = None,
    **minutes: int | None,
) -> None:
    """The terms of the competition's event, chosen by its committee."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        service.set_terms(ctx, event.id, confirmation=confirmation, publication=publication, **minutes)


def keys(slug: str = "beach") -> dict[int, queries.CardView]:
    """The cards of everybody who plays, by entry, made now where there are none."""
    event = competitions.competition(slug).event
    with command(registrations.committee(slug)) as ctx:
        service.make_player_keys(ctx, event.id)
    return {each.entrant.entry_id: each for each in queries.cards(event.id)}
