"""Criteria of 升级 by points (拖拉机): the levels gained in all rounds (I-C-9).

A side that gained nothing because it had a bye has 0 (I-C-14). A round without levels – of another game – is not 0 but
unknown.
"""

from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import Figure


def level_difference(record: StandingRecord) -> Figure | None:
    """净胜级数: levels gained less those of the opponents, over all rounds."""
    own, others = levels(record), _sum(record, against=True)
    return own - others if isinstance(own, int) and others is not None else None


def levels(record: StandingRecord) -> Figure | None:
    """累计级数: levels gained over all rounds, counted from the level every round begins at."""
    return _sum(record, against=False)


def _sum(record: StandingRecord, *, against: bool) -> int | None:
    if record.rounds is None:
        return None
    total = 0
    for part in record.rounds:
        gained = part.levels_against if against else part.levels
        if gained is None:
            return None
        total += gained
    return total
