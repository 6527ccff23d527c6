"""Whom everybody met, side by side in memory: what asks for opponents, and whether those who are tied have met."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import is_

from scoring_engine.tie_breaks.columns import BLOCK, blocks
from scoring_engine.tie_breaks.records import Field, RoundResult, StandingRecord
from scoring_engine.values import EntrantId


class Meetings:
    """The opponents of everybody's rounds, block after block as one list; a row is a place in the order of the records.

    A round takes many times the memory of its opponent. Of 100,000 entrants, none of it is in the fast memory when a tie asks
    for it, so all rounds are opened once, one after the other as they lie there.

    entrants: who is in each row. rounds: how many rounds are his.
    """

    def __init__(self, records: Mapping[EntrantId, StandingRecord]) -> None:
        self.entrants: Sequence[EntrantId] = tuple(records)
        self.rounds: list[int] = []
        self._blocks: list[tuple[list[EntrantId], bool]] = []
        self._counts: list[list[int]] = []
        everybody = list(records.values())
        for block in blocks(len(everybody)):
            self._add([record.rounds or () for record in everybody[block]])

    def _add(self, rounds: Sequence[Sequence[RoundResult]]) -> None:
        """Add a block: the rounds of each entrant."""
        single = True
        counts = lengths = [len(own) for own in rounds]
        try:
            met = [only for own in rounds for part in own for (only,) in [part.opponents]]
        except ValueError:  # a round with none, or several
            single = False
            counts = [sum(len(part.opponents) for part in own) for own in rounds]
            met = [one for own in rounds for part in own for one in part.opponents]
        self.rounds += lengths
        self._counts.append(counts)
        self._blocks.append((met, single))

    @cached_property
    def _ends(self) -> Sequence[Sequence[int]]:
        return [list(accumulate(counts, initial=0)) for counts in self._counts]

    def of(self, row: int) -> Sequence[EntrantId]:
        """The opponents of one entrant, round after round."""
        block, place = divmod(row, BLOCK)
        start, end = self._ends[block][place : place + 2]
        return self._blocks[block][0][start:end]

    def by_block(self) -> Iterator[tuple[slice, Sequence[EntrantId], bool]]:
        """The rows block after block, their opponents, and whether each of their rounds has exactly one."""
        for rows, (met, single) in zip(blocks(len(self.entrants)), self._blocks, strict=True):
            yield rows, met, single


def meetings_of(records: Sequence[StandingRecord], field: Field) -> Meetings:
    """Whom these met, a row for each."""
    if is_everybody(records, field):
        return meetings_of_everybody(field)
    return Meetings({record.entrant: record for record in records})


def meetings_of_everybody(field: Field) -> Meetings:
    """Whom the entrants of a field met; put together once."""
    if "meetings" not in field.kept:
        field.kept["meetings"] = Meetings(field.records)
    kept: Meetings = field.kept["meetings"]
    return kept


def is_everybody(records: Sequence[StandingRecord], field: Field) -> bool:
    """Whether these are the records of the field, in its order."""
    return len(records) == len(field.records) and all(map(is_, records, field.records.values()))
