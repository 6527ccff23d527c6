"""The sheet of a match on a phone in Chromium, against the program's own pages: nothing is lost without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from app.draws.queries import TableView
from app.frontend.build import build
from tests.conftest import ROOT
from tests.factories import accounts, duels, results, rounds
from tests.factories.publications import Travel

pytestmark = pytest.mark.browser

SITE = "http://table.example"


class Network:
    """Every request of the page, answered by the program; nothing while it is down."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.up = True

    def handle(self, route: Route) -> None:
        request = route.request
        address = urlsplit(request.url)
        if address.path.startswith("/static/"):
            route.fulfill(path=str(ROOT / "app" / address.path.removeprefix("/")))
        elif not self.up:
            route.abort("internetdisconnected")
        else:
            path = address.path + (f"?{address.query}" if address.query else "")
            answer = self.client.open(
                path,
                method=request.method,
                data=request.post_data,
                content_type=request.headers.get("content-type"),
                follow_redirects=True,
            )
            route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.data)


@pytest.fixture
def table(app: Flask, travel: Travel) -> TableView:
    build(ROOT)
    app.extensions.pop("saishi_manifest", None)  # read anew: the sources may just have been built
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 4)
        return rounds.drawn(duels.SLUG).tables[0]


@pytest.fixture
def network(app: Flask, table: TableView, client: FlaskClient) -> Network:
    with app.app_context():
        referee = results.referee(duels.SLUG)
    accounts.sign_in(client, referee)
    return Network(client)


@pytest.fixture
def phone(chromium: Browser, network: Network, table: TableView) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="zh-CN")
    context.route("**/*", network.handle)
    page = context.new_page()
    page.goto(f"{SITE}/c/{duels.SLUG}/t/{table.token}")
    yield page
    context.close()


def record(page: Page, banker: str, points: int) -> None:
    page.locator(f'[name=banker][value="{banker}"]').check()
    page.fill("#deal-points", str(points))
    page.click("[data-save]")


def state(page: Page) -> Callable[[str], None]:
    return expect(page.locator("[data-sheet-state]")).to_contain_text


def test_a_deal_that_arrives_is_said_in_the_words_of_the_engine(phone: Page, table: TableView) -> None:
    one, other = duels.seats(table)
    record(phone, one, 180)
    expect(phone.locator("[data-match-deals]")).to_contain_text("升 1 级，打 3")
    expect(phone.locator("[data-deal-title]")).to_have_text("第 2 副")
    expect(phone.locator(f'[name=banker][value="{other}"]')).to_be_checked()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_deals_typed_without_a_network_stay_on_the_phone_and_go_up_when_it_returns(
    app: Flask, phone: Page, table: TableView, network: Network
) -> None:
    one, other = duels.seats(table)
    network.up = False
    record(phone, one, 180)
    record(phone, other, 40)
    phone.fill("#deal-points", "75")
    state(phone)("网络恢复后自动上传")
    assert phone.locator("[data-result]").all_inner_texts()[:2] == ["180", "40"]
    network.up = True
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    expect(phone.locator("[data-match-deals] li")).to_have_count(2)
    expect(phone.locator("#deal-points")).to_have_value("75")
    expect(phone.locator("[data-bank-words]")).to_contain_text("坐庄")
    with app.app_context():
        assert duels.sheet(table).deals == ({"banker": one, "points": 180}, {"banker": other, "points": 40})


def test_an_impossible_deal_stays_on_the_phone_with_what_is_wrong_with_it(
    phone: Page, table: TableView
) -> None:
    one, other = duels.seats(table)
    record(phone, one, 180)
    expect(phone.locator("[data-deal-title]")).to_have_text("第 2 副")
    record(phone, one, 40)
    expect(phone.locator("[data-sheet-problems]")).to_contain_text("坐庄")
    phone.locator('[data-deal="2"] a').click()
    record(phone, other, 40)
    expect(phone.locator("[data-match-deals] li")).to_have_count(2)


def test_a_deal_without_its_points_is_not_sent(phone: Page, table: TableView) -> None:
    one, _ = duels.seats(table)
    phone.locator(f'[name=banker][value="{one}"]').check()
    phone.click("[data-save]")
    expect(phone.locator(".deal__row_missing #deal-points")).to_have_count(1)
    expect(phone.locator("[data-deal-title]")).to_have_text("第 1 副")


def test_a_match_is_handed_in_from_the_phone(phone: Page, table: TableView) -> None:
    one, _ = duels.seats(table)
    record(phone, one, 60)
    expect(phone.locator("[data-match-deals] li")).to_have_count(1)
    phone.get_by_text("本轮打完，核对交表").click()
    phone.locator("form[data-hand-in] [name=checked]").check(force=True)
    phone.locator("form[data-hand-in] [type=submit]").click()
    expect(phone.locator("[data-match]")).to_have_attribute("data-state", "confirmed")
