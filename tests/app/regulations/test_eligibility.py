"""Eligibility of regulation A (参赛资格), and the table of rules behind it."""

from datetime import date

import pytest

from app.regulations import library
from app.regulations.rules import (
    ELIGIBILITY_RULES,
    Calendar,
    EligibilityRule,
    Employment,
    Person,
    Refusal,
    Sex,
)

REGULATION = library.load("beach-games-landlord-2021")


def judge(**facts: object) -> tuple[Refusal, ...]:
    usual = {
        "birth_date": date(1985, 5, 20),
        "sex": Sex.FEMALE,
        "employment": Employment.FULL_TIME,
        "declared": frozenset({"healthy", "not_in_region"}),
    }
    return REGULATION.judge(Person(**{**usual, **facts}))


def test_an_employee_of_age_is_eligible() -> None:
    assert judge() == ()
    assert judge(sex=Sex.MALE) == ()


def test_born_on_the_last_day_is_eligible_and_one_day_later_is_not() -> None:
    assert judge(birth_date=date(2003, 12, 31)) == ()
    (refusal,) = judge(birth_date=date(2004, 1, 1))
    assert (refusal.clause, refusal.field) == ("三(一)1", "birth_date")
    assert str(refusal.text) == "出生日期2004年1月1日不符合要求：须为2003年12月31日及以前出生。"


def test_the_birth_date_rules_even_where_the_player_would_be_18_on_match_day() -> None:
    # The text says "18周岁以上(2003年12月31日及以前出生)"; who is 17 on 3 December 2021 may play.
    assert judge(birth_date=date(2003, 12, 20)) == ()


@pytest.mark.parametrize(
    ("employment", "word"),
    [(Employment.PART_TIME, "兼职"), (Employment.DISPATCHED, "派驻"), (Employment.SECONDED, "借调")],
)
def test_part_time_dispatched_and_seconded_people_are_barred(employment: Employment, word: str) -> None:
    (refusal,) = judge(employment=employment)
    assert (refusal.clause, refusal.field) == ("三(一)3", "employment")
    assert str(refusal.text) == f"{word}人员不得参赛。"


def test_what_is_not_stated_is_never_taken_for_a_yes() -> None:
    fields = {refusal.field for refusal in REGULATION.judge(Person())}
    assert fields == {"birth_date", "employment", "declared.healthy", "declared.not_in_region"}


def test_a_player_declares_good_health_and_no_area_at_risk_with_their_clauses() -> None:
    clauses = [(refusal.clause, refusal.field) for refusal in judge(declared=frozenset())]
    assert clauses == [("三(一)4", "declared.healthy"), ("三(一)5", "declared.not_in_region")]
    week = REGULATION.with_changes(options={"risk_area_days": 7})
    (told,) = [rule.declaration for rule in week.declared_rules if rule.rule == "not_in_region"]
    assert str(told) == "比赛前 7 日内没有、也不会到中高风险地区"


def test_every_reason_is_given_not_only_the_first() -> None:
    reasons = judge(birth_date=date(2004, 1, 1), employment=Employment.SECONDED)
    assert [refusal.clause for refusal in reasons] == ["三(一)1", "三(一)3"]


def test_a_rule_for_one_sex_refuses_the_other() -> None:
    women = EligibilityRule.of({"rule": "sexes", "allowed": ["female"], "clause": "2"})
    assert women.judge(Person(sex=Sex.FEMALE)) is None
    for person in (Person(sex=Sex.MALE), Person()):
        refusal = women.judge(person)
        assert refusal is not None
        assert refusal.field == "sex"
    assert str(women.describe()) == "本项目只限女子参加。"


def test_every_rule_of_the_regulation_explains_itself() -> None:
    described = [str(rule.describe()) for rule in REGULATION.eligibility]
    assert described == [
        "参赛运动员须为2003年12月31日及以前出生。",
        "运动员须为企事业单位员工：单位代表队须来自所代表的单位，行业体协代表队须来自同一行业的企事业单位。",
        "兼职、派驻、借调人员不得参赛。",
        "参赛者须身体健康。",
        "比赛前 14 日内到过中高风险地区的不得参赛。",
        "男女不限。",
    ]


def test_a_unit_team_alone_is_described_without_the_associations() -> None:
    rule = EligibilityRule.of({"rule": "employed_by_unit", "team_kinds": ["employer"], "clause": "1"})
    assert "行业体协" not in str(rule.describe())


def test_the_table_names_every_rule_once_with_its_parameters() -> None:
    assert set(ELIGIBILITY_RULES) == {
        "age_on",
        "association_members",
        "born_on_or_before",
        "employed_by_unit",
        "employment_barred",
        "healthy",
        "not_in_region",
        "residence_days",
        "sexes",
        "union_members",
    }
    assert [name for name, kind in ELIGIBILITY_RULES.items() if not kind.parameters] == ["healthy"]


@pytest.mark.parametrize(
    ("row", "described", "refused", "declared"),
    [
        (
            {"rule": "union_members", "unions": ["district"]},
            "本区的全体工会会员均可参赛。",
            "只限本区的工会会员参赛；是会员的请勾选。",
            "是本区的工会会员",
        ),
        (
            {"rule": "healthy"},
            "参赛者须身体健康。",
            "须身体健康方可参赛；身体健康的请勾选。",
            "身体健康，适宜参赛",
        ),
        (
            {"rule": "not_in_region", "days": 14, "region": {"zh": "中高风险地区", "en": "a risk area"}},
            "比赛前 14 日内到过中高风险地区的不得参赛。",
            "比赛前 14 日内到过中高风险地区的不得参赛；没有到过的请勾选。",
            "比赛前 14 日内没有、也不会到中高风险地区",
        ),
        (
            {"rule": "residence_days", "days": 15, "region": {"zh": "北京", "en": "Beijing"}},
            "比赛前 15 日内不得离开北京。",
            "比赛前 15 日内离开北京的不得参赛；不离开的请勾选。",
            "比赛前 15 日内不离开北京",
        ),
    ],
)
def test_a_rule_that_is_declared_refuses_whoever_does_not_declare_it(
    row: dict[str, object], described: str, refused: str, declared: str
) -> None:
    rule = EligibilityRule.of({**row, "clause": "7"})
    refusal = rule.judge(Person())
    assert refusal is not None
    assert (str(refusal.text), refusal.field) == (refused, f"declared.{row['rule']}")
    assert str(rule.describe()) == described
    assert str(rule.declaration) == declared
    assert rule.judge(Person(declared=frozenset({rule.rule}))) is None


def test_an_age_counts_from_the_birthday_itself_and_29_february_from_1_march() -> None:
    calendar = Calendar.of({"play_from": {"at": "2026-03-01", "clause": "1"}})
    adult = EligibilityRule.of(
        {"rule": "age_on", "years": 18, "day": "first_day_of_play", "clause": "七"}, calendar
    )
    assert adult.judge(Person(birth_date=date(2008, 3, 1))) is None
    assert adult.judge(Person(birth_date=date(2008, 2, 29))) is None
    refusal = adult.judge(Person(birth_date=date(2008, 3, 2)))
    assert refusal is not None
    assert str(refusal.text) == "出生日期2008年3月2日不符合要求：在2026年3月1日须年满 18 周岁。"
    assert adult.judge(Person()) is not None
    assert str(adult.describe()) == "参赛者在比赛首日（2026年3月1日）须年满 18 周岁。"
