"""Two reviewers at once, on both databases: never both on one document, and of two decisions one stands."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask

from app.actors import Actor
from app.commands import command
from app.documents.models import Document, DocumentDecision
from app.documents.queries.review import Filter
from app.documents.rules.review import (
    AlreadyDecidedError,
    ClaimedError,
    ClaimLostError,
    DecisionKind,
    Written,
)
from app.documents.rules.states import DocumentId
from app.documents.service import review as service
from app.errors import SaishiError
from app.extensions import db
from tests.conftest import NOON
from tests.factories import registrations as make
from tests.factories import reviews

pytestmark = pytest.mark.usefixtures("session")


def at_once(app: Flask, *acts: Callable[[], object]) -> list[object]:
    """Runs the acts in threads of their own, starting together; what each returned or was refused with, in their order."""
    db.session.remove()
    start = threading.Barrier(len(acts))
    outcomes: list[object] = [None] * len(acts)

    def run(place: int, act: Callable[[], object]) -> None:
        with app.app_context():
            start.wait()
            try:
                outcomes[place] = act()
            except SaishiError as error:
                outcomes[place] = error

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def next_for(person: Actor) -> DocumentId | None:
    with command(person) as ctx:
        return service.claim_next(ctx, slug="beach", wanted=Filter())


def claim(person: Actor, document: DocumentId) -> str:
    with command(person) as ctx:
        service.claim(ctx, slug="beach", document_id=document)
    return "claimed"


def decide(person: Actor, document: DocumentId, kind: DecisionKind) -> str:
    reasons = {} if kind is DecisionKind.ACCEPT else {"pages": Written("unreadable")}
    with command(person) as ctx:
        service.decide(
            ctx, slug="beach", document_id=document, kind=kind, revision=1, reasons=reasons, address="-"
        )
    return "decided"


def test_four_reviewers_who_press_next_at_once_get_four_documents(app: Flask) -> None:
    make.competition()
    leader = make.submitted(1, members=4)
    waiting = {
        reviews.document(leader, member=number, at=NOON - timedelta(hours=number)) for number in range(4)
    }
    people = [reviews.reviewer(number) for number in range(4)]
    outcomes = at_once(app, *[lambda person=person: next_for(person) for person in people])
    assert set(outcomes) == waiting
    holders = {row.claimed_by_id for row in db.session.query(Document)}
    assert holders == {person.user_id for person in people}


def test_of_two_reviewers_who_open_one_document_at_once_one_is_told(app: Flask) -> None:
    make.competition()
    document = reviews.document(make.submitted(1))
    people = [reviews.reviewer(number) for number in range(2)]
    outcomes = at_once(app, *[lambda person=person: claim(person, document) for person in people])
    assert sorted(type(each).__name__ for each in outcomes) == [ClaimedError.__name__, "str"]


def test_two_taps_on_a_decision_store_it_once(app: Flask) -> None:
    make.competition()
    document = reviews.document(make.submitted(1))
    me = reviews.reviewer()
    claim(me, document)
    outcomes = at_once(
        app, *[lambda kind=kind: decide(me, document, kind) for kind in list(DecisionKind)[:3]]
    )
    assert outcomes.count("decided") == 1
    assert sum(isinstance(each, AlreadyDecidedError) for each in outcomes) == 2
    assert db.session.query(DocumentDecision).count() == 1


def test_a_takeover_and_a_late_decision_at_once_leave_one_of_them(
    app: Flask, travel: Callable[[datetime], None]
) -> None:
    make.competition()
    document = reviews.document(make.submitted(1))
    me, colleague = reviews.reviewer(0), reviews.reviewer(1)
    claim(me, document)
    travel(NOON + timedelta(minutes=11))
    mine, theirs = at_once(
        app, lambda: decide(me, document, DecisionKind.ACCEPT), lambda: claim(colleague, document)
    )
    row = db.session.get_one(Document, document)
    if mine == "decided":
        assert isinstance(theirs, AlreadyDecidedError)
        assert (row.state, row.claimed_by_id) == ("accepted", None)
    else:
        assert isinstance(mine, ClaimLostError)
        assert (row.state, row.claimed_by_id) == ("uploaded", colleague.user_id)
