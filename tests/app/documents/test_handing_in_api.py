"""Documents for programs: the same acts, refusals as problem details."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.documents.rules import Subject
from tests.factories import accounts, documents, registrations, uploads

MINE = "/api/v1/competitions/beach/my/documents"
REQUESTS = "/api/v1/competitions/beach/documents/requests"


class Caller:
    def __init__(self, app: Flask, client: FlaskClient, folder: Path) -> None:
        self.app, self.client = app, client
        with app.app_context():
            registrations.competition()
            self.leader = registrations.submitted()
            self.subject = str(Subject(member_id=documents.first_member(self.leader)))
            self.bearer = accounts.bearer(app, self.leader)
            self.committee = accounts.bearer(app, registrations.committee())
            self.token = uploads.ready(self.leader, "beach", folder).token

    def hand_in(self, kind: str = "medical_certificate", **changes: Any) -> Any:
        body = {
            "idempotency_key": "key-00000001",
            "uploads": [self.token],
            "values": {"issued_on": "2021-10-20"},
        }
        return self.client.post(f"{MINE}/{self.subject}/{kind}", json=body | changes, headers=self.bearer)


@pytest.fixture
def caller(app: Flask, client: FlaskClient, tmp_path: Path) -> Caller:
    return Caller(app, client, tmp_path)


def test_the_checklist_says_what_is_asked_and_what_comes_next(caller: Caller) -> None:
    answer = caller.client.get(MINE, headers=caller.bearer)
    (some,) = answer.json["lists"]
    assert some["subject"] == caller.subject
    rows = {row["kind"]: row for row in some["rows"]}
    assert list(rows) == [
        "medical_certificate",
        "accident_insurance",
        "vaccination_certificate",
        "nucleic_acid_report",
        "health_code",
        "waiver",
    ]
    report = rows["nucleic_acid_report"]
    assert (report["state"], report["next_step"], report["clause"]) == ("missing", "hand_in", "三(一)5")
    assert (report["earliest"], report["due"]) == ("2021-11-27", None)
    assert rows["accident_insurance"]["valid_on"] == ["2021-12-02", "2021-12-05"]
    assert [each["name"] for each in report["fields"]] == ["sampled_on", "result"]
    assert report["open_places"] == ["pages", "result", "sampled_on"]


def test_a_document_is_handed_in_read_and_taken_back(caller: Caller) -> None:
    answer = caller.hand_in()
    assert answer.status_code == 201
    assert (answer.json["row"]["state"], answer.json["values"]) == ("uploaded", {"issued_on": "2021-10-20"})
    assert answer.json["deleted_on"] == "2022-03-06"
    assert caller.hand_in().json["revision"] == 1
    address = f"{MINE}/{caller.subject}/medical_certificate"
    assert caller.client.get(address, headers=caller.bearer).json == answer.json
    assert caller.client.delete(address, headers=caller.bearer).status_code == 204
    assert caller.client.get(address, headers=caller.bearer).json["values"] == {}


def test_a_refusal_is_a_problem_with_the_path_of_each_field(caller: Caller) -> None:
    answer = caller.hand_in("accident_insurance", values={"valid_from": "2021-12-03"}, uploads=[])
    assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert answer.json["code"] == "document_refused"
    assert answer.json["clause"] == "三(一)4"
    assert {each["pointer"] for each in answer.json["errors"]} == {
        "/values/valid_from",
        "/values/valid_to",
        "/uploads",
    }


@pytest.mark.parametrize("values", [{"issued_on": 3}, {"issued_on": None}, "no", {"x" * 41: "y"}])
def test_values_of_another_shape_are_refused_by_name(caller: Caller, values: object) -> None:
    answer = caller.hand_in(values=values)
    assert answer.status_code == 422
    assert all(each["pointer"].startswith("/values") for each in answer.json["errors"])


def test_the_committee_asks_and_sees_what_it_asked_for(caller: Caller) -> None:
    body = {"kind": "waiver", "until": "2021-11-30"}
    asked = caller.client.post(REQUESTS, json=body, headers=caller.committee)
    assert asked.status_code == 201
    body["until"] = "2021-12-01"
    caller.client.post(REQUESTS, json=body, headers=caller.committee)
    (request,) = caller.client.get(REQUESTS, headers=caller.committee).json
    assert (request["kind"], request["subject"], request["until"]) == ("waiver", "", "2021-12-01")
    lists = caller.client.get(MINE, headers=caller.bearer).json["lists"]
    waiver = next(row for row in lists[0]["rows"] if row["kind"] == "waiver")
    assert waiver["due"] == {"day": "2021-12-01", "at": None, "clause": "三(一)5"}


def test_nobody_else_sees_or_asks(caller: Caller) -> None:
    with caller.app.app_context():
        other: Actor = registrations.submitted(2)
        bearer = accounts.bearer(caller.app, other)
    address = f"{MINE}/{caller.subject}/waiver"
    assert caller.client.get(MINE).status_code == 401
    assert caller.client.get(address, headers=bearer).status_code == 404
    assert caller.client.delete(address, headers=bearer).status_code == 404
    assert caller.client.get(REQUESTS, headers=bearer).status_code == 403
    assert caller.client.post(REQUESTS, json={}, headers=bearer).status_code == 403
