"""The API of the floor: the same acts as the pages, by the same services."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from tests.app.floor.test_pages import PLAYING, Hall
from tests.factories import accounts

Travel = Callable[[datetime], None]


class Api(Hall):
    """The hall, spoken to as programs do."""

    def send(self, method: str, path: str, who: str | None = None, **body: Any) -> Any:
        with self.app.app_context():
            headers = accounts.bearer(self.app, self.people[who]) if who else {}
        return self.client.open(
            f"/api/v1{path}", method=method, headers=headers, json=None if method == "GET" else body
        )

    def floor(self) -> dict[str, Any]:
        found: dict[str, Any] = self.send("GET", "/competitions/beach/floor").json
        return found


@pytest.fixture
def api(app: Flask, client: FlaskClient, travel: Travel) -> Api:
    return Api(app, client, travel)


ROUND = "/competitions/beach/rounds/prelim/1"


def test_a_round_is_run_through_the_api_and_everybody_reads_how_far_it_is(api: Api) -> None:
    assert api.floor()["rounds"][0]["state"] == "drawn"
    terms = {
        "confirmation": "players",
        "publication": "by_round",
        "round_minutes": 60,
        "call_minutes": 10,
    }
    assert api.send("PUT", "/competitions/beach/floor/terms", "committee", **terms).json == terms
    assert api.send("PUT", "/competitions/beach/floor/terms", "chief", **terms).status_code == 403
    at = (PLAYING + timedelta(minutes=15)).isoformat()
    assert api.send("PUT", f"{ROUND}/schedule", "chief", scheduled_at=at).status_code == 200
    assert api.send("POST", f"{ROUND}/opening", "chief").json["state"] == "open"
    started = api.send("POST", f"{ROUND}/clock", "chief").json
    assert started["clock"]["seconds_left"] == 3600
    assert started["held_back"] is True
    early = api.send("POST", f"{ROUND}/time-call", "chief")
    assert early.status_code == 409
    assert early.json["clause"]
    api.travel(PLAYING + timedelta(minutes=51))
    assert api.send("POST", f"{ROUND}/time-call", "chief").status_code == 200
    assert api.floor()["notices"][0]["text_en"] == "10 minutes left in this round."
    assert api.send("POST", f"{ROUND}/end", "chief").json["state"] == "ended"
    assert api.send("POST", f"{ROUND}/lock", "chief").status_code == 409
    assert api.send("POST", f"{ROUND}/end", "referee").status_code == 403
    assert api.send("POST", "/competitions/beach/rounds/prelim/7/end", "chief").status_code == 404


def test_referees_are_assigned_through_the_api(api: Api) -> None:
    referee = api.people["referee"].user_id
    spread = api.send("POST", f"{ROUND}/referees/spread", "chief").json
    assert spread == [{"table": number, "referees": [referee]} for number in (1, 2, 3)]
    placed = [{"table": 2, "referees": []}]
    assert api.send("PUT", f"{ROUND}/referees", "chief", placed=placed).json[1]["referees"] == []
    mine = api.send("GET", "/competitions/beach/my-tables", "referee").json
    assert [each["table"] for each in mine] == [1, 3]
    assert mine[0]["token"] == api.table.token


def test_a_player_acts_by_the_token_of_his_card(api: Api) -> None:
    own = f"/players/{api.player.token}"
    shown = api.send("GET", own).json
    assert shown["place"]["table"] == 1
    assert shown["arrived_at"] is None
    assert "pin" not in shown
    called = api.send("POST", f"{own}/calls", note="请看一下", idempotency_key="k" * 12)
    assert called.status_code == 201
    (call,) = called.json["calls"]
    queue = api.send("GET", "/competitions/beach/calls", "referee").json
    assert [(each["id"], each["note"], each["caller"]) for each in queue] == [
        (call["id"], "请看一下", api.player.entrant.name)
    ]
    taken = api.send("POST", f"/competitions/beach/calls/{call['id']}/taking", "referee").json
    assert taken["taken_at"] is not None
    closed = api.send("POST", f"/competitions/beach/calls/{call['id']}/closing", "referee", outcome="已解释")
    assert closed.json["outcome"] == "已解释"
    assert api.send("POST", f"{own}/arrival").json["arrived_at"] is not None
    assert api.send("GET", "/players/" + "x" * 32).status_code == 404
    own_call = api.send("POST", f"{own}/calls", kind="chief", idempotency_key="m" * 12).json["calls"][0]
    assert api.send("POST", f"{own}/calls/{own_call['id']}/withdrawal").json["calls"] == []


def test_a_call_of_another_competition_is_not_found(api: Api) -> None:
    call = api.send(
        "POST", f"/tables/{api.table.token}/calls", "referee", kind="chief", idempotency_key="k" * 12
    )
    assert call.status_code == 201
    assert api.send("POST", "/competitions/beach/calls/999999/taking", "referee").status_code == 404
    assert (
        api.send("POST", f"/competitions/nowhere/calls/{call.json['id']}/taking", "referee").status_code
        == 404
    )


def test_arrivals_are_noted_with_exact_minutes(api: Api) -> None:
    first, second, third = (f"e{seat.entry_id}" for seat in api.table.seats)
    api.send("PUT", f"{ROUND}/schedule", "chief", scheduled_at=PLAYING.isoformat())
    api.travel(PLAYING + timedelta(minutes=6, seconds=30))
    api.send("POST", f"{ROUND}/arrivals", "referee", entrant=first, way="card")
    noted = api.send("POST", f"{ROUND}/arrivals", "referee", entrant=second, at="2021-12-03T09:00:00")
    late = {each["entrant"]: each["minutes_late"] for each in noted.json["arrived"]}
    assert late == {first: "13/2", second: "0"}
    assert third in noted.json["missing"]
    back = api.send("POST", f"{ROUND}/arrivals/withdrawal", "referee", entrant=first)
    assert first in back.json["missing"]
    ahead = (clock.now() + timedelta(minutes=1)).isoformat()
    assert api.send("POST", f"{ROUND}/arrivals", "referee", entrant=third, at=ahead).status_code == 422


def test_cards_are_given_to_who_makes_them_and_to_nobody_else(api: Api) -> None:
    given = api.send("POST", "/competitions/beach/player-cards", "chief").json
    assert {each["token"] for each in given} == {card.token for card in api.cards.values()}
    assert api.send("POST", "/competitions/beach/player-cards", "referee").status_code == 403
    entrant = f"e{api.player.entrant.entry_id}"
    renewed = api.send("POST", f"/competitions/beach/player-cards/{entrant}/renewal", "chief").json
    assert renewed["token"] != api.player.token
    opened = api.send(
        "POST", "/competitions/beach/player-token", number=api.player.number, pin=renewed["pin"]
    )
    assert opened.json == {"token": renewed["token"]}
    wrong = api.send("POST", "/competitions/beach/player-token", number=api.player.number, pin="x")
    assert wrong.status_code == 422
    assert wrong.json["errors"]


def test_announcements_are_made_and_withdrawn_through_the_api(api: Api) -> None:
    made = api.send(
        "POST", "/competitions/beach/notices", "chief", text="午餐 12:00", idempotency_key="k" * 12
    )
    assert made.status_code == 201
    assert [each["text"] for each in api.send("GET", "/competitions/beach/notices").json] == ["午餐 12:00"]
    left = api.send("POST", f"/competitions/beach/notices/{made.json['id']}/withdrawal", "chief")
    assert left.json == []
    refused = api.send(
        "POST", "/competitions/beach/notices", "referee", text="午餐", idempotency_key="m" * 12
    )
    assert refused.status_code == 403
