"""What a revision of a score sheet says (一版记分表), and how it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import InvalidError
from app.results.rules.sheets import DealRecord
from app.text import T
from scoring_engine.values import EntrantId

Outcome = Mapping[str, Any]
Names = Mapping[EntrantId, str]
"""The entrants of a table in seat order, with their names."""

Faults = Mapping[str, tuple[T, str | None]]
"""What cannot be: the field of the input (`deals.2.banker`), a sentence, the clause behind it."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a revision of a sheet says: its deals, and everything else."""

    deals: tuple[DealRecord, ...] = ()
    outcome: Outcome | None = None

    @property
    def empty(self) -> bool:
        return not self.deals and not self.outcome

    @property
    def forfeits(self) -> tuple[str, ...]:
        return tuple((self.outcome or {}).get("forfeits", ()))


class InvalidOutcomeError(InvalidError):
    """A result that cannot be; ``fields`` says where."""

    def __init__(self, fields: Mapping[str, T], *, clause: str | None) -> None:
        super().__init__(next(iter(fields.values())), clause=clause, fields=fields)


class ResultMissingError(InvalidError):
    """Handing in a board without a result."""

    sentence = T("请选择本台的结果。")
    field = "winner"

    def __init__(self, *, clause: str | None) -> None:
        super().__init__(self.sentence, clause=clause, fields={self.field: self.sentence})
