from __future__ import annotations

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, service
from app.draws.queries import CommitmentView, RoundView
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


def commit(slug: str = "beach", by: Actor | None = None, seed: str | None = SEED) -> CommitmentView:
    """Commit to the seed of the prelim now; the caller's clock stands after the window."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        service.commit_seed(ctx, event.id, "prelim", seed)
    return queries.last_commitment(event.id, "prelim", 1)


def contribute(words: str, slug: str = "beach", by: Actor | None = None) -> CommitmentView:
    """Add what the public says to the open commitment of the prelim."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        service.contribute(ctx, event.id, "prelim", 1, words)
    return queries.last_commitment(event.id, "prelim", 1)


def withdraw(reason: str, slug: str = "beach", by: Actor | None = None) -> CommitmentView:
    """Give the open commitment of the prelim up."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        service.withdraw_commitment(ctx, event.id, "prelim", 1, reason)
    return queries.last_commitment(event.id, "prelim", 1)
