"""What is typed beside a document, and what the checklist says of it, day by day."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.documents.rules import (
    FIELDS,
    PURPOSES,
    ChecklistState,
    DocumentState,
    EventDemand,
    HandedIn,
    HandInClosedError,
    NextStep,
    Reason,
    Row,
    Subject,
    UnknownDocumentError,
    WarningKind,
    check,
    checklist,
    next_missing,
    open_places,
    require_open,
)
from app.documents.rules.values import check_values, read_day
from app.regulations import library
from app.regulations.rules import DOCUMENT_KINDS, Bilingual, DocumentRule, Employment, Regulation
from app.regulations.rules.documents import SAMPLED_KINDS
from app.text import BEIJING

A = library.load("beach-games-landlord-2021")
GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text("utf-8"))


def at(written: str) -> datetime:
    """A moment of Beijing."""
    return datetime.fromisoformat(written).replace(tzinfo=BEIJING)


def demand(event_id: int = 1, regulation: Regulation = A, **keys: Any) -> EventDemand:
    rule = DocumentRule.of({"kind": "medical_certificate", "clause": "三(一)4", **keys})
    return EventDemand(event_id, Bilingual("二打一", "landlord"), rule, regulation.calendar)


def handed_in(state: str = "uploaded", reasons: dict[str, Reason] | None = None, **values: str) -> HandedIn:
    return HandedIn(DocumentState(state), 1, values, at("2021-10-20T12:00"), reasons or {})


def row(
    now: str = "2021-10-25T12:00",
    *demands: EventDemand,
    document: HandedIn | None = None,
    employment: Employment | None = None,
) -> Row:
    asked = demands or (demand(),)
    documents = {asked[0].rule.kind: document} if document else {}
    (found,) = checklist(
        asked, of_unit=asked[0].rule.of_unit, documents=documents, now=at(now), employment=employment
    )
    return found


@pytest.mark.parametrize("case", GOLDEN, ids=[f"{each['kind']}: {each['why']}" for each in GOLDEN])
def test_what_is_typed_is_judged_by_the_clause(case: dict[str, Any]) -> None:
    regulation = A.with_changes(options=case.get("options", {}))
    rule = next(each for each in regulation.documents if each.kind == case["kind"])
    assert rule.clause == case["clause"]
    _, problems = check_values(
        [(rule, regulation.calendar)], case["values"], date.fromisoformat(case["today"])
    )
    assert {name: str(text) for name, text in problems.items()} == case["problems"]


def test_every_kind_has_its_fields_and_its_purpose() -> None:
    assert set(FIELDS) == set(PURPOSES) == set(DOCUMENT_KINDS)
    assert all(str(each.why) for fields in FIELDS.values() for each in fields)


def test_the_rules_speak_of_a_sample_where_the_form_asks_for_its_day() -> None:
    asked = {kind for kind, fields in FIELDS.items() if any(each.name == "sampled_on" for each in fields)}
    assert asked == SAMPLED_KINDS


@pytest.mark.parametrize(
    "written",
    ["2021-11-27", "2021/11/27", "2021.11.27", "2021年11月27日", "２０２１-１１-２７", " 2021-11-27 "],
)
def test_a_day_is_read_as_people_write_it(written: str) -> None:
    assert read_day(written) == date(2021, 11, 27)


def test_a_kind_without_a_date_gets_the_one_its_rule_needs() -> None:
    asked = row("2021-10-25T12:00", demand(kind="identity_card", within_days=30, valid_at=["check_in"]))
    assert [each.name for each in asked.fields] == ["issued_on", "valid_to"]


def test_a_rule_whose_day_is_not_announced_yet_judges_nothing() -> None:
    document = A.document
    del document["calendar"]["play_from"]["at"], document["calendar"]["play_to"]["at"]
    later = Regulation.from_document(document)
    asked = demand(regulation=later, kind="accident_insurance", valid_at=["play_from", "play_to"])
    _, problems = check_values(
        [(asked.rule, asked.calendar)],
        {"valid_from": "2021-12-01", "valid_to": "2021-12-01"},
        date(2021, 11, 1),
    )
    assert problems == {}


def test_nothing_handed_in_is_missing_and_can_be_handed_in() -> None:
    found = row()
    assert (found.state, found.next_step) == (ChecklistState.MISSING, NextStep.HAND_IN)
    assert found.due is None  # 按组委会要求提供: the text names no day


def test_a_document_that_was_taken_back_is_missing() -> None:
    assert row(document=handed_in("withdrawn")).state is ChecklistState.MISSING


@pytest.mark.parametrize("state", ["uploaded", "needs_changes", "accepted", "rejected"])
def test_a_document_stands_where_the_review_left_it(state: str) -> None:
    found = row(document=handed_in(state, issued_on="2021-10-20"))
    assert found.state == state
    assert (
        found.next_step
        == {
            "uploaded": NextStep.WAIT,
            "needs_changes": NextStep.CORRECT,
            "accepted": NextStep.NOTHING,
            "rejected": NextStep.HAND_IN_AGAIN,
        }[state]
    )


def test_who_is_not_concerned_has_nothing_to_hand_in() -> None:
    asked = demand(kind="employment_proof", employments=["dispatched"])
    assert checklist([asked], of_unit=False, documents={}, now=at("2021-10-25T12:00")) == ()
    found = row("2021-10-25T12:00", asked, document=handed_in(), employment=Employment.FULL_TIME)
    assert (found.required, found.next_step) == (False, NextStep.WAIT)
    assert row("2021-10-25T12:00", asked, employment=Employment.DISPATCHED).required


def test_a_document_of_the_unit_stands_in_the_list_of_the_unit_alone() -> None:
    letter, card = demand(kind="sealed_letter"), demand(kind="identity_card")
    now = at("2021-10-25T12:00")
    assert [each.kind for each in checklist([letter, card], of_unit=True, documents={}, now=now)] == [
        "sealed_letter"
    ]
    assert [each.kind for each in checklist([letter, card], of_unit=False, documents={}, now=now)] == [
        "identity_card"
    ]


@pytest.mark.parametrize(
    ("now", "opens"),
    [("2021-10-31T18:00:00.999999", True), ("2021-10-31T18:00:01", False)],
)
def test_a_document_due_with_the_entry_closes_with_the_entries(now: str, opens: bool) -> None:
    found = row(now, demand(due="registration"))
    assert found.open is opens
    assert found.due is not None
    assert found.due.clause == "三(三)1"


def test_too_late_names_the_moment_and_the_clause() -> None:
    with pytest.raises(HandInClosedError) as refused:
        require_open(row("2021-10-31T18:00:01", demand(due="registration")))
    assert str(refused.value.text) == "有效体检证明的提交已于2021年10月31日（周日）18:00截止。"
    assert refused.value.clause == "三(三)1"


@pytest.mark.parametrize(("now", "opens"), [("2021-12-02T23:59:59", True), ("2021-12-03T00:00:00", False)])
def test_a_document_due_at_check_in_closes_at_the_end_of_that_day_in_beijing(now: str, opens: bool) -> None:
    assert row(now, demand(due="check_in")).open is opens


@pytest.mark.parametrize(("now", "opens"), [("2021-12-02T23:59:59", True), ("2021-12-03T00:00:00", False)])
def test_a_report_that_must_be_fresh_at_check_in_is_taken_until_then(now: str, opens: bool) -> None:
    # entries close on 31 October, a sample may be no older than 27 November: it cannot come with the entry
    assert row(now, demand(kind="nucleic_acid_report", within_days=5)).open is opens


def test_what_was_sent_back_or_has_expired_may_be_mended_while_the_competition_lasts() -> None:
    late = "2021-12-05T23:59:59"
    assert not row(late).open
    assert row(late, document=handed_in("needs_changes", issued_on="2021-10-20")).open
    assert not row("2021-12-06T00:00:00", document=handed_in("needs_changes", issued_on="2021-10-20")).open


def test_an_insurance_that_covers_the_days_never_expires_before_they_are_over() -> None:
    asked = demand(kind="accident_insurance", valid_at=["check_in", "play_to"])
    document = handed_in("accepted", valid_from="2021-12-02", valid_to="2021-12-05")
    for now in ("2021-10-25T12:00", "2021-12-05T23:59:59", "2021-12-06T00:00:00"):
        found = row(now, asked, document=document)
        assert (found.state, found.warnings) == (ChecklistState.ACCEPTED, ())


def test_a_document_expires_where_the_event_is_moved() -> None:
    later = A.with_changes(calendar={"play_to": "2021-12-06", "leave_by": "2021-12-07T12:00+08:00"})
    asked = demand(regulation=later, kind="accident_insurance", valid_at=["check_in", "play_to"])
    found = row(
        "2021-11-20T12:00",
        asked,
        document=handed_in("accepted", valid_from="2021-12-02", valid_to="2021-12-05"),
    )
    assert (found.state, found.next_step) == (ChecklistState.EXPIRED, NextStep.HAND_IN_AGAIN)
    (warning,) = found.warnings
    assert warning.kind is WarningKind.EXPIRED
    assert str(warning.text) == "赛会期间人身意外伤害保险须在2021年12月6日仍然有效。（规程 三(一)4）"


@pytest.mark.parametrize(
    ("now", "state", "warned"),
    [
        ("2021-11-23T23:59:59", ChecklistState.ACCEPTED, []),
        ("2021-11-24T00:00:00", ChecklistState.ACCEPTED, [WarningKind.EXPIRES]),
        ("2021-12-01T23:59:59", ChecklistState.ACCEPTED, [WarningKind.EXPIRES]),
        ("2021-12-02T00:00:00", ChecklistState.EXPIRED, [WarningKind.EXPIRED]),
        ("2021-12-06T00:00:00", ChecklistState.ACCEPTED, []),
    ],
)
def test_a_document_that_ends_before_the_competition_is_warned_of_a_week_before(
    now: str, state: ChecklistState, warned: list[WarningKind]
) -> None:
    # a kind for which the text names no days: it holds to 1 December, the competition to the 5th
    asked = demand(kind="health_code")
    found = row(now, asked, document=handed_in("accepted", valid_to="2021-12-01", result="green"))
    assert (found.state, [each.kind for each in found.warnings]) == (state, warned)


@pytest.mark.parametrize(
    ("now", "warned"),
    [
        ("2021-10-23T23:59:59", []),
        ("2021-10-24T00:00:00", [WarningKind.DUE_SOON]),
        ("2021-10-31T18:00:00", [WarningKind.DUE_SOON]),
        ("2021-10-31T18:00:01", [WarningKind.OVERDUE]),
    ],
)
def test_what_is_missing_is_warned_of_a_week_before_it_is_due(now: str, warned: list[WarningKind]) -> None:
    assert [each.kind for each in row(now, demand(due="registration")).warnings] == warned


def test_of_several_events_the_strictest_decides_and_each_is_shown() -> None:
    earlier = A.with_changes(calendar={"registration_closes": "2021-10-28T18:00+08:00"})
    first = demand(1, kind="nucleic_acid_report", within_days=7, due="check_in")
    second = demand(2, earlier, kind="nucleic_acid_report", within_days=5, due="registration")
    found = row("2021-10-25T12:00", first, second)
    assert [each.event_id for each in found.demands] == [1, 2]
    assert found.earliest == date(2021, 11, 27)
    assert found.due is not None
    assert found.due.day == date(2021, 10, 28)
    _, problems = check_values(
        found.judged_by, {"sampled_on": "2021-11-26", "result": "negative"}, date(2021, 12, 2)
    )
    assert set(problems) == {"sampled_on"}


def test_the_next_thing_to_do_is_what_is_due_first() -> None:
    rows = checklist(
        [demand(), demand(kind="waiver", due="check_in"), demand(kind="identity_card", due="registration")],
        of_unit=False,
        documents={},
        now=at("2021-10-25T12:00"),
    )
    found = next_missing(rows)
    assert found is not None
    assert found.kind == "identity_card"
    assert next_missing([replace(each, state=ChecklistState.UPLOADED) for each in rows]) is None


def test_a_sample_that_would_be_too_old_is_not_to_be_done_yet() -> None:
    # check-in is on 2 December 2021, so a sample of 27 November is the first that will do
    sample = demand(kind="nucleic_acid_report", within_days=5, clause="三(一)5")
    for now, to_do in (("2021-11-26T23:59", False), ("2021-11-27T00:00", True)):
        (found,) = checklist([sample], of_unit=False, documents={}, now=at(now))
        assert (found.open, found.to_do) == (True, to_do)
        assert (next_missing([found]) is found) is to_do


INSURANCE = demand(kind="accident_insurance", valid_at=["check_in", "play_to"])
SENT_BACK = handed_in(
    "needs_changes",
    {"valid_to": Reason("differs")},
    valid_from="2021-12-02",
    valid_to="2021-12-05",
    number="P-1",
)


def test_after_needs_changes_only_the_flagged_fields_are_open() -> None:
    assert open_places(row("2021-10-25T12:00", INSURANCE, document=SENT_BACK)) == {"valid_to"}


def test_a_paper_of_somebody_else_is_photographed_again() -> None:
    document = replace(SENT_BACK, reasons={"holder": Reason("other_person")})
    assert open_places(row("2021-10-25T12:00", INSURANCE, document=document)) == {"pages"}


def test_a_correction_keeps_what_stands() -> None:
    sent_back = row("2021-10-25T12:00", INSURANCE, document=SENT_BACK)
    values, problems = check(sent_back, {"valid_to": "2021-12-08"}, [], date(2021, 10, 25))
    assert problems == {}
    assert values == {"valid_from": "2021-12-02", "valid_to": "2021-12-08", "number": "P-1"}


def test_a_correction_of_what_was_not_flagged_is_refused() -> None:
    sent_back = row("2021-10-25T12:00", INSURANCE, document=SENT_BACK)
    _, problems = check(
        sent_back, {"valid_to": "2021-12-08", "valid_from": "2021-11-01"}, ["token"], date(2021, 10, 25)
    )
    assert {name: str(text) for name, text in problems.items()} == {
        "valid_from": "这一项没有要求修改。",
        "pages": "这一项没有要求修改。",
    }


def test_a_date_the_rules_no_longer_take_is_open_though_nobody_flagged_it() -> None:
    later = A.with_changes(calendar={"check_in": "2021-12-01"})
    asked = demand(regulation=later, kind="accident_insurance", valid_at=["check_in", "play_to"])
    assert open_places(row("2021-10-25T12:00", asked, document=SENT_BACK)) == {"valid_to", "valid_from"}


def test_a_new_document_needs_a_picture_and_not_more_than_the_text_allows() -> None:
    asked = row("2021-10-25T12:00", demand(kind="health_code"))
    values = {"valid_to": "2021-12-02", "result": "green"}
    today = date(2021, 10, 25)
    assert set(check(asked, values, [], today)[1]) == {"pages"}
    assert set(check(asked, values, ["one", "two"], today)[1]) == {"pages"}
    assert check(asked, values, ["one"], today)[1] == {}


def test_a_decided_document_is_replaced_as_a_whole() -> None:
    accepted = row("2021-10-25T12:00", INSURANCE, document=replace(SENT_BACK, state=DocumentState.ACCEPTED))
    _, problems = check(accepted, {"valid_to": "2021-12-08"}, [], date(2021, 10, 25))
    assert set(problems) == {"pages", "valid_from"}


@pytest.mark.parametrize(
    "written", ["", "m", "x1", "m-1", "m1x", "m٣", "m012", "u00", "m99999999999", "m2147483648"]
)
def test_a_subject_that_is_none_is_unknown(written: str) -> None:
    with pytest.raises(UnknownDocumentError):
        Subject.parse(written)


@pytest.mark.parametrize(
    ("issuer", "says"), [("医" * 61, "最多 60 个字。"), ("第一\u202e医院", "看不见的控制字符")]
)
def test_a_text_that_cannot_be_stored_says_why(issuer: str, says: str) -> None:
    asked = row("2021-10-25T12:00", demand())
    _, problems = check_values(
        asked.judged_by, {"issued_on": "2021-10-20", "issuer": issuer}, date(2021, 10, 25)
    )
    assert says in str(problems["issuer"])


def test_a_subject_is_written_as_it_is_read() -> None:
    assert [str(Subject.parse(each)) for each in ("m12", "u3")] == ["m12", "u3"]


def test_a_month_of_days_never_takes_an_accepted_insurance_back() -> None:
    document = handed_in("accepted", valid_from="2021-12-02", valid_to="2021-12-05")
    day = at("2021-11-10T00:00:00")
    while day < at("2021-12-08T00:00:00"):
        (found,) = checklist([INSURANCE], of_unit=False, documents={"accident_insurance": document}, now=day)
        assert found.state is ChecklistState.ACCEPTED
        day += timedelta(hours=7)
