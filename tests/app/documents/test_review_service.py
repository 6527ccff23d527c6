"""The reviewers' acts on both databases: claims, decisions, batches, taking back, messages and the audit trail."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import Actor, Role
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents.models import Document, DocumentDecision
from app.documents.queries import review as queries
from app.documents.queries.review import Filter
from app.documents.rules.refusals import UnknownDocumentError
from app.documents.rules.review import (
    CLAIM_FOR,
    AlreadyDecidedError,
    ClaimedError,
    ClaimLostError,
    DecisionKind,
    DecisionRefusedError,
    DocumentChangedError,
    ListPublishedError,
    NotAcceptableError,
    OwnUnitError,
    Written,
)
from app.documents.rules.states import DocumentId, DocumentState
from app.documents.service import review as service
from app.documents.service.review import Seen
from app.errors import ForbiddenError
from app.extensions import db
from app.notifications.models import Message
from tests.conftest import NOON
from tests.factories import accounts, people, reviews
from tests.factories import registrations as make

pytestmark = pytest.mark.usefixtures("session")

ADDRESS = "http://localhost/c/beach/documents/1"
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


def claim(person: Actor, document: DocumentId) -> None:
    with command(person) as ctx:
        service.claim(ctx, slug="beach", document_id=document)


def take_next(person: Actor, leaving: DocumentId | None = None, **wanted: Any) -> DocumentId | None:
    with command(person) as ctx:
        return service.claim_next(ctx, slug="beach", wanted=Filter(**wanted), leaving=leaving)


def decide(
    person: Actor,
    document: DocumentId,
    kind: DecisionKind = DecisionKind.ACCEPT,
    revision: int = 1,
    **reasons: Written,
) -> None:
    with command(person) as ctx:
        service.decide(
            ctx,
            slug="beach",
            document_id=document,
            kind=kind,
            revision=revision,
            reasons=reasons,
            address=ADDRESS,
        )


def take_back(person: Actor, document: DocumentId, reason: str = "看错了", *, listed: bool = False) -> None:
    with command(person) as ctx:
        service.take_back(
            ctx,
            slug="beach",
            document_id=document,
            reason=reason,
            address=ADDRESS,
            listed=lambda _event_id: listed,
        )


def stored(document: DocumentId) -> Document:
    db.session.expire_all()
    return db.session.get_one(Document, document)


def actions(document: DocumentId) -> list[str]:
    rows = db.session.scalars(
        select(AuditEntry.action)
        .where(AuditEntry.subject_type == "Document", AuditEntry.subject_id == str(document))
        .order_by(AuditEntry.id)
    )
    return [action for action in rows if action.startswith("document.")]


def messages() -> list[str]:
    return [row.body for row in db.session.scalars(select(Message).order_by(Message.id))]


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
    past = queries.desk(beach(), document, NOON).decisions[0]
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


def batch(person: Actor, *seen: tuple[DocumentId, int]) -> None:
    with command(person) as ctx:
        service.accept_all(ctx, slug="beach", seen=[Seen(*each) for each in seen])


def test_a_batch_accepts_what_was_looked_at(leader: Actor, me: Actor) -> None:
    ids = [reviews.document(leader, member=number, pages=2) for number in range(3)]
    for each in ids:
        look_at_all(me, each, pages=2)
    batch(me, *((each, 1) for each in ids))
    assert {stored(each).state for each in ids} == {"accepted"}
    assert all("document.accepted" in actions(each) for each in ids)
    assert db.session.query(DocumentDecision).count() == 3


def test_a_batch_with_one_bad_row_accepts_none_and_says_why_at_each(
    leader: Actor, me: Actor, colleague: Actor
) -> None:
    good = reviews.document(leader, member=0)
    unseen = reviews.document(leader, member=1)
    half_seen = reviews.document(
        leader, "medical_certificate", {"issued_on": "2021-10-01"}, member=0, pages=2
    )
    claimed = reviews.document(leader, member=2)
    late = reviews.document(
        leader, "accident_insurance", {"valid_from": "2021-10-01", "valid_to": "2021-10-02"}
    )
    look_at_all(me, good)
    look_at(me, half_seen, 0, 1)
    look_at_all(me, claimed)
    look_at_all(me, late)
    claim(colleague, claimed)
    with pytest.raises(DecisionRefusedError) as refused:
        batch(
            me,
            (good, 1),
            (unseen, 1),
            (half_seen, 1),
            (claimed, 1),
            (late, 1),
            (good, 1),
            (DocumentId(10**6), 1),
        )
    said = {path: str(text) for path, text in refused.value.fields.items()}
    assert set(said) == {f"documents.{number}" for number in range(1, 7)}
    assert "没有看过" in said["documents.1"]
    assert "没有看过" in said["documents.2"]
    assert "另一位审核人" in said["documents.3"]
    assert "三(一)4" in said["documents.4"]
    assert "两次" in said["documents.5"]
    assert {stored(each).state for each in (good, unseen, half_seen, claimed, late)} == {"uploaded"}


def test_an_empty_or_endless_batch_is_refused(leader: Actor, me: Actor) -> None:
    for seen in ([], [(DocumentId(number), 1) for number in range(1, 52)]):
        with pytest.raises(DecisionRefusedError):
            batch(me, *seen)


def test_a_decision_is_taken_back_with_its_reason_and_the_document_waits_again(
    me: Actor, colleague: Actor, document: DocumentId
) -> None:
    claim(me, document)
    decide(me, document, DecisionKind.REJECT, holder=Written("other_person"))
    take_back(colleague, document, "张冠李戴")
    row = stored(document)
    assert (row.state, row.decided_by_id, row.decided_at) == ("uploaded", None, None)
    newest = queries.desk(beach(), document, NOON).decisions[0]
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


def test_the_queue_shows_the_oldest_first_with_counts_and_claims(
    leader: Actor, me: Actor, colleague: Actor
) -> None:
    younger = reviews.document(leader, member=0, at=NOON - timedelta(hours=1))
    older = reviews.document(
        leader, "medical_certificate", {"issued_on": "2021-10-01"}, member=1, at=NOON - timedelta(days=2)
    )
    done = reviews.document(leader, member=2, at=NOON - timedelta(days=9))
    claim(me, done)
    decide(me, done)
    claim(colleague, younger)
    waiting = queries.queue(beach(), Filter(state=DocumentState.UPLOADED), NOON)
    assert [row.id for row in waiting.rows] == [older, younger]
    assert waiting.states[DocumentState.UPLOADED] == 2
    assert waiting.states[DocumentState.ACCEPTED] == 1
    assert waiting.kinds == {"medical_certificate": 1, "nucleic_acid_report": 1}
    assert waiting.claimed == 1
    assert waiting.oldest == NOON - timedelta(days=2)
    assert waiting.rows[1].claim is not None
    assert waiting.rows[1].claim.by == colleague.user_id
    assert [row.id for row in queries.queue(beach(), Filter(kind="medical_certificate"), NOON).rows] == [
        older
    ]
    event = beach().event.id
    assert queries.queue(beach(), Filter(event_id=event), NOON).matching == 3
    assert queries.queue(beach(), Filter(event_id=event + 1), NOON).matching == 0


def test_what_stops_to_be_valid_within_a_week_is_listed_as_expiring(leader: Actor) -> None:
    soon = reviews.document(
        leader, "accident_insurance", {"valid_from": "2021-10-01", "valid_to": "2021-11-01"}, member=0
    )
    reviews.document(
        leader, "accident_insurance", {"valid_from": "2021-10-01", "valid_to": "2021-11-02"}, member=1
    )
    assert [row.id for row in queries.queue(beach(), Filter(expiring=True), NOON).rows] == [soon]


def test_a_look_is_on_record_once_in_five_minutes_for_each_picture(
    leader: Actor, me: Actor, travel: Travel
) -> None:
    document = reviews.document(leader, pages=2)
    look_at(me, document, 0, 1)
    look_at(me, document, 0, 1)
    look_at(me, document, 1, 1)
    assert actions(document) == ["document.read"] * 2
    travel(NOON + timedelta(minutes=6))
    look_at(me, document, 0, 1)
    assert actions(document) == ["document.read"] * 3


def test_where_only_a_date_was_corrected_the_pictures_before_still_count(
    leader: Actor, me: Actor, document: DocumentId
) -> None:
    look_at(me, document, 0, 1)
    assert reviews.again(document, leader, pages=0) == 2
    assert [(each.revision, each.position, each.page) for each in queries.pictures_of(document, 2)] == [
        (1, 0, 1)
    ]
    batch(me, (document, 2))
    assert stored(document).state == "accepted"


def test_the_access_log_names_role_and_masked_number_of_everybody_who_looked_or_decided(
    leader: Actor, me: Actor, document: DocumentId
) -> None:
    look_at(leader, document, 0, 1)
    look_at(me, document, 0, 1)
    claim(me, document)
    decide(me, document)
    log = queries.access_log(document)
    assert [(line.action.value, line.role) for line in log] == [
        ("document.accepted", "committee"),
        ("document.read", "committee"),
        ("document.read", "leader"),
    ]
    number = people.phone(reviews.REVIEWER)
    assert log[0].who == f"{number[:3]}****{number[-4:]}"


def test_nobody_else_looks_at_a_picture(leader: Actor, document: DocumentId) -> None:
    other_leader = make.submitted(2)
    for person in (other_leader, accounts.user(77)):
        with pytest.raises(UnknownDocumentError):
            look_at(person, document, 0, 1)
    assert actions(document) == []


def look_at(person: Actor, document: DocumentId, position: int, page: int, what: str = "preview") -> None:
    with command(person) as ctx:
        service.look(
            ctx, slug="beach", document_id=document, revision=1, position=position, page=page, what=what
        )


def look_at_all(person: Actor, document: DocumentId, pages: int = 1) -> None:
    for position in range(pages):
        look_at(person, document, position, 1)


def beach() -> competitions.CompetitionView:
    return competitions.competition("beach")
