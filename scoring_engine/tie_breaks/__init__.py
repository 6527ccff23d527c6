"""Ranking criteria (名次依据): one explicit table, code -> how it is computed and which way it counts.

| code | term | value | module |
|---|---|---|---|
| `total_points` | 总得分 | points of the stage, penalties included | landlord |
| `deals_won` | 胜局数 | number of deals won | landlord |
| `best_deals` | 单副最高得分依次 | deal scores, highest first, compared one after the other | landlord |
| `round_reached` | 晋级阶段 | number of the stage reached, the first is 1 | progress |
| `playoff` | 加赛 | ranks in the play-offs, one after the other | progress |

Not here yet: the criteria of Swiss events and of tractor matches.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring_engine.tie_breaks import landlord, progress
from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import Figure, Text

HIGH = "high"
LOW = "low"


@dataclass(frozen=True, slots=True)
class CriterionKind:
    """How a criterion is computed from a record, and whether the higher or the lower value stands ahead.

    `compute` answers None where the record does not hold what the criterion needs: missing is not zero.
    """

    compute: Callable[[StandingRecord], Figure | None]
    direction: str
    label: Text


CRITERIA: Mapping[str, CriterionKind] = {
    "total_points": CriterionKind(landlord.total_points, HIGH, Text("总得分", "Total points")),
    "deals_won": CriterionKind(landlord.deals_won, HIGH, Text("胜局数", "Deals won")),
    "best_deals": CriterionKind(
        landlord.best_deals, HIGH, Text("单副最高得分依次", "Best single deals in turn")
    ),
    "round_reached": CriterionKind(progress.round_reached, HIGH, Text("晋级阶段", "Stage reached")),
    "playoff": CriterionKind(progress.playoff, LOW, Text("加赛", "Play-off")),
}
