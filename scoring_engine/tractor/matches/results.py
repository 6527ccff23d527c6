"""Who wins a match of 升级, and the shapes of its score.

The side that passed A wins (I-C-13, I-D-13); else the higher level; equal levels are a draw (C, I-C-3) or the side in the
bank wins (D 五3: 级数相同以在位坐庄的一方获胜). A side that forfeits loses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring_engine.tractor.lateness import LateTier
from scoring_engine.tractor.levels import Side, level_name
from scoring_engine.tractor.matches.formats import MatchFormat
from scoring_engine.tractor.matches.records import Ended
from scoring_engine.tractor.penalties import PenaltyLine
from scoring_engine.values import EntrantId, NeedsRuling, Text


@dataclass(frozen=True, slots=True)
class DealScore:
    """One deal, scored.

    dug: what the bottom brought; defenders_points: with the bottom and all penalties, None where the deal has none.
    up, levels: who went up and by how many (0 and None for 上台). bank, seat: who banks next, seat None where unknown.
    standing: both sides' levels after the deal. clause: of the row of the level table, or of what ended the deal.
    """

    number: int
    banker: EntrantId | None
    ended: Ended
    dug: int
    defenders_points: int | None
    up: Side | None
    levels: int
    bank: EntrantId | None
    seat: int | None
    standing: Mapping[EntrantId, int]
    penalties: tuple[PenaltyLine, ...]
    clause: str

    def to_json(self) -> dict[str, object]:
        """`{"defenders_points", "up", "levels", "bank"}` of the score document; points are null where there are none."""
        points = self.defenders_points
        return {
            "defenders_points": None if points is None else str(points),
            "up": None if self.up is None else self.up.value,
            "levels": self.levels,
            "bank": self.bank,
        }


class DecidedBy(StrEnum):
    """What decided a match."""

    PAST_A = "past_a"
    LEVELS = "levels"
    BANK = "bank"
    FORFEIT = "forfeit"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match: the winner, None for a draw or where both forfeit (`losers` tells them apart)."""

    winner: EntrantId | None
    losers: tuple[EntrantId, ...]
    decided_by: DecidedBy
    clause: str


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match, scored as far as it was recorded.

    levels: 0…12 of both sides. outcome: who is ahead as it stands, None before the first deal and where `ruling` says
    what the text leaves open. points: None in a knock-out. late: the tier of each side that came late. notes: what the
    committee should look at on the sheet.
    """

    deals: tuple[DealScore, ...]
    levels: Mapping[EntrantId, int]
    bank: EntrantId | None
    outcome: Outcome | None
    ruling: NeedsRuling | None
    points: Mapping[EntrantId, int] | None
    late: Mapping[EntrantId, LateTier]
    notes: tuple[NeedsRuling, ...] = ()

    def level_difference(self, side: EntrantId) -> int:
        """净胜级数: the side's levels less the opponents'."""
        return 2 * self.levels[side] - sum(self.levels.values())

    def levels_json(self) -> dict[str, str]:
        """`{"e1": "9", "e2": "7"}`."""
        return {side: level_name(level) for side, level in self.levels.items()}


def decide(
    levels: Mapping[EntrantId, int],
    bank: EntrantId | None,
    format_: MatchFormat,
    *,
    past_a: EntrantId | None = None,
    forfeits: frozenset[EntrantId] = frozenset(),
) -> Outcome | NeedsRuling:
    """The result of a match between the two sides of `levels`, or what the committee must rule."""
    one, other = levels
    if len(forfeits) == 2 and format_.points is None:
        return NeedsRuling(
            Text("双方均弃权，无人晋级。", "Both sides forfeit; nobody goes on."),
            format_.clause_of("forfeit"),
        )
    if len(forfeits) == 2:
        return Outcome(None, (one, other), DecidedBy.FORFEIT, format_.clause_of("forfeit"))
    if forfeits:
        return _won_by(one if other in forfeits else other, levels, DecidedBy.FORFEIT, format_, "forfeit")
    if past_a is not None:
        return _won_by(past_a, levels, DecidedBy.PAST_A, format_, "past_a")
    if levels[one] != levels[other]:
        ahead = max(levels, key=lambda side: levels[side])
        return _won_by(ahead, levels, DecidedBy.LEVELS, format_, "equal_levels")
    if format_.equal_levels == "draw":
        return Outcome(None, (), DecidedBy.DRAW, format_.clause_of("equal_levels"))
    if bank is None:
        return NeedsRuling(
            Text("级数相同，且没有一方坐庄。", "Equal levels, and no side is in the bank."),
            format_.clause_of("equal_levels"),
            Text("加赛一副", "Play one more deal"),
        )
    return _won_by(bank, levels, DecidedBy.BANK, format_, "equal_levels")


def _won_by(
    winner: EntrantId,
    levels: Mapping[EntrantId, int],
    decided_by: DecidedBy,
    format_: MatchFormat,
    clause_key: str,
) -> Outcome:
    losers = tuple(side for side in levels if side != winner)
    return Outcome(winner, losers, decided_by, format_.clause_of(clause_key))


def match_points(
    outcome: Outcome, sides: tuple[EntrantId, EntrantId], format_: MatchFormat
) -> Mapping[EntrantId, int] | None:
    """积分 of both sides (C 八(二): 2, 1, 0); None where the regulation has none. Both forfeit: a loss each."""
    if format_.points is None:
        return None
    won, drawn, lost = format_.points.win, format_.points.draw, format_.points.loss
    return {
        side: won if side == outcome.winner else lost if side in outcome.losers else drawn for side in sides
    }
