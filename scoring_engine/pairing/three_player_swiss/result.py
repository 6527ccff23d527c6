"""A round as paired: every table with its reasons, what it costs, and what the committee has to rule on."""

from dataclasses import dataclass, field
from enum import StrEnum

from scoring_engine.pairing.reasons import Said, whole
from scoring_engine.values import EntrantId, NeedsRuling, Points, Text


class TrioRule(StrEnum):
    """A rule that keeps two apart, or somebody from the bye."""

    SAME_UNIT = "same_unit"  # 同单位
    REMATCH = "rematch"  # 重复相遇
    SECOND_BYE = "second_bye"  # 第二次轮空


@dataclass(frozen=True, slots=True)
class TrioAvoided:
    """Somebody at a table, and another, nearer in the order than the last one there, who should not meet him."""

    entrant: EntrantId
    other: EntrantId
    rule: TrioRule


@dataclass(frozen=True, slots=True)
class Met:
    """Two at one table who have met before, and how often."""

    entrants: tuple[EntrantId, EntrantId]
    times: int


@dataclass(frozen=True, slots=True)
class TrioBroken:
    """A hard rule this draw breaks."""

    rule: TrioRule
    entrants: tuple[EntrantId, ...]
    text: Text


@dataclass(frozen=True, slots=True)
class TrioTable:
    """One table (桌). seats: W, S, E. by_score: the three, best first, with their match points and places.

    spread: the highest match points less the lowest. seats_had: before the round, of each seat's holder, how often on
    that seat. said: all of it in sentences; why: as one text.
    """

    number: int
    seats: tuple[EntrantId, EntrantId, EntrantId]
    by_score: tuple[EntrantId, EntrantId, EntrantId]
    match_points: tuple[Points, Points, Points]
    places: tuple[int, int, int]
    spread: Points
    rematches: tuple[Met, ...]
    avoided: tuple[TrioAvoided, ...]
    seats_had: tuple[int, int, int]
    broken: tuple[TrioBroken, ...]
    said: tuple[Said, ...] = field(compare=False)

    @property
    def why(self) -> Text:
        return whole(self.said)


@dataclass(frozen=True, slots=True)
class TrioBye:
    """Who has a bye (轮空), and why."""

    entrant: EntrantId
    match_points: Points
    byes_had: int
    broken: tuple[TrioBroken, ...]
    said: tuple[Said, ...] = field(compare=False)

    @property
    def why(self) -> Text:
        return whole(self.said)


@dataclass(frozen=True, slots=True)
class TrioReport:
    """What a draw costs, part by part, each the sum over all tables.

    spread: of each table the highest match points less the lowest; least_spread: no draw that keeps units apart has
    less. rematches: meetings before of two at one table. place_squares: of the differences of places, of all pairs.
    seat_imbalance: over those seated, the seat had most less the seat had least, after the round;
    greatest_seat_imbalance: of one person. units_avoided, rematches_avoided: people nearer in the order who were kept
    away. every_draw: all draws were tried, so none is better.
    """

    spread: Points
    least_spread: Points
    rematches: int
    place_squares: int
    unit_meetings: int
    seat_imbalance: int
    greatest_seat_imbalance: int
    units_avoided: int
    rematches_avoided: int
    every_draw: bool


@dataclass(frozen=True, slots=True)
class TrioDraw:
    """One round. tables: from the top. lots: the drawn order. absent: who was not available.

    broken: every hard rule this draw breaks, because no draw keeps all. needs_ruling: what the committee has to
    decide; the tables are then the draw that breaks least, for it to take or leave.
    """

    number: int
    tables: tuple[TrioTable, ...]
    byes: tuple[TrioBye, ...]
    absent: tuple[EntrantId, ...]
    lots: tuple[EntrantId, ...]
    broken: tuple[TrioBroken, ...]
    needs_ruling: tuple[NeedsRuling, ...]
    report: TrioReport
