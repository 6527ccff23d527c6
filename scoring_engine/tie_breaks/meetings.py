"""Who met whom, by row numbers: the one look-up of opponents by their ids that a field needs.

Ids lie all over memory, and looking one up waits for it several times; of 100,000 entrants that is most of the time a
ranking takes. So all opponents of all rounds are looked up once, many in one call that lets those waits overlap, and kept as
numbers beside each other. Everything after that only counts along them.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from operator import is_

from scoring_engine.tie_breaks.columns import blocks, picked
from scoring_engine.tie_breaks.records import Field, StandingRecord
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class Meetings:
    """Everybody's opponents as rows, in the order of the rows and of their rounds.

    rows: the row of each entrant, his place in `Field.records`. met: all opponents, one after the other; who is not in the
    field has the row after the last. starts: where those of each row begin, and where the last end. single: every round
    has exactly one opponent, so that a meeting and a round are the same.
    """

    rows: Mapping[EntrantId, int]
    met: Sequence[int]
    starts: Sequence[int]
    single: bool

    def of(self, row: int) -> Sequence[int]:
        """Whom this row met; one met twice is named twice."""
        return self.met[self.starts[row] : self.starts[row + 1]]


def meetings(field: Field) -> Meetings:
    """The meetings of a field; looked up once."""
    if "meetings" not in field.kept:
        field.kept["meetings"] = _looked_up(field)
    found: Meetings = field.kept["meetings"]
    return found


def _looked_up(field: Field) -> Meetings:
    records = list(field.records.values())
    rows = dict(zip(field.records, range(len(records)), strict=True))
    met, starts, single = array("I"), array("I", [0]), True
    for block in blocks(len(records)):
        parts = [record.rounds or () for record in records[block]]
        try:  # the usual block
            ids = [only for rounds in parts for part in rounds for (only,) in [part.opponents]]
            counts = list(map(len, parts))
        except ValueError:
            ids = [opponent for rounds in parts for part in rounds for opponent in part.opponents]
            counts = [sum([len(part.opponents) for part in rounds]) for rounds in parts]
            single = False
        try:
            met.extend(picked(rows, ids))
        except KeyError:
            met.extend([rows.get(entrant, len(rows)) for entrant in ids])
        starts.extend(islice(accumulate(counts, initial=starts[-1]), 1, None))
    return Meetings(rows, met, starts, single)


def rows_of(records: Sequence[StandingRecord], field: Field) -> Sequence[int]:
    """The rows of these records; nothing is looked up where they are the whole field in its own order."""
    if len(records) == len(field.records) and all(map(is_, records, field.records.values())):
        return range(len(records))
    rows = meetings(field).rows
    return [rows[record.entrant] for record in records]
