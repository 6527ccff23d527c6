"""The desk in a browser: the picture, the keys, the claim that is kept alive. A short journey, and a narrow phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.commands import command
from app.documents.models import Document
from app.documents.rules import DocumentId
from app.documents.service import review as service
from app.extensions import db
from app.frontend.build import build
from tests import axe
from tests.app.documents.serving import SITE, attach
from tests.conftest import NOON, ROOT
from tests.factories import accounts, reviews
from tests.factories import registrations as make

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


@pytest.fixture(scope="session")
def static() -> Path:
    build(ROOT)
    return ROOT / "app" / "static"


class Reviewer:
    """A reviewer with two documents of two pages and one page waiting; ``open`` gives him a window."""

    def __init__(self, app: Flask, client: FlaskClient, browser: Browser, static: Path) -> None:
        self.app, self.client, self.browser, self.static = app, client, browser, static
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []
        with app.app_context():
            make.competition()
            leader = make.submitted(1, members=2)
            picture = reviews.photo()
            self.first = reviews.document(leader, pages=2, picture=picture, at=NOON - timedelta(hours=2))
            self.second = reviews.document(leader, member=1, picture=picture)
            self.colleague = reviews.reviewer(1)
            accounts.sign_in(client, reviews.reviewer(0))

    def open(self, path: str, width: int = 1280, height: int = 800, *, touch: bool = False) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, locale="zh-CN"
        )
        self.contexts.append(context)
        attach(context, self.client, self.static)
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console", lambda said: self.faults.append(said.text) if "Content Security" in said.text else None
        )
        page.goto(SITE + path)
        return page

    def desk(self, document: DocumentId) -> str:
        return f"/staff/c/beach/documents/{document}/review"

    def state(self, document: DocumentId) -> str:
        with self.app.app_context():
            return str(db.session.get_one(Document, document).state)


@pytest.fixture
def reviewer(app: Flask, client: FlaskClient, chromium: Browser, static: Path) -> Iterator[Reviewer]:
    app.extensions.pop("saishi_manifest", None)  # read anew: the sources may just have been built
    made = Reviewer(app, client, chromium, static)
    yield made
    for context in made.contexts:
        context.close()
    assert made.faults == []


def test_two_documents_are_decided_from_the_keyboard_alone(reviewer: Reviewer) -> None:
    page = reviewer.open("/staff/c/beach/documents/review")
    page.get_by_role("button", name="审核下一份").click()
    page.wait_for_url(f"**{reviewer.desk(reviewer.first)}")
    expect(page.locator("[data-stage]")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="快捷键")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator("[data-count]")).to_have_text("第 2 页，共 2 页")
    expect(page.locator("[data-image]")).to_have_attribute(
        "src", f"/c/beach/documents/{reviewer.first}/files/1/1/1/preview"
    )
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-count]")).to_have_text("第 1 页，共 2 页")
    page.keyboard.press("n")
    expect(page.locator("[name='reasons-sampled_on-code']")).to_be_focused()
    page.keyboard.press("a")  # in a field a letter is a letter
    page.locator("[name='reasons-sampled_on-code']").select_option("differs")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="需补正")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{reviewer.desk(reviewer.second)}")
    assert reviewer.state(reviewer.first) == "needs_changes"
    page.keyboard.press("a")
    page.wait_for_url("**/documents/review")
    assert reviewer.state(reviewer.second) == "accepted"


def test_the_picture_is_zoomed_moved_and_turned_and_keeps_its_turn(reviewer: Reviewer) -> None:
    page = reviewer.open(reviewer.desk(reviewer.first))
    image = page.locator("[data-image]")
    before = image.bounding_box()
    assert before is not None
    page.get_by_role("button", name="放大").click()
    zoomed = image.bounding_box()
    assert zoomed is not None
    assert zoomed["width"] == pytest.approx(before["width"] * 1.4, rel=0.01)
    stage = page.locator("[data-stage]").bounding_box()
    assert stage is not None
    page.mouse.move(stage["x"] + 200, stage["y"] + 200)
    page.mouse.down()
    page.mouse.move(stage["x"] + 200, stage["y"] + 120)
    page.mouse.up()
    moved = image.bounding_box()
    assert moved is not None
    assert moved["y"] == pytest.approx(zoomed["y"] - 80, abs=2)
    page.mouse.wheel(0, -300)
    wheeled = image.bounding_box()
    assert wheeled is not None
    assert wheeled["width"] > moved["width"] * 1.5
    page.keyboard.press("0")
    page.keyboard.press("t")
    turned = image.bounding_box()
    assert turned is not None
    assert turned["width"] > turned["height"]
    assert turned["width"] <= stage["width"] + 1
    page.reload()
    again = page.locator("[data-image]").bounding_box()
    assert again is not None
    assert again["width"] == pytest.approx(turned["width"], rel=0.01)
    page.keyboard.press("j")
    other = page.locator("[data-image]").bounding_box()
    assert other is not None
    assert other["height"] > other["width"]


def test_two_fingers_zoom_the_picture_on_a_phone(reviewer: Reviewer) -> None:
    page = reviewer.open(reviewer.desk(reviewer.first), 360, 780, touch=True)
    image = page.locator("[data-image]")
    before = image.bounding_box()
    assert before is not None
    fingers = page.context.new_cdp_session(page)
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    for step in range(4):
        spread = 20 + 20 * step
        fingers.send(
            "Input.dispatchTouchEvent",
            {
                "type": "touchStart" if step == 0 else "touchMove",
                "touchPoints": [{"x": x - spread, "y": y, "id": 0}, {"x": x + spread, "y": y, "id": 1}],
            },
        )
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    after = image.bounding_box()
    assert after is not None
    assert after["width"] > before["width"] * 2


def test_on_a_phone_the_picture_stands_above_the_data_and_the_decision_under_the_thumb(
    reviewer: Reviewer,
) -> None:
    with reviewer.app.app_context(), command(reviews.reviewer(0)) as ctx:
        service.claim(ctx, slug="beach", document_id=reviewer.first)
    page = reviewer.open(reviewer.desk(reviewer.first), 360, 780, touch=True)
    picture, data = page.locator(".desk__picture").bounding_box(), page.locator(".desk__data").bounding_box()
    assert picture is not None
    assert data is not None
    assert picture["y"] + picture["height"] <= data["y"] + 1
    for name in ("通过", "需补正", "不通过"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 780
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_work_renews_the_claim_and_a_takeover_is_told_at_once(
    reviewer: Reviewer, travel: Callable[[datetime], None]
) -> None:
    with reviewer.app.app_context(), command(reviews.reviewer(0)) as ctx:
        service.claim(ctx, slug="beach", document_id=reviewer.first)
    page = reviewer.open(reviewer.desk(reviewer.first))
    page.clock.install()
    page.reload()
    travel(NOON + timedelta(minutes=8))
    page.clock.fast_forward(3 * 60 * 1000)
    with page.expect_response("**/renew") as renewed:
        page.keyboard.press("j")
    assert renewed.value.status == 204
    with reviewer.app.app_context():
        until = db.session.get_one(Document, reviewer.first).claimed_until
    assert until == NOON + timedelta(minutes=18)
    travel(NOON + timedelta(minutes=30))
    with reviewer.app.app_context(), command(reviewer.colleague) as ctx:
        service.claim(ctx, slug="beach", document_id=reviewer.first)
    page.clock.fast_forward(3 * 60 * 1000)
    page.keyboard.press("k")
    expect(page.locator("[data-claim-lost]")).to_have_text("这份材料已由另一位审核人接手。")
    page.keyboard.press("a")
    expect(page.locator("[data-problem]")).to_contain_text("已由另一位审核人接手")
    assert reviewer.state(reviewer.first) == "uploaded"


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing_on_the_reviewers_pages(reviewer: Reviewer, width: int, scheme: str) -> None:
    with reviewer.app.app_context(), command(reviews.reviewer(0)) as ctx:
        service.claim(ctx, slug="beach", document_id=reviewer.first)
    page = reviewer.open("/staff/c/beach/documents/review", width)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
    told = {}
    for path in (
        "/staff/c/beach/documents/review",
        reviewer.desk(reviewer.first),
        reviewer.desk(reviewer.second),
        f"/staff/c/beach/documents/review/batch?document={reviewer.first}&document={reviewer.second}",
        "/staff/c/beach/documents/statistics",
    ):
        page.goto(SITE + path)
        for closed in page.locator("details").all():
            closed.evaluate("details => { details.open = true }")
        told[path] = axe.violations(page)
    assert {path: found for path, found in told.items() if found} == {}
