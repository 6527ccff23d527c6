"""Criteria made of the opponents' points (对手分): one contribution per round, each of them can be shown.

A round against several opponents, as at a table of three, adds the points of each (I-B-7).

| option | values, the first is taken where a regulation names none |
|---|---|
| `own_unplayed` | what a round without an opponent adds: `zero`; `lowest_score` of the field; `own_score`; `start_score` |
| `forfeits` | the opponent of a forfeit counts as an `opponent`, or the round as `unplayed` |
| `opponent_unplayed` | an opponent's rounds without a game count `as_scored`; as `draws`; `trailing_draws`: those without a point after his last game as draws |
| `cut` | how many of the lowest contributions are left out |
| `handicap` | `ignored`, or stones given are added and stones received taken off (`counted`) |
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice, pairwise
from typing import NamedTuple

from scoring_engine.tie_breaks.columns import picked
from scoring_engine.tie_breaks.meetings import Meetings, is_everybody, meetings_of_everybody
from scoring_engine.tie_breaks.records import (
    CriterionOptions,
    Field,
    Played,
    RoundResult,
    StandingRecord,
)
from scoring_engine.values import EntrantId, Figure, Points

OPTIONS: Mapping[str, tuple[str, ...] | range] = {
    "own_unplayed": ("zero", "lowest_score", "own_score", "start_score"),
    "forfeits": ("opponent", "unplayed"),
    "opponent_unplayed": ("as_scored", "draws", "trailing_draws"),
    "cut": range(4),
    "handicap": ("ignored", "counted"),
}

DEFAULTS: CriterionOptions = {name: values[0] for name, values in OPTIONS.items()}


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one round adds to 对手分; `cut` where it is left out as one of the lowest."""

    part: RoundResult
    points: Points
    cut: bool


class Added(NamedTuple):
    """What the rounds of a field add to 对手分, in its order.

    points: of all rounds, one after the other, so that they lie together in memory. rounds: how many of them are each
    entrant's.
    """

    points: Sequence[Points]
    rounds: Sequence[int]

    def by_entrant(self) -> Iterator[Sequence[Points]]:
        """The points of each entrant's rounds."""
        ends = accumulate(self.rounds, initial=0)
        return (self.points[start:end] for start, end in pairwise(ends))


class OpponentScores:
    """The contributions of a field under one set of options; what everybody gives to his opponents is made once."""

    def __init__(self, field: Field, options: CriterionOptions) -> None:
        self.options = options
        self._cut = int(options["cut"])
        self._records = list(field.records.values())
        self._given = given_points(field, options)
        self._lowest = min((record.points for record in self._records), default=0)
        self._plain = options["forfeits"] == "opponent" and options["handicap"] == "ignored"

    def of(self, record: StandingRecord) -> tuple[Contribution, ...]:
        """One contribution for each round, in order; empty where no rounds are known."""
        parts = record.rounds or ()
        given = [self._given[opponent] for part in parts for opponent in part.opponents]
        points = self._points(record, iter(given))
        left_out = self._left_out(parts, points)
        return tuple(
            Contribution(part, worth, index in left_out)
            for index, (part, worth) in enumerate(zip(parts, points, strict=True))
        )

    def counted(self, meetings: Meetings) -> Added:
        """What each round of everybody adds in the end: nothing where it is cut.

        This looks up every opponent of every round. Their ids lie all over memory, and of 100,000 entrants that is what a
        ranking waits for most; so each is looked up once, by what he gives, and what follows counts along the answers.
        """
        added: list[Points] = []
        for block, met, single in meetings.by_block():
            given = picked(self._given, met)
            if single and self._plain and not self._cut:  # every round adds what its one opponent gives
                added += given
            else:
                handed_out = iter(given)
                for record in self._records[block]:
                    added += self._without_cut(record, self._points(record, handed_out))
        return Added(tuple(added), meetings.rounds)

    def _without_cut(self, record: StandingRecord, points: Sequence[Points]) -> Sequence[Points]:
        if not self._cut:
            return points
        left_out = self._left_out(record.rounds or (), points)
        return [0 if index in left_out else worth for index, worth in enumerate(points)]

    def unplayed(self, record: StandingRecord) -> Points:
        """What a round without an opponent adds."""
        match self.options["own_unplayed"]:
            case "own_score":
                return record.points
            case "start_score":
                return record.start
            case "lowest_score":
                return self._lowest
        return 0

    def _points(self, record: StandingRecord, given: Iterator[Points]) -> list[Points]:
        """What each round is worth before any is cut; `given` has the points of his opponents, round after round."""
        return [
            # the usual round gives the same without asking
            next(given) if self._plain and len(part.opponents) == 1 else self._worth(part, record, given)
            for part in record.rounds or ()
        ]

    def _worth(self, part: RoundResult, record: StandingRecord, given: Iterator[Points]) -> Points:
        points = list(islice(given, len(part.opponents)))
        if not opponents_of(part, self.options):
            return self.unplayed(record)
        return sum(points, start=part.stones if self.options["handicap"] == "counted" else 0)

    def _left_out(self, parts: Sequence[RoundResult], points: Sequence[Points]) -> frozenset[int]:
        """Which rounds are cut: the lowest, of equal ones an unplayed round first, then the earliest."""
        if not self._cut:
            return frozenset()
        order = sorted(
            range(len(parts)),
            key=lambda index: (points[index], bool(opponents_of(parts[index], self.options))),
        )
        return frozenset(order[: self._cut])


def opponents_of(part: RoundResult, options: CriterionOptions) -> tuple[EntrantId, ...]:
    """The opponents of a round; none where it counts as unplayed."""
    if part.played is Played.FORFEIT and options["forfeits"] == "unplayed":
        return ()
    return part.opponents


def given_points(field: Field, options: CriterionOptions) -> dict[EntrantId, Points]:
    """The points everybody gives to his opponents."""
    if options["opponent_unplayed"] == "as_scored":
        return {entrant: record.points for entrant, record in field.records.items()}
    trailing = options["opponent_unplayed"] == "trailing_draws"
    return {
        entrant: _as_draws(record, field.draw, trailing=trailing) for entrant, record in field.records.items()
    }


def _as_draws(record: StandingRecord, draw: Points, *, trailing: bool) -> Points:
    """His points, were the rounds without a game draws; `trailing`: those without a point after his last game."""
    parts = record.rounds or ()
    games = [index for index, part in enumerate(parts) if part.played is Played.GAME]
    last = games[-1] if games else -1
    total = record.points
    for index, part in enumerate(parts):
        if part.played is not Played.GAME and (not trailing or (index > last and not part.points)):
            total += draw - part.points
    return total


def added_by_rounds(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> Iterator[Sequence[Points]]:
    """What each round of these records adds to 对手分 in the end, record by record; computed once for a field."""
    key = ("added_by_rounds", *sorted(options.items()))
    if key not in field.kept:
        field.kept[key] = OpponentScores(field, options).counted(meetings_of_everybody(field))
    kept: Added = field.kept[key]
    if is_everybody(records, field):
        return kept.by_entrant()
    found = dict(zip(field.records, kept.by_entrant(), strict=True))
    return (found[record.entrant] for record in records)


def opponent_score(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """对手分: the sum of the contributions of all rounds, without those cut."""
    return [
        None if record.rounds is None else sum(added)
        for record, added in zip(records, added_by_rounds(records, field, options), strict=True)
    ]


def beaten_score(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """胜者对手分 (SODOS): the points of the opponents he beat; those he drew with count `none` or `half`."""
    scores = OpponentScores(field, options)
    found: list[Figure | None] = []
    for record in records:
        total: Points = 0
        for each in scores.of(record):
            if not opponents_of(each.part, options) or each.cut:
                continue
            if each.part.won:
                total += each.points
            elif each.part.drawn and options["draws"] == "half":
                total += Fraction(each.points) / 2
        found.append(None if record.rounds is None else total)
    return found


def opponents_opponent_score(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """对手的对手分 (SOSOS): the sum of the opponents' 对手分, which is computed by the options of that criterion.

    A round without an opponent adds what it adds there, once for every round.
    """
    own = {**DEFAULTS, **field.options.get("opponent_score", {})}
    scores = OpponentScores(field, own)
    everybody = list(field.records.values())
    sums = dict(zip(field.records, map(sum, added_by_rounds(everybody, field, own)), strict=True))
    found: list[Figure | None] = []
    for record in records:
        total: Points = 0
        for part in record.rounds or ():
            if met := opponents_of(part, own):
                total += sum([sums[opponent] for opponent in met])
            else:
                total += scores.unplayed(record) * len(record.rounds or ())
        found.append(None if record.rounds is None else total)
    return found


def progressive_cut(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """逐轮递减 (I-B-12), compared one after the other for k = 1, 2, …

    `variant`: `opponents`, 逆减: 对手分 without the opponents of the last k rounds; `own_last`: his own points without those
    of the last k rounds; `own_first`: 累进分, the running totals added up, without those of the first k rounds.
    """
    variant = options["variant"]
    if variant == "opponents":
        own = {**DEFAULTS, **field.options.get("opponent_score", {})}
        return [
            None if record.rounds is None else _without_last(added)
            for record, added in zip(records, added_by_rounds(records, field, own), strict=True)
        ]
    ways: dict[tuple[Points, ...], tuple[Points, ...]] = {}
    found: list[Figure | None] = []
    for record in records:
        if record.rounds is None:
            found.append(None)
            continue
        way = tuple([part.points for part in record.rounds])
        if way not in ways:  # of many entrants, most have taken their points in the order another took them
            ways[way] = _without_last(list(accumulate(way))[::-1] if variant == "own_first" else way)
        found.append(ways[way])
    return found


def _without_last(parts: Sequence[Points]) -> tuple[Points, ...]:
    """The sum of the parts without the last 1, 2, … of them."""
    sums = list(accumulate(parts, initial=0))
    return tuple(sums[-2::-1])
