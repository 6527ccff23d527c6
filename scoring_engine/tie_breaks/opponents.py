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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

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


class OpponentScores:
    """The contributions of a field under one set of options; the counted points of each entrant are made once."""

    def __init__(self, field: Field, options: CriterionOptions) -> None:
        self.options = options
        self._cut = int(options["cut"])
        self._given = given_points(field, options)
        self._lowest = min((record.points for record in field.records.values()), default=0)
        self._plain = options["forfeits"] == "opponent" and options["handicap"] == "ignored"

    def of(self, record: StandingRecord) -> tuple[Contribution, ...]:
        """One contribution for each round, in order; empty where no rounds are known."""
        parts, points = record.rounds or (), self._points(record)
        left_out = self._left_out(parts, points)
        return tuple(
            Contribution(part, worth, index in left_out)
            for index, (part, worth) in enumerate(zip(parts, points, strict=True))
        )

    def counted(self, record: StandingRecord) -> list[Points]:
        """What each round adds in the end: nothing where it is cut."""
        points = self._points(record)
        if self._cut:
            for index in self._left_out(record.rounds or (), points):
                points[index] = 0
        return points

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

    def _points(self, record: StandingRecord) -> list[Points]:
        """What each round is worth before any is cut."""
        parts, given = record.rounds or (), self._given
        if not self._plain:
            return [self._worth(part, record) for part in parts]
        return [  # the usual round gives the same without asking
            given[part.opponents[0]] if len(part.opponents) == 1 else self._worth(part, record)
            for part in parts
        ]

    def _worth(self, part: RoundResult, record: StandingRecord) -> Points:
        opponents = opponents_of(part, self.options)
        if not opponents:
            return self.unplayed(record)
        stones = part.stones if self.options["handicap"] == "counted" else 0
        return sum([self._given[opponent] for opponent in opponents], start=stones)

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


def added_by_rounds(field: Field, options: CriterionOptions) -> Mapping[EntrantId, Sequence[Points]]:
    """What each round of everybody adds to 对手分 in the end, in order; computed once for a field."""
    key = ("added_by_rounds", *sorted(options.items()))
    if key not in field.kept:
        scores = OpponentScores(field, options)
        field.kept[key] = {entrant: scores.counted(record) for entrant, record in field.records.items()}
    found: Mapping[EntrantId, Sequence[Points]] = field.kept[key]
    return found


def opponent_score(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """对手分: the sum of the contributions of all rounds, without those cut."""
    added = added_by_rounds(field, options)
    return [None if record.rounds is None else sum(added[record.entrant]) for record in records]


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
    sums = {entrant: sum(added) for entrant, added in added_by_rounds(field, own).items()}
    found: list[Figure | None] = []
    for record in records:
        total: Points = 0
        for part in record.rounds or ():
            opponents = opponents_of(part, own)
            if not opponents:
                total += scores.unplayed(record) * len(record.rounds or ())
            for opponent in opponents:
                total += sums[opponent]
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
        added = added_by_rounds(field, {**DEFAULTS, **field.options.get("opponent_score", {})})
        return [None if record.rounds is None else _without_last(added[record.entrant]) for record in records]
    found: list[Figure | None] = []
    for record in records:
        if record.rounds is None:
            found.append(None)
            continue
        parts = [part.points for part in record.rounds]
        if variant == "own_first":
            parts = list(accumulate(parts))
            parts.reverse()
        found.append(_without_last(parts))
    return found


def _without_last(parts: Sequence[Points]) -> tuple[Points, ...]:
    """The sum of the parts without the last 1, 2, … of them."""
    return tuple(accumulate(parts[:-1], initial=0))[::-1] if parts else ()
