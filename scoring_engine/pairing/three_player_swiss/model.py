"""What the three-player Swiss pairing is given: people with their history, and how the regulation pairs them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from scoring_engine.values import EntrantId, Points, UnitId

SEATS = ("W", "S", "E")
"""The seats of a table in the order of bidding (西、南、东): W bids first in deal 1, S in deal 2, E in deal 3."""

TABLE = len(SEATS)


class Rematch(StrEnum):
    """How strictly two who have met are kept apart (重复相遇, I-B-18)."""

    SOFT = "soft"  # after match points, before game points
    LAST = "last"  # after match points and game points
    HARD = "hard"  # never, as people of one unit


@dataclass(frozen=True, slots=True)
class TrioPlayer:
    """One entrant before the round to be paired.

    match_points, game_points: cumulative (累计场分、小分), with byes and penalties. unit: None for who plays for himself.
    met: how often he has sat at a table with each opponent. seats: how often he has sat W, S and E. byes: how many he
    had. available: takes part in this round; False for who is absent, withdrawn, or not paired after forfeits.
    """

    id: EntrantId
    unit: UnitId | None = None
    match_points: Points = 0
    game_points: Points = 0
    met: Mapping[EntrantId, int] = field(default_factory=dict)
    seats: tuple[int, int, int] = (0, 0, 0)
    byes: int = 0
    available: bool = True


@dataclass(frozen=True, slots=True)
class TrioOptions:
    """How the regulation pairs three at a table.

    clause: where it says so; it stands in every question to the committee.
    """

    rematch: Rematch = Rematch.SOFT
    clause: str = ""


def check_players(players: Sequence[TrioPlayer]) -> None:
    """Raises ValueError or TypeError for input no tournament can have."""
    by_id = {player.id: player for player in players}
    if len(by_id) != len(players):
        raise ValueError("an entrant stands twice in the draw")
    for player in players:
        if player.id in player.met:
            raise ValueError(f"{player.id} is among the opponents of {player.id}")
        if not all(isinstance(each, int | Fraction) for each in (player.match_points, player.game_points)):
            raise TypeError(f"the points of {player.id} are neither int nor Fraction")
        if player.byes < 0 or min(player.seats) < 0 or min(player.met.values(), default=0) < 0:
            raise ValueError(f"{player.id} has a negative number of byes, seats or meetings")
        for other, times in player.met.items():
            if other in by_id and by_id[other].met.get(player.id, 0) != times:
                raise ValueError(f"{player.id} and {other} do not agree on how often they met")
