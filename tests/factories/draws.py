from __future__ import annotations

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, service
from app.draws.queries import RoundView
from tests.factories import publications, registrations
from tests.factories.publications import Travel

SEED = "00112233445566778899aabbccddeeff" * 2


def draw(slug: str = "beach", by: Actor | None = None, seed: str | None = SEED) -> RoundView:
    """Draw the prelim now; the caller's clock stands after the window."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        service.draw(ctx, event.id, "prelim", seed)
    (drawn,) = queries.rounds(event.id)
    return drawn


def drawn_prelim(travel: Travel, entrants: int = 9, units: int = 3, slug: str = "beach") -> RoundView:
    """A field whose list is final and whose prelim is drawn; the clock stands at the end of the window."""
    publications.published_field(travel, entrants, units, slug)
    travel(publications.WINDOW_OVER)
    return draw(slug)
