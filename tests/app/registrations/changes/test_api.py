"""The API of changes after the deadline: applied for, taken back, decided."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.factories import accounts, changes, registrations

Travel = Callable[[datetime], None]
PATH = "/api/v1/competitions/beach/changes"


def test_from_the_application_to_the_decision(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        registrations.competition()
        person = registrations.approved(1)
        travel(changes.LATE)
        token = changes.letter(person)
        committee = registrations.committee()
    mine, staff = accounts.bearer(app, person), accounts.bearer(app, committee)
    body: dict[str, Any] = {
        "kind": "add",
        "idempotency_key": "api-key-0001",
        "members": [registrations.member_json(900)],
        "uploads": [],
        "reason": "",
    }
    refused = client.post(PATH, json=body, headers=mine)
    assert refused.status_code == 422
    assert {each["pointer"] for each in refused.get_json()["errors"]} == {"/reason", "/uploads"}
    body |= {"uploads": [token], "reason": "原选手受伤住院"}
    sent = client.post(PATH, json=body, headers=mine)
    assert sent.status_code == 201
    assert client.post(PATH, json=body, headers=mine).get_json() == sent.get_json()
    assert sent.get_json()["state"] == "waiting"
    assert registrations.member_form(900)["id_number"] not in sent.text
    (listed,) = client.get("/api/v1/competitions/beach/my/changes", headers=mine).get_json()["applications"]
    assert listed["number"] == 1
    assert client.get(PATH, headers=mine).status_code == 403
    granted = client.post(f"{PATH}/1/decision", json={"grant": True}, headers=staff)
    assert granted.get_json()["state"] == "granted"
    late = client.delete(f"{PATH}/1", headers=mine)
    assert late.status_code == 409
    assert late.get_json()["standing"]["state"] == "granted"
    withdrawn = client.post(
        PATH,
        json={
            "kind": "withdraw",
            "idempotency_key": "api-key-0002",
            "entry_id": granted.get_json()["made_entry_id"],
        },
        headers=mine,
    )
    assert withdrawn.get_json()["state"] == "granted"
