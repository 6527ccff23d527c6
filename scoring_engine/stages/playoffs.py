"""Play-offs (加赛三局): finding the tables that were played for a tie, and what they decided."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from scoring_engine.ranking import Placing, rank
from scoring_engine.stages.results import TableResult
from scoring_engine.tie_breaks.records import StandingRecord
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class PlayedPlayoff:
    """One or more tables played one after the other for the same tie.

    ranks: of each entrant, one rank per ended table, in order. running: a table has not ended yet.
    """

    tables: tuple[TableResult, ...]
    ranks: dict[EntrantId, tuple[int, ...]]
    running: bool

    def placings(self, entrants: Sequence[EntrantId]) -> tuple[Placing, ...]:
        """These entrants in the order of the play-offs; a tie that is left is a shared rank."""
        return rank(
            (StandingRecord(entrant, 0, playoff_ranks=self.ranks[entrant]) for entrant in entrants),
            ("playoff",),
        )


@dataclass(slots=True)
class PlayoffTables:
    """The tables of stage `playoff`; each is used for one tie only, earlier stages and rounds first."""

    tables: tuple[TableResult, ...]
    chain: tuple[str, ...]
    used: set[int] = field(default_factory=set)

    def take(self, must: Set[EntrantId], may: Set[EntrantId]) -> PlayedPlayoff | None:
        """The play-off of a tie: the first unused table that seats all of `must` and otherwise only `may`.

        Later tables of the same three belong to it: the tie that was left was played again.
        """
        first = next(
            (
                index
                for index, result in enumerate(self.tables)
                if index not in self.used and must <= set(result.score.table.seats) <= must | may
            ),
            None,
        )
        if first is None:
            return None
        seats = set(self.tables[first].score.table.seats)
        own = [
            index
            for index, result in enumerate(self.tables)
            if index not in self.used and set(result.score.table.seats) == seats
        ]
        self.used.update(own)
        tables = tuple(self.tables[index] for index in own)
        ranks: dict[EntrantId, tuple[int, ...]] = dict.fromkeys(seats, ())
        for result in tables:
            if result.score.ended and len(result.records) == len(seats):
                for placing in rank(result.records.values(), self.chain):
                    ranks[placing.entrant] += (placing.rank,)
        running = any(not result.score.ended or len(result.records) != len(seats) for result in tables)
        return PlayedPlayoff(tables, ranks, running)
