"""What each penalty costs its offender, in signed points.

Order within one round: a deal set to 0, then the round set to 0 on what is left, then points taken off; so a points
penalty counts after 记为零分 too, and never raises anyone. 记为零分 sets exactly 0, even from a negative score (I-A-12,
option `zero_score`), unless the referee names the amount himself (`points`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring_engine.penalties.effects import Effect
from scoring_engine.records import Adjustment
from scoring_engine.rules import PenaltyRule, ScoringRules


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """One entrant's points in one round before penalties; `deals` is None where only the total is known."""

    total: int
    deals: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Assessed:
    """One penalty with its cost: `points` is added to the offender's total."""

    adjustment: Adjustment
    rule: PenaltyRule
    points: int


@dataclass(slots=True)
class _Round:
    """The penalties of one offender in one round, while they are being assessed."""

    rules: ScoringRules
    before: RoundPoints
    costs: dict[str, int]
    zeroed_deals: set[int]
    warnings: Counter[tuple[str, int | None]]


def assess_round(
    adjustments: Iterable[Adjustment], before: RoundPoints, rules: ScoringRules
) -> tuple[Assessed, ...]:
    """The cost of one entrant's penalties in one round, in the order given."""
    given = list(adjustments)
    work = _Round(rules, before, {}, set(), Counter())
    for effect in (
        Effect.ZERO_DEAL,
        Effect.ZERO_ROUND,
        Effect.POINTS,
        Effect.WARNINGS,
        Effect.VIOLATION,
        Effect.NONE,
    ):
        for adjustment in given:
            rule = rules.penalties[adjustment.rule]
            if rule.effect == effect:
                work.costs[adjustment.id] = _COSTS[effect](adjustment, rule, work)
    return tuple(
        Assessed(adjustment, rules.penalties[adjustment.rule], work.costs[adjustment.id])
        for adjustment in given
    )


def adjusted_deals(
    assessed: Sequence[Assessed], before: RoundPoints, rules: ScoringRules
) -> tuple[int, ...] | None:
    """The deal scores that 单副最高得分 compares: as played, or with the penalties on each deal (I-A-13)."""
    if before.deals is None or rules.option("penalties_in_best_deals") == "excluded":
        return before.deals
    scores = list(before.deals)
    for item in assessed:
        if item.rule.effect == Effect.ZERO_ROUND and item.adjustment.points is None:
            scores = [score + _to_zero(score, rules) for score in scores]
        elif item.adjustment.deal is not None and item.adjustment.deal <= len(scores):
            scores[item.adjustment.deal - 1] += item.points
    return tuple(scores)


def _to_zero(score: int, rules: ScoringRules) -> int:
    return -score if rules.option("zero_score") == "exact" else -max(score, 0)


def _zero_deal(adjustment: Adjustment, _rule: PenaltyRule, work: _Round) -> int:
    deal = adjustment.deal
    if adjustment.points is not None:
        return adjustment.points
    if deal is None or work.before.deals is None or deal in work.zeroed_deals:
        return 0
    work.zeroed_deals.add(deal)
    return _to_zero(work.before.deals[deal - 1], work.rules)


def _zero_round(adjustment: Adjustment, _rule: PenaltyRule, work: _Round) -> int:
    if adjustment.points is not None:
        return adjustment.points
    return _to_zero(work.before.total + sum(work.costs.values()), work.rules)


def _points(adjustment: Adjustment, rule: PenaltyRule, _work: _Round) -> int:
    return rule.points * adjustment.count


def _warnings(adjustment: Adjustment, rule: PenaltyRule, work: _Round) -> int:
    """Every third warning of one deal costs points (I-A-11: 局 is one deal, or the stage's ten)."""
    within = (rule.id, adjustment.deal if work.rules.option("warnings_per") == "deal" else None)
    earlier = work.warnings[within] // rule.every
    work.warnings[within] += adjustment.count
    now = work.warnings[within] // rule.every
    if work.rules.option("warnings_repeat") == "once":
        earlier, now = min(earlier, 1), min(now, 1)
    return rule.points * (now - earlier)


def _none(_adjustment: Adjustment, _rule: PenaltyRule, _work: _Round) -> int:
    return 0


_COSTS: Mapping[Effect, Callable[[Adjustment, PenaltyRule, _Round], int]] = {
    Effect.ZERO_DEAL: _zero_deal,
    Effect.ZERO_ROUND: _zero_round,
    Effect.POINTS: _points,
    Effect.WARNINGS: _warnings,
    Effect.VIOLATION: _none,
    Effect.NONE: _none,
}
