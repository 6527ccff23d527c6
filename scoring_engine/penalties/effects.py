"""The kinds of penalty a regulation can name."""

from enum import StrEnum


class Effect(StrEnum):
    """What a penalty does to its offender's score."""

    POINTS = "points"  # so many points each time (扣3分)
    ZERO_DEAL = "zero_deal"  # the deal counts 0 (本局比赛成绩记为零分)
    ZERO_ROUND = "zero_round"  # the whole round counts 0 (本轮比赛成绩记为零分)
    WARNINGS = "warnings"  # points at every n-th warning (警告次数达到三次)
    VIOLATION = "violation"  # counted in the ranking (违例次数, 犯规); no points change
    NONE = "none"  # kept on record; no score changes (不得进场, 纪律处罚)
