"""What reviewers see and accept together: the queue, batches, and the record of who looked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from app.actors import Actor
from app.documents.models import DocumentDecision
from app.documents.queries import desk as desks
from app.documents.queries import looks
from app.documents.queries import review as queries
from app.documents.queries.review import Filter
from app.documents.rules.refusals import UnknownDocumentError
from app.documents.rules.review import (
    DecisionRefusedError,
)
from app.documents.rules.states import DocumentId, DocumentState
from app.extensions import db
from tests.app.documents.reviewing import (
    actions,
    batch,
    beach,
    claim,
    decide,
    look_at,
    look_at_all,
    stored,
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
    assert [(each.revision, each.position, each.page) for each in desks.pictures_of(document, 2)] == [
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
    log = looks.access_log(document, named=True)
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
