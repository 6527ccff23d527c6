"""直胜: what those who are tied did against each other (附件2二, I-B-12).

| `scope` | value |
|---|---|
| `two` | exactly two are tied and they met: the points each took from the other; else it is passed over |
| `group` | everybody tied met everybody tied: the points each took inside the group; else it is passed over |
| `certain` | how many of the tied an entrant stands ahead of whatever the games they have not played would have brought |

`forfeits`: whether a forfeit between them is a meeting (`counted`), or is not (`not_counted`).
"""

from collections.abc import Callable, Sequence
from itertools import accumulate

from scoring_engine.tie_breaks.meetings import meetings_of
from scoring_engine.tie_breaks.records import CriterionOptions, Field, Played, RoundResult, StandingRecord
from scoring_engine.values import EntrantId, Figure, Points

SCOPES = ("two", "group", "certain")


def head_to_head(
    tied: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """The values of those who are tied; None for all where the games between them settle nothing."""
    nobody: list[Figure | None] = [None] * len(tied)
    if options["scope"] == "two" and len(tied) != 2:
        return nobody
    certain = options["scope"] == "certain"
    members = frozenset(record.entrant for record in tied)
    points: list[Points] = []
    most: list[Points] = []
    for record in tied:
        parts = _meetings(record, members, options)
        met = {each for part in parts for each in part.opponents if each in members}
        missing = len(tied) - 1 - len(met)
        if missing and not certain:
            return nobody
        points.append(sum([part.points for part in parts]))
        most.append(points[-1] + missing * field.win)
    return list(_certainly_ahead(points, most)) if certain else list(points)


def may_part(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> Callable[[Sequence[int]], bool]:
    """Whether tied rows, places among these records, may have met as `scope` asks; in nearly every tie they have not.

    One of them must have met all the others; that is seen without opening anybody's rounds.
    """
    if options["scope"] == "certain":
        return lambda _tied: True
    meetings = meetings_of(records, field)
    entrants = meetings.entrants
    only_two = options["scope"] == "two"

    def may(tied: Sequence[int]) -> bool:
        if only_two and len(tied) != 2:
            return False
        first, *others = tied
        met = meetings.of(first)
        return all(entrants[other] in met for other in others)

    return may


def _meetings(
    record: StandingRecord, members: frozenset[EntrantId], options: CriterionOptions
) -> list[RoundResult]:
    counted = (Played.GAME, Played.FORFEIT) if options["forfeits"] == "counted" else (Played.GAME,)
    inside = [part for part in record.rounds or () if not members.isdisjoint(part.opponents)]
    return [part for part in inside if part.played in counted]


def _certainly_ahead(least: Sequence[Points], most: Sequence[Points]) -> list[int]:
    """For each, how many stay behind him for certain: a cut where the least above exceeds the most below it."""
    order = sorted(range(len(least)), key=lambda index: (least[index], most[index]), reverse=True)
    highest_below = list(accumulate((most[index] for index in reversed(order)), max))[::-1]
    ahead = [0] * len(order)
    first = 0
    for place in range(1, len(order)):
        # `least` falls along the order, so the one before the cut has the lowest of those above it.
        if least[order[place - 1]] > highest_below[place]:
            for index in order[first:place]:
                ahead[index] = len(order) - place
            first = place
    return ahead
