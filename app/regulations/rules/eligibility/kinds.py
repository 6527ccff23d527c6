"""What a kind of rule is: its parameters, its judgement, its sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.regulations.rules.calendar import CalendarKey
from app.regulations.rules.eligibility.people import (
    MEMBER_KIND_NAMES,
    TEAM_KIND_NAMES,
    UNION_NAMES,
    Employment,
    Person,
    Sex,
)
from app.text import T


class Parameter(StrEnum):
    """The kinds of value a rule's parameter takes."""

    DAY = "day"
    YEARS = "years"
    DAYS = "days"
    DAY_OF_CALENDAR = "day_of_calendar"
    WORDS = "words"
    EMPLOYMENTS = "employments"
    SEXES = "sexes"
    TEAM_KINDS = "team_kinds"
    MEMBER_KINDS = "member_kinds"
    UNIONS = "unions"


CHOICES: Mapping[Parameter, tuple[str, ...]] = {
    Parameter.EMPLOYMENTS: tuple(Employment),
    Parameter.SEXES: tuple(Sex),
    Parameter.TEAM_KINDS: tuple(TEAM_KIND_NAMES),
    Parameter.MEMBER_KINDS: tuple(MEMBER_KIND_NAMES),
    Parameter.UNIONS: tuple(UNION_NAMES),
}

DAYS_OF_CALENDAR: Mapping[str, CalendarKey] = {
    "registration_deadline": CalendarKey.REGISTRATION_CLOSES,
    "first_day_of_play": CalendarKey.PLAY_FROM,
}
"""The days on which an age may be asked."""

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleKind:
    """One kind of rule. `judge` returns the field and the sentence of a refusal, or None.

    `declare` is the sentence that a person agrees to, of a rule that is met by saying so.
    """

    parameters: Mapping[str, Parameter]
    judge: Callable[[Person, Parameters], tuple[str, T] | None]
    describe: Callable[[Parameters], T]
    declare: Callable[[Parameters], T] | None = None


def listed(names: list[T]) -> T:
    """Names joined as one phrase: 兼职、派驻、借调."""
    phrase = names[0]
    for name in names[1:]:
        phrase = T("%(left)s、%(right)s", left=phrase, right=name)
    return phrase
