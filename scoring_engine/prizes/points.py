"""职工赛事积分 and grades (等级) from the final placings (A 六(三)).

| rule | implemented |
|---|---|
| a place is worth what the organiser's table says | yes, by the final rank |
| a shared rank | its points for all who share it, as prizes by rank |
| groups of a Swiss event | each group by its own ranks, as prizes by rank |
| a pair | what its place is worth; whether each of the two has it, the table's owner says |
| grades | the highest whose number is reached by the points of this event alone; sums over events are not kept here |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring_engine.ranking import Placing
from scoring_engine.rules import AwardPoints
from scoring_engine.values import EntrantId, Text


@dataclass(frozen=True, slots=True)
class Earned:
    """What one entrant's final rank is worth; grade None where no grade is reached."""

    entrant: EntrantId
    rank: int
    points: int
    grade: Text | None

    def to_json(self) -> dict[str, Any]:
        """`{"entrant", "rank", "points"}`, and `"grade"`, `"grade_en"` where one is reached; points as text."""
        shown: dict[str, Any] = {"entrant": self.entrant, "rank": self.rank, "points": str(self.points)}
        return shown if self.grade is None else shown | {"grade": self.grade.zh, "grade_en": self.grade.en}


def earned(table: AwardPoints, placings: Sequence[Placing]) -> tuple[Earned, ...]:
    """Everybody whose place is worth points, in the order of the placings."""
    worth = [(item, table.of_rank(item.rank) or 0) for item in placings]
    return tuple(
        Earned(item.entrant, item.rank, points, table.grade(points)) for item, points in worth if points
    )


def points_json(
    table: AwardPoints | None, placings: Sequence[Placing], *, decided: bool
) -> dict[str, dict[str, Any]]:
    """`{"points": …}` for a score document; nothing where the regulation has no numbers.

    While the event is not `decided` nobody has any.
    """
    if table is None or not table.places:
        return {}
    people = earned(table, placings) if decided else ()
    return {
        "points": {
            "event_grade": table.event_grade,
            "clause": table.clause,
            "entrants": [each.to_json() for each in people],
        }
    }
