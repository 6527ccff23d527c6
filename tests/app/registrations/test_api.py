"""The same steps as JSON: problem details with pointers, masked answers, the committee's batch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.clock import BEIJING
from app.competitions import queries as competitions
from tests.factories import accounts, people
from tests.factories import registrations as make

BASE = "/api/v1/competitions/beach"


@pytest.fixture(autouse=True)
def competition(app: Flask) -> None:
    with app.app_context():
        make.competition()


@pytest.fixture
def call(app: Flask, client: FlaskClient) -> Callable[..., Any]:
    """``call(person, "put", "/unit", {…})``; without a person the call carries no token."""

    def send(person: Actor | None, method: str, path: str, body: Any = None) -> Any:
        headers = accounts.bearer(app, person) if person else {}
        return client.open(BASE + path, method=method.upper(), json=body, headers=headers)

    return send


def built(app: Flask, factory: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    with app.app_context():
        return factory(*args, **kwargs)


def test_the_whole_way_as_json(app: Flask, call: Callable[..., Any]) -> None:
    leader = built(app, accounts.user, 1)
    assert call(leader, "post", "/consent", {"agreed": True}).json["consented"] is True
    unit = call(leader, "put", "/unit", make.unit_form(1)).json["unit"]
    assert unit["contact_phone"] == "138****0001"
    added = call(leader, "post", "/members", make.member_json(1))
    assert added.status_code == 201
    number = people.id_number(1)
    assert added.json["id_number"] == f"{number[:4]}**********{number[-4:]}"
    member = f"/members/{added.json['id']}"
    change = make.member_json(1, name="赵改", id_number="", phone="")
    assert call(leader, "put", member, change).json["name"] == "赵改"
    assert call(leader, "delete", member).status_code == 204
    assert call(leader, "post", "/members", make.member_json(2)).status_code == 201
    first = call(leader, "post", "/submission", {"idempotency_key": "once-and-only"}).json
    again = call(leader, "post", "/submission", {"idempotency_key": "once-and-only"}).json
    assert first == again == call(leader, "get", "/my").json
    assert first["number"].startswith("BG-")
    committee = built(app, make.committee)
    listed = call(committee, "get", "/entries").json
    assert listed["counts"]["submitted"] == 1
    [entry] = listed["entries"]
    assert entry["eligible"] is True
    assert [judged["met"] for judged in entry["judgements"]] == [True] * 6
    decision = {"entry_id": entry["entry_id"], "decision": "approve", "revision": entry["revision"]}
    decided = call(committee, "post", "/decisions", {"decisions": [decision]})
    assert decided.json["counts"]["approved"] == 1
    assert people.id_number(2) not in decided.get_data(as_text=True) + str(listed)


def test_every_wrong_field_has_its_pointer_and_the_clause(app: Flask, call: Callable[..., Any]) -> None:
    leader = built(app, make.leader)
    form = make.member_json(1, born=date(2004, 1, 1), employment="seconded", name="")
    answer = call(leader, "post", "/members", form)
    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    assert answer.json["code"] == "member_refused"
    assert answer.json["clause"] == "三(一)1"
    assert [error["pointer"] for error in answer.json["errors"]] == ["/name", "/id_number", "/employment"]


def test_what_is_no_text_or_unknown_is_refused(app: Flask, call: Callable[..., Any]) -> None:
    leader = built(app, make.leader)
    answer = call(leader, "post", "/members", make.member_json(1) | {"phone": 13800000001, "shoe": "42"})
    assert answer.status_code == 422
    assert {error["pointer"] for error in answer.json["errors"]} == {"/phone", "/shoe"}


def test_conflicts_are_409(app: Flask, call: Callable[..., Any]) -> None:
    with app.app_context():
        make.member(make.leader(2), 5)
        leader = make.leader(1)
    duplicate = call(leader, "post", "/members", make.member_json(5))
    assert (duplicate.status_code, duplicate.json["code"], duplicate.json["clause"]) == (
        409,
        "duplicate_person",
        "二",
    )
    taken = call(leader, "put", "/unit", make.unit_form(2))
    assert (taken.status_code, taken.json["code"]) == (409, "unit_taken")
    assert people.phone(2) not in taken.get_data(as_text=True)


def test_a_second_past_the_deadline_is_409_with_clause_and_next_step(
    app: Flask, call: Callable[..., Any], travel: Callable[[datetime], None]
) -> None:
    leader = built(app, make.leader)
    travel(datetime(2021, 10, 31, 18, 0, 0, tzinfo=BEIJING))
    assert call(leader, "post", "/members", make.member_json(1)).status_code == 201
    travel(datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING))
    late = call(leader, "post", "/members", make.member_json(2))
    assert (late.status_code, late.json["code"], late.json["clause"]) == (
        409,
        "registration_closed",
        "三(三)1",
    )
    assert "书面申请" in late.json["next_step"]


CALLS = [
    ("post", "/consent", {"agreed": True}),
    ("put", "/unit", {}),
    ("post", "/members", {}),
    ("put", "/members/1", {}),
    ("delete", "/members/1", None),
    ("post", "/submission", {"idempotency_key": "12345678"}),
    ("get", "/my", None),
    ("get", "/entries", None),
    ("post", "/decisions", {"decisions": [{"entry_id": 1, "decision": "approve"}]}),
]


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_every_call_needs_a_signed_in_person(
    call: Callable[..., Any], method: str, path: str, body: Any
) -> None:
    assert call(None, method, path, body).status_code == 401


@pytest.mark.parametrize("role", [None, Role.ORGANISER, Role.CHIEF_REFEREE, Role.REFEREE])
@pytest.mark.parametrize("act", CALLS[-2:])
def test_the_review_is_the_committees_alone(
    app: Flask, call: Callable[..., Any], role: Role | None, act: tuple[str, str, Any]
) -> None:
    with app.app_context():
        here = competitions.competition_id("beach")
        person = accounts.user(60, *([role] if role else []), competition_id=here)
    answer = call(person, *act)
    assert answer.status_code == 403
    assert "组委会" in answer.json["detail"]


def test_another_leaders_member_is_not_found(app: Flask, call: Callable[..., Any]) -> None:
    with app.app_context():
        member = make.member(make.leader(2), 5)
        leader = make.leader(1)
    assert call(leader, "put", f"/members/{member}", make.member_json(6)).status_code == 404
    assert call(leader, "delete", f"/members/{member}").status_code == 404
    assert call(leader, "delete", "/members/99999999999999999999").status_code == 404


def test_a_batch_with_one_wrong_decision_stores_none(app: Flask, call: Callable[..., Any]) -> None:
    with app.app_context():
        make.submitted(1, members=2)
        committee = make.committee()
    first, second = call(committee, "get", "/entries").json["entries"]
    answer = call(
        committee,
        "post",
        "/decisions",
        {
            "decisions": [
                {"entry_id": first["entry_id"], "decision": "approve"},
                {"entry_id": second["entry_id"], "decision": "reject"},
            ]
        },
    )
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json["errors"]] == ["/decisions/1/reason"]
    assert call(committee, "get", "/entries").json["counts"]["submitted"] == 2
