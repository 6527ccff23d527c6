"""What a round at a table of three is worth (快乐二打一: B3, 附件4六, 附件4八(六)), read from a regulation.

A table's deals give game points (小分); the round gives match points (场分) by them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

from scoring_engine.values import Points, points_of

TIES = ("mean", "highest", "lowest")
COMPARES = ("with_adjustments", "as_played")
MINUTES = ("ceil", "floor")
SEVERAL_LATE = ("sum", "double_higher", "double_lower")
LATE_AT_FORFEIT = ("ignored", "counted")


@dataclass(frozen=True, slots=True)
class Band:
    """Round totals from `least` on, up to the next band, are worth `points`; `least` None has no lower end."""

    least: Points | None
    points: Points


@dataclass(frozen=True, slots=True)
class MatchPointScheme:
    """How the totals of a table become match points (I-B-1).

    ranks: those of the first, second and third at the table; equals share their places as `ties` says: the mean, the
    highest or the lowest of them. bands: by the total alone, lowest band first. One of the two is empty.
    """

    ranks: tuple[Points, ...] = ()
    ties: str = "mean"
    bands: tuple[Band, ...] = ()

    def of(self, totals: Sequence[Points]) -> tuple[Points, ...]:
        """The match points of each of these totals, in their order."""
        if self.bands:
            return tuple(self._banded(total) for total in totals)
        places = sorted(totals, reverse=True)
        return tuple(
            self._shared(first := places.index(total), first + places.count(total)) for total in totals
        )

    @property
    def values(self) -> frozenset[Points]:
        """Every number of match points a table can give."""
        if self.bands:
            return frozenset(band.points for band in self.bands)
        spans = combinations(range(len(self.ranks) + 1), 2)
        return frozenset(self._shared(first, end) for first, end in spans)

    @property
    def all_equal(self) -> Points:
        """What each has where all totals of a table are 0."""
        return self.of((0,) * max(len(self.ranks), 1))[0]

    def _banded(self, total: Points) -> Points:
        return next(band.points for band in reversed(self.bands) if band.least is None or total >= band.least)

    def _shared(self, first: int, end: int) -> Points:
        places = self.ranks[first:end]
        choose: Mapping[str, Points] = {
            "mean": points_of(Fraction(sum(places, start=Fraction(0))) / len(places)),
            "highest": max(places),
            "lowest": min(places),
        }
        return choose[self.ties]


@dataclass(frozen=True, slots=True)
class Worth:
    """Match points and game points of a round that is not played out."""

    match_points: Points
    game_points: Points


@dataclass(frozen=True, slots=True)
class LateTier:
    """Lateness of up to `up_to` minutes: `others` for each who was in time, `offender` (signed) for the late one."""

    up_to: int
    others: int
    offender: int


@dataclass(frozen=True, slots=True)
class Lateness:
    """迟到: tiers, shortest first; longer than the last is a forfeit.

    minutes: a part of a minute counts as a whole one (`ceil`) or not at all (`floor`; I-B-3). several: with two late at
    one table whoever was in time gets the `sum` of what each is worth, or twice the higher or the lower one (I-B-4).
    """

    tiers: tuple[LateTier, ...]
    minutes: str
    several: str
    clause: str

    def whole(self, minutes: Fraction) -> int:
        """The minutes that count."""
        return ceil(minutes) if self.minutes == "ceil" else floor(minutes)

    def is_forfeit(self, minutes: Fraction) -> bool:
        """Whether somebody so late has forfeited."""
        return self.whole(minutes) > self.tiers[-1].up_to

    def tier(self, minutes: Fraction) -> LateTier | None:
        """The tier of somebody so late; None in time, or where it is a forfeit."""
        whole = self.whole(minutes)
        return None if whole < 1 else next((tier for tier in self.tiers if whole <= tier.up_to), None)

    def points_in_time(self, late: Sequence[LateTier]) -> int:
        """What whoever was in time gets where these were late at his table."""
        if len(late) < 2 or self.several == "sum":
            return sum(tier.others for tier in late)
        choose = max if self.several == "double_higher" else min
        return len(late) * choose(tier.others for tier in late)


@dataclass(frozen=True, slots=True)
class Forfeits:
    """弃权 at a table: `others` for each who is left of two, `sole` for one alone (I-B-6), `offender` who is not there.

    late: whether lateness of one who is left still counts at such a table (I-B-23).
    """

    others: Worth
    sole: Worth
    offender: Worth
    late: str
    clause: str


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """Everything a round can be worth.

    compares: whether 场分 go by the round's total with lateness and penalties, or as played (I-B-5). byes: by the name
    of the bye; `absent` is the one of an entrant who is neither seated nor has a bye.
    """

    scheme: MatchPointScheme
    compares: str
    byes: Mapping[str, Worth]
    forfeits: Forfeits
    lateness: Lateness
    clause: str

    @property
    def values(self) -> tuple[Points, ...]:
        """Every number of match points above 0 a round can give, the highest first."""
        forfeits = self.forfeits
        worths = (*self.byes.values(), forfeits.others, forfeits.sole, forfeits.offender)
        found = self.scheme.values | {worth.match_points for worth in worths}
        return tuple(sorted((points for points in found if points > 0), reverse=True))
