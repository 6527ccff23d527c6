"""The sheet through the JSON API: golden deals, refusals with pointers, conflicts with both versions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Role
from app.draws.queries import TableView
from tests.factories import accounts, registrations, results

Travel = Callable[[datetime], None]


@pytest.fixture
def table(app: Flask, travel: Travel) -> TableView:
    with app.app_context():
        return results.prelim(travel).tables[0]


@pytest.fixture
def referee(app: Flask, table: TableView) -> dict[str, str]:
    with app.app_context():
        return accounts.bearer(app, results.referee())


def body(table: TableView, deals: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    usual = {"base_revision": 0, "deals": deals, "handed_in": False, "idempotency_key": results.key()}
    return usual | changes


GOLDEN = [
    ({"bid": 1, "winner": "landlord"}, -1, 2),
    ({"bid": 1, "winner": "defenders"}, 1, -2),
    ({"bid": 2, "bombs": 1, "winner": "landlord"}, -4, 8),
    ({"bid": 3, "rockets": 1, "bombs": 2, "spring": True, "winner": "landlord"}, -48, 96),
    ({"bid": 3, "anti_spring": True, "winner": "defenders"}, 6, -12),
    ({"bid": 2, "rockets": 1, "anti_spring": True, "winner": "defenders"}, 8, -16),
    ({"bid": 2, "winner": "landlord"}, -2, 4),
]


def test_golden_deals_score_as_the_regulation_says(
    client: FlaskClient, table: TableView, referee: dict[str, str]
) -> None:
    first, second, third = results.seats(table)
    deals = [{"landlord": first} | deal for deal, _, _ in GOLDEN] + [{"passed_out": True}]
    answer = client.post(f"/api/v1/tables/{table.token}/revisions", json=body(table, deals), headers=referee)
    assert answer.status_code == 201, answer.json
    scores = [deal["scores"] for deal in answer.json["deals"]]
    assert scores[:-1] == [{first: landlord, second: each, third: each} for _, each, landlord in GOLDEN]
    assert scores[-1] == {first: 0, second: 0, third: 0}
    assert sum(answer.json["totals"].values()) == 0
    assert answer.json["next_first_bidder"] == third


def test_a_wrong_deal_is_refused_at_its_pointer_with_the_clause(
    client: FlaskClient, table: TableView, referee: dict[str, str]
) -> None:
    first = results.seats(table)[0]
    deals = [results.deal(first), results.deal(first, bid=4)]
    answer = client.post(f"/api/v1/tables/{table.token}/revisions", json=body(table, deals), headers=referee)
    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    assert answer.json["errors"][0]["pointer"] == "/deals/1/bid"
    assert answer.json["clause"].startswith("四")
    assert client.get(f"/api/v1/tables/{table.token}", headers=referee).json["revision"] == 0


def test_an_eleventh_deal_is_refused_whole(
    client: FlaskClient, table: TableView, referee: dict[str, str]
) -> None:
    answer = client.post(
        f"/api/v1/tables/{table.token}/revisions",
        json=body(table, results.deals(table, count=11)),
        headers=referee,
    )
    assert (answer.status_code, answer.json["clause"]) == (422, "四(二)初赛")
    assert answer.json["errors"][0]["pointer"] == "/deals"


def test_an_outdated_revision_answers_409_with_both_versions(
    client: FlaskClient, table: TableView, referee: dict[str, str]
) -> None:
    first, second, _ = results.seats(table)
    url = f"/api/v1/tables/{table.token}/revisions"
    client.post(url, json=body(table, [results.deal(first)]), headers=referee)
    answer = client.post(url, json=body(table, [results.deal(second)]), headers=referee)
    assert answer.status_code == 409
    assert answer.json["current"]["deals"][0]["landlord"] == first
    assert answer.json["sent"]["deals"][0]["landlord"] == second
    assert answer.json["code"] == "conflict"


def test_a_retry_with_the_same_key_is_answered_like_the_first_time(
    client: FlaskClient, table: TableView, referee: dict[str, str]
) -> None:
    sent = body(table, results.deals(table), handed_in=True)
    url = f"/api/v1/tables/{table.token}/revisions"
    first, again = (client.post(url, json=sent, headers=referee) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json == again.json
    assert first.json["state"] == "confirmed"
    history = client.get(f"/api/v1/tables/{table.token}/revisions", headers=referee).json
    assert len(history["revisions"]) == 1


def test_the_sheet_is_for_referees_of_this_competition(
    client: FlaskClient, app: Flask, table: TableView, referee: dict[str, str]
) -> None:
    url = f"/api/v1/tables/{table.token}"
    assert client.get(url).status_code == 401
    with app.app_context():
        stranger = accounts.bearer(app, accounts.user(77))
    refused = client.get(url, headers=stranger)
    assert refused.status_code == 403
    assert "裁判员" in refused.json["detail"]
    assert client.get(url, headers=referee).json["seats"][0]["name"] == table.seats[0].name


def test_a_referee_of_another_competition_is_refused(
    client: FlaskClient, app: Flask, table: TableView
) -> None:
    with app.app_context():
        elsewhere = registrations.competition("elsewhere")
        other = accounts.user(78, Role.REFEREE, competition_id=elsewhere.id)
        headers = accounts.bearer(app, other)
    assert client.get(f"/api/v1/tables/{table.token}", headers=headers).status_code == 403
    sent = body(table, results.deals(table))
    assert (
        client.post(f"/api/v1/tables/{table.token}/revisions", json=sent, headers=headers).status_code == 403
    )


def test_an_unknown_token_is_not_found(client: FlaskClient, referee: dict[str, str]) -> None:
    assert client.get("/api/v1/tables/nothing", headers=referee).status_code == 404


def test_the_chief_referee_gives_a_sheet_back_for_correction(
    client: FlaskClient, app: Flask, table: TableView, referee: dict[str, str]
) -> None:
    client.post(
        f"/api/v1/tables/{table.token}/revisions",
        json=body(table, results.deals(table), handed_in=True),
        headers=referee,
    )
    with app.app_context():
        chief = accounts.bearer(app, results.chief())
    sent = {"base_revision": 1, "idempotency_key": results.key(), "reason": "第三副叫分记错"}
    url = f"/api/v1/tables/{table.token}/reopening"
    assert client.post(url, json=sent, headers=referee).status_code == 403
    answer = client.post(url, json=sent, headers=chief)
    assert (answer.status_code, answer.json["state"], answer.json["revision"]) == (201, "open", 2)
    assert answer.json["confirmed_revision"] == 1
