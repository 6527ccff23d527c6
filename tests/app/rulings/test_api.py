"""The API of rulings."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.draws.queries import TableView
from app.draws.rules import entry_of
from scoring_engine.values import EntrantId
from tests.factories import accounts, registrations, results, rulings
from tests.factories.publications import Travel

RULINGS = "/api/v1/competitions/beach/rulings"


@pytest.fixture
def table(app: Flask, travel: Travel) -> TableView:
    with app.app_context():
        return results.prelim(travel).tables[0]


def headers(app: Flask, who: Any) -> dict[str, str]:
    with app.app_context():
        return accounts.bearer(app, who())


def sent(table: TableView, code: str = "smoking", **more: Any) -> dict[str, Any]:
    return {"code": code, "entry_ids": [int(entry_of(EntrantId(results.seats(table)[0])))]} | more


def test_choices_previews_rulings_and_withdrawals(app: Flask, client: FlaskClient, table: TableView) -> None:
    with app.app_context():
        results.all_confirmed(table.event_id)
    choices = client.get(f"{RULINGS}/choices").json
    smoking = next(each for each in choices if each["code"] == "smoking")
    assert (smoking["clause"], smoking["effect"]) == ("四(二)8(五)", "每次扣 3 分")
    chief = headers(app, results.chief)
    at = f"/api/v1/tables/{table.token}/rulings"
    shown = client.post(f"{at}/preview", json=sent(table, count=7), headers=chief)
    assert shown.status_code == 200, shown.json
    assert shown.json["cost"] == "-21"
    assert shown.json["impact"]["placings"]
    assert shown.json["lines"]
    body = sent(table, count=7, reason="当场看到", idempotency_key="api-ruling-1", previewed="-21")
    made = client.post(at, json=body, headers=chief)
    assert made.status_code == 201, made.json
    (ruling,) = made.json["rulings"]
    assert client.post(at, json=body, headers=chief).json["rulings"][0]["id"] == ruling["id"]
    with app.app_context():
        rulings.standing()
    (public,) = client.get(RULINGS).json
    assert (public["rule"], public["clause"], public["table"], public["effect"]) == (
        "在禁烟区域吸烟",
        "四(二)8(五)",
        table.number,
        "得分 −21",
    )
    assert "reason" not in public
    (record,) = client.get(f"{RULINGS}/records", headers=headers(app, committee)).json
    assert record["reason"] == "当场看到"
    withdrawal = f"{RULINGS}/{ruling['id']}/withdrawal"
    assert client.get(withdrawal, headers=chief).json["impact"]["placings"]
    gone = client.post(withdrawal, json={"reason": "看错了人"}, headers=chief)
    assert gone.status_code == 200
    assert gone.json["withdrawn_reason"] == "看错了人"
    again = client.post(withdrawal, json={"reason": "看错了人"}, headers=chief)
    assert again.status_code == 409


def committee() -> Any:
    return registrations.committee("beach")


def test_who_may_not_is_told_and_nothing_is_public_that_is_not(
    app: Flask, client: FlaskClient, table: TableView
) -> None:
    at = f"/api/v1/tables/{table.token}/rulings"
    body = sent(table, reason="当场看到", idempotency_key="api-ruling-2")
    assert client.post(at, json=body).status_code == 401
    assert client.post(at, json=body, headers=headers(app, committee)).status_code == 403
    assert client.post(f"{at}/preview", json=sent(table), headers=headers(app, committee)).status_code == 403
    assert client.get(f"{RULINGS}/records").status_code == 401
    assert client.post(at, json=body, headers=headers(app, results.referee)).status_code == 201
    assert client.get(RULINGS).json == []


def test_what_is_wrong_is_named_by_its_field(app: Flask, client: FlaskClient, table: TableView) -> None:
    referee = headers(app, results.referee)
    at = f"/api/v1/tables/{table.token}/rulings/preview"
    for body, field in (
        (sent(table, "signals"), "deal"),
        (sent(table, minutes="bald"), "minutes"),
        (sent(table, "no_such"), "code"),
        (sent(table) | {"entry_ids": [4711]}, "entry_ids"),
    ):
        refused = client.post(at, json=body, headers=referee)
        assert refused.status_code == 422, body
        assert field in str(refused.json), body
