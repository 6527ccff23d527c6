"""Criteria of knock-out events: how far an entrant came, and play-offs."""

from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import Figure


def round_reached(record: StandingRecord) -> Figure | None:
    """The number of the last stage the entrant played in: prelim 1, semifinal 2, final 3."""
    return record.round_reached


def playoff(record: StandingRecord) -> Figure | None:
    """加赛: the ranks in the play-offs of this tie, the first play-off first; lower stands ahead."""
    return record.playoff_ranks
