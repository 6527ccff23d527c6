"""The pictures of a document: for whom they are served, with whose number across them, and that every look is on record."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from app.documents.rules import DocumentId
from tests.app.documents.visiting import Desk
from tests.factories import accounts, reviews
from tests.factories import registrations as make


@pytest.fixture
def desk(app: Flask, client: FlaskClient) -> Desk:
    return Desk(app, client)


def picture(document: DocumentId, what: str = "preview", page: int = 1, revision: int = 1) -> str:
    return f"/c/beach/documents/{document}/files/{revision}/0/{page}/{what}"


def test_a_picture_is_served_to_reviewers_and_its_leader_with_the_readers_number_across_it(
    desk: Desk,
) -> None:
    plain = reviews.photo(300, 400)
    document = desk.document(picture=plain)
    seen = {}
    for person in (desk.me, desk.leader):
        desk.sign_in(person)
        answer = desk.client.get(picture(document))
        assert answer.status_code == 200
        assert "no-store" in answer.headers["Cache-Control"]
        seen[person] = answer.get_data()
    assert seen[desk.me] != seen[desk.leader]
    assert Image.open(io.BytesIO(seen[desk.me])).size == (300, 400)
    assert desk.client.get(picture(document, "thumbnail")).status_code == 200
    assert desk.client.get(picture(document, "content", 0)).status_code == 200
    assert desk.actions().count("document.read") == 4


def test_a_picture_does_not_exist_for_others(desk: Desk) -> None:
    document = desk.document(picture=reviews.photo(90, 120))
    with desk.app.app_context():
        other_leader, visitor = make.submitted(2), accounts.user(77)
        make.competition("other")
        foreign = reviews.reviewer(7, "other")
    for person in (other_leader, visitor, foreign):
        desk.sign_in(person)
        assert desk.client.get(picture(document)).status_code == 404
    desk.sign_in(desk.me)
    for wrong in (picture(document, page=2), picture(document, revision=2), picture(document, "content", 1)):
        assert desk.client.get(wrong).status_code == 404
    assert desk.client.get(picture(document, "invented")).status_code == 404
    assert "document.read" not in desk.actions()
    with desk.client.session_transaction() as cookies:
        cookies.clear()
    assert desk.client.get(picture(document)).status_code == 401
