"""A page that came of a sent form has no address of its own: what leads back to it leads to the page of the form."""

from __future__ import annotations

import html
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.factories import accounts, announcements
from tests.factories import competitions as factory

FORM_PAGE = re.compile(r'data-form-page="([^"]*)"')
LANGUAGE = re.compile(r'hreflang="en" href="([^"]*)"')


def found(pattern: re.Pattern[str], page: str) -> str:
    (address,) = pattern.findall(page)
    return html.unescape(address)


def test_a_page_that_was_opened_leads_to_itself_with_what_it_asks_for(
    app: Flask, client: FlaskClient
) -> None:
    with app.app_context():
        factory.competition()
    page = client.get("/c/beach-2021/pairings?order=name&q=%E7%94%B2&lang=zh").text
    assert found(LANGUAGE, page) == "/c/beach-2021/pairings?order=name&q=%E7%94%B2&lang=en"
    assert FORM_PAGE.findall(page) == []
    assert found(LANGUAGE, client.get("/c/beach-2021").text) == "/c/beach-2021?lang=en"


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        (
            "http://localhost/staff/c/beach-2021/announcements/1?from=board",
            "/staff/c/beach-2021/announcements/1?from=board",
        ),
        (None, "/staff/c/beach-2021/announcements/1"),
        ("https://elsewhere.example/page", "/staff/c/beach-2021/announcements/1"),
    ],
)
def test_a_refused_form_whose_address_is_no_page_leads_to_its_page(
    app: Flask, client: FlaskClient, came_from: str | None, leads_to: str
) -> None:
    with app.app_context():
        slug = announcements.place()
        by = announcements.committee(slug)
        view = announcements.announce(by, slug)
    accounts.sign_in(client, by)
    address = f"/staff/c/{slug}/announcements/{view.id}/withdraw"
    assert client.get(address).status_code == 405
    headers = {"Referer": came_from} if came_from else {}
    refused = client.post(address, data={"reason": ""}, headers=headers)
    assert refused.status_code == 422
    wanted = leads_to.replace("/1", f"/{view.id}")
    assert found(FORM_PAGE, refused.text) == wanted
    in_english = found(LANGUAGE, refused.text)
    assert in_english == wanted + ("&" if "?" in wanted else "?") + "lang=en"
    assert client.get(in_english).status_code == 200
