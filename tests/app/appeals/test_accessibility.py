"""Appeals for people who cannot see, or use no mouse: axe finds nothing on any of their pages, and nothing is too wide."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page

from app.actors import Actor
from app.frontend.build import build
from tests import axe
from tests.app.appeals.conftest import END, Travel
from tests.app.appeals.test_pages import DESK, INDEX, LEDGER, NEW, Site
from tests.app.documents.serving import SITE, attach
from tests.conftest import ROOT
from tests.factories import appeals as make
from tests.factories import results as results_factory
from tests.factories import rulings

Show = Callable[[int, str], Page]

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


@pytest.fixture
def show(client: FlaskClient, chromium: Browser) -> Iterator[Show]:
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


@pytest.fixture
def site(app: Flask, client: FlaskClient, travel: Travel) -> Site:
    return Site(app, client, travel)


@pytest.mark.parametrize(("width", "language"), [(360, "zh"), (360, "en"), (1280, "en")])
def test_axe_finds_nothing_and_nothing_is_too_wide(site: Site, show: Show, width: int, language: str) -> None:
    with site.app.app_context():
        card = make.card(site.entry)
        rulings.given(site.table, "smoking", results_factory.seats(site.table)[0])
        said = make.said(site.table, END, seat=1)
    heard = site.heard()
    page = show(width, language)
    told: dict[str, list[str]] = {}

    def look(name: str, path: str, who: Actor | None = None) -> None:
        if who is not None:
            site.as_(who)
        opened = page.goto(SITE + path)
        assert opened is not None
        assert opened.status == 200, path
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        told[name] = axe.violations(page)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            told[name].append(f"{wide} wide")
        if pictures := os.environ.get("SAISHI_PICTURES"):
            page.screenshot(path=Path(pictures) / f"{name}-{width}-{language}.png", full_page=True)

    look("index", INDEX)
    look("card", f"/c/beach/p/{card}")
    look("card-form", f"/c/beach/p/{card}/appeal")
    look("oral", f"/c/beach/appeals/r/{site.token(said)}")
    look("new", NEW, site.leader)
    look("receipt", f"/c/beach/appeals/r/{site.token(heard)}")
    look("desk-clerk", DESK, site.referee)
    look("clerk-oral", f"{DESK}/{said}/clerk")
    look("clerk", f"{DESK}/{heard}/clerk")
    look("ledger", LEDGER, site.chief)
    look("desk", DESK, site.arbiter)
    look("case", f"{DESK}/{heard}")
    assert {name: found for name, found in told.items() if found} == {}
