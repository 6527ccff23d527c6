"""The floor on phones in Chromium: what is announced appears by itself, a dead network says nothing, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from app.frontend.build import build
from tests import axe
from tests.app.documents.serving import SITE, attach
from tests.app.floor.test_pages import PLAYING, Hall
from tests.conftest import ROOT
from tests.factories import floor

Travel = Callable[[datetime], None]
Show = Callable[[int, str], Page]

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


@pytest.fixture
def hall(app: Flask, client: FlaskClient, travel: Travel) -> Hall:
    return Hall(app, client, travel)


@pytest.fixture
def show(client: FlaskClient, chromium: Browser) -> Iterator[Show]:
    """``show(width, language)``: a page of that width whose requests the application answers; its clock is a test's."""
    build(ROOT)
    client.application.extensions.pop(
        "saishi_manifest", None
    )  # read anew: the sources may just have been built
    opened = []

    def start(width: int, language: str) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": 740})
        opened.append(context)
        attach(context, client, ROOT / "app" / "static")
        client.set_cookie("lang", language)
        page = context.new_page()
        page.clock.install()
        return page

    yield start
    for each in opened:
        each.close()


def test_what_is_announced_appears_on_an_open_page_and_the_clock_counts_by_the_server(
    hall: Hall, show: Show
) -> None:
    with hall.app.app_context():
        floor.set_terms(round_minutes=60, call_minutes=10)
    page = show(360, "zh")
    page.goto(f"{SITE}/c/beach/pairings")
    strip = page.locator("[data-strip]")
    expect(strip).to_be_hidden()
    with hall.app.app_context():
        floor.act("start_clock", hall.drawn)
    hall.travel(PLAYING + timedelta(minutes=50))
    with hall.app.app_context():
        floor.act("call_time", hall.drawn)
    page.clock.run_for(11_000)
    expect(strip).to_contain_text("本轮还剩 10 分钟。")
    expect(strip.locator("[data-countdown]")).to_contain_text("00:")  # the phone's own clock is years off
    asked = []

    def cut(route: Route) -> None:
        asked.append(route)
        route.abort("internetdisconnected")

    page.route("**/strip", cut)
    for _ in range(100):  # a look that is on its way takes real time, which the page's clock does not know of
        page.clock.run_for(11_000)
        if len(asked) > 1:
            break
        page.wait_for_timeout(100)
    expect(strip).to_contain_text("本轮还剩 10 分钟。")
    expect(page.locator("#toast")).to_be_hidden()
    assert len(asked) > 1, "it asks again after it was not answered"


@pytest.mark.parametrize(("width", "language"), [(360, "zh"), (1280, "en")])
def test_axe_finds_nothing_on_the_pages_of_the_floor(
    hall: Hall, show: Show, width: int, language: str
) -> None:
    with hall.app.app_context():
        floor.set_terms(round_minutes=60, call_minutes=10)
        floor.act("schedule_round", hall.drawn, scheduled_at=PLAYING - timedelta(minutes=7))
        floor.act("spread_referees", hall.drawn)
    page = show(width, language)
    page.emulate_media(color_scheme="dark" if width == 360 else "light")
    told: dict[str, list[str]] = {}

    def look(path: str) -> None:
        opened = page.goto(SITE + path)
        assert opened is not None
        assert opened.status == 200, path
        assert page.locator("h1").count() == 1, path
        told[path] = axe.violations(page)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            told[path].append(f"{wide} wide")

    look(hall.own)
    look("/c/beach/p")
    hall.sign_in("chief")
    look("/staff/c/beach/floor")
    hall.act("clock")
    hall.post("/staff/c/beach/floor/notices", text="午餐 12:00", idempotency_key="k" * 12)
    hall.sign_out()
    hall.post(f"{hall.own}/calls", kind="referee", note="请看一下", idempotency_key="j" * 12)
    hall.post(f"{hall.own}/arrival")
    look(f"{hall.own}?again=1")
    hall.sign_in("chief")
    for path in ("?round=prelim-1", "/calls", "/arrivals", "/arrivals?view=all", "/mine", "/terms", "/cards"):
        look(f"/staff/c/beach/floor{path}")
    hall.sign_in("committee")
    look("/staff/c/beach/floor/terms?again=1")
    assert {path: found for path, found in told.items() if found} == {}
