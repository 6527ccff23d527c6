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

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from app.regulations.rules.calendar import Calendar, CalendarKey
from app.regulations.rules.texts import Bilingual, day_in_words
from app.text import T


class Sex(StrEnum):
    FEMALE = "female"
    MALE = "male"


class Employment(StrEnum):
    """How a person works for the unit (用工关系)."""

    FULL_TIME = "full_time"
    PART_TIME = "part_time"
    DISPATCHED = "dispatched"
    SECONDED = "seconded"


SEX_NAMES: Mapping[Sex, T] = {Sex.FEMALE: T("女"), Sex.MALE: T("男")}

EMPLOYMENT_NAMES: Mapping[Employment, T] = {
    Employment.FULL_TIME: T("正式在职"),
    Employment.PART_TIME: T("兼职"),
    Employment.DISPATCHED: T("派驻"),
    Employment.SECONDED: T("借调"),
}

EMPLOYMENTS_IN_WORDS: Mapping[Employment, T] = {
    Employment.FULL_TIME: Bilingual("正式在职", "regular"),
    Employment.PART_TIME: Bilingual("兼职", "part-time"),
    Employment.DISPATCHED: Bilingual("派驻", "dispatched"),
    Employment.SECONDED: Bilingual("借调", "seconded"),
}
"""The same inside a sentence, where English writes them small."""

TEAM_KIND_NAMES: Mapping[str, T] = {
    "employer": T("企事业单位"),
    "industry_association": T("行业体协"),
}


MEMBER_KIND_NAMES: Mapping[str, Bilingual] = {
    "unit": Bilingual("单位会员", "unit members"),
    "individual": Bilingual("个人会员", "individual members"),
}


UNION_NAMES: Mapping[str, Bilingual] = {"district": Bilingual("本区", "the district")}
"""Whose trade union members may enter."""


@dataclass(frozen=True, slots=True)
class Person:
    """What a judgement may look at; `None` is "not stated", which is never taken for a yes."""

    birth_date: date | None = None
    sex: Sex | None = None
    employment: Employment | None = None
    declared: frozenset[str] = field(default_factory=frozenset)
    """Names of the rules that the person says to meet."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a person may not enter: the sentence, the clause, and the field it stands beside."""

    text: T
    clause: str
    field: str


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


def _judge_birth(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    latest = date.fromisoformat(parameters["date"])
    if person.birth_date is None:
        return "birth_date", T("没有出生日期，无法判断年龄资格。")
    if person.birth_date <= latest:
        return None
    return "birth_date", T(
        "出生日期%(born)s不符合要求：须为%(latest)s及以前出生。",
        born=day_in_words(person.birth_date),
        latest=day_in_words(latest),
    )


def _describe_birth(parameters: Parameters) -> T:
    latest = day_in_words(date.fromisoformat(parameters["date"]))
    return T("参赛运动员须为%(latest)s及以前出生。", latest=latest)


def _judge_age(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    years, day = parameters["years"], parameters["on"]
    if person.birth_date is None:
        return "birth_date", T("没有出生日期，无法判断年龄资格。")
    if day is not None and full_years(person.birth_date, date.fromisoformat(day)) >= years:
        return None
    born = day_in_words(person.birth_date)
    on = Bilingual("——", "——") if day is None else day_in_words(date.fromisoformat(day))
    return "birth_date", Bilingual(
        f"出生日期{born.zh}不符合要求：在{on.zh}须年满 {years} 周岁。",
        f"Born on {born.en}: players are {years} or older on {on.en}.",
    )


def _describe_age(parameters: Parameters) -> T:
    years, day = parameters["years"], parameters["on"]
    on = None if day is None else day_in_words(date.fromisoformat(day))
    label = {
        "registration_deadline": Bilingual("报名截止日", "the day of the entry deadline"),
        "first_day_of_play": Bilingual("比赛首日", "the first day of play"),
    }[parameters["day"]]
    return Bilingual(
        f"参赛者在{label.zh}{f'（{on.zh}）' if on else ''}须年满 {years} 周岁。",
        f"Players are {years} or older on {label.en}{f' ({on.en})' if on else ''}.",
    )


def full_years(born: date, day: date) -> int:
    """Full years (周岁) on `day`; the birthday itself counts."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _judge_employed(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    if person.employment is None:
        return "employment", T("请填写与单位的用工关系；须为所代表单位的员工。")
    return None


def _describe_employed(parameters: Parameters) -> T:
    if "industry_association" not in parameters["team_kinds"]:
        return T("运动员须为所代表单位的员工。")
    return T(
        "运动员须为企事业单位员工：单位代表队须来自所代表的单位，行业体协代表队须来自同一行业的企事业单位。"
    )


def _judge_barred(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    if person.employment is None or person.employment not in parameters["kinds"]:
        return None
    return "employment", T("%(kind)s人员不得参赛。", kind=EMPLOYMENTS_IN_WORDS[person.employment])


def _describe_barred(parameters: Parameters) -> T:
    return T(
        "%(kinds)s人员不得参赛。",
        kinds=listed([EMPLOYMENTS_IN_WORDS[Employment(kind)] for kind in parameters["kinds"]]),
    )


def _judge_sex(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    if set(parameters["allowed"]) == set(Sex):
        return None
    if person.sex is None:
        return "sex", T("没有性别，无法判断项目资格。")
    if person.sex in parameters["allowed"]:
        return None
    return "sex", T("本项目只限%(sex)s子参加。", sex=SEX_NAMES[Sex(parameters["allowed"][0])])


def _describe_sex(parameters: Parameters) -> T:
    if set(parameters["allowed"]) == set(Sex):
        return T("男女不限。")
    return T("本项目只限%(sex)s子参加。", sex=SEX_NAMES[Sex(parameters["allowed"][0])])


def _describe_union(parameters: Parameters) -> T:
    unions = [UNION_NAMES[union] for union in parameters["unions"]]
    return Bilingual(
        f"{'、'.join(union.zh for union in unions)}的全体工会会员均可参赛。",
        f"Open to every trade union member of {' and '.join(union.en for union in unions)}.",
    )


def _declared(
    rule: str, name: Callable[[Parameters], T]
) -> Callable[[Person, Parameters], tuple[str, T] | None]:
    """The judgement of a rule that is met by saying so."""

    def judge(person: Person, parameters: Parameters) -> tuple[str, T] | None:
        if rule in person.declared:
            return None
        return f"declared.{rule}", name(parameters)

    return judge


def _no_union(parameters: Parameters) -> T:
    unions = [UNION_NAMES[union] for union in parameters["unions"]]
    return Bilingual(
        f"只限{'、'.join(union.zh for union in unions)}的工会会员参赛；是会员的请勾选。",
        f"Only trade union members of {' and '.join(union.en for union in unions)} may enter; tick if it is so.",
    )


def _declare_union(parameters: Parameters) -> T:
    unions = [UNION_NAMES[union] for union in parameters["unions"]]
    return Bilingual(
        f"是{'、'.join(union.zh for union in unions)}的工会会员",
        f"Is a trade union member of {' or '.join(union.en for union in unions)}",
    )


def _not_healthy(_parameters: Parameters) -> T:
    return Bilingual(
        "须身体健康方可参赛；身体健康的请勾选。", "Players are in good health; tick if it is so."
    )


def _describe_health(_parameters: Parameters) -> T:
    return Bilingual("参赛者须身体健康。", "Players are in good health.")


def _declare_health(_parameters: Parameters) -> T:
    return Bilingual("身体健康，适宜参赛", "Is in good health and fit to play")


def _was_there(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内到过{region.zh}的不得参赛；没有到过的请勾选。",
        f"Players must not have been in {region.en} in the {days} days before play; tick if you were not.",
    )


def _describe_there(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内到过{region.zh}的不得参赛。",
        f"Players must not have been in {region.en} in the {days} days before play.",
    )


def _declare_not_there(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内没有、也不会到{region.zh}",
        f"Is not in {region.en} in the {days} days before play",
    )


def _left(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内离开{region.zh}的不得参赛；不离开的请勾选。",
        f"Players must not leave {region.en} in the {days} days before play; tick if you do not.",
    )


def _describe_stay(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内不得离开{region.zh}。",
        f"Players must not leave {region.en} in the {days} days before play.",
    )


def _declare_stay(parameters: Parameters) -> T:
    region, days = Bilingual.of(parameters["region"]), parameters["days"]
    return Bilingual(
        f"比赛前 {days} 日内不离开{region.zh}", f"Stays in {region.en} for the {days} days before play"
    )


def _judge_member(_person: Person, _parameters: Parameters) -> tuple[str, T] | None:
    return None


def _describe_member(parameters: Parameters) -> T:
    kinds = [MEMBER_KIND_NAMES[kind] for kind in parameters["member_kinds"]]
    return Bilingual(
        f"协会的{'和'.join(kind.zh for kind in kinds)}均可报名参加。",
        f"Open to the association's {' and '.join(kind.en for kind in kinds)}.",
    )


ELIGIBILITY_RULES: Mapping[str, RuleKind] = {
    "born_on_or_before": RuleKind({"date": Parameter.DAY}, _judge_birth, _describe_birth),
    "age_on": RuleKind(
        {"years": Parameter.YEARS, "day": Parameter.DAY_OF_CALENDAR}, _judge_age, _describe_age
    ),
    "employed_by_unit": RuleKind({"team_kinds": Parameter.TEAM_KINDS}, _judge_employed, _describe_employed),
    "employment_barred": RuleKind({"kinds": Parameter.EMPLOYMENTS}, _judge_barred, _describe_barred),
    "association_members": RuleKind(
        {"member_kinds": Parameter.MEMBER_KINDS}, _judge_member, _describe_member
    ),
    "union_members": RuleKind(
        {"unions": Parameter.UNIONS}, _declared("union_members", _no_union), _describe_union, _declare_union
    ),
    "healthy": RuleKind({}, _declared("healthy", _not_healthy), _describe_health, _declare_health),
    "not_in_region": RuleKind(
        {"region": Parameter.WORDS, "days": Parameter.DAYS},
        _declared("not_in_region", _was_there),
        _describe_there,
        _declare_not_there,
    ),
    "residence_days": RuleKind(
        {"region": Parameter.WORDS, "days": Parameter.DAYS},
        _declared("residence_days", _left),
        _describe_stay,
        _declare_stay,
    ),
    "sexes": RuleKind({"allowed": Parameter.SEXES}, _judge_sex, _describe_sex),
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
