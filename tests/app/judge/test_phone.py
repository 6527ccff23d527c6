"""A referee's phone in Chromium, 360 pixels wide: cards tapped with a thumb, judged without a reload, kept without a network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from app.frontend.build import build
from tests import axe
from tests.app.judge.conftest import Held
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

SITE = "http://hall.example"
PAGE = f"{SITE}/c/judged/judge"
A, C = "beach-games-landlord-2021", "baiyun-tractor-2016"
TOUCH = 44

Open = Callable[[str], Page]


class Hall:
    """The hall's network in front of the program; it counts the pages, and it can fail."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.asked: list[str] = []
        self.status = 200

    def handle(self, route: Route) -> None:
        address = urlsplit(route.request.url)
        if address.path.startswith("/static/"):
            route.fulfill(path=str(ROOT / "app" / address.path.removeprefix("/")))
            return
        self.asked.append(address.path)
        if self.status != 200:
            route.fulfill(status=self.status, body="")
            return
        headers = {"Accept-Language": route.request.headers.get("accept-language", "zh-CN")}
        answer = self.client.get(f"{address.path}?{address.query}", headers=headers)
        route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.data)


@pytest.fixture
def hall(client: FlaskClient) -> Hall:
    build(ROOT)
    return Hall(client)


@pytest.fixture
def context(chromium: Browser, hall: Hall) -> Iterator[BrowserContext]:
    opened = chromium.new_context(viewport={"width": 360, "height": 740}, locale="zh-CN", has_touch=True)
    opened.route("**/*", hall.handle)
    yield opened
    opened.close()


@pytest.fixture
def phone(context: BrowserContext) -> Iterator[Open]:
    """``phone(address)``: the page; the test fails on an error in its console."""
    faults: list[str] = []

    def page(address: str = PAGE) -> Page:
        shown = context.new_page()
        shown.on("pageerror", lambda error: faults.append(str(error)))
        shown.goto(address)
        return shown

    yield page
    assert faults == []


@contextmanager
def offline(context: BrowserContext) -> Iterator[None]:
    context.unroute_all()
    context.set_offline(True)
    yield
    context.set_offline(False)


def tap(page: Page, *signs: str) -> None:
    for sign in signs:
        page.locator(f'[data-sign="{sign}"]').tap()


def suit(page: Page, sign: str) -> None:
    page.locator(f'[name=suit][value="{sign}"]').tap()


def row(page: Page, name: str) -> Locator:
    return page.locator(f"[data-cards][name={name}]")


def choose(page: Page, name: str) -> None:
    page.locator(f'[name=active][value="{name}"]').tap()


def ask(page: Page) -> None:
    page.locator("[data-ask]").tap()


def words(page: Page) -> Locator:
    return page.locator("[data-verdict] > p").first


def test_plays_are_tapped_and_judged_and_kept_without_a_network(
    context: BrowserContext, hall: Hall, held: Held, phone: Open
) -> None:
    held(A)
    page = phone(PAGE)
    tap(page, *"333444", "6", "9")
    expect(row(page, "play")).to_have_value("3 3 3 4 4 4 6 9")
    expect(page.locator("[data-row=play] [data-count]")).to_have_text("8 张")
    expect(page.get_by_role("button", name="3 3 张", exact=True)).to_be_visible()
    ask(page)
    expect(words(page)).to_have_text("合法：飞机带单牌")
    expect(page.get_by_role("status").get_by_role("link")).to_have_attribute(
        "href", re.compile("/c/judged/regulation#clause-")
    )

    page.locator("[value=clear]").tap()
    expect(page.locator("[data-verdict]")).to_have_count(0)  # an answer about other cards does not stand
    tap(page, *"444555", "3", "8")
    page.locator("[value=undo]").tap()
    tap(page, "7")
    row(page, "other").tap()  # a tap on the cards chooses their row
    tap(page, *"333444", "6", "9")
    ask(page)
    expect(words(page)).to_have_text("管得上：飞机带单牌")

    seen = len(hall.asked)
    with offline(context):
        choose(page, "play")
        page.locator("[value=clear]").tap()
        tap(page, "小王", "大王")
        ask(page)
        silent = page.get_by_role("alert").filter(has_text="没有网络")
        expect(silent).to_be_visible()
        expect(row(page, "play")).to_have_value("小王 大王")
        expect(page.locator("[data-verdict]")).to_have_count(0)
    assert len(hall.asked) == seen

    context.route("**/*", hall.handle)
    again = phone(PAGE)  # the browser had closed the page
    expect(row(again, "play")).to_have_value("小王 大王")
    expect(row(again, "other")).to_have_value("3 3 3 4 4 4 6 9")
    ask(again)
    expect(words(again)).to_have_text("管得上：火箭")


def test_a_card_is_tapped_as_often_as_the_packs_have_it(held: Held, phone: Open) -> None:
    held(A)
    page = phone(PAGE)
    tap(page, *"3333", "大王")
    for sign in ("3", "大王"):
        page.locator(f'[data-sign="{sign}"]').tap(force=True)  # it is marked as disabled
    expect(row(page, "play")).to_have_value("3 3 3 3 大王")
    expect(page.locator('[data-sign="3"]')).to_have_attribute("aria-disabled", "true")
    choose(page, "other")
    expect(page.locator('[data-sign="3"]')).not_to_have_attribute("aria-disabled", "true")


def test_a_follow_is_judged_with_trumps_and_suits(hall: Hall, held: Held, phone: Open) -> None:
    held(C)
    page = phone(f"{PAGE}?ask=follow")
    page.locator('[name=trump][value="♠"]').tap()
    page.locator('[name=level][value="7"]').tap()
    expect(page.locator("[data-trumps-words]")).to_have_text("♠7")
    suit(page, "♥")
    tap(page, *"5566")
    choose(page, "hand")
    tap(page, *"334488")
    suit(page, "♦")
    tap(page, "9")
    choose(page, "play")
    suit(page, "♥")
    tap(page, *"3388")
    expect(row(page, "hand")).to_have_value("♥3 ♥3 ♥4 ♥4 ♥8 ♥8 ♦9")
    loaded = page.evaluate("performance.timeOrigin")
    ask(page)
    expect(words(page)).to_have_text("跟错：有拖拉机未跟")
    assert page.evaluate("performance.timeOrigin") == loaded  # the page was not loaded anew
    page.locator("[value=clear]").tap()
    tap(page, *"3344")
    ask(page)
    expect(words(page)).to_have_text("跟得对")

    page.locator("[data-question=duty]").tap()
    expect(page.locator("[data-question=duty]")).to_have_attribute("aria-current", "page")
    expect(row(page, "hand")).to_have_value("♥3 ♥3 ♥4 ♥4 ♥8 ♥8 ♦9")
    ask(page)
    expect(words(page)).to_have_text("须跟红桃4张，其中须有二连对")


def test_levels_are_tapped_with_digits(held: Held, phone: Open) -> None:
    held(C)
    page = phone(f"{PAGE}?ask=levels")
    ask(page)
    expect(page.locator("#f-points-error")).to_have_text("请填防家得分。")
    expect(row(page, "points")).to_have_attribute("aria-invalid", "true")
    page.select_option("#f-banker_level", "5")
    page.select_option("#f-defenders_level", "7")
    tap(page, *"60")
    expect(page.locator("[data-row=bottom_points]")).to_be_hidden()
    page.select_option("#f-unit", "triple_run")
    page.select_option("#f-size", "3")
    choose(page, "bottom_points")
    tap(page, *"20")
    ask(page)
    expect(words(page)).to_have_text("防家上台，升 1 级，打 8")
    expect(page.locator(".field__error")).to_have_count(0)
    choose(page, "points")
    page.locator("[value=minus]").tap()
    ask(page)
    expect(words(page)).to_have_text("庄家升 1 级，打 6")


def test_a_server_that_does_not_answer_leaves_the_cards(hall: Hall, held: Held, phone: Open) -> None:
    held(A)
    page = phone(PAGE)
    tap(page, "3")
    hall.status = 502
    ask(page)
    expect(page.get_by_role("alert").filter(has_text="没有回答")).to_be_visible()
    hall.status = 200
    ask(page)
    expect(words(page)).to_have_text("合法：单牌")
    expect(page.locator("[data-silent]")).to_be_hidden()


def test_cards_can_be_typed_and_the_phones_keyboard_comes_when_it_is_asked_for(
    held: Held, phone: Open
) -> None:
    held(A)
    page = phone(PAGE)
    expect(row(page, "play")).to_have_attribute("inputmode", "none")
    page.locator("[data-typing]").tap()
    expect(row(page, "play")).to_have_attribute("inputmode", "text")
    expect(row(page, "play")).to_be_focused()
    page.keyboard.insert_text("大王 小王")
    expect(page.locator("[data-row=play] [data-count]")).to_have_text("2 张")
    ask(page)
    expect(words(page)).to_have_text("合法：火箭")


@pytest.mark.parametrize(
    ("regulation", "query"),
    [
        (A, "play=444555%2B37&other=333444%2B69&press=ask"),
        (A, "play=x&press=ask"),
        (C, "ask=lead"),
        (C, "ask=lead&trump=♥&level=2&play=♠KK/♠Q&next=♠AA4&partner=♦345&before=♠A 大王 ♦6&press=ask"),
        (C, "ask=trick&trump=♥&level=2&lead=♠5566&next=♠99TT&partner=♥3344&before=♦5566&press=ask"),
        (C, "ask=levels&press=ask"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_nothing_is_cut_off_too_small_or_without_a_name(
    held: Held, phone: Open, regulation: str, query: str, language: str
) -> None:
    held(regulation)
    page = phone(f"{PAGE}?{query}&lang={language}")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    small = page.evaluate(
        """touch => [...document.querySelectorAll(".judge-key, .judge-keys .pick, .judge-tabs a, [data-cards], [data-ask]")]
            .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < touch - 0.5)
            .map(each => each.outerHTML)""",
        TOUCH,
    )
    assert small == []
    assert axe.violations(page) == []
