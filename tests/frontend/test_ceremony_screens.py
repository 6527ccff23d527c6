"""The ceremony of a round by points: sixteen tables to a screen, whole on any projector, turned by keys and by a tap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from app.extensions import db
from app.registrations.models import Member
from tests.factories import draws, rounds
from tests.factories.publications import Travel

pytestmark = pytest.mark.browser

SITE = "http://page.example"
ADDRESS = f"/c/{rounds.SLUG}/draws/swiss/1/ceremony"
PROJECTORS = [(1920, 1080), (1280, 720), (1024, 768), (800, 600), (2560, 1080)]
OUTSIDE = """() => {
  const root = document.documentElement;
  return [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
}"""

Show = Callable[..., Page]


@pytest.fixture
def show(chromium: Browser, static: Path, app: Flask, travel: Travel, client: FlaskClient) -> Iterator[Show]:
    """``show(step, width, height)``: 34 people, four of whom share their names; 17 tables, so two screens."""
    with app.app_context():
        rounds.field(travel, rounds.XIANGQI, 34)
        for member in db.session.query(Member).order_by(Member.id).limit(4):
            member.name = "欧阳建国"
        db.session.commit()
        rounds.drawn(seed=draws.SEED)
    contexts = []

    def handle(route: Route) -> None:
        asked = urlsplit(route.request.url)
        if asked.path.startswith("/static/"):
            route.fulfill(path=str(built(static, asked.path.removeprefix("/static/"))))
        else:
            answer = client.get(f"{asked.path}?{asked.query}")
            route.fulfill(
                status=answer.status_code, content_type="text/html; charset=utf-8", body=answer.text
            )

    def page(step: int, width: int, height: int, **more: bool) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        context.route("**/*", handle)
        shown = context.new_page()
        shown.goto(f"{SITE}{ADDRESS}?step={step}")
        return shown

    yield page
    for context in contexts:
        context.close()


def test_a_screen_of_tables_is_whole_on_any_projector_and_scrolls_only_down_on_a_phone(show: Show) -> None:
    for width, height in PROJECTORS:
        page = show(4, width, height)
        expect(page.locator("[data-tables] > li")).to_have_count(16)
        assert page.evaluate(OUTSIDE) == [0, 0], f"{width} × {height}"
    assert show(4, 360, 700).evaluate(OUTSIDE)[0] == 0
    assert show(99, 360, 700).evaluate(OUTSIDE)[0] == 0


def built(static: Path, name: str) -> Path:
    """A built file; by its name without the hash where it was built anew since the application read the manifest."""
    exact = static / name
    if exact.exists():
        return exact
    return next(static.glob(f"{name.rpartition('-')[0]}-*{exact.suffix}"))


def require_table(page: Page, number: int) -> None:
    """The screen with this table is there, and its scripts run."""
    expect(page.locator(f"[data-table='{number}']")).to_be_visible()
    page.wait_for_load_state("load")


def test_keys_and_taps_turn_the_screens_forward_and_back(show: Show) -> None:
    page = show(4, 1280, 720, has_touch=True)
    page.keyboard.press("ArrowRight")
    require_table(page, 17)
    page.touchscreen.tap(300, 400)
    require_table(page, 1)
    page.touchscreen.tap(1100, 400)
    require_table(page, 17)
    page.keyboard.press("PageUp")
    require_table(page, 16)
