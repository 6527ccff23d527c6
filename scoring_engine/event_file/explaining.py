"""Why one entrant stands ahead of another (为什么), read from two placings of a score document."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoring_engine.ranking import Comparison, CriterionValue, Placing, compare
from scoring_engine.values import EntrantId, Figure


def why(first: Mapping[str, Any], second: Mapping[str, Any]) -> Comparison:
    """What separates two placings of one ranking, of a stage or of the event, as the score document writes them."""
    return compare(_placing(first), _placing(second))


def _placing(shown: Mapping[str, Any]) -> Placing:
    values = tuple(
        CriterionValue(value["criterion"], _figure(value["value"]), value.get("counted", True))
        for value in shown["values"]
    )
    return Placing(shown["rank"], EntrantId(shown["entrant"]), values, shown["decided_by"], shown["shared"])


def _figure(shown: str | Sequence[str] | None) -> Figure | None:
    """A value back from its decimal string, or from the list of them."""
    if shown is None:
        return None
    return Fraction(shown) if isinstance(shown, str) else tuple(Fraction(part) for part in shown)
