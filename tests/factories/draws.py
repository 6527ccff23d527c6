from __future__ import annotations

import itertools

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries, service
from app.draws.queries import CommitmentView, RoundView, repairs
from app.draws.queries.repairs import RepairView
from app.draws.rules.repairs import Change
from app.draws.service import repairs as repairs_service
from app.draws.service.repairs import Based
from tests.factories import publications, registrations
from tests.factories.publications import Travel

_keys = itertools.count(1)

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


def open_repair(by: Actor | None = None, slug: str = "beach") -> RepairView:
    """Open a manual phase on the prelim."""
    event = competitions.competition(slug).event
    with command(by or registrations.committee(slug)) as ctx:
        repairs_service.open_repair(ctx, event.id, "prelim", 1)
    return repairs.repair(event.id, "prelim", 1)


def change(
    wanted: Change, by: Actor | None = None, reason: str = "两人是夫妻", slug: str = "beach"
) -> RepairView:
    """Make one change of the open repair of the prelim, on the newest revision."""
    event = competitions.competition(slug).event
    based = Based(repairs.repair(event.id, "prelim", 1).revision, f"change-{next(_keys):06d}")
    with command(by or registrations.committee(slug)) as ctx:
        repairs_service.change(ctx, event.id, "prelim", 1, change=wanted, reason=reason, based=based)
    return repairs.repair(event.id, "prelim", 1)


def confirm(by: Actor, slug: str = "beach") -> RoundView:
    """Confirm the open repair of the prelim, as it stands."""
    event = competitions.competition(slug).event
    based = Based(repairs.repair(event.id, "prelim", 1).revision, f"confirm-{next(_keys):06d}")
    with command(by) as ctx:
        repairs_service.confirm(ctx, event.id, "prelim", 1, based=based)
    return repairs.standing_round(event.id, "prelim", 1)
