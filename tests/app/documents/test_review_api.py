"""The desk for programs: the same acts as the pages, with problem details."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.documents.rules import DocumentId
from tests.factories import accounts, reviews
from tests.factories import registrations as make

API = "/api/v1/competitions/beach/documents"

Call = Callable[..., Any]


@pytest.fixture
def leader(app: Flask) -> Actor:
    with app.app_context():
        make.competition()
        return make.submitted(1, members=3)


@pytest.fixture
def document(app: Flask, leader: Actor) -> DocumentId:
    with app.app_context():
        return reviews.document(leader, picture=reviews.photo(90, 120))


@pytest.fixture
def people(app: Flask, leader: Actor) -> tuple[Actor, Actor]:
    with app.app_context():
        return reviews.reviewer(0), reviews.reviewer(1)


@pytest.fixture
def call(app: Flask, client: FlaskClient) -> Call:
    """``call(person, "PUT", "/1/claim", body)``: status and JSON of the answer."""

    def send(person: Actor, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        with app.app_context():
            headers = accounts.bearer(app, person)
        answer = client.open(API + path, method=method, json=body, headers=headers)
        return answer.status_code, answer.get_json(silent=True)

    return send


def test_a_document_from_the_queue_to_a_decision_and_back(
    call: Call, document: DocumentId, people: tuple[Actor, Actor]
) -> None:
    me, colleague = people
    status, queue = call(me, "GET", "/review")
    assert status == 200
    (row,) = queue["documents"]
    assert (row["id"], row["kind"], row["state"], row["mine"]) == (
        document,
        "nucleic_acid_report",
        "uploaded",
        False,
    )
    assert row["verdicts"][0]["clause"] == "三(一)5"
    assert row["verdicts"][0]["met"] is True
    status, taken = call(me, "POST", "/review/next", {})
    assert status == 200
    assert taken["document"]["document"]["mine"] is True
    assert taken["document"]["values"]["sampled_on"] == "2021-11-28"
    assert [each["notes"] for each in taken["document"]["pictures"]] == [[]]
    assert "unreadable" in taken["document"]["reasons"]["pages"]
    assert call(colleague, "POST", "/review/next", {}) == (200, {"document": None})
    status, problem = call(colleague, "PUT", f"/{document}/claim")
    assert (status, problem["code"]) == (409, "document_claimed")
    status, problem = call(me, "POST", f"/{document}/decisions", {"decision": "rejected", "revision": 1})
    assert (status, problem["code"]) == (422, "decision_refused")
    assert problem["errors"][0]["pointer"] == "/reasons"
    body = {"decision": "needs_changes", "revision": 1, "reasons": {"pages": {"code": "unreadable"}}}
    status, decided = call(me, "POST", f"/{document}/decisions", body)
    assert status == 201
    assert decided["document"]["state"] == "needs_changes"
    assert decided["decisions"][0]["reasons"]["pages"]["code"] == "unreadable"
    status, back = call(me, "POST", f"/{document}/take-back", {"reason": "看错了"})
    assert (status, back["document"]["state"]) == (200, "uploaded")


def test_a_claim_is_given_back(call: Call, document: DocumentId, people: tuple[Actor, Actor]) -> None:
    me, colleague = people
    assert call(me, "PUT", f"/{document}/claim")[0] == 200
    assert call(me, "DELETE", f"/{document}/claim") == (204, None)
    assert call(colleague, "PUT", f"/{document}/claim")[0] == 200


def test_a_batch_names_each_row_that_stands_in_its_way(
    call: Call, document: DocumentId, people: tuple[Actor, Actor], client: FlaskClient, app: Flask
) -> None:
    me, _ = people
    body = {"documents": [{"document_id": document, "revision": 1}, {"document_id": 99, "revision": 1}]}
    status, problem = call(me, "POST", "/review/acceptances", body)
    assert status == 422
    assert [each["pointer"] for each in problem["errors"]] == ["/documents/0", "/documents/1"]
    _, shown = call(me, "GET", f"/{document}/review")
    with app.app_context():
        headers = accounts.bearer(app, me)
    seen = client.get(shown["pictures"][0]["preview_url"], headers=headers)
    assert (seen.status_code, seen.mimetype) == (200, "image/jpeg")
    assert call(me, "POST", "/review/acceptances", {"documents": body["documents"][:1]}) == (204, None)
    assert call(me, "GET", f"/{document}/review")[1]["document"]["state"] == "accepted"


def test_the_statistics_add_up(call: Call, document: DocumentId, people: tuple[Actor, Actor]) -> None:
    status, counted = call(people[0], "GET", "/review/statistics")
    assert status == 200
    by_kind = {each["key"]: each["states"] for each in counted["kinds"]}
    assert by_kind["nucleic_acid_report"]["uploaded"] == 1
    assert by_kind["nucleic_acid_report"]["missing"] == 2
    assert counted["whole"]["states"]["uploaded"] == 1


def test_the_access_log_is_for_the_leader_and_the_reviewers(
    call: Call, document: DocumentId, leader: Actor, app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        me, stranger = reviews.reviewer(0), accounts.user(77)
        headers = accounts.bearer(app, me)
    client.get(f"{API}/{document}/files/1/0/1/preview", headers=headers)
    status, log = call(leader, "GET", f"/{document}/access-log")
    assert status == 200
    assert [(line["what"], line["role"], line["picture"]) for line in log] == [
        ("document.read", "committee", "preview")
    ]
    assert log[0]["who"] is None  # for a leader it was the committee
    status, log = call(me, "GET", f"/{document}/access-log")
    assert (status, "****" in log[0]["who"]) == (200, True)
    assert call(stranger, "GET", f"/{document}/access-log")[0] == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/review"),
        ("GET", "/review/statistics"),
        ("POST", "/review/next"),
        ("POST", "/review/acceptances"),
        ("GET", "/1/review"),
        ("PUT", "/1/claim"),
        ("DELETE", "/1/claim"),
        ("POST", "/1/decisions"),
        ("POST", "/1/take-back"),
    ],
)
def test_a_leader_does_not_review(call: Call, leader: Actor, method: str, path: str) -> None:
    assert call(leader, method, path, {} if method == "POST" else None)[0] == 403


def test_a_document_that_is_not_there_is_not_found(call: Call, people: tuple[Actor, Actor]) -> None:
    for method, path in (("GET", "/9/review"), ("PUT", "/9/claim"), ("GET", "/9/access-log")):
        assert call(people[0], method, path)[0] == 404
