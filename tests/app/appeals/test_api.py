"""A whole appeal through the API: clocks, oral, written, fee, hearing, effect, decision, refund, ledger."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.results import queries as sheets
from tests.app.appeals.conftest import END, Travel, set_scene
from tests.factories import accounts, results
from tests.factories import appeals as make

ROOT = "/api/v1/competitions/beach"


class Api:
    def __init__(self, app: Flask, client: FlaskClient) -> None:
        self.app, self.client = app, client

    def post(self, who: Actor | None, path: str, body: dict[str, Any], status: int = 200) -> Any:
        with self.app.app_context():
            headers = accounts.bearer(self.app, who) if who else {}
        answer = self.client.post(f"{ROOT}/{path}", json=body, headers=headers)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.get_json(silent=True)

    def get(self, who: Actor | None, path: str, status: int = 200) -> Any:
        with self.app.app_context():
            headers = accounts.bearer(self.app, who) if who else {}
        answer = self.client.get(f"{ROOT}/{path}", headers=headers)
        assert answer.status_code == status, answer.get_data(as_text=True)
        return answer.get_json()


@pytest.fixture
def api(app: Flask, client: FlaskClient) -> Api:
    return Api(app, client)


def test_an_appeal_from_the_clock_to_the_refund(app: Flask, api: Api, travel: Travel) -> None:
    with app.app_context():
        scene = set_scene(travel)
        table, leader, arbiter = scene.table, scene.leader(), scene.arbiter
        referee, chief = results.referee(), results.chief()
        stranger = scene.stranger()
        deals = [{**deal, "winner": "defenders"} for deal in sheets.sheet(table.token).deals]
    (clock,) = api.get(None, "appeals/clocks")
    assert clock["written_until"] == "2021-12-03T02:10:00+00:00"
    assert (clock["fee"], clock["clause"]) == (make.FEE, "四(二)8(十)")
    matter = {
        "stage": table.stage,
        "round": table.round_number,
        "entry_id": table.seats[0].entry_id,
        "subject": "score",
    }
    logged = api.post(
        referee,
        "appeals",
        matter | {"said_at": END.isoformat(), "text": "第 1 副", "idempotency_key": "api-key-0001"},
        201,
    )
    number = logged["number"]
    assert logged["state"] == "oral"
    form = matter | {"text": "各副胜方记反。", "idempotency_key": "api-key-0002"}
    refused = api.post(stranger, "my/appeals", form, 403)
    assert refused["clause"] == "四(二)8(十)"
    receipt = api.post(leader, "my/appeals", form, 201)
    assert (receipt["number"], receipt["state"], receipt["text"]) == (number, "received", "各副胜方记反。")
    assert api.post(leader, "my/appeals", form, 201)["token"] == receipt["token"]
    assert api.get(None, f"appeals/r/{receipt['token']}")["text"] is None, "not without who appeals"
    fee = {"amount": make.FEE, "way": "cash", "idempotency_key": "api-key-0003"}
    paid = api.post(referee, f"appeals/{number}/fee", fee, 201)
    assert paid["number"].endswith("-0001")
    case = api.get(arbiter, f"appeals/{number}")
    hearing = {"revision": case["revision"], "at": "2021-12-03T10:30:00", "place": "竞赛办公室"}
    case = api.post(arbiter, f"appeals/{number}/hearing", hearing)
    minutes = {"revision": case["revision"], "minutes": "双方到场。"}
    case = api.post(arbiter, f"appeals/{number}/minutes", minutes)
    assert case["state"] == "heard"
    assert api.get(arbiter, f"appeals/{number}/effects") == []
    correction = {"deals": deals}
    effect = api.post(arbiter, f"appeals/{number}/effects", {"correction": correction})
    assert effect["document"]["placings"]
    decision = {
        "revision": case["revision"],
        "upheld": True,
        "reasons": "经查记反。",
        "summary": "胜方更正。",
        "correction": correction,
    }
    stale = api.post(arbiter, f"appeals/{number}/decision", decision | {"revision": 1}, 409)
    assert stale["code"] == "appeal_changed"
    wrong = api.post(arbiter, f"appeals/{number}/decision", decision | {"summary": ""}, 422)
    assert "summary" in str(wrong)
    assert api.post(arbiter, f"appeals/{number}/decision", decision)["outcome"]["sheet_revision"] == 2
    refund = {"way": "transfer", "reference": "A-1", "idempotency_key": "api-key-0004"}
    assert api.post(referee, f"appeals/{number}/fee/refund", refund, 201)["number"].endswith("-0002")
    again = refund | {"idempotency_key": "api-key-0005"}
    assert api.post(referee, f"appeals/{number}/fee/refund", again, 409)["code"] == "nothing_held"
    ledger = api.get(chief, "appeal-fees")
    assert (ledger["received"], ledger["refunded"], ledger["kept"], ledger["held"]) == (
        make.FEE,
        make.FEE,
        0,
        0,
    )
    (outcome,) = api.get(None, "appeals/outcomes")
    assert (outcome["number"], outcome["upheld"], outcome["summary"]) == (number, True, "胜方更正。")


def test_a_late_appeal_is_refused_with_window_and_clause(app: Flask, api: Api, travel: Travel) -> None:
    with app.app_context():
        scene = set_scene(travel)
        table, leader = scene.table, scene.leader()
        card = make.card(table.seats[0].entry_id)
    travel(END.replace(minute=10, second=1))
    form = {
        "stage": table.stage,
        "round": table.round_number,
        "subject": "ruling",
        "text": "不服判罚。",
        "oral_at": END.isoformat(),
        "idempotency_key": "api-key-0009",
    }
    for who, path, body in (
        (leader, "my/appeals", form | {"entry_id": table.seats[0].entry_id}),
        (None, f"p/{card}/appeals", form),
    ):
        refused = api.post(who, path, body, 409)
        assert (refused["code"], refused["clause"]) == ("appeal_late", "四(二)8(十)")
        assert refused["next_step"]
