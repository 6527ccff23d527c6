"""Where a refusal leads on: to the page the reader was on, which is not always where a form was sent."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.factories import accounts, registrations

SHEET = "/c/beach/t/token"
BUTTON = re.compile(r'<a class="weui-btn weui-btn_(\w+)" href="([^"]*)">([^<]*)</a>')


def buttons(text: str) -> list[tuple[str, str, str]]:
    return [(kind, unquote(html.unescape(where)), label) for kind, where, label in BUTTON.findall(text)]


@pytest.fixture(autouse=True)
def competition(app: Flask) -> None:
    with app.app_context():
        registrations.competition()


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        (f"http://localhost{SHEET}?deal=4", f"{SHEET}?deal=4"),
        (f"http://localhost{SHEET}/deals", SHEET),  # the page of an earlier refusal: no page by itself
        (f"http://elsewhere.example{SHEET}x", SHEET),
        (None, SHEET),
    ],
)
def test_a_form_refused_for_want_of_a_sign_in_leads_back_to_its_page_after_signing_in(
    client: FlaskClient, came_from: str | None, leads_to: str
) -> None:
    headers = {"Referer": came_from} if came_from else {}
    answer = client.post(f"{SHEET}/deals", headers=headers)
    assert answer.status_code == 401
    (kind, where, label), back = buttons(answer.text)
    assert (kind, where, label) == ("primary", f"/sign-in?next={leads_to}", "登录")
    assert back[0] == "default"
    assert answer.text.count("/sign-in") == 1
    form = client.get("/sign-in", query_string={"next": leads_to})
    assert f'name="next" value="{leads_to}"' in form.text


def test_a_page_opened_without_a_role_offers_another_sign_in_first(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user(7)
    accounts.sign_in(client, person)
    answer = client.get(SHEET)
    assert answer.status_code == 403
    assert buttons(answer.text)[0] == ("primary", f"/sign-in?next={SHEET}", "换一个账号登录")


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [("/c/beach/enter/unit", "/c/beach/enter/unit"), ("/staff/c/beach/decisions", "/staff/c/beach")],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_form_that_is_too_old_leads_back_and_says_what_has_to_be_typed_again(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    leads_to: str,
    language: str,
) -> None:
    monkeypatch.setitem(client.application.config, "WTF_CSRF_ENABLED", True)
    client.set_cookie("lang", language)
    answer = client.post(path)
    assert answer.status_code == 400
    assert buttons(answer.text) == [("primary", leads_to, "返回" if language == "zh" else "Back")]
    told = "身份证号和手机号从不存在本机" if language == "zh" else "ID and mobile numbers are never kept"
    assert told in answer.text
