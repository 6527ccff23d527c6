"""Who has a document, what a decision must say, and what the regulation says about the dates."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.actors import Actor, Role
from app.documents.rules.fields import FIELDS
from app.documents.rules.review import (
    CLAIM_FOR,
    LONGEST_REASON,
    AlreadyDecidedError,
    Claim,
    ClaimedError,
    ClaimLostError,
    DecisionKind,
    DecisionRefusedError,
    DocumentChangedError,
    ListPublishedError,
    NotAcceptableError,
    NothingToTakeBackError,
    OwnUnitError,
    Standing,
    Written,
    batch_problem,
    check_reasons,
    claim_for,
    is_young,
    reasons_for,
    require_acceptable,
    require_decidable,
    require_may_review,
    require_may_take_back,
)
from app.documents.rules.states import REASONS, DocumentState, Reason
from app.documents.rules.verdicts import judge
from app.errors import ForbiddenError
from app.regulations import library

NOW = datetime(2021, 10, 25, 4, 0, tzinfo=UTC)
LEADER, ME, OTHER = 1, 2, 3
REPORT = FIELDS["nucleic_acid_report"]
WAITING = Standing(DocumentState.UPLOADED, 2, LEADER, None, REPORT)
MINE = replace(WAITING, claim=Claim(ME, NOW + CLAIM_FOR))
OTHERS = replace(WAITING, claim=Claim(OTHER, NOW + CLAIM_FOR))
LAW = library.load("beach-games-landlord-2021")


def person(user_id: int, *roles: Role) -> Actor:
    return Actor("person", user_id, frozenset((1, role) for role in roles))


ME_ACTOR = person(ME, Role.COMMITTEE)


@pytest.mark.parametrize("role", [Role.COMMITTEE, Role.ORGANISER])
def test_committee_and_organiser_of_the_competition_review(role: Role) -> None:
    require_may_review(person(ME, role), 1)
    with pytest.raises(ForbiddenError):
        require_may_review(person(ME, role), 2)


@pytest.mark.parametrize("role", [Role.REFEREE, Role.CHIEF_REFEREE])
def test_referees_do_not_review(role: Role) -> None:
    with pytest.raises(ForbiddenError):
        require_may_review(person(ME, role), 1)


def test_a_free_document_is_claimed_for_ten_minutes() -> None:
    assert claim_for(ME_ACTOR, WAITING, NOW) == Claim(ME, NOW + timedelta(minutes=10))


def test_nobody_takes_a_document_from_a_colleague_until_the_claim_is_over() -> None:
    with pytest.raises(ClaimedError):
        claim_for(ME_ACTOR, OTHERS, NOW + CLAIM_FOR)  # the last moment still belongs to it
    over = NOW + CLAIM_FOR + timedelta(seconds=1)
    assert claim_for(ME_ACTOR, OTHERS, over).by == ME


def test_a_claim_is_renewed_by_activity_but_not_at_every_touch() -> None:
    claim = Claim(ME, NOW + CLAIM_FOR)
    assert is_young(claim, NOW + timedelta(minutes=1, seconds=59))
    assert not is_young(claim, NOW + timedelta(minutes=2))


def test_a_decided_document_is_not_claimed() -> None:
    with pytest.raises(AlreadyDecidedError):
        claim_for(ME_ACTOR, replace(WAITING, state=DocumentState.ACCEPTED), NOW)


def test_a_reviewer_neither_claims_nor_decides_what_his_own_unit_handed_in() -> None:
    own = person(LEADER, Role.COMMITTEE)
    with pytest.raises(OwnUnitError):
        claim_for(own, WAITING, NOW)
    with pytest.raises(OwnUnitError):
        require_decidable(own, replace(WAITING, claim=Claim(LEADER, NOW + CLAIM_FOR)), 2, NOW)
    assert "自己单位" in str(batch_problem(own, WAITING, 2, True, NOW))
    with pytest.raises(OwnUnitError):
        require_may_take_back(
            own, replace(WAITING, state=DocumentState.ACCEPTED), "误点", listed=False, clause=None
        )


def test_the_holder_decides_the_newest_revision() -> None:
    require_decidable(ME_ACTOR, MINE, 2, NOW)


def test_a_claim_that_ran_out_and_that_nobody_took_over_still_decides() -> None:
    require_decidable(ME_ACTOR, MINE, 2, NOW + timedelta(hours=1))


@pytest.mark.parametrize(
    ("standing", "seen", "error"),
    [
        (WAITING, 2, ClaimLostError),
        (OTHERS, 2, ClaimLostError),
        (MINE, 1, DocumentChangedError),
        (replace(MINE, state=DocumentState.REJECTED), 2, AlreadyDecidedError),
        (replace(MINE, state=DocumentState.WITHDRAWN), 2, AlreadyDecidedError),
    ],
)
def test_a_decision_without_the_claim_or_on_something_else_is_refused(
    standing: Standing, seen: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        require_decidable(ME_ACTOR, standing, seen, NOW)


def test_sending_back_names_a_place_and_a_reason_of_its_list_or_a_text() -> None:
    given = check_reasons(
        DecisionKind.NEEDS_CHANGES,
        {"pages": Written("unreadable"), "sampled_on": Written("", "应为 10 月 29 日"), "result": Written()},
        REPORT,
    )
    assert given == {"pages": Reason("unreadable"), "sampled_on": Reason("other", "应为 10 月 29 日")}


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ({}, "reasons"),
        ({"pages": Written("  ", " ")}, "reasons"),
        ({"pages": Written("other")}, "reasons.pages.text"),
        ({"pages": Written("not_valid")}, "reasons.pages.code"),
        ({"pages": Written("invented")}, "reasons.pages.code"),
        ({"policy": Written("differs")}, "reasons.policy"),
        ({"holder": Written("other_person", "字" * (LONGEST_REASON + 1))}, "reasons.holder.text"),
    ],
)
@pytest.mark.parametrize("kind", [DecisionKind.NEEDS_CHANGES, DecisionKind.REJECT])
def test_a_reason_is_required_and_stands_at_a_place_of_the_document(
    kind: DecisionKind, written: dict[str, Written], path: str
) -> None:
    with pytest.raises(DecisionRefusedError) as refused:
        check_reasons(kind, written, REPORT)
    assert set(refused.value.fields) == {path}


def test_every_wrong_reason_is_named_at_once() -> None:
    with pytest.raises(DecisionRefusedError) as refused:
        check_reasons(
            DecisionKind.REJECT, {"pages": Written("other"), "sampled_on": Written("no_seal")}, REPORT
        )
    assert set(refused.value.fields) == {"reasons.pages.text", "reasons.sampled_on.code"}


def test_an_acceptance_gives_no_reason() -> None:
    assert check_reasons(DecisionKind.ACCEPT, {"pages": Written()}, REPORT) == {}
    with pytest.raises(DecisionRefusedError):
        check_reasons(DecisionKind.ACCEPT, {"pages": Written("unreadable")}, REPORT)


def test_every_reason_of_the_list_fits_somewhere() -> None:
    places = ["pages", "holder", "sampled_on", "result"]
    assert {code for place in places for code in reasons_for(place, REPORT)} == set(REASONS)


# 三(一)5, I-A-17: within 5 days of the check-in on 2 December; the 27th itself counts.
@pytest.mark.parametrize(
    ("day", "apart", "met"), [("2021-11-26", 6, False), ("2021-11-27", 5, True), ("2021-12-02", 0, True)]
)
def test_the_verdict_counts_the_days_between_sample_and_check_in(day: str, apart: int, met: bool) -> None:
    (rule,) = [each for each in LAW.documents if each.kind == "nucleic_acid_report"]
    (verdict,) = judge([(rule, LAW.calendar)], {"sampled_on": day, "result": "negative"})
    (step,) = map(str, verdict.steps)
    assert step == (
        f"采样日期 {day}，报到 2021-12-02：相隔 {apart} 天（须在 5 天内），{'符合' if met else '不符合'}"
    )
    assert (verdict.clause, verdict.met) == ("三(一)5", met)


def test_an_insurance_is_judged_by_the_days_on_which_it_must_hold() -> None:
    (rule,) = [each for each in LAW.documents if each.kind == "accident_insurance"]
    first, last = LAW.calendar.day("check_in"), LAW.calendar.day("play_to")
    whole = {"valid_from": first.isoformat(), "valid_to": last.isoformat()}
    (verdict,) = judge([(rule, LAW.calendar)], whole)
    assert verdict.met
    assert len(verdict.steps) == 2
    (late,) = judge([(rule, LAW.calendar)], whole | {"valid_from": last.isoformat()})
    (short,) = judge([(rule, LAW.calendar)], whole | {"valid_to": first.isoformat()})
    assert not late.met
    assert not short.met


def test_a_positive_test_is_no_proof() -> None:
    (rule,) = [each for each in LAW.documents if each.kind == "nucleic_acid_report"]
    day = LAW.calendar.day("check_in").isoformat()
    verdicts = judge([(rule, LAW.calendar)], {"sampled_on": day, "result": "positive"})
    assert "须为阴性" in str(verdicts[0].refusal)
    with pytest.raises(NotAcceptableError) as refused:
        require_acceptable(verdicts)
    assert refused.value.clause == "三(一)5"
    assert "三(一)5" in str(batch_problem(ME_ACTOR, replace(WAITING, verdicts=verdicts), 2, True, NOW))


@pytest.mark.parametrize(
    ("standing", "seen", "looked", "word"),
    [
        (WAITING, 2, True, None),
        (MINE, 2, True, None),
        (WAITING, 2, False, "没有看过"),
        (OTHERS, 2, True, "另一位审核人"),
        (WAITING, 1, True, "重新提交"),
        (replace(WAITING, state=DocumentState.ACCEPTED), 2, True, "已审核"),
    ],
)
def test_what_is_accepted_together_with_others(
    standing: Standing, seen: int, looked: bool, word: str | None
) -> None:
    problem = batch_problem(ME_ACTOR, standing, seen, looked, NOW)
    assert problem is None if word is None else word in str(problem)


def test_a_decision_is_taken_back_with_a_reason_until_the_list_is_published() -> None:
    decided = replace(WAITING, state=DocumentState.REJECTED)
    require_may_take_back(ME_ACTOR, decided, "看错了一行", listed=False, clause="三(四)2")
    with pytest.raises(DecisionRefusedError) as refused:
        require_may_take_back(ME_ACTOR, decided, "  ", listed=False, clause="三(四)2")
    assert set(refused.value.fields) == {"reason"}
    with pytest.raises(ListPublishedError) as published:
        require_may_take_back(ME_ACTOR, decided, "看错了一行", listed=True, clause="三(四)2")
    assert published.value.clause == "三(四)2"
    with pytest.raises(NothingToTakeBackError):
        require_may_take_back(ME_ACTOR, WAITING, "看错了一行", listed=False, clause=None)
