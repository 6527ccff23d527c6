"""Uploads over the API: the offset is a header, a refusal is problem details, somebody else's token does not exist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.factories import accounts, competitions, uploads

KIB = 1024


@pytest.fixture
def place(app: Flask) -> str:
    with app.app_context():
        return competitions.competition().slug


@pytest.fixture
def sender(app: Flask, place: str) -> dict[str, str]:
    with app.app_context():
        return accounts.bearer(app, accounts.user(1))


@pytest.fixture
def stranger(app: Flask, place: str) -> dict[str, str]:
    with app.app_context():
        return accounts.bearer(app, accounts.user(2))


def begin(client: FlaskClient, place: str, who: dict[str, str], size: int, **changes: Any) -> Any:
    body = {"purpose": "proof", "size": size, "name": "照片.jpg", "idempotency_key": "key-of-one"} | changes
    return client.post(f"/api/v1/competitions/{place}/uploads", json=body, headers=who)


def send(client: FlaskClient, token: str, who: dict[str, str], start: int, content: bytes) -> Any:
    return client.patch(
        f"/api/v1/uploads/{token}",
        data=content,
        headers={**who, "Upload-Offset": str(start), "Content-Type": "application/octet-stream"},
    )


def test_a_file_sent_in_pieces_over_the_api(
    app: Flask, client: FlaskClient, place: str, sender: dict[str, str], tmp_path: Path
) -> None:
    content = uploads.photo(1, 1600, 1200, 95)
    begun = begin(client, place, sender, len(content))
    assert (begun.status_code, begun.headers["Upload-Offset"]) == (201, "0")
    token = begun.json["token"]
    for start, part in uploads.pieces(content):
        answer = send(client, token, sender, start, part)
        assert (answer.status_code, answer.headers["Upload-Offset"]) == (204, str(start + len(part)))
    head = client.head(f"/api/v1/uploads/{token}", headers=sender)
    assert (head.status_code, head.headers["Upload-Offset"], head.data) == (200, str(len(content)), b"")
    assert head.headers["Cache-Control"] == "no-store"
    done = client.post(f"/api/v1/uploads/{token}/finish", headers=sender)
    assert (done.status_code, done.json["state"]) == (200, "waiting")
    with app.app_context():
        person = accounts.user(1)
        uploads.check(uploads.queries.mine(person.require_signed_in(), token), tmp_path)
    seen = client.get(f"/api/v1/uploads/{token}", headers=sender).json
    assert (seen["state"], seen["pages"], seen["media_type"]) == ("ready", 1, "image/jpeg")
    assert seen["notes"] == []
    assert client.delete(f"/api/v1/uploads/{token}", headers=sender).status_code == 204
    assert client.get(f"/api/v1/uploads/{token}", headers=sender).status_code == 404


def test_a_gap_is_refused_with_the_offset_that_is_expected(
    client: FlaskClient, place: str, sender: dict[str, str]
) -> None:
    token = begin(client, place, sender, 300 * KIB).json["token"]
    send(client, token, sender, 0, bytes(64 * KIB))
    answer = send(client, token, sender, 128 * KIB, bytes(64 * KIB))
    assert answer.status_code == 409
    assert answer.content_type == "application/problem+json"
    assert (answer.json["code"], answer.json["offset"]) == ("wrong_offset", 64 * KIB)
    again = send(client, token, sender, 0, bytes(64 * KIB))
    assert (again.status_code, again.headers["Upload-Offset"]) == (204, str(64 * KIB))
    more = send(client, token, sender, 64 * KIB, bytes(237 * KIB))
    assert (more.status_code, more.json["code"]) == (422, "piece_size")


@pytest.mark.parametrize("offset", [None, "", "-1", "x", "1.5"])
def test_a_piece_without_a_place_is_refused(
    client: FlaskClient, place: str, sender: dict[str, str], offset: str | None
) -> None:
    token = begin(client, place, sender, 300 * KIB).json["token"]
    headers = sender if offset is None else {**sender, "Upload-Offset": offset}
    answer = client.patch(f"/api/v1/uploads/{token}", data=bytes(64 * KIB), headers=headers)
    assert answer.status_code == 422
    assert [each["pointer"] for each in answer.json["errors"]] == ["/Upload-Offset"]


def test_somebody_elses_upload_does_not_exist(
    client: FlaskClient, place: str, sender: dict[str, str], stranger: dict[str, str]
) -> None:
    token = begin(client, place, sender, 64 * KIB).json["token"]
    address = f"/api/v1/uploads/{token}"
    made_up = f"/api/v1/uploads/{'x' * 43}"
    for who, expected in ((stranger, 404), ({}, 401)):
        for path in (address, made_up):
            answers = [
                client.get(path, headers=who),
                send(client, path.rpartition("/")[2], who, 0, bytes(64 * KIB)),
                client.post(f"{path}/finish", headers=who),
                client.delete(path, headers=who),
            ]
            assert [answer.status_code for answer in answers] == [expected] * 4
    assert begin(client, place, {}, 64 * KIB).status_code == 401
    assert client.get(address, headers=sender).json["offset"] == 0


def test_a_refusal_at_the_start_names_the_limit_and_what_would_be_accepted(
    client: FlaskClient, place: str, sender: dict[str, str]
) -> None:
    answer = begin(client, place, sender, 16 * KIB * KIB)
    assert (answer.status_code, answer.json["code"]) == (422, "file_too_large")
    assert "15 MB" in answer.json["detail"]
    assert "PDF" in answer.json["next_step"]
    assert answer.json["errors"][0]["pointer"] == "/size"
    english = client.post(
        f"/api/v1/competitions/{place}/uploads?lang=en",
        json={"purpose": "proof", "size": 16 * KIB * KIB, "name": "a.jpg", "idempotency_key": "key-of-two"},
        headers=sender,
    )
    assert "over the limit of 15 MB" in english.json["detail"]


def test_the_purposes_say_their_limits(client: FlaskClient) -> None:
    purposes = client.get("/api/v1/uploads/purposes").json
    assert {each["code"] for each in purposes} >= {"proof", "letter", "evidence"}
    assert all(each["accepted"] for each in purposes)
