"""Prizes of a bracket (I-D-6): by the rounds passed, or by a number or a percentage of the field.

| `by` | winners |
|---|---|
| `rounds` | everybody who passed exactly so many rounds: 3 of 3 won the last, 2 lost in it, 1 lost in the second |
| `counts` | in the order of the placings, `count` for each prize in turn |
| `percents` | the same; a prize ends at the sum of the percentages so far, rounded up to a whole entrant |

Where a number cuts through a shared rank, nobody of it is certain: the prize has `candidates`, and the organiser chooses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from scoring_engine.prizes import Award, award
from scoring_engine.ranking import Placing
from scoring_engine.rules import PrizeRule, PrizeShare, Rewarded
from scoring_engine.values import EntrantId


def share_of(field: int, percent: int) -> int:
    """How many entrants a percentage of the field is, rounded up: 50 % of 45 are 23."""
    return -(-field * percent // 100)


def award_rounds(
    rules: Sequence[PrizeRule],
    placings: Sequence[Placing],
    passed: Mapping[EntrantId, int],
    *,
    decided: bool,
) -> tuple[Award, ...]:
    """The prizes of a bracket. passed: rounds passed by everybody placed. While it is not `decided` nobody is named."""
    awards: list[Award] = []
    ends = _ends(rules, len(placings))
    start = 0
    for rule, end in zip(rules, ends, strict=True):
        if rule.share is None:
            awards += award([rule], placings, decided=decided)
            continue
        if not decided:
            awards.append(Award(rule, ()))
        elif rule.share.by == "rounds":
            winners = (item.entrant for item in placings if passed[item.entrant] == rule.share.passed)
            awards.append(Award(rule, tuple(winners)))
        else:
            awards.append(_between(rule, placings, start, end))
        start = max(start, end)
    return tuple(awards)


def _ends(rules: Sequence[PrizeRule], field: int) -> Iterator[int]:
    """The place at which each prize ends, of those that follow a number or a percentage."""
    end = percent = 0
    for rule in rules:
        share = rule.share or PrizeShare("rounds", 0)
        if share.by == "counts":
            end += share.count or 0
        elif share.by == "percents":
            percent += share.percent or 0
            end = max(end, share_of(field, percent))
        end = min(end, field)
        yield end


def _between(rule: PrizeRule, placings: Sequence[Placing], start: int, end: int) -> Award:
    """The places start…end of the order, from 0; a shared rank that a bound cuts through stays open."""
    certain: list[EntrantId] = []
    candidates: list[EntrantId] = []
    place = 0
    for _, same in groupby(placings, key=lambda item: item.rank):
        group = [item.entrant for item in same]
        first, last = place, place + len(group)
        place = last
        if start <= first and last <= end:
            certain += group
        elif first < end and start < last:
            candidates += group
    found = Award(rule, tuple(certain))
    if not candidates:
        return found
    return replace(found, candidates=tuple(candidates), places=end - start - len(certain))


@dataclass(frozen=True, slots=True)
class RewardedShare:
    """What the text rewards of the field, and what the prizes come to; None while nothing is decided."""

    rule: Rewarded
    field: int
    awarded: int | None

    @property
    def places(self) -> int:
        """How many entrants the text rewards."""
        return share_of(self.field, self.rule.percent)

    def to_json(self) -> dict[str, Any]:
        """`{"percent", "entrants", "places", "awarded", "agrees", "clause"}`; `agrees` is null while nothing is decided."""
        return {
            "percent": str(self.rule.percent),
            "entrants": self.field,
            "places": self.places,
            "awarded": self.awarded,
            "agrees": None if self.awarded is None else self.awarded == self.places,
            "clause": self.rule.clause,
        }


def rewarded(rule: Rewarded, awards: Sequence[Award], field: int, *, decided: bool) -> RewardedShare:
    """The prizes of a bracket against the share of the field that is rewarded."""
    given = [each for each in awards if each.rule.share is not None]
    awarded = sum(len(each.entrants) + each.places for each in given)
    return RewardedShare(rule, field, awarded if decided else None)
