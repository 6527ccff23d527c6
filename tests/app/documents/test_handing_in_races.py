"""Handing in and taking back while somebody else acts, on both databases: one of two acts stands, whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

from app.actors import ANONYMOUS, Actor
from app.commands import command
from app.documents import queries, service
from app.documents.rules import DocumentState, NothingToWithdrawError, Subject
from app.documents.rules.refusals import LinkUsedError
from app.documents.rules.review import AlreadyDecidedError, DecisionKind
from app.documents.rules.undertaking import NOTHING
from tests.app.documents.test_review_races import at_once, claim, decide
from tests.conftest import NOON
from tests.factories import documents, registrations, undertakings, uploads

pytestmark = pytest.mark.usefixtures("session")


@pytest.fixture
def leader() -> Actor:
    registrations.competition()
    return registrations.submitted()


def test_a_document_is_either_accepted_with_its_files_or_taken_back_never_both(
    app: Flask, leader: Actor, travel: Callable[[datetime], None]
) -> None:
    made = documents.stored(leader)
    committee, subject = registrations.committee(), str(Subject(member_id=documents.first_member(leader)))
    claim(committee, made)
    travel(NOON + timedelta(minutes=11))  # the claim has run out, and nobody has taken it over

    def take_back() -> str:
        with command(leader) as ctx:
            service.withdraw(ctx, slug="beach", subject=subject, kind="medical_certificate")
        return "taken back"

    decided, withdrawn = at_once(app, lambda: decide(committee, made, DecisionKind.ACCEPT), take_back)
    view = queries.document(made)
    if decided == "decided":
        assert isinstance(withdrawn, NothingToWithdrawError)
        assert (view.state, len(view.uploads)) == (DocumentState.ACCEPTED, 1)
    else:
        assert isinstance(decided, AlreadyDecidedError)
        assert (withdrawn, view.state, view.uploads) == ("taken back", DocumentState.WITHDRAWN, ())


def test_two_taps_hand_in_once(app: Flask, leader: Actor, tmp_path: Path) -> None:
    token = uploads.ready(leader, "beach", tmp_path).token
    subject = str(Subject(member_id=documents.first_member(leader)))

    def tap() -> int:
        with command(leader) as ctx:
            return service.hand_in(
                ctx,
                slug="beach",
                subject=subject,
                kind="medical_certificate",
                tokens=[token],
                values={"issued_on": "2021-10-20"},
                idempotency_key="key-00000001",
            )

    first, second = at_once(app, tap, tap)
    assert first == second
    assert isinstance(first, int)
    assert len(queries.document(first).revisions) == 1


def test_of_two_people_with_the_same_link_one_signs(app: Flask, leader: Actor) -> None:
    member = Subject(member_id=documents.first_member(leader))
    sent = {"subject": str(member), "kind": "waiver", "language": "zh", "strokes": undertakings.STROKES}
    text = undertakings.text_of(leader).text

    def signs(key: str) -> Callable[[], object]:
        def act() -> object:
            with command(ANONYMOUS) as ctx:
                return service.sign(
                    ctx,
                    slug="beach",
                    text=text,
                    idempotency_key=key,
                    leader_user_id=leader.user_id,
                    over=NOTHING,
                    **sent,
                )

        return act

    outcomes = at_once(app, signs("key-00000001"), signs("key-00000002"))
    refused = [each for each in outcomes if isinstance(each, LinkUsedError)]
    [made] = [each for each in outcomes if isinstance(each, int)]
    assert len(refused) == 1
    assert len(queries.document(made).revisions) == 1
