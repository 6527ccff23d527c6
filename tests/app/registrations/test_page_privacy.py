"""Who may open a leader's page, the forms' tokens, and that ID numbers appear nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from tests.app.registrations.reading import LEADER_PAGES, review, text_of
from tests.factories import people
from tests.factories import registrations as make


@pytest.fixture(autouse=True)
def competition(app: Flask) -> None:
    with app.app_context():
        make.competition()


def test_every_form_carries_a_csrf_token_and_is_refused_without_it(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], counted: Callable[[], dict[str, int]]
) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    try:
        at(make.submitted, 1)
        client.get("/c/beach/my")
        with app.app_context():
            make.member(make.leader(1), 7)
        for page in ("enter/unit", "enter/members/new", "enter/check"):
            forms = re.findall(
                r'<form method="post".*?</form>', text_of(client.get(f"/c/beach/{page}")), re.DOTALL
            )
            assert forms
            assert all('name="csrf_token"' in form for form in forms), page
        before = counted()
        assert client.post("/c/beach/enter/members/new", data=make.member_posted(8)).status_code == 400
        assert counted() == before
    finally:
        app.config["WTF_CSRF_ENABLED"] = False


def test_numbers_stay_out_of_logs_addresses_and_every_page(
    app: Flask,
    client: FlaskClient,
    at: Callable[..., Actor],
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    at(make.leader)
    answers = [client.post("/c/beach/enter/members/new", data=make.member_posted(1))]
    answers += [client.get(f"/c/beach/{page}") for page in LEADER_PAGES]
    answers += [client.get("/c/beach"), client.get("/c/beach/enter/members/1")]
    answers += [client.get("/api/v1/competitions/beach/my")]
    with app.app_context():
        make.submission(make.leader(1))
    at(make.committee)
    answers += [
        client.get("/staff/c/beach/entries"),
        client.get(f"/staff/c/beach/entries/{review(app)[0].entry_id}"),
    ]
    written = capfd.readouterr()
    for secret in (people.id_number(1), people.phone(1001)):
        for answer in answers:
            assert secret not in text_of(answer), answer.request.path
            assert secret not in answer.headers.get("Location", "")
        assert secret not in written.out + written.err + caplog.text


def test_the_pages_read_in_english_too(client: FlaskClient, at: Callable[..., Actor]) -> None:
    at(make.submitted, 1)
    for page in ("enter/notice", "enter/unit", "enter/members", "enter/members/new", "enter/receipt", "my"):
        assert client.get(f"/c/beach/{page}?lang=en").status_code == 200, page


@pytest.mark.parametrize("page", LEADER_PAGES)
def test_a_leaders_page_asks_to_sign_in(client: FlaskClient, page: str) -> None:
    answer = client.get(f"/c/beach/{page}")
    assert answer.status_code == 401
    assert "/sign-in?next=" in text_of(answer)


@pytest.mark.parametrize(
    "path",
    [
        "enter/notice",
        "enter/unit",
        "enter/members/new",
        "enter/members/1",
        "enter/members/1/remove",
        "enter/check",
    ],
)
def test_a_leaders_form_asks_to_sign_in(
    client: FlaskClient, path: str, counted: Callable[[], dict[str, int]]
) -> None:
    assert client.post(f"/c/beach/{path}", data=make.member_posted(1)).status_code == 401
    assert set(counted().values()) == {0}


def test_another_leaders_member_is_not_found(
    app: Flask, client: FlaskClient, at: Callable[..., Actor]
) -> None:
    with app.app_context():
        member = make.member(make.leader(2), 5)
    at(make.leader, 1)
    assert client.get(f"/c/beach/enter/members/{member}").status_code == 404
    assert client.post(f"/c/beach/enter/members/{member}", data=make.member_posted(6)).status_code == 404
    assert client.post(f"/c/beach/enter/members/{member}/remove").status_code == 404
