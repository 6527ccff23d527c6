"""What a ranking is computed from: one frozen record per entrant, and the field they all play in."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoring_engine.rules.options import OptionValue
from scoring_engine.values import EntrantId, Points

CriterionOptions = Mapping[str, OptionValue]
"""The options of one criterion, complete; `tie_breaks.CRITERIA` has the values each may take."""


class Played(StrEnum):
    """How a round of a Swiss event was spent."""

    GAME = "game"  # 对局: a game, or a table played to its end
    FORFEIT = "forfeit"  # 弃权: his own, his opponent's, or both
    BYE = "bye"  # 轮空
    ABSENT = "absent"  # neither seated nor a bye


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One entrant's round (轮) of a Swiss event; `points` are match points (积分, 场分).

    opponents: everybody he met, two at a table of three; empty without any. second: whether he moved second (后走).
    stones: handicap stones given to the opponent; below 0 if they were received. bye: the name of a bye.
    game_points: 小分 of the round. levels, levels_against: levels (级) of his side and of the other at the end.
    table_rank: his rank at the table, shared by equals. Each of these is None in a game that has none, and where the
    round gives none; `won` is alone first at the table, `drawn` shared first.
    """

    round: int
    played: Played
    points: Points
    opponents: tuple[EntrantId, ...] = ()
    second: bool = False
    won: bool = False
    drawn: bool = False
    stones: int = 0
    bye: str | None = None
    game_points: Points | None = None
    levels: int | None = None
    levels_against: int | None = None
    table_rank: int | None = None


@dataclass(frozen=True, slots=True)
class StandingRecord:
    """One entrant's results in one stage.

    points: total of the stage in points, penalties included.
    deals_won: deals won (胜局数); None where only totals were recorded.
    deal_scores: the points of each deal, in the order played; None where only totals were recorded.
    round_reached: number of the last stage played, from 1; None inside a single stage.
    playoff_ranks: ranks in the play-offs this entrant has played for this tie, in order; None before any.
    rounds: his rounds of a Swiss event, in order; None in a knock-out.
    violations: how often he broke the rules (违例, 犯规); None in a knock-out.
    start: the points he began with (起点分), part of `points`.
    """

    entrant: EntrantId
    points: Points
    deals_won: int | None = None
    deal_scores: tuple[int, ...] | None = None
    round_reached: int | None = None
    playoff_ranks: tuple[int, ...] | None = None
    rounds: tuple[RoundResult, ...] | None = None
    violations: int | None = None
    start: Points = 0


@dataclass(frozen=True, slots=True)
class Field:
    """Everybody who is ranked together, and what criteria need besides the records.

    options: the options of each criterion of the chain. win, draw: the points of a round. values: what a round can be
    worth above 0, the highest first, where the game fixes it. earlier: the ranks after each earlier round, the last one
    first; empty before the second, and where the chain does not compare them. earlier_points: the same by points alone.
    lots: the order drawn by lot (抽签), None where none was. kept: what one criterion has computed for another.
    """

    records: Mapping[EntrantId, StandingRecord]
    options: Mapping[str, CriterionOptions] = field(default_factory=dict)
    win: Points = 0
    draw: Points = 0
    values: tuple[Points, ...] = ()
    earlier: tuple[Mapping[EntrantId, int], ...] = ()
    earlier_points: tuple[Mapping[EntrantId, int], ...] = ()
    lots: Mapping[EntrantId, int] | None = None
    kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
