"""Signing with a finger in a real browser at 360 pixels: strokes, undo, clear, and what is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, Route

from app.documents.rules import Subject
from app.documents.rules.undertaking import read_strokes
from tests.factories import accounts, documents, registrations

pytestmark = pytest.mark.browser

SITE = "http://page.example"


@pytest.fixture(params=["zh", "en"])
def signing(request: Any, app: Flask, chromium: Browser, static: Path) -> Iterator[tuple[Page, list[str]]]:
    """The page as the leader's phone shows it, and the bodies of forms that were sent."""
    client, sent = app.test_client(), []
    with app.app_context():
        registrations.competition()
        leader = registrations.submitted()
        subject = Subject(member_id=documents.first_member(leader))
        accounts.sign_in(client, leader)
    context = chromium.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)

    def handle(route: Route) -> None:
        parts = urlsplit(route.request.url)
        if parts.path.startswith("/static/"):
            route.fulfill(path=str(static / parts.path.removeprefix("/static/")))
        elif route.request.method == "POST":
            sent.append(route.request.post_data or "")
            route.fulfill(status=200, content_type="text/html", body="<p id=sent>")
        else:
            answer = client.get(f"{parts.path}?lang={request.param}")
            route.fulfill(
                status=answer.status_code, content_type="text/html; charset=utf-8", body=answer.text
            )

    context.route("**/*", handle)
    page = context.new_page()
    page.goto(f"{SITE}/c/beach/my/documents/{subject}/waiver/sign")
    yield page, sent
    context.close()


def stroke(page: Page, *points: tuple[float, float]) -> None:
    """Draw through points given as shares of the field."""
    box = page.locator("[data-sign-field]").bounding_box()
    assert box is not None
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()


def stored(page: Page) -> list[Any]:
    value = page.locator("input[name=strokes]").input_value()
    return json.loads(value) if value else []


def test_a_name_is_drawn_undone_cleared_and_sent(signing: tuple[Page, list[str]]) -> None:
    page, sent = signing
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    field = page.locator("[data-sign-field]")
    field.scroll_into_view_if_needed()
    page.locator("form[data-sign] [type=submit]").click()
    assert page.locator("[data-sign-problem]").is_visible()
    assert sent == []
    field.scroll_into_view_if_needed()
    stroke(page, (0.1, 0.8), (0.3, 0.2), (0.5, 0.8))
    assert page.locator("[data-sign-problem]").is_hidden()
    stroke(page, (0.6, 0.5), (0.9, 0.5))
    assert len(stored(page)) == 2
    page.locator("[data-sign-undo]").click()
    assert len(stored(page)) == 1
    page.locator("[data-sign-clear]").click()
    assert stored(page) == []
    assert page.locator("[data-sign-undo]").is_disabled()
    stroke(page, (0.1, 0.8), (0.5, 0.1), (0.9, 0.8), (1.4, 2.0))  # beyond the edge it stays on the field
    page.locator("form[data-sign] [type=submit]").click()
    page.wait_for_selector("#sent", state="attached")
    (body,) = sent
    strokes = read_strokes(parse_qs(body)["strokes"][0])
    assert max(x for line in strokes for x, _ in line) == 1000
    assert "\r\n" in parse_qs(body)["text"][0]


def test_every_button_is_large_enough_for_a_thumb(signing: tuple[Page, list[str]]) -> None:
    page, _ = signing
    for button in page.locator("form[data-sign] button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
