"""Criteria of 二打一: total -> deals won -> best single deals (A, 四(二)8(一))."""

from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import Figure


def total_points(record: StandingRecord) -> Figure | None:
    """总得分: the sum of all deals and penalties of the stage."""
    return record.points


def deals_won(record: StandingRecord) -> Figure | None:
    """胜局数; None where only totals are known."""
    return record.deals_won


def best_deals(record: StandingRecord) -> Figure | None:
    """单副最高得分, then the second highest, and so on; None where only totals are known.

    While a stage is running one list can be shorter: after equal beginnings the entrant who has played fewer deals
    stands behind, because he has no further deal to show.
    """
    if record.deal_scores is None:
        return None
    return tuple(sorted(record.deal_scores, reverse=True))
