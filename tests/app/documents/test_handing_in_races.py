"""Handing in and taking back while somebody else acts, on both databases: one of two acts stands, whole."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

from app.actors import Actor
from app.commands import command
from app.documents import queries, service
from app.documents.rules import DocumentState, NothingToWithdrawError, Subject
from app.documents.rules.review import AlreadyDecidedError, DecisionKind
from tests.app.documents.test_review_races import at_once, claim, decide
from tests.conftest import NOON
from tests.factories import documents, registrations, uploads

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
