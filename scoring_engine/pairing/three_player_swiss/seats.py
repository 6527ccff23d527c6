"""Who sits where at a table: W, S and E are spread over the rounds."""

from collections.abc import Sequence
from itertools import permutations

from scoring_engine.pairing.seeds import SeedStream
from scoring_engine.pairing.three_player_swiss.model import SEATS, TrioPlayer


def seat(players: Sequence[TrioPlayer], stream: SeedStream) -> tuple[TrioPlayer, ...]:
    """Three people in seat order W, S, E: the order in which they have sat on their seats least often.

    Of the six orders those with the least sum of seats already had, each counted for who sits there now; this also
    makes the squares of everybody's counts least. Several as good, in the order of the permutations of the people
    given: the stream draws one, and takes a number only then.
    """
    orders = list(permutations(players))
    had = [sum(player.seats[place] for place, player in enumerate(order)) for order in orders]
    best = [order for order, times in zip(orders, had, strict=True) if times == min(had)]
    return best[0] if len(best) == 1 else best[stream.below(len(best))]


def seats_after(player: TrioPlayer, place: int) -> tuple[int, ...]:
    """His seats once he has sat at this place (0 for W)."""
    return tuple(times + (at == place) for at, times in enumerate(player.seats))


def imbalance(seats: Sequence[int]) -> int:
    """How often the seat had most was had more than the seat had least."""
    assert len(seats) == len(SEATS)
    return max(seats) - min(seats)
