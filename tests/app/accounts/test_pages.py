from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.accounts import tokens
from app.extensions import limiter
from tests.factories import accounts, people

PHONE = people.phone(1)


@pytest.fixture
def demo(app: Flask) -> Any:
    """The same application with the demonstration's settings."""
    from dataclasses import replace

    settings = app.config["SAISHI"]
    app.config["SAISHI"] = replace(settings, demo=True)
    yield app
    app.config["SAISHI"] = settings


def shown_code(page: str) -> str:
    found = re.search(r"data-code>(\d{6})<", page)
    assert found, page
    return found[1]


def test_a_person_signs_in_by_phone_and_code_and_lands_where_they_wanted(
    demo: Flask, client: FlaskClient
) -> None:
    assert client.get("/sign-in?next=/staff").status_code == 200
    page = client.post("/sign-in/code", data={"phone": PHONE, "next": "/staff"}, follow_redirects=True)
    assert page.status_code == 200
    signed = client.post("/sign-in", data={"phone": PHONE, "code": shown_code(page.text), "next": "/staff"})
    assert signed.status_code == 303
    assert signed.location == "/staff"
    assert client.get("/staff").status_code == 200


def test_outside_the_demonstration_the_code_is_not_on_the_page(client: FlaskClient) -> None:
    page = client.post("/sign-in/code", data={"phone": PHONE}, follow_redirects=True)
    assert "data-code" not in page.text
    assert "code" not in client.post("/api/v1/sign-in/codes", json={"phone": people.phone(2)}).json


def test_a_wrong_code_stays_on_the_page_with_the_number_kept(demo: Flask, client: FlaskClient) -> None:
    client.post("/sign-in/code", data={"phone": PHONE})
    page = client.post("/sign-in", data={"phone": PHONE, "code": "abcdef"})
    assert page.status_code == 422
    assert PHONE in page.text
    assert "还可以试 4 次" in page.text


def test_a_phone_that_dropped_the_page_finds_the_code_form_again(demo: Flask, client: FlaskClient) -> None:
    client.post("/sign-in/code", data={"phone": PHONE, "next": "/staff"})
    page = client.get("/sign-in/code?next=/staff").text
    assert PHONE in page
    again = client.post("/sign-in/code", data={"phone": PHONE})
    assert again.status_code == 429
    assert 'name="code"' in again.text
    signed = client.post("/sign-in", data={"phone": PHONE, "code": shown_code(page)})
    assert signed.status_code == 303
    assert client.get("/sign-in/code").location == "/sign-in?next=/"


def test_the_number_is_not_readable_in_the_cookie(client: FlaskClient) -> None:
    answer = client.post("/sign-in/code", data={"phone": PHONE})
    cookie = client.get_cookie("session")
    assert cookie is not None
    assert answer.status_code == 303
    body = cookie.value.split(".")[0]
    assert PHONE.encode() not in base64.urlsafe_b64decode(body + "==")
    assert PHONE not in answer.location


def test_a_code_is_understood_in_full_width_digits_and_groups(demo: Flask, client: FlaskClient) -> None:
    page = client.post("/sign-in/code", data={"phone": PHONE}, follow_redirects=True)
    code = shown_code(page.text)
    wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code)
    signed = client.post("/sign-in", data={"phone": PHONE, "code": f"{wide[:3]} {wide[3:]}"})
    assert signed.status_code == 303


def test_a_bad_phone_is_refused_beside_the_field_with_the_typed_text_kept(client: FlaskClient) -> None:
    page = client.post("/sign-in/code", data={"phone": "1380013"})
    assert page.status_code == 422
    assert 'value="1380013"' in page.text
    assert "11 位手机号" in page.text


@pytest.mark.parametrize("wanted", ["/", "/staff/c/beach-2021/entries?state=all#e-1", "/c/a/t/Tok_en-1"])
def test_signing_in_leads_on_within_the_site(demo: Flask, client: FlaskClient, wanted: str) -> None:
    page = client.post("/sign-in/code", data={"phone": PHONE}, follow_redirects=True)
    signed = client.post("/sign-in", data={"phone": PHONE, "code": shown_code(page.text), "next": wanted})
    assert signed.location == wanted


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "////evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/c/x\r\nSet-Cookie: a=b",
        "javascript:alert(1)",
        "evil.example",
    ],
)
def test_signing_in_never_leads_to_another_site(demo: Flask, client: FlaskClient, elsewhere: str) -> None:
    page = client.post("/sign-in/code", data={"phone": PHONE}, follow_redirects=True)
    signed = client.post("/sign-in", data={"phone": PHONE, "code": shown_code(page.text), "next": elsewhere})
    assert signed.location == "/"


def test_the_api_signs_in_with_a_bearer_token(demo: Flask, client: FlaskClient) -> None:
    sent = client.post("/api/v1/sign-in/codes", json={"phone": PHONE})
    assert sent.status_code == 202
    made = client.post("/api/v1/sign-in/sessions", json={"phone": PHONE, "code": sent.json["code"]})
    assert made.status_code == 201
    headers = {"Authorization": f"Bearer {made.json['token']}"}
    # a person without the organiser's role is known, and refused
    assert (
        client.post(
            "/api/v1/competitions", json={"regulation": "x", "place": "y"}, headers=headers
        ).status_code
        == 403
    )
    assert client.post("/api/v1/competitions", json={"regulation": "x", "place": "y"}).status_code == 401


def test_the_api_takes_no_cookie(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user(1)
    accounts.sign_in(client, person)
    assert client.post("/api/v1/competitions", json={"regulation": "x", "place": "y"}).status_code == 401


def test_api_errors_are_problem_details_with_pointers(client: FlaskClient) -> None:
    answer = client.post("/api/v1/sign-in/sessions", json={"phone": 1, "extra": "x"})
    assert answer.status_code == 422
    assert answer.mimetype == "application/problem+json"
    pointers = {error["pointer"]: error["detail"] for error in answer.json["errors"]}
    assert pointers == {"/phone": "应为文字。", "/code": "请填写。", "/extra": "没有这一项。"}


def test_the_reader_chooses_the_language(client: FlaskClient) -> None:
    answer = client.get("/api/v1/competitions/nowhere", headers={"Accept-Language": "en-GB,en"})
    assert answer.json["detail"] == "There is no such competition."
    assert client.get("/api/v1/competitions/nowhere").json["detail"] == "没有找到这个赛事。"


def test_a_demonstration_link_signs_in_and_exists_nowhere_else(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user(1)
    assert person.user_id is not None
    token = tokens.issue(app.config["SECRET_KEY"], "demo link", person.user_id)
    assert client.get(f"/demo/sign-in/{token}").status_code == 403


def test_a_demonstration_link_signs_in(demo: Flask, client: FlaskClient) -> None:
    with demo.app_context():
        person = accounts.user(1)
    assert person.user_id is not None
    token = tokens.issue(demo.config["SECRET_KEY"], "demo link", person.user_id)
    assert client.get(f"/demo/sign-in/{token}?next=/staff").location == "/staff"
    assert client.get("/staff").status_code == 200
    bearer = tokens.issue(demo.config["SECRET_KEY"], "bearer", person.user_id)
    assert client.get(f"/demo/sign-in/{bearer}").status_code == 403


def test_signing_out_ends_the_session(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user(1)
    accounts.sign_in(client, person)
    client.post("/sign-out")
    assert client.get("/staff").status_code == 401


def test_one_address_may_not_ask_without_end(client: FlaskClient) -> None:
    limiter.enabled = True
    try:
        answers = [client.post("/api/v1/sign-in/codes", json={"phone": "x"}).status_code for _ in range(61)]
    finally:
        limiter.enabled = False
        limiter.reset()
    assert answers[:60] == [422] * 60
    assert answers[60] == 429


def test_a_form_without_its_token_is_refused(app: Flask, client: FlaskClient) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    try:
        page = client.post("/sign-in/code", data={"phone": PHONE}, follow_redirects=True)
    finally:
        app.config["WTF_CSRF_ENABLED"] = False
    assert page.status_code == 400
    assert "没有保存" in page.text


def test_answers_carry_the_security_headers(client: FlaskClient) -> None:
    headers = client.get("/sign-in").headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Cookie" in headers["Vary"]
