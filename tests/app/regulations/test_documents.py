"""Documents entrants hand in (参赛材料): how old one may be, when it must be valid, and the sentence of the page."""

from datetime import date
from typing import Any

import pytest

from app.regulations import library
from app.regulations.rules import DocumentRule, Employment

CALENDAR = library.load("beach-games-landlord-2021").calendar


def rule(**keys: Any) -> DocumentRule:
    return DocumentRule.of({"kind": "nucleic_acid_report", "clause": "三(一)5", **keys})


@pytest.mark.parametrize(
    ("issued", "accepted"),
    [(date(2021, 11, 27), True), (date(2021, 11, 26), False), (date(2021, 12, 2), True), (None, False)],
)
def test_a_report_within_5_days_of_check_in_is_of_the_27th_or_later(issued: date, accepted: bool) -> None:
    # check-in is 2 December (一(一)); I-A-17 counts back from it
    assert (rule(within_days=5).refusal(CALENDAR, issued=issued) is None) is accepted


def test_the_days_may_be_counted_from_another_day_of_the_calendar() -> None:
    before_play = rule(within_days=2, before="play_from")
    assert before_play.refusal(CALENDAR, issued=date(2021, 12, 1)) is None
    refusal = before_play.refusal(CALENDAR, issued=date(2021, 11, 30))
    assert str(refusal) == "核酸检测阴性报告须在2021年12月1日及以后采样。"
    assert str(before_play.describe()) == "比赛开始前 2 日内的核酸检测阴性报告。"


@pytest.mark.parametrize(
    ("valid_until", "accepted"), [(date(2021, 12, 5), True), (date(2021, 12, 4), False), (None, False)]
)
def test_an_insurance_covers_the_last_day_that_is_named(valid_until: date, accepted: bool) -> None:
    insurance = rule(kind="accident_insurance", valid_at=["check_in", "play_to"])
    assert (insurance.refusal(CALENDAR, valid_until=valid_until) is None) is accepted


def test_what_the_text_does_not_ask_is_not_asked() -> None:
    assert rule().refusal(CALENDAR) is None


def test_the_page_says_when_a_document_is_due_and_when_it_is_valid() -> None:
    assert str(rule(due="check_in", valid_at=["check_in", "play_to"]).describe()) == (
        "核酸检测阴性报告（报到、比赛结束时须有效）（报到时提交）。"
    )


def test_regulation_a_asks_for_six_documents_of_three_clauses() -> None:
    documents = library.load("beach-games-landlord-2021").documents
    assert [(each.kind, each.clause, each.within_days) for each in documents] == [
        ("medical_certificate", "三(一)4", None),
        ("accident_insurance", "三(一)4", None),
        ("vaccination_certificate", "三(一)5", None),
        ("nucleic_acid_report", "三(一)5", 5),
        ("health_code", "三(一)5", None),
        ("waiver", "三(一)5", None),
    ]


def test_a_document_is_each_players_own_unless_its_row_or_its_kind_says_that_it_is_the_units() -> None:
    assert rule().concerns(None)
    assert not rule().of_unit
    letter = rule(kind="sealed_letter")
    assert letter.of_unit
    assert not letter.concerns(Employment.FULL_TIME)
    assert str(letter.describe()) == "加盖公章的函件（每个参赛单位一份）。"
    assert rule(kind="entry_form", required_for="everyone").concerns(None)


@pytest.mark.parametrize(
    ("employment", "concerned"),
    [(Employment.SECONDED, True), (Employment.FULL_TIME, False), (None, False)],
)
def test_a_document_may_concern_only_people_employed_in_some_ways(
    employment: Employment | None, concerned: bool
) -> None:
    proof = rule(kind="employment_proof", employments=["dispatched", "seconded"])
    assert proof.concerns(employment) is concerned
    assert str(proof.describe()) == "在职证明（限派驻、借调人员）。"


def test_the_most_pages_and_megabytes_are_those_of_the_row_or_of_the_kind() -> None:
    assert [(each.max_pages, each.max_megabytes) for each in (rule(kind="identity_card"), rule())] == [
        (2, 20),
        (4, 20),
    ]
    row = rule(max_pages=7, max_megabytes=3)
    assert (row.max_pages, row.max_megabytes) == (7, 3)


ASKED_BY_OPTION = [
    ("beach-games-landlord-2021", "identity_proof", "identity_card", "三(四)1"),
    ("beach-games-landlord-2021", "employment_proof", "employment_proof", "三(四)1"),
    ("dongcheng-go-2021", "identity_proof", "identity_card", "附件1五"),
    ("dongcheng-xiangqi-2021", "residence_proof", "residence_proof", "附件1八"),
    ("dongcheng-landlord-2021", "residence_proof", "residence_proof", "附件1八"),
    ("baiyun-tractor-2016", "identity_proof", "identity_card", "七"),
    ("baiyun-tractor-2016", "health_proof", "medical_certificate", "七"),
    ("siming-eighty-2023", "identity_proof", "identity_card", "四"),
    ("siming-eighty-2023", "union_proof", "union_proof", "四"),
]


@pytest.mark.parametrize(("regulation_id", "option", "kind", "clause"), ASKED_BY_OPTION)
def test_a_proof_the_text_does_not_name_is_asked_once_the_committee_says_so(
    regulation_id: str, option: str, kind: str, clause: str
) -> None:
    text = library.load(regulation_id)
    assert kind not in [each.kind for each in text.documents]
    asked = next(
        each for each in text.with_changes(options={option: "everyone"}).documents if each.kind == kind
    )
    assert (asked.clause, asked.concerns(None)) == (clause, True)
