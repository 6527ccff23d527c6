"""What the tables of one round of 拖拉机 give their sides: 积分 and levels (C 八(二), I-C-3, I-C-14).

| rule | here |
|---|---|
| 胜 2, 平 1, 负 0; both forfeit: a loss each | the match's own points |
| levels gained, counted from the level every round begins at; a forfeit gives none | `RoundResult.levels` |
| a bye: its points, no levels, no opponent | `bye_result` |
| neither seat nor bye in a round: not paired, withdrawn (退赛) | 0 points and levels; earlier points stay |
"""

from collections.abc import Sequence

from scoring_engine.records import EventRecord, RoundRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.matches import MatchResult, match_results
from scoring_engine.stages.swiss import ABSENT, RoundResults, SwissScale
from scoring_engine.tie_breaks.records import Played, RoundResult
from scoring_engine.tractor.matches import DecidedBy, MatchPoints
from scoring_engine.values import EntrantId

BYE = "bye"


def match_scale(rules: ScoringRules) -> SwissScale:
    """What rounds of 拖拉机 are worth."""
    points = _points(rules)
    return SwissScale(points.win, points.draw)


def scored_matches(part: RoundRecord, event: EventRecord) -> Sequence[MatchResult]:
    """The tables of a round, scored, by number."""
    return match_results(event.rules.stages[0].code, part, event.adjustments, event.rules)


def match_round_results(part: RoundRecord, tables: Sequence[MatchResult], event: EventRecord) -> RoundResults:
    """The round of every entrant; None for both sides of a match without a result."""
    points = _points(event.rules)
    found: RoundResults = {entrant.id: bye_result(part.number, ABSENT, points) for entrant in event.entrants}
    for bye in part.byes:
        found[bye] = bye_result(part.number, BYE, points)
    for result in tables:
        for side in result.record.seats:
            found[side] = _of_match(result, side, event.rules.match.start)
    return found


def bye_result(number: int, kind: str, points: MatchPoints) -> RoundResult:
    """A round without a match: a bye, or nothing at all."""
    worth, played = (0, Played.ABSENT) if kind == ABSENT else (points.bye, Played.BYE)
    return RoundResult(number, played, worth, bye=kind, levels=0, levels_against=0)


def _points(rules: ScoringRules) -> MatchPoints:
    points = rules.match.points
    if points is None:
        raise TypeError(f"{rules.id} gives no points for a round")
    return points


def _of_match(result: MatchResult, side: EntrantId, start: int) -> RoundResult | None:
    score = result.score
    if not result.ended or score.outcome is None or score.points is None:
        return None
    (other,) = (seat for seat in result.record.seats if seat != side)
    forfeit = score.outcome.decided_by is DecidedBy.FORFEIT
    return RoundResult(
        result.round,
        Played.FORFEIT if forfeit else Played.GAME,
        score.points[side],
        (other,),
        won=score.outcome.winner == side,
        drawn=score.outcome.winner is None and not forfeit,
        levels=score.levels[side] - start,
        levels_against=score.levels[other] - start,
    )


def match_forfeits(part: RoundRecord, event: EventRecord) -> frozenset[EntrantId]:
    """The sides that gave up a match of a round, also by coming too late."""
    return frozenset(side for result in scored_matches(part, event) for side in result.forfeits)
