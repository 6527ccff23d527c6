"""The marks of the text check at the desk: words beside each field, for reviewers only."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.documents.models import DocumentReading
from app.documents.queries import documents as documents_queries
from app.documents.rules import DocumentId
from app.documents.rules.reading import Agreement, Finding, packed
from app.extensions import db
from tests.app.documents.visiting import Desk, path_of, words
from tests.factories import accounts

FOUND = {
    "holder": Finding(Agreement.AGREES),
    "id_number": Finding(Agreement.DOUBT, "…002X"),
    "sampled_on": Finding(Agreement.DOUBT, "2021-10-26"),
}


@pytest.fixture
def desk(app: Flask, client: FlaskClient) -> Desk:
    return Desk(app, client)


def read(desk: Desk) -> DocumentId:
    document = desk.document()
    with desk.app.app_context():
        revision = documents_queries.document(document).newest
        db.session.add(DocumentReading(revision_id=revision.id, state="done", findings=packed(FOUND)))
        db.session.commit()
    return document


def test_each_field_has_its_mark_in_words(desk: Desk) -> None:
    document = read(desk)
    page = words(desk.page(path_of(document)))
    assert "可能不一致：读到 2021-10-26" in page
    assert "可能不一致：读到 …002X" in page
    assert "与填写一致" in page
    assert "只供参考，以人工核对为准" in page
    assert "May differ: read 2021-10-26" in words(desk.page(path_of(document) + "?lang=en"))


def test_a_doubt_does_not_stand_in_the_way_of_accepting(desk: Desk) -> None:
    document = read(desk)
    desk.claim(desk.me, document)
    answer = desk.client.post(path_of(document), data={"decision": "accepted", "revision": "1"})
    assert answer.status_code == 303
    assert desk.state(document)[0] == "accepted"


def test_without_a_reading_there_is_no_mark(desk: Desk) -> None:
    page = desk.page(path_of(desk.document()))
    assert "reading_" not in page
    assert "只供参考" not in page


def test_programs_read_the_marks_and_the_leader_does_not(desk: Desk) -> None:
    document = read(desk)
    bearer = accounts.bearer(desk.app, desk.me)
    shown = desk.client.get(f"/api/v1/competitions/beach/documents/{document}/review", headers=bearer)
    assert shown.json["reading"]["sampled_on"] == {
        "agreement": "doubt",
        "read": "2021-10-26",
        "text": "可能不一致：读到 2021-10-26",
    }
    desk.sign_in(desk.leader)
    assert "2021-10-26" not in desk.page("/c/beach/my/documents")
