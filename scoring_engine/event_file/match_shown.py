"""The tables and penalties of 升级 (拖拉机, 八十分) as the score document shows them.

A deal is `{"defenders_points", "up", "levels", "bank"}` – `up` is `banker`, `defenders` or null, `bank` who banks next –, and besides
`number`, `banker`, `seat` (who banks next, 0…3), `ended`, `bottom` (the points the bottom brought), `standing` (both levels
after it), `clause`, and `penalties`, each with what it changed in the defenders' points. A table has the `levels` and the
`bank` at its end, `winner` (null for a draw), `decided_by`, `late` and `clause`; `needs_ruling` where the text gives no
winner, and `notes` where points of a deal can only be right with penalties counted in. A penalty's `points` are what it cost its offender; `defenders_points` the same as it was written.
"""

from collections.abc import Sequence
from typing import Any

from scoring_engine.records import Adjustment, EventRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.stages.matches import LATE, MatchResult
from scoring_engine.stages.swiss import RoundResults
from scoring_engine.tie_breaks.records import RoundResult
from scoring_engine.tractor.levels import level_name
from scoring_engine.tractor.matches import DealScore
from scoring_engine.tractor.penalties import PenaltyLine
from scoring_engine.values import EntrantId


def match_json(result: MatchResult, rules: ScoringRules) -> dict[str, Any]:
    """One table; its `entrants` have their `match_points`, `level_difference` and `levels` gained where they are counted."""
    score, outcome = result.score, result.score.outcome
    ruling = score.ruling
    shown: dict[str, Any] = {
        "stage": result.stage,
        "round": result.round,
        "number": result.record.number,
        "sides": list(result.record.seats),
        "deals": [_deal_json(deal) for deal in score.deals],
        "levels": score.levels_json(),
        "bank": score.bank,
        "winner": None if outcome is None else outcome.winner,
        "decided_by": None if outcome is None else outcome.decided_by.value,
        "clause": None if outcome is None else outcome.clause,
        "needs_ruling": None if ruling is None else ruling.to_json(),
        "late": {
            side: {"effect": tier.effect.value, "clause": tier.clause} for side, tier in score.late.items()
        },
        "entrants": {side: _entrant_json(result, side, rules.match.start) for side in result.record.seats},
        "complete": result.ended,
    }
    if score.notes:
        shown["notes"] = [note.to_json() for note in score.notes]
    return shown


def tables_json(
    tables: Sequence[MatchResult], _results: RoundResults, event: EventRecord
) -> list[dict[str, Any]]:
    """The tables of a round of a Swiss event, by number."""
    return [match_json(result, event.rules) for result in tables]


def round_json(part: RoundResult) -> dict[str, Any]:
    """The opponents of a round, and the levels of both; the opponents null without a match."""
    (opponent,) = part.opponents or (None,)
    return {
        "opponent": opponent,
        "levels": None if part.levels is None else str(part.levels),
        "levels_against": None if part.levels_against is None else str(part.levels_against),
    }


def _entrant_json(result: MatchResult, side: EntrantId, start: int) -> dict[str, str]:
    score = result.score
    shown = {
        "level_difference": str(score.level_difference(side)),
        "levels": str(score.levels[side] - start),
    }
    if score.points is not None and result.ended:
        shown = {"match_points": str(score.points[side]), **shown}
    return shown


def _deal_json(deal: DealScore) -> dict[str, Any]:
    return {
        **deal.to_json(),
        "number": deal.number,
        "banker": deal.banker,
        "seat": deal.seat,
        "ended": deal.ended.value,
        "bottom": str(deal.dug),
        "standing": {side: level_name(level) for side, level in deal.standing.items()},
        "penalties": [_line_json(line) for line in deal.penalties],
        "clause": deal.clause,
    }


def _line_json(line: PenaltyLine) -> dict[str, Any]:
    return {
        "rule": line.rule,
        "entrant": line.offender,
        "defenders_points": str(line.defenders),
        "text": line.text.zh,
        "text_en": line.text.en,
        "clause": line.clause,
    }


def adjustments_json(event: EventRecord, results: Sequence[MatchResult]) -> list[dict[str, Any]]:
    """Every penalty of the file, in its order, with what it cost and its clause."""
    lines = {name: line for result in results for name, line in result.lines().items()}
    return [_adjustment_json(one, lines.get(one.id), results, event.rules) for one in event.adjustments]


def _adjustment_json(
    one: Adjustment, line: PenaltyLine | None, results: Sequence[MatchResult], rules: ScoringRules
) -> dict[str, Any]:
    if one.rule == LATE:
        line = _late_line(one, results)
    change = 0 if line is None else line.defenders
    shown: dict[str, Any] = {
        "id": one.id,
        "rule": one.rule,
        **_named(one, results, rules),
        "entrant": one.entrant,
        "stage": one.stage,
        "round": one.round,
        "deal": one.deal,
        "count": one.count,
        "points": str(-abs(change)),
        "defenders_points": str(change),
        "text": None if line is None else line.text.zh,
        "text_en": None if line is None else line.text.en,
    }
    return shown


def _table_of(one: Adjustment, results: Sequence[MatchResult]) -> MatchResult:
    return next(
        result
        for result in results
        if (result.stage, result.round) == (one.stage, one.round) and one.entrant in result.record.seats
    )


def _late_line(one: Adjustment, results: Sequence[MatchResult]) -> PenaltyLine | None:
    """What lateness cost in the first deal; None where it cost no points."""
    lines = (line for deal in _table_of(one, results).score.deals for line in deal.penalties)
    return next((line for line in lines if (line.rule, line.offender) == (LATE, one.entrant)), None)


def _named(one: Adjustment, results: Sequence[MatchResult], rules: ScoringRules) -> dict[str, str]:
    """The name and the clause of a penalty; of lateness those of its tier."""
    if one.rule != LATE:
        rule = rules.match.penalties.rules[one.rule]
        return {"name": rule.name.zh, "name_en": rule.name.en, "clause": rule.clause}
    clause = _table_of(one, results).score.late[one.entrant].clause
    return {"name": "迟到", "name_en": "Late", "clause": clause}
