"""Eligibility (参赛资格): one explicit table of rule names.

Each kind has its parameters, its judgement of one person, and the sentence that explains it; the rules page is
generated from the same table that judges.

| rule | decides on |
|---|---|
| `born_on_or_before` | the birth date alone, never the age on match day |
| `age_on` | full years on a day of the calendar: the deadline or the first day of play; the birthday itself counts |
| `employed_by_unit` | the declared employment with the unit |
| `employment_barred` | the same; names the kinds that may not play |
| `sexes` | the sex of the ID number |
| `association_members` | nothing: the association knows its members; the row only tells |
| `union_members` | that the person declared it |
| `healthy` | that the person declared it |
| `not_in_region` | that the person declared not to have been there in the days before play |
| `residence_days` | that the person declared to have stayed there for the days before play |

Not decided here: whether a declaration is true. The committee reviews it, the public may object.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.regulations.rules.calendar import Calendar
from app.regulations.rules.eligibility import declared, judged
from app.regulations.rules.eligibility.kinds import CHOICES, DAYS_OF_CALENDAR, Parameter, RuleKind, listed
from app.regulations.rules.eligibility.people import (
    EMPLOYMENT_NAMES,
    EMPLOYMENTS_IN_WORDS,
    MEMBER_KIND_NAMES,
    SEX_NAMES,
    TEAM_KIND_NAMES,
    UNION_NAMES,
    Employment,
    Person,
    Refusal,
    Sex,
)
from app.text import T

__all__ = [
    "CHOICES",
    "DAYS_OF_CALENDAR",
    "ELIGIBILITY_RULES",
    "EMPLOYMENTS_IN_WORDS",
    "EMPLOYMENT_NAMES",
    "EMPLOYMENT_RULES",
    "MEMBER_KIND_NAMES",
    "SEX_NAMES",
    "TEAM_KIND_NAMES",
    "UNION_NAMES",
    "EligibilityRule",
    "Employment",
    "Parameter",
    "Person",
    "Refusal",
    "RuleKind",
    "Sex",
    "listed",
]

ELIGIBILITY_RULES: Mapping[str, RuleKind] = {
    "born_on_or_before": RuleKind({"date": Parameter.DAY}, judged.judge_birth, judged.describe_birth),
    "age_on": RuleKind(
        {"years": Parameter.YEARS, "day": Parameter.DAY_OF_CALENDAR}, judged.judge_age, judged.describe_age
    ),
    "employed_by_unit": RuleKind(
        {"team_kinds": Parameter.TEAM_KINDS}, judged.judge_employed, judged.describe_employed
    ),
    "employment_barred": RuleKind(
        {"kinds": Parameter.EMPLOYMENTS}, judged.judge_barred, judged.describe_barred
    ),
    "association_members": RuleKind(
        {"member_kinds": Parameter.MEMBER_KINDS}, declared.judge_member, declared.describe_member
    ),
    "union_members": RuleKind(
        {"unions": Parameter.UNIONS},
        declared.met_by_saying_so("union_members", declared.no_union),
        declared.describe_union,
        declared.declare_union,
    ),
    "healthy": RuleKind(
        {},
        declared.met_by_saying_so("healthy", declared.not_healthy),
        declared.describe_health,
        declared.declare_health,
    ),
    "not_in_region": RuleKind(
        {"region": Parameter.WORDS, "days": Parameter.DAYS},
        declared.met_by_saying_so("not_in_region", declared.was_there),
        declared.describe_there,
        declared.declare_not_there,
    ),
    "residence_days": RuleKind(
        {"region": Parameter.WORDS, "days": Parameter.DAYS},
        declared.met_by_saying_so("residence_days", declared.left),
        declared.describe_stay,
        declared.declare_stay,
    ),
    "sexes": RuleKind({"allowed": Parameter.SEXES}, judged.judge_sex, judged.describe_sex),
}


EMPLOYMENT_RULES = frozenset({"employed_by_unit", "employment_barred"})
"""Rules that look at the employment with the unit."""


@dataclass(frozen=True, slots=True)
class EligibilityRule:
    """One row: a rule's name, its clause and its parameters."""

    rule: str
    clause: str
    parameters: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, row: Mapping[str, Any], calendar: Calendar | None = None) -> "EligibilityRule":
        """From a row whose options are put in. A rule with a day of the calendar gets its date as `on`."""
        kind = ELIGIBILITY_RULES[row["rule"]]
        parameters = {name: _plain(row[name]) for name in kind.parameters}
        if kind.parameters.get("day") is Parameter.DAY_OF_CALENDAR:
            key = DAYS_OF_CALENDAR[row["day"]]
            parameters["on"] = calendar.day(key).isoformat() if calendar and key in calendar.dates else None
        return cls(row["rule"], row["clause"], tuple(parameters.items()))

    def judge(self, person: Person) -> Refusal | None:
        """None if this rule lets the person enter."""
        refusal = ELIGIBILITY_RULES[self.rule].judge(person, self._values)
        return None if refusal is None else Refusal(text=refusal[1], clause=self.clause, field=refusal[0])

    def describe(self) -> T:
        return ELIGIBILITY_RULES[self.rule].describe(self._values)

    @property
    def declaration(self) -> T | None:
        """What a person has to say of himself for this rule; None where nothing is asked."""
        declare = ELIGIBILITY_RULES[self.rule].declare
        return None if declare is None else declare(self._values)

    @property
    def _values(self) -> dict[str, Any]:
        return {name: dict(value) if name == "region" else value for name, value in self.parameters}


def _plain(value: Any) -> Any:
    """A parameter as a value that can be compared and hashed."""
    if isinstance(value, list):
        return tuple(value)
    return tuple(sorted(value.items())) if isinstance(value, Mapping) else value
