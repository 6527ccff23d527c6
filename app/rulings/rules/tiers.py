"""Lateness (迟到) by the minutes: which tier of the regulation, and what it costs. A minute begun counts, unless the option says not."""

from __future__ import annotations

from fractions import Fraction

from app.text import T
from scoring_engine.rules import Format, ScoringRules
from scoring_engine.rules.model import BoardRules, LandlordRules
from scoring_engine.tractor.lateness import LateTier
from scoring_engine.tractor.matches import MatchFormat
from scoring_engine.tractor.penalties import Effect

BOARD_MINUTES = 10
"""I-B-19: who is not there so many minutes after the start of a board game has forfeited (option `no_show`)."""


def late_words(rules: ScoringRules) -> tuple[T, str] | None:
    """What lateness costs, tier by tier, and its clause; None where the regulation has no tiers."""
    if isinstance(rules.scoring, MatchFormat):
        lateness = rules.scoring.lateness
        if lateness is None:
            return None
        told = _joined([_tier(each) for each in lateness.tiers])
        return told, lateness.tiers[0].clause
    if not isinstance(rules.scoring, LandlordRules) or rules.format is not Format.SWISS:
        return None
    late = rules.rounds.lateness
    told = _joined(
        [
            *(
                T(
                    "%(up_to)s 分钟以内 %(offender)s 小分，其他人各 +%(others)s",
                    up_to=each.up_to,
                    offender=_signed(each.offender),
                    others=each.others,
                )
                for each in late.tiers
            ),
            T("超过 %(minutes)s 分钟判弃权", minutes=late.tiers[-1].up_to),
        ]
    )
    return told, late.clause


def effect_of(minutes: Fraction, rules: ScoringRules) -> T:
    """What so many minutes cost, as the tier they fall into says."""
    if isinstance(rules.scoring, MatchFormat) and rules.scoring.lateness is not None:
        tier = rules.scoring.lateness.tier(minutes)
        return T("准时") if tier is None else _cost(tier)
    late = rules.rounds.lateness
    if late.is_forfeit(minutes):
        return T("判弃权")
    found = late.tier(minutes)
    if found is None:
        return T("准时")
    return T("%(offender)s 小分，其他人各 +%(others)s", offender=_signed(found.offender), others=found.others)


def forfeits_by_lateness(minutes: Fraction, rules: ScoringRules) -> bool:
    """Whether somebody so late has forfeited the round, at a board by I-B-19."""
    if isinstance(rules.scoring, BoardRules):
        return minutes > BOARD_MINUTES and rules.options.get("no_show") == "forfeit_after_10"
    if isinstance(rules.scoring, MatchFormat):
        lateness = rules.scoring.lateness
        tier = None if lateness is None else lateness.tier(minutes)
        return tier is not None and tier.effect is Effect.ROUND_LOST
    return rules.format is Format.SWISS and rules.rounds.lateness.is_forfeit(minutes)


def minutes_text(minutes: Fraction) -> T:
    """So many minutes and seconds (5 分 30 秒)."""
    seconds = int(minutes * 60)
    if seconds % 60 == 0:
        return T("%(minutes)s 分钟", minutes=seconds // 60)
    return T("%(minutes)s 分 %(seconds)s 秒", minutes=seconds // 60, seconds=seconds % 60)


def _tier(tier: LateTier) -> T:
    if tier.to is None:
        return T("更久%(cost)s", cost=_cost(tier))
    return T("%(up_to)s 分钟以内%(cost)s", up_to=tier.to, cost=_cost(tier))


def _cost(tier: LateTier) -> T:
    if tier.effect is Effect.WARNING:
        return T("警告")
    if tier.effect is Effect.POINTS:
        return T("首副罚 %(points)s 分", points=-tier.points)
    if tier.effect is Effect.DEAL_LOST:
        return T("首副自动放弃，对方升级")
    return T("本轮弃权")


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def _joined(parts: list[T]) -> T:
    told = parts[0]
    for each in parts[1:]:
        told = T("%(left)s；%(right)s", left=told, right=each)
    return told
