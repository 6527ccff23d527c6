"""A table of 二打一: the points of each deal, the totals before penalties, whether the table has ended."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring_engine.landlord.deals import Deal, DealScore, score_deal
from scoring_engine.records import TableRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class TableScore:
    """The score of one table, before penalties.

    deals: the score of each deal on the sheet, None where only totals are known. totals: points of each seat, which add up
    to 0; None before anything was played. ended: nothing more is played here.
    """

    table: TableRecord
    deals: tuple[DealScore, ...] | None
    totals: Mapping[EntrantId, int] | None
    ended: bool


def counts_as_deal(deal: Deal, rules: ScoringRules) -> bool:
    """Whether a deal is one of the stage's deals; a passed-out one may be dealt again instead (I-A-2)."""
    return deal.landlord is not None or rules.option("passed_out") == "counts"


def score_table(table: TableRecord, rules: ScoringRules, deals: int) -> TableScore:
    """Score one table that plays `deals` deals."""
    missing_deals_are_zero = bool(table.forfeits) and rules.option("forfeits") == "zero"
    if table.totals is not None and not table.deals:
        return TableScore(table, None, table.totals, ended=True)
    played = table.deals or ()
    scores = tuple(score_deal(deal, rules.bids, rules.doublings) for deal in played)
    counted = sum(counts_as_deal(deal, rules) for deal in played)
    totals: Mapping[EntrantId, int] | None = None
    if table.deals or missing_deals_are_zero:
        totals = {seat: sum(score.points[seat] for score in scores) for seat in table.seats}
    return TableScore(table, scores, totals, ended=counted == deals or bool(table.forfeits))


def deals_won(score: TableScore, entrant: EntrantId, rules: ScoringRules) -> int | None:
    """胜局数 at this table; a passed-out deal is won by nobody (I-A-15). None where only totals are known."""
    if score.deals is None:
        return None
    won = [deal for deal in score.deals if entrant in deal.winners]
    if rules.option("deals_won") == "landlord":
        won = [deal for deal in won if deal.landlord == entrant]
    return len(won)
