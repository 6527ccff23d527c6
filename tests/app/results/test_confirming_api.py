"""Confirming through the JSON API, as programs and the simulation do it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Role
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.floor.rules import Confirmation, Publication
from tests.factories import accounts, results, sheets
from tests.factories.publications import Travel

API = "/api/v1"


@pytest.fixture
def drawn(app: Flask, travel: Travel) -> RoundView:
    with app.app_context():
        return results.prelim(travel)


@pytest.fixture
def headers(app: Flask, drawn: RoundView) -> dict[str, dict[str, str]]:
    with app.app_context():
        second = accounts.user(9102, Role.REFEREE, competition_id=competitions.competition_id("beach"))
        people = {"referee": results.referee(), "chief": results.chief(), "second": second}
        return {name: accounts.bearer(app, person) for name, person in people.items()}


def word(**changes: Any) -> dict[str, Any]:
    return {"revision": 1, "idempotency_key": results.key()} | changes


def test_a_sheet_is_confirmed_by_card_pin_and_signature(
    app: Flask, client: FlaskClient, drawn: RoundView, headers: dict[str, dict[str, str]]
) -> None:
    table = drawn.tables[0]
    with app.app_context():
        sheets.terms(drawn.event_id, confirmation=Confirmation.PLAYERS)
        cards = sheets.cards(drawn.event_id)
        sheets.handed_in(table)
    one, two, three = (seat.entry_id for seat in table.seats)
    address = f"{API}/tables/{table.token}"
    assert client.get(f"{API}/cards/{cards[one].token}/sheets").json[0]["waiting_for"] == [
        f"e{one}",
        f"e{two}",
        f"e{three}",
    ]
    answer = client.post(f"{address}/confirmations", json=word(card=cards[one].token))
    assert (answer.status_code, answer.json["state"]) == (201, "entered")
    answer = client.post(f"{address}/confirmations", json=word(entrant=f"e{two}", pin="x"))
    assert (answer.status_code, answer.json["errors"][0]["detail"][:5]) == (422, "PIN 不")
    assert (
        client.post(f"{address}/confirmations", json=word(entrant=f"e{two}", pin=cards[two].pin)).status_code
        == 201
    )
    signed = word(entrant=f"e{three}", signature=sheets.STROKES)
    assert client.post(f"{address}/confirmations", json=signed).status_code == 401
    answer = client.post(f"{address}/confirmations", json=signed, headers=headers["referee"])
    assert answer.json["state"] == "confirmed"
    told = client.get(address, headers=headers["referee"]).json
    assert (told["published_revision"], told["in_force"], told["confirmation"]) == (1, True, "players")
    assert [each["way"] for each in told["words"]] == ["card", "pin", "signature"]
    assert "words" not in client.get(f"{API}/cards/{cards[one].token}/sheets").json[0]


def test_a_dispute_is_decided_and_a_side_spoken_for(
    app: Flask, client: FlaskClient, drawn: RoundView, headers: dict[str, dict[str, str]]
) -> None:
    table = drawn.tables[0]
    with app.app_context():
        sheets.terms(drawn.event_id, confirmation=Confirmation.PLAYERS)
        cards = sheets.cards(drawn.event_id)
        sheets.handed_in(table)
    one, *others = (seat.entry_id for seat in table.seats)
    address = f"{API}/tables/{table.token}"
    answer = client.post(f"{address}/disputes", json=word(card=cards[one].token, note="第三副记错"))
    assert answer.json["state"] == "disputed"
    decision = {
        "base_revision": 1,
        "idempotency_key": results.key(),
        "decision": "send_back",
        "reason": "核对原牌",
    }
    assert (
        client.post(f"{address}/dispute-decisions", json=decision, headers=headers["referee"]).status_code
        == 403
    )
    answer = client.post(f"{address}/dispute-decisions", json=decision, headers=headers["chief"])
    assert answer.json == {"state": "open", "revision": 2, "repeated": False}
    with app.app_context():
        sheets.handed_in(table)
    for entry in others:
        client.post(f"{address}/confirmations", json=word(card=cards[entry].token, revision=3))
    answer = client.post(
        f"{address}/confirmations-by-ruling",
        json=word(entrant=f"e{one}", reason="已离开赛场", revision=3),
        headers=headers["chief"],
    )
    assert answer.json["state"] == "confirmed"


def test_a_second_referee_enters_a_sheet_he_does_not_see(
    app: Flask, client: FlaskClient, drawn: RoundView, headers: dict[str, dict[str, str]]
) -> None:
    table = drawn.tables[0]
    with app.app_context():
        sheets.terms(drawn.event_id, confirmation=Confirmation.BLIND)
        deals = results.deals(table)
        sheets.handed_in(table, records=deals)
    address = f"{API}/tables/{table.token}"
    seen = client.get(address, headers=headers["second"]).json
    assert (seen["deals"], seen["awaits_second"]) == ([], True)
    assert client.get(f"{address}/revisions", headers=headers["second"]).json == {"revisions": []}
    assert len(client.get(address, headers=headers["referee"]).json["deals"]) == 10
    body = {"base_revision": 1, "idempotency_key": results.key(), "deals": deals}
    assert client.post(f"{address}/blind-entries", json=body, headers=headers["referee"]).status_code == 403
    answer = client.post(f"{address}/blind-entries", json=body, headers=headers["second"])
    assert answer.json["state"] == "confirmed"


def test_a_round_is_published_and_what_blocks_it_is_named(
    app: Flask, client: FlaskClient, drawn: RoundView, headers: dict[str, dict[str, str]]
) -> None:
    with app.app_context():
        sheets.terms(drawn.event_id, publication=Publication.BY_ROUND)
        for table in drawn.tables[1:]:
            sheets.handed_in(table)
    address = f"{API}/competitions/beach/draws/prelim/1/publication"
    answer = client.post(address, headers=headers["chief"])
    assert answer.status_code == 409
    assert answer.json["tables"] == [drawn.tables[0].number]
    with app.app_context():
        sheets.handed_in(drawn.tables[0])
    assert client.get(f"{API}/competitions/beach/standings").json["provisional"]
    answer = client.post(address, headers=headers["chief"])
    assert answer.json == {"tables": [table.number for table in drawn.tables]}
    assert client.post(address, headers=headers["chief"]).json == {"tables": []}
    assert client.post(address, headers=headers["referee"]).status_code == 403


def test_a_device_holds_the_sheet_and_another_takes_it_over(
    client: FlaskClient, drawn: RoundView, headers: dict[str, dict[str, str]]
) -> None:
    table = drawn.tables[0]
    address = f"{API}/tables/{table.token}"

    def record(revision: int, device: str, **more: Any) -> Any:
        deals = [results.deal(results.seats(table)[0])] * (revision + 1)
        body = {
            "base_revision": revision,
            "deals": deals,
            "idempotency_key": results.key(),
            "device_id": device,
            **more,
        }
        return client.post(f"{address}/revisions", json=body, headers=headers["referee"])

    assert record(0, "phone-one").json["holder"]["role"] == "referee"
    refused = record(1, "phone-two")
    assert (refused.status_code, refused.json["same_person"]) == (409, True)
    taken = {"device_id": "phone-two", "reason": "原手机没电"}
    assert client.post(f"{address}/takeovers", json=taken, headers=headers["referee"]).status_code == 201
    assert record(1, "phone-two").status_code == 201
    assert record(2, "phone-one").status_code == 409
    assert record(2, "phone-one", takeover_reason="换回来").status_code == 201
