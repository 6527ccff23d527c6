"""What the readers of an event file share: the rules, the ids of its entrants, and where problems are noted."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring_engine.documents import Problems
from scoring_engine.rules import ScoringRules
from scoring_engine.values import EntrantId


@dataclass(frozen=True, slots=True)
class Ids:
    """The entrants of the file being read, with the group (组别) of each; `rules` have its options resolved."""

    entrants: frozenset[EntrantId]
    rules: ScoringRules
    problems: Problems
    groups: Mapping[EntrantId, str | None] = field(default_factory=dict)

    def known(self, path: str, value: object) -> EntrantId | None:
        """The id at `path` if it is an entrant's; else a problem and None."""
        if not isinstance(value, str):
            self.problems.wrong_type(path, str)
            return None
        entrant = EntrantId(value)
        if entrant not in self.entrants:
            self.problems.add(path, f"没有编号为 {value} 的参赛者。", f"There is no entrant {value}.")
            return None
        return entrant
