"""What goes with a report as a file: a title, facts and tables, before it is a PDF or a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from app.text import T

MOST_DIGITS = 15
"""Digits that every spreadsheet keeps of a number."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as the engine writes it: ``7``, ``-3``, ``1.5``, ``4/3``."""

    text: str

    @property
    def number(self) -> Decimal | None:
        """The number, where a spreadsheet can hold it exactly; thirds and numbers of many digits stay text."""
        try:
            value = Decimal(self.text)
        except InvalidOperation:
            return None
        if not value.is_finite() or len(value.as_tuple().digits) > MOST_DIGITS:
            return None
        return value if Fraction(value).denominator in HALVES else None


HALVES = tuple(2**power for power in range(8))
"""Denominators of numbers that stay what they are in a spreadsheet, which reckons in base two."""

Cell = str | T | Figure | int | date | None


@dataclass(frozen=True, slots=True)
class Table:
    title: T
    head: tuple[T, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """``made_at`` is the moment of what it says, so that the same state always gives the same bytes."""

    title: T
    made_at: datetime
    facts: tuple[tuple[T, Cell], ...]
    tables: tuple[Table, ...]


Say = Callable[[T], str]
"""A sentence in the reader's language."""


def shown(cell: Cell, say: Say) -> str:
    """A cell in words."""
    if cell is None:
        return "—"
    if isinstance(cell, T):
        return say(cell)
    if isinstance(cell, date):
        return say(T("%(moment)s", moment=cell))
    return cell.text if isinstance(cell, Figure) else str(cell)
