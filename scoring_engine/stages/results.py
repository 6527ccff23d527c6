"""The results of one stage: tables scored, penalties assessed, one record per entrant who has a score."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.landlord.tables import TableScore, counts_as_deal, deals_won, score_table
from scoring_engine.penalties.assessment import Assessed, RoundPoints, adjusted_deals, assess_round
from scoring_engine.records import Adjustment, RoundRecord, StageRecord, TableRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table with the penalties given at it; `records` holds who has a score here, penalties included."""

    stage: str
    round: int
    score: TableScore
    records: dict[EntrantId, StandingRecord]
    assessed: tuple[Assessed, ...]


def table_results(
    stage: StageRecord, adjustments: Sequence[Adjustment], rules: ScoringRules, deals: int
) -> tuple[TableResult, ...]:
    """Every table of a stage, scored; each plays `deals` deals."""
    by_offender: dict[tuple[int, EntrantId], list[Adjustment]] = defaultdict(list)
    for adjustment in adjustments:
        if adjustment.stage == stage.code:
            by_offender[adjustment.round, adjustment.entrant].append(adjustment)
    results: list[TableResult] = []
    for part in sorted(stage.rounds, key=lambda part: part.number):
        results.extend(_round_results(stage.code, part, by_offender, rules, deals))
    return tuple(results)


def _round_results(
    stage: str,
    part: RoundRecord,
    by_offender: dict[tuple[int, EntrantId], list[Adjustment]],
    rules: ScoringRules,
    deals: int,
) -> list[TableResult]:
    results: list[TableResult] = []
    for table in sorted(part.tables, key=lambda table: table.number):
        score = score_table(table, rules, deals)
        records: dict[EntrantId, StandingRecord] = {}
        assessed: list[Assessed] = []
        for seat in table.seats:
            if score.totals is None:
                continue
            deal_points = None if score.deals is None else tuple(deal.points[seat] for deal in score.deals)
            before = RoundPoints(score.totals[seat], deal_points)
            given = assess_round(by_offender.get((part.number, seat), ()), before, rules)
            assessed.extend(given)
            records[seat] = StandingRecord(
                seat,
                before.total + sum(item.points for item in given),
                deals_won(score, seat, rules),
                _comparable_deals(table, adjusted_deals(given, before, rules), rules),
            )
        results.append(TableResult(stage, part.number, score, records, tuple(assessed)))
    return results


def _comparable_deals(
    table: TableRecord, scores: tuple[int, ...] | None, rules: ScoringRules
) -> tuple[int, ...] | None:
    """The deals that 单副最高得分 compares: a passed-out deal that was dealt again is none of them (I-A-2)."""
    if scores is None or table.deals is None:
        return scores
    return tuple(
        score for deal, score in zip(table.deals, scores, strict=True) if counts_as_deal(deal, rules)
    )
