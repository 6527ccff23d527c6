"""One sentence of the rules page (规程页), with its clause, and the sentences of one clause together."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from app.text import T


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One sentence of the page. `anchor` stands on the first row of a clause only.

    note: what helps a reader who does not know the term, or the day a rule comes to; not part of the text.
    """

    text: T
    clause: str
    label: T | None = None
    anchor: str | None = None
    interpretations: tuple[str, ...] = ()
    note: T | None = None


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """Sentences in a row that stand on one clause: it is named once, with the interpretations that read it."""

    rows: tuple[RuleRow, ...]

    @property
    def clause(self) -> str:
        return self.rows[0].clause

    @property
    def anchor(self) -> str | None:
        return self.rows[0].anchor

    @property
    def interpretations(self) -> tuple[str, ...]:
        return self.rows[0].interpretations


def blocks(rows: Iterable[RuleRow]) -> tuple[RuleBlock, ...]:
    """Rows under their clauses, in their order."""
    return tuple(RuleBlock(tuple(group)) for _, group in groupby(rows, key=lambda row: row.clause))
