"""Ranking criteria (名次依据): one explicit table, code -> how it is computed and which way it counts.

| code | term | value | module |
|---|---|---|---|
| `total_points` | 总得分 | points of the stage, penalties included | landlord |
| `deals_won` | 胜局数 | number of deals won | landlord |
| `best_deals` | 单副最高得分依次 | deal scores, highest first, compared one after the other | landlord |
| `round_reached` | 晋级阶段 | number of the stage reached, the first is 1 | progress |
| `playoff` | 加赛 | ranks in the play-offs, one after the other | progress |
| `match_points` | 积分 | points of all rounds | board |
| `opponent_score` | 对手分 | points of the opponents met | opponents |
| `beaten_score` | 胜者对手分 | points of the opponents beaten (SODOS) | opponents |
| `opponents_opponent_score` | 对手的对手分 | opponent scores of the opponents met (SOSOS) | opponents |
| `progressive_cut` | 逐轮递减 | opponent score without the last 1, 2, … rounds, one after the other | opponents |
| `violations` | 违例, 犯规 | how often the rules were broken | board |
| `head_to_head` | 直胜 | points against those who are tied | head_to_head |
| `level_difference` | 净胜级数 | levels gained less the opponents' | levels |
| `levels` | 累计级数 | levels gained | levels |
| `wins` | 胜局 | rounds won | board |
| `games_moving_second` | 后走局数 | games in which he moved second | board |
| `wins_moving_second` | 后走胜局 | games won in which he moved second | board |
| `previous_round_rank` | 前一轮名次 | ranks after the rounds before, the last first | earlier_rounds |
| `game_points` | 小分 | game points of all rounds | rounds |
| `rounds_won` | 获胜轮数 | rounds won at a table of three | rounds |
| `highest_match_points` | 最高场分个数, 依次 | how many rounds gave the highest match points, the next, and so on | rounds |
| `lots` | 抽签 | place drawn by lot | earlier_rounds |
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring_engine.tie_breaks import (
    board,
    earlier_rounds,
    head_to_head,
    landlord,
    levels,
    opponents,
    progress,
    rounds,
)
from scoring_engine.tie_breaks.records import CriterionOptions, Field, StandingRecord
from scoring_engine.values import Figure, Text

HIGH = "high"
LOW = "low"

Compute = Callable[[Sequence[StandingRecord], Field, CriterionOptions], Sequence[Figure | None]]
OfTie = Callable[[Sequence[int]], bool]
MayPart = Callable[[Sequence[StandingRecord], Field, CriterionOptions], OfTie]


def any_tie(_records: Sequence[StandingRecord], _field: Field, _options: CriterionOptions) -> OfTie:
    """No tie is known to be left alone before it is looked into."""
    return lambda _tied: True


@dataclass(frozen=True, slots=True)
class CriterionKind:
    """How a criterion is computed, and whether the higher or the lower value stands ahead.

    `compute` answers one value for each record, in order; None where the record does not hold what the criterion needs:
    missing is not zero. It is asked once for the whole field, or, where the value depends on who is tied (`of_tied`),
    for each group that is equal so far. `may_part` is made of all records then, and first asked whether it is worth it: by the
    places of the tied among them it answers no only where `compute` has no values for these. `options` has the values each
    option may take; the first is taken where a regulation names none. `adds_up`: whether a team's value is the sum of its
    members'.
    """

    compute: Compute
    direction: str
    label: Text
    options: Mapping[str, tuple[str, ...] | range] = field(default_factory=dict)
    of_tied: bool = False
    may_part: MayPart = any_tie
    adds_up: bool = False


def each(value: Callable[[StandingRecord], Figure | None]) -> Compute:
    """The computation of a criterion that needs one record and no options."""

    def compute(
        records: Sequence[StandingRecord], _field: Field, _options: CriterionOptions
    ) -> list[Figure | None]:
        return [value(record) for record in records]

    return compute


def each_with(value: Callable[[StandingRecord, CriterionOptions], Figure | None]) -> Compute:
    """The computation of a criterion that needs one record and its options."""

    def compute(
        records: Sequence[StandingRecord], _field: Field, options: CriterionOptions
    ) -> list[Figure | None]:
        return [value(record, options) for record in records]

    return compute


CRITERIA: Mapping[str, CriterionKind] = {
    "total_points": CriterionKind(each(landlord.total_points), HIGH, Text("总得分", "Total points")),
    "deals_won": CriterionKind(each(landlord.deals_won), HIGH, Text("胜局数", "Deals won")),
    "best_deals": CriterionKind(
        each(landlord.best_deals), HIGH, Text("单副最高得分依次", "Best single deals in turn")
    ),
    "round_reached": CriterionKind(each(progress.round_reached), HIGH, Text("晋级阶段", "Stage reached")),
    "playoff": CriterionKind(each(progress.playoff), LOW, Text("加赛", "Play-off")),
    "match_points": CriterionKind(
        each_with(board.match_points), HIGH, Text("积分", "Match points"), adds_up=True
    ),
    "opponent_score": CriterionKind(
        opponents.opponent_score, HIGH, Text("对手分", "Opponents' points"), opponents.OPTIONS, adds_up=True
    ),
    "beaten_score": CriterionKind(
        opponents.beaten_score,
        HIGH,
        Text("胜者对手分", "Points of the opponents beaten"),
        {**opponents.OPTIONS, "draws": ("none", "half")},
    ),
    "opponents_opponent_score": CriterionKind(
        opponents.opponents_opponent_score, HIGH, Text("对手的对手分", "Opponents' opponents' points")
    ),
    "progressive_cut": CriterionKind(
        opponents.progressive_cut,
        HIGH,
        Text("逐轮递减", "Progressive cut"),
        {"variant": ("opponents", "own_last", "own_first")},
    ),
    "violations": CriterionKind(each_with(board.violations), LOW, Text("违例、犯规次数", "Violations")),
    "head_to_head": CriterionKind(
        head_to_head.head_to_head,
        HIGH,
        Text("直胜", "Head to head"),
        {"scope": head_to_head.SCOPES, "forfeits": board.COUNTED},
        of_tied=True,
        may_part=head_to_head.may_part,
    ),
    "wins": CriterionKind(
        each_with(board.wins),
        HIGH,
        Text("胜局", "Wins"),
        {"byes": board.NOT_COUNTED, "forfeits": board.COUNTED},
    ),
    "games_moving_second": CriterionKind(
        each_with(board.games_moving_second),
        HIGH,
        Text("后走局数", "Games moving second"),
        {"forfeits": board.NOT_COUNTED},
    ),
    "wins_moving_second": CriterionKind(
        each_with(board.wins_moving_second),
        HIGH,
        Text("后走胜局", "Wins moving second"),
        {"forfeits": board.NOT_COUNTED},
    ),
    "previous_round_rank": CriterionKind(
        earlier_rounds.previous_round_rank,
        LOW,
        Text("前一轮名次", "Rank after the round before"),
        {"compares": earlier_rounds.COMPARES},
    ),
    "game_points": CriterionKind(each(rounds.game_points), HIGH, Text("小分", "Game points"), adds_up=True),
    "rounds_won": CriterionKind(
        each_with(rounds.rounds_won),
        HIGH,
        Text("获胜轮数", "Rounds won"),
        {"counts": rounds.WON},
        adds_up=True,
    ),
    "highest_match_points": CriterionKind(
        rounds.highest_match_points,
        HIGH,
        Text("最高场分个数（依次）", "Rounds with the highest match points, in turn"),
        {"counts": rounds.HIGHEST, "unplayed": board.COUNTED},
        adds_up=True,
    ),
    "level_difference": CriterionKind(
        each(levels.level_difference), HIGH, Text("净胜级数", "Level difference"), adds_up=True
    ),
    "levels": CriterionKind(each(levels.levels), HIGH, Text("累计级数", "Levels gained"), adds_up=True),
    "lots": CriterionKind(earlier_rounds.lots, LOW, Text("抽签", "Lots"), of_tied=True),
}


def options_of(code: str, chosen: CriterionOptions) -> CriterionOptions:
    """The options of a criterion, complete."""
    return {**{name: values[0] for name, values in CRITERIA[code].options.items()}, **chosen}
