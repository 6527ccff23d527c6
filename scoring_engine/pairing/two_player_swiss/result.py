"""A round as paired: every table with its reasons, what it costs, and what the committee has to rule on."""

from dataclasses import dataclass, field
from enum import StrEnum

from scoring_engine.pairing.reasons import Said, whole
from scoring_engine.pairing.two_player_swiss.proof import Proof
from scoring_engine.values import EntrantId, NeedsRuling, Points, Text


class Rule(StrEnum):
    """A rule that keeps two apart, or somebody from the bye."""

    REMATCH = "rematch"  # 重复对手
    SECOND_BYE = "second_bye"  # 第二次轮空
    SAME_UNIT = "same_unit"  # 同单位
    SAME_SIDE = "same_side"  # 连续同一先后手


class SideReason(StrEnum):
    """Why the first mover moves first."""

    RUN = "run"  # the other way, one would have the same side too often running
    FEWER_FIRST = "fewer_first"  # has moved first less often
    MORE_SECOND = "more_second"  # as often first, more often second
    LAST_SECOND = "last_second"  # moved second when the two last differed
    LOTS = "lots"  # nothing sets them apart, or first moves are not balanced


@dataclass(frozen=True, slots=True)
class Avoided:
    """A nearer opponent of the same points, and why he was not taken."""

    entrant: EntrantId
    other: EntrantId
    rule: Rule


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule this draw breaks."""

    rule: Rule
    entrants: tuple[EntrantId, ...]
    text: Text


@dataclass(frozen=True, slots=True)
class Pairing:
    """One table (台). difference: between the points they are paired by, so lifted points count. down, up: who floats.

    places: of the upper and the lower of the two, from 1, by the points they are paired by; equals: how many have those of
    the upper. avoided: the opponents nearer in drawn order, among equal points, whom a rule kept from either. said: all of
    it in sentences; why: as one text.
    """

    table: int
    first: EntrantId
    second: EntrantId
    first_points: Points
    second_points: Points
    difference: Points
    down: EntrantId | None
    up: EntrantId | None
    places: tuple[int, int]
    equals: int
    side_reason: SideReason
    avoided: tuple[Avoided, ...]
    broken: tuple[Rule, ...]
    said: tuple[Said, ...] = field(compare=False)

    @property
    def why(self) -> Text:
        return whole(self.said)


@dataclass(frozen=True, slots=True)
class Bye:
    """Who has the bye (轮空). passed_over: people with fewer points; had: those of them who may have none, because they have
    had one; the others were needed as opponents."""

    entrant: EntrantId
    points: Points
    passed_over: tuple[EntrantId, ...]
    had: tuple[EntrantId, ...]
    broken: tuple[Rule, ...]
    said: tuple[Said, ...] = field(compare=False)

    @property
    def why(self) -> Text:
        return whole(self.said)


@dataclass(frozen=True, slots=True)
class SwissReport:
    """What a draw costs, aim by aim, and how far no other draw is better.

    total_difference, squares: of the score differences of all pairs. floats: pairs of unequal points.
    repeated_floats: what they repeat, each float once for every earlier float of that person the same way and once
    more if the last round was one. unit_meetings: pairs of one unit, in a round that heeds units. runs: people who have
    the same side too often running. imbalance: the squares of (first − second) moves after the round, of everybody;
    greatest_imbalance: the largest difference of one person. again: people who have the side of their last game again.
    rematches_avoided, units_avoided, runs_avoided: nearer opponents of equal points whom the rule excluded.
    neighbours: to how many ranks each was linked, in how many sections; left_out: aims for which the numbers had no
    room.
    """

    total_difference: Points
    squares: Points
    floats: int
    repeated_floats: int
    unit_meetings: int
    runs: int
    imbalance: int
    greatest_imbalance: int
    again: int
    rematches_avoided: int
    units_avoided: int
    runs_avoided: int
    proof: Proof
    neighbours: int
    sections: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SwissDraw:
    """One round. pairings: by table, from the top. lots: the drawn order. absent: who was not available.

    broken: every rule this draw breaks, because no draw keeps all. needs_ruling: what the committee has to decide; the
    tables are then the draw that breaks least, for it to take or leave.
    """

    number: int
    pairings: tuple[Pairing, ...]
    bye: Bye | None
    absent: tuple[EntrantId, ...]
    lots: tuple[EntrantId, ...]
    broken: tuple[Broken, ...]
    needs_ruling: tuple[NeedsRuling, ...]
    report: SwissReport

    @property
    def tables(self) -> tuple[tuple[EntrantId, EntrantId], ...]:
        """The two of each table, the first mover first."""
        return tuple((pairing.first, pairing.second) for pairing in self.pairings)
