"""Criteria that look at more than results: the ranks after earlier rounds (前一轮名次), and lots (抽签)."""

from collections.abc import Sequence

from scoring_engine.tie_breaks.records import CriterionOptions, Field, StandingRecord
from scoring_engine.values import Figure

COMPARES = ("standings", "points")


def previous_round_rank(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """前一轮名次, 以此类推 (附件3二, I-B-13): the rank after the round before, then after the one before that, and so on.

    `compares`: `standings`, by the whole chain recomputed after that round; `points`, by the points then had alone.
    None after the first round, when there is no earlier one.
    """
    earlier = field.earlier if options["compares"] == "standings" else field.earlier_points
    if not earlier:
        return [None] * len(records)
    return list(zip(*[[ranks[record.entrant] for record in records] for ranks in earlier], strict=True))


def lots(tied: Sequence[StandingRecord], field: Field, _options: CriterionOptions) -> list[Figure | None]:
    """抽签: the place drawn by lot; None, which shares the rank, where no lots were drawn."""
    if field.lots is None:
        return [None] * len(tied)
    return [field.lots[record.entrant] for record in tied]
