"""The API says and does what the pages do."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from tests.conftest import NOON
from tests.factories import accounts, announcements, people

SLUG = "beach-2021"
API = f"/api/v1/competitions/{SLUG}/announcements"
BODY = {"title": "赛前须知", "body": "请提前到场。", "idempotency_key": "key-of-a-program"}


@pytest.fixture
def committee(app: Flask) -> Actor:
    with app.app_context():
        announcements.place(SLUG)
        return announcements.committee(SLUG)


@pytest.fixture
def bearer(app: Flask, committee: Actor) -> dict[str, str]:
    return accounts.bearer(app, committee)


def test_an_announcement_from_its_first_word_to_its_withdrawal(
    app: Flask, client: FlaskClient, bearer: dict[str, str], committee: Actor, tmp_path: Path
) -> None:
    with app.app_context():
        upload = announcements.attachment(committee, SLUG, tmp_path)
    made = client.post(API, json=BODY | {"uploads": [upload.token]}, headers=bearer)
    assert made.status_code == 201
    document: dict[str, Any] = made.json  # type: ignore[assignment]  # it is an object
    assert (document["state"], document["revision"], document["changed_at"]) == ("published", 1, None)
    assert client.post(API, json=BODY, headers=bearer).json["id"] == document["id"]  # type: ignore[index]  # as above
    one = f"{API}/{document['id']}"
    assert [each["id"] for each in client.get(API).json or []] == [document["id"]]
    (attachment,) = document["attachments"]
    file = client.get(f"{one}/attachments/{attachment['id']}", headers={"Range": "bytes=0-3"})
    assert (file.status_code, len(file.data)) == (206, 4)
    change = {"title": "新", "body": "文", "base_revision": 1}
    assert client.put(one, json=change, headers=bearer).json["revision"] == 2  # type: ignore[index]  # as above
    conflict = client.put(one, json=change, headers=bearer)
    assert (conflict.status_code, conflict.json["code"], conflict.json["revision"]) == (
        409,
        "announcement_changed",
        2,
    )  # type: ignore[index]  # as above
    withdrawn = client.post(f"{one}/withdraw", json={"reason": "写错了"}, headers=bearer)
    assert withdrawn.status_code == 200
    shown: dict[str, Any] = client.get(one).json  # type: ignore[assignment]  # as above
    assert (shown["state"], shown["withdrawn_reason"], shown["body"], shown["attachments"]) == (
        "withdrawn",
        "写错了",
        None,
        [],
    )
    assert client.get(API).json == []
    assert client.get(f"{API}/all", headers=bearer).json[0]["body"] == "文"  # type: ignore[index]  # as above


def test_a_scheduled_one_is_read_by_writers_only(client: FlaskClient, bearer: dict[str, str]) -> None:
    at = (NOON + timedelta(days=1)).isoformat()
    made = client.post(API, json=BODY | {"publish_at": at}, headers=bearer)
    one = f"{API}/{made.json['id']}"  # type: ignore[index]  # as above
    assert client.get(one).status_code == 404
    assert client.get(API).json == []
    assert client.get(one, headers=bearer).json["state"] == "scheduled"  # type: ignore[index]  # as above


def test_refusals_name_their_fields(client: FlaskClient, bearer: dict[str, str]) -> None:
    answer = client.post(API, json=BODY | {"body": people.id_number(7)}, headers=bearer)
    assert (answer.status_code, answer.json["errors"][0]["pointer"]) == (422, "/body")  # type: ignore[index]  # as above
    answer = client.post(API, json=BODY | {"body": people.phone(7)}, headers=bearer)
    assert (answer.status_code, answer.json["may_confirm"]) == (422, "phones_public")  # type: ignore[index]  # as above


def test_nobody_else_writes(app: Flask, client: FlaskClient, committee: Actor) -> None:
    assert client.post(API, json=BODY).status_code == 401
    assert client.get(f"{API}/all").status_code == 401
    with app.app_context():
        stranger = accounts.user(3)
    assert client.post(API, json=BODY, headers=accounts.bearer(app, stranger)).status_code == 403
