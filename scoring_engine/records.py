"""What was recorded of an event: entrants, stages, rounds, tables, penalties, draws. Frozen, already checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoring_engine.landlord.deals import Deal
from scoring_engine.pairing.repairs import Placed, Repair
from scoring_engine.rules import ScoringRules
from scoring_engine.tractor.matches.records import Match
from scoring_engine.values import Entrant, EntrantId, StageCode, Text

DRAWN_BYE = "bye"
"""The kind of a bye that is drawn; the others are asked for."""


@dataclass(frozen=True, slots=True)
class TableRecord:
    """One table of 二打一 (一桌).

    seats: three entrants, counter-clockwise. deals: as played; empty before the first, None where only totals are
    known. totals: points of each seat before penalties, where only they are known. forfeits: who gave up (弃权).
    late: minutes late (迟到), exact.
    """

    number: int
    seats: tuple[EntrantId, ...]
    deals: tuple[Deal, ...] | None
    totals: Mapping[EntrantId, int] | None
    forfeits: frozenset[EntrantId]
    late: Mapping[EntrantId, Fraction]
    path: str


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One table of a board game (一台): who moved first, and who won.

    winner: None for a draw, for a double forfeit, and while the game has no result. ended: whether it has a result.
    forfeits: who did not appear (弃权). stones: handicap stones (让子) the first mover received.
    """

    number: int
    first: EntrantId
    second: EntrantId
    winner: EntrantId | None
    ended: bool
    forfeits: frozenset[EntrantId]
    stones: int
    path: str

    @property
    def seats(self) -> tuple[EntrantId, ...]:
        """Both players, the first mover first."""
        return (self.first, self.second)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One table of 升级 (一桌): the match of two sides. running: it is still played, and decides nothing yet."""

    number: int
    match: Match
    running: bool
    path: str

    @property
    def seats(self) -> tuple[EntrantId, ...]:
        """Both sides."""
        return self.match.sides


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round (轮) of a stage.

    byes: those who go straight on (轮空, 直接进入复赛), in draw order; bye_kinds: the name of each bye that has one.
    games: the tables of a board game; matches: those of 升级; `tables` are those of 二打一. absent: who is excused and not
    paired; reinstated: who is paired again after forfeits (恢复编排). Both are of Swiss rounds only.
    """

    number: int
    tables: tuple[TableRecord, ...]
    byes: tuple[EntrantId, ...]
    path: str
    games: tuple[GameRecord, ...] = ()
    bye_kinds: Mapping[EntrantId, str] = field(default_factory=dict)
    matches: tuple[MatchRecord, ...] = ()
    absent: frozenset[EntrantId] = frozenset()
    reinstated: frozenset[EntrantId] = frozenset()

    @property
    def requested(self) -> frozenset[EntrantId]:
        """Who has a bye of another kind than the one that is drawn: he asked for it, and is not paired."""
        return frozenset(bye for bye in self.byes if self.bye_kinds.get(bye, DRAWN_BYE) != DRAWN_BYE)

    @property
    def seated_tables(self) -> tuple[TableRecord | GameRecord | MatchRecord, ...]:
        """The tables of the round, of whatever game."""
        return self.tables or self.games or self.matches


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage as recorded. upcoming: what is known of a Swiss round that has not been drawn yet (缺席, 恢复编排)."""

    code: StageCode
    rounds: tuple[RoundRecord, ...]
    path: str
    upcoming: RoundRecord | None = None

    @property
    def seated(self) -> tuple[EntrantId, ...]:
        """Everyone who has a seat in this stage, by table."""
        return tuple(seat for part in self.rounds for table in part.seated_tables for seat in table.seats)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One penalty given (判罚). `count` is how many times; `points` the referee's own amount, where he names one.

    In 升级 besides: outcome, what the referee decided instead of points; insisted, that the defenders insisted on playing;
    minutes, how late the offender was.
    """

    id: str
    rule: str
    entrant: EntrantId
    stage: StageCode
    round: int
    deal: int | None
    count: int
    points: int | None
    outcome: str | None = None
    insisted: bool = False
    minutes: Fraction | None = None


@dataclass(frozen=True, slots=True)
class PriorCommitment:
    """What was published before a draw, and what it turned out to be (docs/draws.md).

    commitment: SHA-256 (hex) of the committed seed. at: when it was published, as written. seed: the committed seed; None
    where it is the seed of the draw. contribution: what the public added. entrants_sha256: of the frozen list.
    """

    commitment: str
    at: str
    seed: bytes | None
    contribution: str | None
    entrants_sha256: str | None


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A hard rule that a draw breaks, by the name `pair` gives it, and the people it concerns."""

    rule: str
    entrants: tuple[EntrantId, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """That a draw was accepted although it breaks rules (裁决). by: who ruled, as written. questions: what was asked, with
    the clauses they come from."""

    by: str
    at: str | None
    reason: str
    questions: tuple[Text, ...]
    clauses: tuple[str, ...]
    broken: tuple[BrokenRule, ...]
    path: str


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A published draw: what must come out of the seed again. `committed` is None where nothing was published before.

    repairs: what was changed by hand afterwards (人工调整), in order; repaired: the round they made, None without any.
    ruling: by which it was drawn although no draw keeps every hard rule, None without any. regulation_sha256: the earlier
    version of the regulation it was made by, None for the one of the file. as_drawn: the results it was made from that were
    changed since, as the file writes them; None where it was made from those of the file.
    """

    stage: StageCode
    round: int
    seed: bytes
    entrants: tuple[EntrantId, ...]
    tables: tuple[tuple[EntrantId, ...], ...]
    direct: tuple[EntrantId, ...]
    proof: str | None
    path: str
    committed: PriorCommitment | None = None
    repairs: tuple[Repair, ...] = ()
    repaired: Placed | None = None
    ruling: Ruling | None = None
    regulation_sha256: str | None = None
    as_drawn: Mapping[str, Any] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class DivisionRecord:
    """The published division into groups (组别), each by name with its members in drawn order; `committed` as of a draw."""

    stage: StageCode
    seed: bytes
    entrants: tuple[EntrantId, ...]
    groups: tuple[tuple[str, tuple[EntrantId, ...]], ...]
    proof: str | None
    path: str
    committed: PriorCommitment | None = None


@dataclass(frozen=True, slots=True)
class LotsRecord:
    """Lots (抽签) as published: the seed, who they are of, and the order of those who were equal, entrants and teams."""

    seed: bytes
    entrants: tuple[EntrantId, ...]
    ties: tuple[tuple[EntrantId, ...], ...]
    team_ties: tuple[tuple[EntrantId, ...], ...]
    proof: str | None
    path: str
    committed: PriorCommitment | None = None


@dataclass(frozen=True, slots=True)
class EventRecord:
    """A whole event file, read. `rules` has the file's options resolved; `published` are its
    published placings, with values as the score document writes them; `lots_drawn` the lots (抽签), where drawn."""

    rules: ScoringRules
    entrants: tuple[Entrant, ...]
    stages: tuple[StageRecord, ...]
    adjustments: tuple[Adjustment, ...]
    draws: tuple[DrawRecord, ...]
    published: tuple[Mapping[str, Any], ...] | None = field(repr=False)
    lots_drawn: LotsRecord | None = None
    division: DivisionRecord | None = None

    @property
    def lots(self) -> bytes | None:
        """The seed of the lots, None where none were drawn."""
        return None if self.lots_drawn is None else self.lots_drawn.seed

    def stage(self, code: str) -> StageRecord | None:
        """What was recorded of a stage, or None."""
        return next((stage for stage in self.stages if stage.code == code), None)
