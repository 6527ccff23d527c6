"""What a ruling makes of a score sheet, and how it is taken out of it again.

Lateness, forfeits and the penalties of a match stand on the sheet, because the rest of the sheet has to stay possible with them:
who banks the next deal depends on what the last one cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from app.results.rules import Content, Game, InvalidOutcomeError, Names, Outcome, game_of
from app.rulings.rules import ParameterError, RulingKind, Wanted
from scoring_engine.documents import exact_number
from scoring_engine.rules import ScoringRules
from scoring_engine.values import decimal_text

PENALTY_KEYS = ("deal", "count", "points", "outcome", "insisted")
_RESULT_KEYS = ("winner", "levels", "bank", "past_a", "announced_in")
"""What a sheet no longer says once somebody forfeited."""


def minutes_json(minutes: Fraction) -> int | str:
    """Minutes as a sheet has them: a whole number, or an exact decimal; what has none is shown to the millisecond, upwards, so that no
    tier is missed."""
    if minutes.denominator == 1:
        return int(minutes)
    try:
        return decimal_text(minutes)
    except ValueError:
        return decimal_text(Fraction(-(-minutes * 1000 // 1), 1000))


def penalty_json(wanted: Wanted, entrant: str) -> dict[str, Any]:
    """One penalty as a sheet, or an adjustment of the event file, writes it."""
    said: dict[str, Any] = {"rule": wanted.code, "entrant": entrant}
    for key in PENALTY_KEYS:
        value = getattr(wanted, key)
        if value is not None and value is not False and (key, value) != ("count", 1):
            said[key] = value
    return said


@dataclass(frozen=True, slots=True)
class Played:
    """A table as far as its sheet depends on it: who sits there, in seat order, and by which rules."""

    names: Names
    rules: ScoringRules

    @property
    def game(self) -> Game:
        return game_of(self.rules)


def with_ruling(
    content: Content, wanted: Wanted, entrants: Sequence[str], played: Played, clause: str
) -> Content:
    """The sheet with this ruling about these entrants on it. Raises ``ParameterError``."""
    said = dict(content.outcome or {})
    if wanted.kind is RulingKind.LATENESS:
        assert wanted.minutes is not None
        late = dict(said.get("late") or {})
        said["late"] = late | dict.fromkeys(entrants, minutes_json(wanted.minutes))
    elif wanted.kind is RulingKind.FORFEIT:
        said = {key: value for key, value in said.items() if key not in _RESULT_KEYS}
        said["forfeits"] = [
            *said.get("forfeits", ()),
            *(one for one in entrants if one not in content.forfeits),
        ]
    else:
        said["penalties"] = [
            *said.get("penalties", ()),
            *(penalty_json(wanted, entrant) for entrant in entrants),
        ]
    try:
        return _made(content, said, played)
    except InvalidOutcomeError as error:
        raise _parameter_error(error, clause) from error


def without_ruling(content: Content, wanted: Wanted, entrant: str, played: Played) -> Content | None:
    """The sheet without what a ruling wrote on it; None where that is no longer there, or what it took the place of is not known."""
    said = dict(content.outcome or {})
    if wanted.kind is RulingKind.LATENESS:
        late = dict(said.get("late") or {})
        written = late.pop(entrant, None)
        if (
            written is None
            or wanted.minutes is None
            or exact_number(written) != exact_number(minutes_json(wanted.minutes))
        ):
            return None
        said["late"] = late
    elif wanted.kind is RulingKind.FORFEIT:
        return None
    else:
        mine, penalties = penalty_json(wanted, entrant), list(said.get("penalties", ()))
        if mine not in penalties:
            return None
        # equal ones cost the same: which of them goes does not matter, the last keeps the order of the others
        del penalties[len(penalties) - 1 - penalties[::-1].index(mine)]
        said["penalties"] = penalties
    return _made(content, said, played)


def _made(content: Content, said: Outcome, played: Played) -> Content:
    checked = played.game.checked(said, played.names, played.rules)
    return played.game.with_outcome(content, checked, played.rules)


def _parameter_error(error: InvalidOutcomeError, clause: str) -> ParameterError:
    field = next(iter(error.fields))
    return ParameterError(field.split(".")[-1], error.fields[field], error.clause or clause)
