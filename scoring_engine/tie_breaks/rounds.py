"""Criteria of rounds at a table of three (附件4六): 小分, 获胜轮数, 最高场分个数.

| option | values, the first is taken where a regulation names none |
|---|---|
| `rounds_won.counts` | `sole_first`, alone first at the table; `shared_first` too; `positive_game_points` (I-B-8) |
| `highest_match_points.counts` | `each_value`, from the highest down; `highest_only` (I-B-9) |
| `highest_match_points.unplayed` | whether byes and forfeits are `counted` or `not_counted` |
"""

from collections.abc import Sequence

from scoring_engine.tie_breaks.records import CriterionOptions, Field, Played, RoundResult, StandingRecord
from scoring_engine.values import Figure, Points

WON = ("sole_first", "shared_first", "positive_game_points")
HIGHEST = ("each_value", "highest_only")


def game_points(record: StandingRecord) -> Figure | None:
    """小分: the game points of all rounds, byes and forfeits included."""
    if record.rounds is None:
        return None
    total: Points = 0
    for part in record.rounds:
        if part.game_points is None:
            return None
        total += part.game_points
    return total


def rounds_won(record: StandingRecord, options: CriterionOptions) -> Figure | None:
    """获胜轮数: rounds won at the table; a bye and a forfeit are none."""
    if record.rounds is None:
        return None
    return sum(part.played is Played.GAME and _is_won(part, str(options["counts"])) for part in record.rounds)


def _is_won(part: RoundResult, counts: str) -> bool:
    if counts == "positive_game_points":
        return part.game_points is not None and part.game_points > 0
    return part.won or (counts == "shared_first" and part.drawn)


def highest_match_points(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """获得最高场分的个数, 依次: how many rounds gave the highest match points, the next lower ones, and so on."""
    values = field.values[:1] if options["counts"] == "highest_only" else field.values
    counts_unplayed = options["unplayed"] == "counted"
    found: list[Figure | None] = []
    for record in records:
        if record.rounds is None or not values:
            found.append(None)
            continue
        had = [part.points for part in record.rounds if counts_unplayed or part.played is Played.GAME]
        found.append(tuple(had.count(value) for value in values))
    return found
