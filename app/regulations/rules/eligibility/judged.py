"""Rules that look at a person: birth date, age, employment, sex."""

from datetime import date

from app.regulations.rules.eligibility.kinds import Parameters, listed
from app.regulations.rules.eligibility.people import EMPLOYMENTS_IN_WORDS, SEX_NAMES, Employment, Person, Sex
from app.regulations.rules.texts import Bilingual, day_in_words
from app.text import T


def judge_birth(person: Person, parameters: Parameters) -> tuple[str, T] | None:
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


def describe_birth(parameters: Parameters) -> T:
    latest = day_in_words(date.fromisoformat(parameters["date"]))
    return T("参赛运动员须为%(latest)s及以前出生。", latest=latest)


def judge_age(person: Person, parameters: Parameters) -> tuple[str, T] | None:
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


def describe_age(parameters: Parameters) -> T:
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


def judge_employed(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    if person.employment is None:
        return "employment", T("请填写与单位的用工关系；须为所代表单位的员工。")
    return None


def describe_employed(parameters: Parameters) -> T:
    if "industry_association" not in parameters["team_kinds"]:
        return T("运动员须为所代表单位的员工。")
    return T(
        "运动员须为企事业单位员工：单位代表队须来自所代表的单位，行业体协代表队须来自同一行业的企事业单位。"
    )


def judge_barred(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    if person.employment is None or person.employment not in parameters["kinds"]:
        return None
    return "employment", T("%(kind)s人员不得参赛。", kind=EMPLOYMENTS_IN_WORDS[person.employment])


def describe_barred(parameters: Parameters) -> T:
    return T(
        "%(kinds)s人员不得参赛。",
        kinds=listed([EMPLOYMENTS_IN_WORDS[Employment(kind)] for kind in parameters["kinds"]]),
    )


def judge_sex(person: Person, parameters: Parameters) -> tuple[str, T] | None:
    if set(parameters["allowed"]) == set(Sex):
        return None
    if person.sex is None:
        return "sex", T("没有性别，无法判断项目资格。")
    if person.sex in parameters["allowed"]:
        return None
    return "sex", T("本项目只限%(sex)s子参加。", sex=SEX_NAMES[Sex(parameters["allowed"][0])])


def describe_sex(parameters: Parameters) -> T:
    if set(parameters["allowed"]) == set(Sex):
        return T("男女不限。")
    return T("本项目只限%(sex)s子参加。", sex=SEX_NAMES[Sex(parameters["allowed"][0])])
