"""What a phone of 360 pixels must show whole: the tab of this page, and a day with its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser

SITE = "http://page.example"
HEAD = """<!doctype html><html lang="zh"><head><title>t</title><link rel="stylesheet" href="{{ asset('app.css') }}">
<script type="module" src="{{ asset('app.js') }}"></script></head><body>
{% from "components/forms.html" import group, field %}"""
TABS = """<nav class="staff-nav"><ul data-tabs>{% for name in names %}
<li><a href="#"{% if name == here %} aria-current="page"{% endif %}>{{ name }}</a></li>{% endfor %}</ul></nav>
<p style="height: 200vh">"""
FORM = """{% call group() %}{{ field("calendar-opens", label, {}, {}, type="datetime-local", required=true,
default="2021-10-22T00:00") }}{{ field("place", label, {}, {}) }}{% endcall %}"""
NAMES = ["概况", "审核报名", "公示", "抽签编排", "桌卡", "各桌成绩", "晋级与下一阶段", "人员与身份"]

Show = Callable[..., Page]


@pytest.fixture
def show(chromium: Browser, static: Path, render: Callable[..., str]) -> Iterator[Show]:
    """``show(template, **context)``: the page as Chromium draws it on a narrow phone."""
    contexts = []

    def page(template: str, language: str = "zh-CN", **context: object) -> Page:
        text = render(HEAD + template, **context)

        def handle(route: Route) -> None:
            path = urlsplit(route.request.url).path
            if path.startswith("/static/"):
                route.fulfill(path=str(static / path.removeprefix("/static/")))
            else:
                route.fulfill(status=200, content_type="text/html; charset=utf-8", body=text)

        opened = chromium.new_context(viewport={"width": 360, "height": 780}, locale=language)
        contexts.append(opened)
        opened.route("**/*", handle)
        shown = opened.new_page()
        shown.goto(SITE + "/page")
        return shown

    yield page
    for opened in contexts:
        opened.close()


@pytest.mark.parametrize(("here", "more"), [("概况", "end"), ("桌卡", "start end"), ("人员与身份", "start")])
def test_the_tab_of_this_page_stands_in_view_and_the_strip_says_where_more_are(
    show: Show, here: str, more: str
) -> None:
    page = show(TABS, names=NAMES, here=here)
    page.wait_for_selector(f'[data-more="{more}"]')
    box = page.locator("[aria-current]").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("getComputedStyle(document.querySelector('[data-tabs]')).maskImage") != "none"


def test_a_strip_that_fits_fades_nowhere(show: Show) -> None:
    page = show(TABS, names=NAMES[:3], here="公示")
    page.wait_for_selector('[data-more=""]', state="attached")
    assert page.evaluate("getComputedStyle(document.querySelector('[data-tabs]')).maskImage") == "none"


@pytest.mark.parametrize(("language", "label"), [("zh-CN", "报名开始"), ("en-US", "Entries open")])
def test_a_day_with_its_time_has_the_whole_width_below_its_label(
    show: Show, language: str, label: str
) -> None:
    page = show(FORM, language, label=label)
    stood = page.locator("label[for=f-calendar-opens]").bounding_box()
    field = page.locator("#f-calendar-opens").bounding_box()
    beside = page.locator("#f-place").bounding_box()
    assert stood is not None
    assert field is not None
    assert beside is not None
    assert field["width"] > 300 > beside["width"]
    assert field["y"] + field["height"] / 2 > stood["y"] + stood["height"]
