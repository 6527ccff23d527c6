"""The reviewers' acts on both databases: claims, decisions, taking back, messages and the audit trail."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from app.actors import Actor, Role
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents.queries import desk as desks
from app.documents.queries import review as queries
from app.documents.rules.refusals import UnknownDocumentError
from app.documents.rules.review import (
    CLAIM_FOR,
    AlreadyDecidedError,
    ClaimedError,
    ClaimLostError,
    DecisionKind,
    DocumentChangedError,
    ListPublishedError,
    NotAcceptableError,
    OwnUnitError,
    Written,
)
from app.documents.rules.states import DocumentId
from app.documents.service import review as service
from app.errors import ForbiddenError
from app.extensions import db
from tests.app.documents.reviewing import (
    ADDRESS,
    actions,
    beach,
    claim,
    decide,
    messages,
    stored,
    take_back,
    take_next,
)
from tests.conftest import NOON
from tests.factories import accounts, people, reviews
from tests.factories import registrations as make

pytestmark = pytest.mark.usefixtures("session")

Travel = Callable[[datetime], None]


@pytest.fixture
def leader() -> Actor:
    make.competition()
    return make.submitted(1, members=3)


@pytest.fixture
def document(leader: Actor) -> DocumentId:
    return reviews.document(leader)


@pytest.fixture
def me(leader: Actor) -> Actor:
    return reviews.reviewer(0)


@pytest.fixture
def colleague(leader: Actor) -> Actor:
    return reviews.reviewer(1)


def test_a_claim_keeps_a_colleague_out_until_it_is_over(
    me: Actor, colleague: Actor, document: DocumentId, travel: Travel
) -> None:
    claim(me, document)
    with pytest.raises(ClaimedError) as refused:
        claim(colleague, document)
    assert "12:10" in str(refused.value.text)
    travel(NOON + CLAIM_FOR + timedelta(seconds=1))
    claim(colleague, document)
    assert stored(document).claimed_by_id == colleague.user_id
    taken = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert taken is not None
    assert taken.details["taken_over"] is True


def test_activity_renews_a_claim_and_a_touch_within_two_minutes_writes_nothing(
    me: Actor, document: DocumentId, travel: Travel
) -> None:
    claim(me, document)
    travel(NOON + timedelta(minutes=1))
    claim(me, document)
    assert stored(document).claimed_until == NOON + CLAIM_FOR
    travel(NOON + timedelta(minutes=8))
    claim(me, document)
    assert stored(document).claimed_until == NOON + timedelta(minutes=18)
    assert actions(document) == ["document.claimed"] * 2


def test_what_is_given_back_is_free_and_nobody_gives_back_a_colleagues(
    me: Actor, colleague: Actor, document: DocumentId
) -> None:
    claim(me, document)
    with command(colleague) as ctx:
        service.release(ctx, slug="beach", document_id=document)
    assert stored(document).claimed_by_id == me.user_id
    with command(me) as ctx:
        service.release(ctx, slug="beach", document_id=document)
    assert stored(document).claimed_by_id is None
    claim(colleague, document)


def test_the_next_one_is_the_oldest_that_nobody_has(leader: Actor, me: Actor, colleague: Actor) -> None:
    second = reviews.document(leader, member=0, at=NOON - timedelta(hours=1))
    first = reviews.document(leader, member=1, at=NOON - timedelta(days=1))
    third = reviews.document(leader, member=2)
    assert [take_next(me), take_next(colleague), take_next(me), take_next(colleague)] == [
        first,
        second,
        third,
        None,
    ]


def test_one_who_skips_a_document_gets_the_ones_after_it_first(leader: Actor, me: Actor) -> None:
    ids = [
        reviews.document(leader, member=number, at=NOON - timedelta(hours=3 - number)) for number in range(3)
    ]
    assert take_next(me) == ids[0]
    assert take_next(me, leaving=ids[0]) == ids[1]
    assert stored(ids[0]).claimed_by_id is None
    assert take_next(me, leaving=ids[1]) == ids[2]
    assert take_next(me, leaving=ids[2]) == ids[0]


def test_the_next_one_keeps_to_the_filter(leader: Actor, me: Actor) -> None:
    reviews.document(leader, at=NOON - timedelta(days=1))
    other = make.submitted(2)
    wanted = reviews.document(other, "medical_certificate", {"issued_on": "2021-10-01"})
    assert take_next(me, kind="medical_certificate") == wanted
    assert take_next(me, kind="medical_certificate") is None
    assert take_next(me, unit_id=queries.rows_of(beach(), [wanted], NOON)[0].unit_id) is None


def test_the_next_one_of_those_that_expire_soon(leader: Actor, me: Actor) -> None:
    reviews.document(leader, at=NOON - timedelta(days=1))
    soon = reviews.document(
        leader, "accident_insurance", {"valid_from": "2021-10-01", "valid_to": "2021-10-30"}, member=1
    )
    assert take_next(me, expiring=True) == soon
    assert take_next(me, expiring=True) is None


def test_the_next_one_is_never_of_ones_own_unit(leader: Actor, document: DocumentId) -> None:
    own = accounts.user(1, Role.COMMITTEE, competition_id=competitions.competition_id("beach"))
    assert take_next(own) is None
    with pytest.raises(OwnUnitError):
        claim(own, document)


def test_an_accepted_document_says_who_and_when_and_the_leader_gets_no_message(
    me: Actor, document: DocumentId
) -> None:
    before = len(messages())
    claim(me, document)
    decide(me, document)
    row = stored(document)
    assert (row.state, row.decided_by_id, row.decided_at, row.claimed_by_id) == (
        "accepted",
        me.user_id,
        NOON,
        None,
    )
    assert actions(document) == ["document.claimed", "document.accepted"]
    assert len(messages()) == before


@pytest.mark.parametrize(
    ("kind", "state", "word"),
    [
        (DecisionKind.NEEDS_CHANGES, "needs_changes", "需要补正"),
        (DecisionKind.REJECT, "rejected", "未通过审核"),
    ],
)
def test_the_leader_is_told_where_to_read_the_reasons_and_nothing_about_the_member(
    me: Actor, document: DocumentId, kind: DecisionKind, state: str, word: str
) -> None:
    claim(me, document)
    decide(
        me, document, kind, pages=Written("unreadable"), sampled_on=Written("differs", "图上是 10 月 30 日")
    )
    assert stored(document).state == state
    past = desks.desk(beach(), document, NOON).decisions[0]
    assert (past.kind, past.revision) == (kind, 1)
    assert {place: str(reason.describe()) for place, reason in past.reasons.items()} == {
        "pages": "看不清，请重新拍摄。",
        "sampled_on": "与照片上的不一致。图上是 10 月 30 日",
    }
    body = messages()[-1]
    assert word in body
    assert ADDRESS in body
    assert people.person_name(100) not in body
    assert "10 月 30 日" not in body
    entry = db.session.scalars(
        select(AuditEntry).where(AuditEntry.subject_type == "Document").order_by(AuditEntry.id.desc())
    ).first()
    assert entry is not None
    assert entry.details["reasons"] == {"pages": "unreadable", "sampled_on": "differs"}


def test_a_decision_after_a_colleague_took_over_is_refused_and_changes_nothing(
    me: Actor, colleague: Actor, document: DocumentId, travel: Travel
) -> None:
    claim(me, document)
    travel(NOON + timedelta(minutes=11))
    claim(colleague, document)
    with pytest.raises(ClaimLostError):
        decide(me, document, DecisionKind.REJECT, pages=Written("unreadable"))
    assert stored(document).state == "uploaded"
    assert stored(document).claimed_by_id == colleague.user_id
    decide(colleague, document)
    with pytest.raises(AlreadyDecidedError):
        decide(me, document, DecisionKind.REJECT, pages=Written("unreadable"))
    assert stored(document).state == "accepted"


def test_a_decision_needs_a_claim(me: Actor, document: DocumentId) -> None:
    with pytest.raises(ClaimLostError):
        decide(me, document)


def test_a_decision_on_an_older_revision_is_refused(leader: Actor, me: Actor, document: DocumentId) -> None:
    claim(me, document)
    assert reviews.again(document, leader) == 2
    with pytest.raises(DocumentChangedError) as refused:
        decide(me, document, revision=1)
    assert refused.value.extra == {"seen": 1, "revision": 2}
    assert stored(document).state == "uploaded"
    decide(me, document, revision=2)


def test_a_document_against_the_regulation_is_not_accepted_but_sent_back(leader: Actor, me: Actor) -> None:
    late = reviews.document(leader, values={"sampled_on": "2021-10-01", "result": "negative"})
    claim(me, late)
    with pytest.raises(NotAcceptableError) as refused:
        decide(me, late)
    assert refused.value.clause == "三(一)5"
    decide(me, late, DecisionKind.NEEDS_CHANGES, sampled_on=Written("not_valid"))


def test_others_than_reviewers_of_this_competition_are_kept_out(leader: Actor, document: DocumentId) -> None:
    make.competition("other")
    for person in (leader, accounts.user(77), reviews.reviewer(5, "other")):
        with pytest.raises(ForbiddenError):
            claim(person, document)
        with pytest.raises(ForbiddenError):
            decide(person, document)
        with pytest.raises(ForbiddenError):
            take_back(person, document)
        with pytest.raises(ForbiddenError):
            take_next(person)


def test_a_document_of_another_competition_does_not_exist(leader: Actor, document: DocumentId) -> None:
    make.competition("other")
    with command(reviews.reviewer(5, "other")) as ctx, pytest.raises(UnknownDocumentError):
        service.claim(ctx, slug="other", document_id=document)


def test_a_decision_is_taken_back_with_its_reason_and_the_document_waits_again(
    me: Actor, colleague: Actor, document: DocumentId
) -> None:
    claim(me, document)
    decide(me, document, DecisionKind.REJECT, holder=Written("other_person"))
    take_back(colleague, document, "张冠李戴")
    row = stored(document)
    assert (row.state, row.decided_by_id, row.decided_at) == ("uploaded", None, None)
    newest = desks.desk(beach(), document, NOON).decisions[0]
    assert newest.kind is DecisionKind.TAKEN_BACK
    assert str(newest.reasons["decision"].describe()) == "张冠李戴"
    assert "撤回" in messages()[-1]
    claim(me, document)
    decide(me, document)


def test_no_decision_is_taken_back_once_the_list_is_published(me: Actor, document: DocumentId) -> None:
    claim(me, document)
    decide(me, document)
    with pytest.raises(ListPublishedError):
        take_back(me, document, listed=True)
    assert stored(document).state == "accepted"
