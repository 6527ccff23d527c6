"""Prizes (奖励): one explicit table, how a prize finds its winners.

| kind | in the regulation | winners |
|---|---|---|
| by rank | `ranks = [from, to]` | everyone whose final rank lies in it; a shared rank counts for all who share it |
| chosen | `chosen = n` | none here: the organiser names them (体育道德风尚奖) |
| by round | `passed = n` | see `prizes.rounds` |
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.ranking import Placing
from scoring_engine.rules import PrizeRule
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class Award:
    """One prize and who gets it; `entrants` is empty until the event is decided, or where people are chosen.

    candidates: who shares a rank of which only some get it, for `places` of them.
    """

    rule: PrizeRule
    entrants: tuple[EntrantId, ...]
    candidates: tuple[EntrantId, ...] = ()
    places: int = 0


def award(rules: Sequence[PrizeRule], placings: Sequence[Placing], *, decided: bool) -> tuple[Award, ...]:
    """The prizes of an event. While it is not `decided` nobody is named."""
    awards: list[Award] = []
    for rule in rules:
        winners: tuple[EntrantId, ...] = ()
        if decided and rule.first_rank is not None and rule.last_rank is not None:
            winners = tuple(
                placing.entrant for placing in placings if rule.first_rank <= placing.rank <= rule.last_rank
            )
        awards.append(Award(rule, winners))
    return tuple(awards)
