"""Prizes (奖励): one explicit table, how a prize finds its winners.

| kind | in the regulation | winners |
|---|---|---|
| by rank | `ranks = [from, to]` | everyone whose final rank lies in it; a shared rank counts for all who share it |
| by team rank | `ranks`, `of = "team"` | the members of every team whose final rank lies in it |
| chosen | `chosen = n` | none here: the organiser names them (体育道德风尚奖) |
| by round | `passed = n` | see `prizes.rounds` |
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring_engine.ranking import Placing
from scoring_engine.rules import PrizeRule
from scoring_engine.stages.teams import TeamPlacing
from scoring_engine.values import EntrantId, TeamId


@dataclass(frozen=True, slots=True)
class Award:
    """One prize and who gets it; `entrants` is empty until the event is decided, or where people are chosen.

    candidates: who shares a rank of which only some get it, for `places` of them.
    teams: of a team prize, the teams whose members `entrants` are.
    """

    rule: PrizeRule
    entrants: tuple[EntrantId, ...]
    candidates: tuple[EntrantId, ...] = ()
    places: int = 0
    teams: tuple[TeamId, ...] = ()


def award(
    rules: Sequence[PrizeRule],
    placings: Sequence[Placing],
    teams: Sequence[TeamPlacing] = (),
    *,
    decided: bool,
) -> tuple[Award, ...]:
    """The prizes of an event. While it is not `decided` nobody is named."""
    return tuple(_award(rule, placings, teams) if decided else Award(rule, ()) for rule in rules)


def _award(rule: PrizeRule, placings: Sequence[Placing], teams: Sequence[TeamPlacing]) -> Award:
    if rule.first_rank is None or rule.last_rank is None:
        return Award(rule, ())
    ranks = range(rule.first_rank, rule.last_rank + 1)
    if rule.of_teams:
        won = [team for team in teams if team.rank in ranks]
        return Award(
            rule,
            tuple(member for team in won for member in team.members),
            teams=tuple(team.team for team in won),
        )
    return Award(rule, tuple(placing.entrant for placing in placings if placing.rank in ranks))
