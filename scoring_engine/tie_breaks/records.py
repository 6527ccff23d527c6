"""What a ranking is computed from: one frozen record per entrant."""

from dataclasses import dataclass

from scoring_engine.values import EntrantId, Points


@dataclass(frozen=True, slots=True)
class StandingRecord:
    """One entrant's results in one stage.

    points: total of the stage in points, penalties included.
    deals_won: deals won (胜局数); None where only totals were recorded.
    deal_scores: the points of each deal, in the order played; None where only totals were recorded.
    round_reached: number of the last stage played, from 1; None inside a single stage.
    playoff_ranks: ranks in the play-offs this entrant has played for this tie, in order; None before any.
    """

    entrant: EntrantId
    points: Points
    deals_won: int | None = None
    deal_scores: tuple[int, ...] | None = None
    round_reached: int | None = None
    playoff_ranks: tuple[int, ...] | None = None
