"""The matches of a stage of 升级, scored with the penalties given in them (拖拉机, 八十分)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring_engine.records import Adjustment, MatchRecord, RoundRecord
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.matches import DecidedBy, Match, MatchScore, score_match
from scoring_engine.tractor.penalties import Effect, Infringement, PenaltyLine
from scoring_engine.values import EntrantId

LATE = "late"
"""The name a penalty for lateness has among the adjustments of an event file; its tiers are the regulation's."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One table, scored. given: its penalties besides lateness, in the order of the file."""

    stage: str
    round: int
    record: MatchRecord
    score: MatchScore
    given: tuple[Adjustment, ...]

    @property
    def ended(self) -> bool:
        """Whether the match is over and has a result, or waits for nothing but a ruling."""
        return not self.record.running and (self.score.outcome is not None or self.score.ruling is not None)

    @property
    def winner(self) -> EntrantId | None:
        """Who won a match that has ended; None for a draw, a double forfeit, and before its end."""
        return self.score.outcome.winner if self.ended and self.score.outcome is not None else None

    @property
    def forfeits(self) -> frozenset[EntrantId]:
        """The sides that gave up the match (弃权), also by coming too late."""
        outcome = self.score.outcome
        if not self.ended or outcome is None or outcome.decided_by is not DecidedBy.FORFEIT:
            return frozenset()
        return frozenset(outcome.losers)

    def lines(self) -> Mapping[str, PenaltyLine]:
        """What each penalty that names a deal did, by its id."""
        found: dict[str, PenaltyLine] = {}
        for deal in self.score.deals:
            own = [line for line in deal.penalties if line.rule != LATE]
            here = [one for one in self.given if one.deal == deal.number]
            found |= {one.id: line for one, line in zip(here, own, strict=True)}
        return found


def given_in(
    stage: str, number: int, record: MatchRecord, adjustments: Iterable[Adjustment]
) -> tuple[Adjustment, ...]:
    """The penalties of one table, in the order of the file."""
    return tuple(
        one
        for one in adjustments
        if (one.stage, one.round) == (stage, number) and one.entrant in record.seats
    )


def match_of(record: MatchRecord, given: Sequence[Adjustment]) -> tuple[Match, tuple[Infringement, ...]]:
    """The match with the lateness that was given as a penalty, and its other penalties."""
    late = {one.entrant: one.minutes for one in given if one.minutes is not None}
    match = replace(record.match, late={**record.match.late, **late}) if late else record.match
    return match, tuple(_infringement(one) for one in given if one.rule != LATE)


def _infringement(one: Adjustment) -> Infringement:
    outcome = None if one.outcome is None else Effect(one.outcome)
    return Infringement(one.id, one.rule, one.entrant, one.deal, one.count, one.points, outcome, one.insisted)


def match_results(
    stage: str, part: RoundRecord, adjustments: Sequence[Adjustment], rules: ScoringRules
) -> tuple[MatchResult, ...]:
    """Every table of a round, scored, by table number."""
    results = []
    for record in sorted(part.matches, key=lambda each: each.number):
        given = given_in(stage, part.number, record, adjustments)
        match, infringements = match_of(record, given)
        score = score_match(match, rules.match, infringements)
        own = tuple(one for one in given if one.rule != LATE)
        results.append(MatchResult(stage, part.number, record, score, own))
    return tuple(results)
