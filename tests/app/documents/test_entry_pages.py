"""The committee's pages of entries, where documents are due with them."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.competitions import queries as competitions
from app.registrations import queries
from tests.factories import accounts, documents, registrations


@pytest.fixture
def entry(app: Flask, client: FlaskClient) -> int:
    """A handed-in entry whose certificate nobody has reviewed; the committee is signed in."""
    with app.app_context():
        documents.competition()
        leader = registrations.leader()
        registrations.member(leader, 101)
        documents.stored(leader, "entry_form", of_unit=True, state="accepted")
        documents.stored(leader, "medical_certificate")
        registrations.submission(leader)
        accounts.sign_in(client, registrations.committee())
        return queries.review_list(competitions.competition("beach").event)[0].entry_id


def test_the_list_says_who_lacks_documents_and_leaves_him_out_of_the_batch(
    client: FlaskClient, entry: int
) -> None:
    page = client.get("/staff/c/beach/entries").text
    assert "材料未齐" in page
    assert "通过全部符合资格的" not in page


def test_the_entry_names_the_document_and_asks_for_a_reason(client: FlaskClient, entry: int) -> None:
    page = client.get(f"/staff/c/beach/entries/{entry}").text
    assert "有效体检证明" in page
    assert "规程 三(一)4" in page
    refused = client.post(f"/staff/c/beach/entries/{entry}", data={"decision": "approve"})
    assert refused.status_code == 422
    assert "还没有审核通过。（规程 三(一)4）" in refused.text
    approved = client.post(
        f"/staff/c/beach/entries/{entry}", data={"decision": "approve", "reason": "报到时补交"}
    )
    assert approved.status_code == 303
    assert "报到时补交" in client.get(f"/staff/c/beach/entries/{entry}").text


def test_the_api_refuses_an_entry_without_its_documents_with_a_problem(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        documents.competition()
        leader = registrations.leader()
        registrations.member(leader, 101)
        bearer = accounts.bearer(app, leader)
    answer = client.post(
        "/api/v1/competitions/beach/submission", json={"idempotency_key": "key-00000001"}, headers=bearer
    )
    assert answer.status_code == 409
    assert answer.mimetype == "application/problem+json"
    assert answer.json is not None
    assert answer.json["code"] == "documents_missing"
    assert [each["kind"] for each in answer.json["missing"]] == ["entry_form", "medical_certificate"]
