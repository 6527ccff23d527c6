"""Who is judged: sex and employment with their names, a person, and why one may not enter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from app.regulations.rules.texts import Bilingual
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
