"""Announcements for people who cannot see, or use no mouse: axe finds nothing on any of their pages, and nothing is too wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from app.actors import Actor
from app.announcements import rules
from app.frontend.build import build
from tests import axe
from tests.app.documents.serving import SITE, attach
from tests.conftest import NOON, ROOT
from tests.factories import accounts, announcements

pytestmark = pytest.mark.browser
SLUG = "beach-2021"
STAFF, PUBLIC = f"/staff/c/{SLUG}/announcements", f"/c/{SLUG}/announcements"
LONG = "https://example.org/" + "a-very-long-address-of-a-page-without-any-space-in-it/" * 3


@pytest.fixture
def show(client: FlaskClient, chromium: Browser) -> Iterator[Callable[[int, str], Page]]:
    """``show(width, language)``: a page of that width whose requests the application answers."""
    build(ROOT)
    # read anew: the sources may just have been built
    client.application.extensions.pop("saishi_manifest", None)
    opened = []

    def start(width: int, language: str) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme="dark" if width == 360 else "light"
        )
        opened.append(context)
        attach(context, client, ROOT / "app" / "static")
        client.set_cookie("lang", language)
        return context.new_page()

    yield start
    for each in opened:
        each.close()


@dataclass(frozen=True)
class Written:
    """Who wrote, and one announcement of each state: with a file and a change, withdrawn, to come."""

    by: Actor
    with_file: int
    gone: int
    later: int


@pytest.fixture
def written(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    monkeypatch.setattr(rules, "ON_A_PAGE", 3)
    with app.app_context():
        announcements.place(SLUG)
        by = announcements.committee(SLUG)
        file = announcements.attachment(by, SLUG, tmp_path, "赛程 安排 " + "很长的名字" * 10 + ".jpg")
        with_file = announcements.announce(
            by,
            SLUG,
            body=f"{announcements.BODY}\n\n{LONG}",
            title_en=announcements.TITLE_EN,
            body_en=announcements.BODY_EN,
            tokens=[file.token],
            pinned=True,
        )
        announcements.change(by, SLUG, with_file, pinned=True, title="赛前须知（更正）")
        gone = announcements.announce(by, SLUG, title="写错了")
        announcements.withdraw(by, SLUG, gone, reason="日期写错，以新公告为准。")
        later = announcements.announce(by, SLUG, title="以后发布", publish_at=NOON + timedelta(days=1))
        for number in range(4):
            announcements.announce(by, SLUG, title=f"第 {number} 号通知")
    return Written(by, with_file.id, gone.id, later.id)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("width", "language"), [(360, "zh"), (360, "en"), (1280, "zh")])
def test_axe_finds_nothing_on_the_pages_of_announcements(
    written: Written, client: FlaskClient, show: Callable[[int, str], Page], width: int, language: str
) -> None:
    page = show(width, language)
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        assert page.locator("h1").count() == 1, name
        found[name] = axe.violations(page)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found[name].append(f"{wide} wide")

    def visit(path: str) -> None:
        opened = page.goto(SITE + path)
        assert opened is not None
        assert opened.status == 200, path
        look(path)

    public = (f"{PUBLIC}/{written.with_file}", f"{PUBLIC}/{written.gone}")
    for path in (f"/c/{SLUG}", PUBLIC, f"{PUBLIC}?page=2", *public):
        visit(path)
    accounts.sign_in(client, written.by)
    for path in (PUBLIC, STAFF, f"{STAFF}?page=2", f"{STAFF}/new"):
        visit(path)
    for each in (written.with_file, written.gone, written.later):
        visit(f"{STAFF}/{each}")
    page.goto(f"{SITE}{STAFF}/new")
    page.locator("form[enctype] [type=submit]:not([name]):not([aria-hidden])").first.click()
    page.wait_for_selector("[aria-invalid]")
    look("refused")
    page.fill("[name=title]", "标题")
    page.fill("[name=body]", "正文")
    page.locator("[name=preview]").click()
    page.wait_for_selector("#preview")
    look("preview")
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
