"""Pairs as JSON, from the agreement to the approved list: 拖拉机 entered by a unit, 八十分 by the players themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from tests.factories import accounts, pairs, people, registrations
from tests.factories.pairs import EIGHTY, SLUG, TRACTOR
from tests.factories.publications import Travel

API = "/api/v1/competitions"
Call = Callable[..., Any]


@pytest.fixture
def call(app: Flask, client: FlaskClient) -> Call:
    """``call(person, "post", "/pairs", {…})`` under the competition of this test."""

    def send(person: Actor | None, method: str, path: str, body: Any = None) -> Any:
        headers = accounts.bearer(app, person) if person else {}
        return client.open(f"{API}/{SLUG}{path}", method=method.upper(), json=body, headers=headers)

    return send


@pytest.mark.parametrize("regulation", [TRACTOR, EIGHTY])
def test_from_the_competition_to_the_approved_list(
    app: Flask, client: FlaskClient, call: Call, travel: Travel, regulation: str
) -> None:
    travel(pairs.DURING_ENTRIES[regulation])
    with app.app_context():
        organiser = accounts.user(registrations.ORGANISER, registrations.Role.ORGANISER)
        entrants = [accounts.user(serial) for serial in (1, 2)]
    body = {"regulation": regulation, "place": "文化馆", "slug": SLUG, "name": "双人赛"}
    made = client.post(
        API, json=body | {"calendar": pairs.DAYS_OF_PLAY[regulation]}, headers=accounts.bearer(app, organiser)
    )
    assert made.status_code == 201
    for serial, person in enumerate(entrants, start=1):
        assert call(person, "post", "/consent", {"agreed": True}).status_code == 200
        if regulation == TRACTOR:
            unit = registrations.unit_form(serial, credit_code="")
            assert call(person, "put", "/unit", unit).status_code == 200
        added = call(person, "post", "/pairs", {"members": pairs.form(serial)})
        assert added.status_code == 201
        first = people.id_number(2 * serial - 1)
        assert added.json["members"][0]["id_number"] == f"{first[:4]}**********{first[-4:]}"
        assert (
            added.json["name"] == f"{people.person_name(2 * serial - 1)} / {people.person_name(2 * serial)}"
        )
        handed_in = call(person, "post", "/submission", {"idempotency_key": "once-and-only"}).json
        assert [each["state"] for each in handed_in["entries"]] == ["submitted"]
        assert len(handed_in["members"]) == 2
    committee = organiser
    listed = call(committee, "get", "/entries").json
    assert listed["counts"]["submitted"] == 2
    assert all(each["eligible"] and len(each["members"]) == 2 for each in listed["entries"])
    approve = [{"entry_id": each["entry_id"], "decision": "approve"} for each in listed["entries"]]
    decided = call(committee, "post", "/decisions", {"decisions": approve}).json
    assert [each["state"] for each in decided["entries"]] == ["approved", "approved"]
    document = call(None, "get", "/event-file").json
    assert [each["name"] for each in document["entrants"]] == [each["name"] for each in decided["entries"]]
    assert [each["players"] for each in document["entrants"]] == [
        [people.person_name(2 * serial - 1), people.person_name(2 * serial)] for serial in (1, 2)
    ]
    said = json.dumps([listed, decided, document])
    assert not any(people.id_number(serial) in said for serial in range(1, 5))
    assert not any(people.phone(1000 + serial) in said for serial in range(1, 5))


def test_wrong_fields_of_both_players_carry_their_place(app: Flask, call: Call, travel: Travel) -> None:
    with app.app_context():
        pairs.competition(travel, EIGHTY)
        person = pairs.entrant(1)
    wrong = pairs.form(1, first={"declared": {}}, second={"id_number": "1", "phone": ""})
    answer = call(person, "post", "/pairs", {"members": wrong})
    assert answer.status_code == 422
    assert (answer.json["code"], answer.json["clause"]) == ("member_refused", "四")
    assert [each["pointer"] for each in answer.json["errors"]] == [
        "/members/0/declared/union_members",
        "/members/1/id_number",
        "/members/1/phone",
    ]
    shoe = call(person, "post", "/pairs", {"members": [pairs.player(1) | {"declared": {"tall": True}}]})
    assert shoe.status_code == 422
    three = call(person, "post", "/pairs", {"members": [*pairs.form(1), pairs.player(9)]})
    assert three.status_code == 422
    assert call(person, "get", "/my").json["entries"] == []


def test_a_pair_is_changed_and_removed_by_who_entered_it_alone(
    app: Flask, call: Call, travel: Travel
) -> None:
    with app.app_context():
        pairs.competition(travel, EIGHTY)
        person, other = pairs.entrant(1), pairs.entrant(2)
    entry = call(person, "post", "/pairs", {"members": pairs.form(1)}).json["entry_id"]
    kept = [
        each | {"id_number": "", "phone": ""} for each in pairs.form(1, second={"unit_name": "区图书馆工会"})
    ]
    changed = call(person, "put", f"/pairs/{entry}", {"members": kept})
    assert (changed.status_code, changed.json["members"][1]["unit_name"]) == (200, "区图书馆工会")
    assert (
        call(other, "put", f"/pairs/{entry}", {"members": kept}).status_code == 409
    )  # nothing of his own yet
    call(other, "post", "/pairs", {"members": pairs.form(2)})
    assert call(other, "put", f"/pairs/{entry}", {"members": kept}).status_code == 404
    assert call(other, "delete", f"/pairs/{entry}").status_code == 404
    assert call(None, "delete", f"/pairs/{entry}").status_code == 401
    assert call(person, "delete", f"/pairs/{entry}").status_code == 204
    assert call(person, "get", "/my").json["entries"] == []
