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
        self._counted = {
            entrant: _counted(record, field, options) for entrant, record in field.records.items()
        }
        self._lowest = min((record.points for record in field.records.values()), default=0)

    def of(self, record: StandingRecord) -> tuple[Contribution, ...]:
        """One contribution for each round, in order; empty where no rounds are known."""
        parts = record.rounds or ()
        points = [self._points(part, record) for part in parts]
        left_out = _lowest_of(parts, points, int(self.options["cut"]), self.options)
        return tuple(
            Contribution(part, worth, index in left_out)
            for index, (part, worth) in enumerate(zip(parts, points, strict=True))
        )

    def unplayed(self, record: StandingRecord) -> Points:
        """What a round without an opponent adds."""
        worth = {
            "zero": 0,
            "lowest_score": self._lowest,
            "own_score": record.points,
            "start_score": record.start,
        }
        return worth[str(self.options["own_unplayed"])]

    def _points(self, part: RoundResult, record: StandingRecord) -> Points:
        opponents = opponents_of(part, self.options)
        if not opponents:
            return self.unplayed(record)
        points: Points = part.stones if self.options["handicap"] == "counted" else 0
        for opponent in opponents:
            points += self._counted[opponent]
        return points


def opponents_of(part: RoundResult, options: CriterionOptions) -> tuple[EntrantId, ...]:
    """The opponents of a round; none where it counts as unplayed."""
    if part.played is Played.FORFEIT and options["forfeits"] == "unplayed":
        return ()
    return part.opponents


def _lowest_of(
    parts: Sequence[RoundResult], points: Sequence[Points], cut: int, options: CriterionOptions
) -> frozenset[int]:
    """Which rounds are left out: the lowest, of equal ones an unplayed round first, then the earliest."""
    if not cut:
        return frozenset()
    order = sorted(
        range(len(parts)), key=lambda index: (points[index], bool(opponents_of(parts[index], options)))
    )
    return frozenset(order[:cut])


def _counted(record: StandingRecord, field: Field, options: CriterionOptions) -> Points:
    """The points an entrant gives to his opponents."""
    reading = options["opponent_unplayed"]
    if reading == "as_scored" or record.rounds is None:
        return record.points
    games = [index for index, part in enumerate(record.rounds) if part.played is Played.GAME]
    last = games[-1] if games else -1
    total = record.points
    for index, part in enumerate(record.rounds):
        if part.played is Played.GAME:
            continue
        if reading == "draws" or (index > last and not part.points):
            total += field.draw - part.points
    return total


def opponent_score(
    records: Sequence[StandingRecord], field: Field, options: CriterionOptions
) -> list[Figure | None]:
    """对手分: the sum of the contributions of all rounds, without those cut."""
    scores = OpponentScores(field, options)
    return [None if record.rounds is None else _sum(scores.of(record)) for record in records]


def _sum(contributions: Sequence[Contribution]) -> Points:
    total: Points = 0
    for each in contributions:
        if not each.cut:
            total += each.points
    return total


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
    sums = {entrant: _sum(scores.of(record)) for entrant, record in field.records.items()}
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
    variant = str(options["variant"])
    scores = OpponentScores(field, {**DEFAULTS, **field.options.get("opponent_score", {})})
    found: list[Figure | None] = []
    for record in records:
        if record.rounds is None:
            found.append(None)
        elif variant == "opponents":
            parts = [0 if each.cut else each.points for each in scores.of(record)]
            found.append(_without_last(parts))
        elif variant == "own_last":
            found.append(_without_last([part.points for part in record.rounds]))
        else:
            running: list[Points] = []
            for part in record.rounds:
                running.append(part.points + (running[-1] if running else 0))
            found.append(_without_last(running[::-1]))
    return found


def _without_last(parts: Sequence[Points]) -> tuple[Points, ...]:
    """The sum of the parts without the last 1, 2, … of them."""
    left: list[Points] = []
    total: Points = 0
    for part in parts[:-1]:
        left.append(total)
        total += part
    return (total, *left[::-1]) if parts else ()
