"""A committee writes its regulation on a phone: Chromium at 390 px, from the library to a published competition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect

from app.regulations.schemas.form import SECTIONS
from tests import axe
from tests.journeys import driver
from tests.journeys.clients import Api
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running
from tests.journeys.test_browser import ARTIFACTS, Phone

pytestmark = [pytest.mark.journey, pytest.mark.browser]


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("editor")) as started:
        yield started


@pytest.fixture(scope="module")
def journey(instance: Instance) -> Journey:
    found = Journey(instance)
    found.appoint_organiser()
    return found


def test_a_library_regulation_is_changed_previewed_and_published_on_a_phone(
    chromium: Browser, instance: Instance, journey: Journey
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    journey.move_clock(driver.DURING_ENTRIES)
    phone = Phone(chromium, instance.url, 1)
    phone.sign_in_at("/staff/regulations")
    phone.keep("editor-start")
    phone.tap(re.compile("沙滩运动会竞技二打一"))
    phone.page.wait_for_url(re.compile(r"/staff/regulations/\d+$"))
    phone.keep("editor-draft")
    change_two_dates(phone)
    change_a_reading(phone)
    move_a_criterion_and_back(phone)
    preview(phone)
    publish(phone)
    (held,) = Api(instance.url).get("/competitions/mine")["events"]
    assert held["calendar"]["registration_closes"] == "2021-11-02T18:00:00+08:00"
    assert held["calendar"]["check_in"] == "2021-12-01"
    phone.open("/c/mine/regulation")
    expect(phone.page.get_by_text("任何一张王都不可带").first).to_be_visible()


def test_without_javascript_the_same_pages_do_the_same(
    chromium: Browser, instance: Instance, journey: Journey
) -> None:
    journey.move_clock(
        driver.DURING_ENTRIES + timedelta(minutes=10)
    )  # a code is sent again only after a while
    phone = Phone(chromium, instance.url, 1, scripts=False)
    phone.sign_in_at("/staff/regulations")
    phone.tap(re.compile("沙滩运动会竞技二打一"))
    phone.page.wait_for_url(re.compile(r"/staff/regulations/\d+$"))
    phone.tap("日程", role="link")
    phone.page.fill("[name=calendar-check_in-at]", "2021-12-09")
    phone.tap("保存")
    expect(phone.page.locator("#f-calendar-play_from-at-error")).to_be_visible()
    phone.page.fill("[name=calendar-check_in-at]", "2021-12-01")
    phone.tap("保存")
    expect(phone.page.locator(".field__error")).to_have_count(0)
    phone.tap("返回", role="link")
    phone.tap("名次依据", role="link")
    titles = phone.page.locator(".row__body > summary")
    phone.tap("第 2 行上移")
    expect(titles.nth(0)).to_contain_text("胜局数")
    phone.tap("第 1 行下移")
    expect(titles.nth(1)).to_contain_text("胜局数")
    preview(phone, ends="2021年11月5日（周五）24:00 结束")
    publish(phone, "plain")
    assert Api(instance.url).get("/competitions/plain")["slug"] == "plain"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_axe_finds_nothing_on_the_pages_of_a_regulation(
    chromium: Browser, instance: Instance, journey: Journey, language: str
) -> None:
    """Every page of the editor with something wrong on it, the rules page, and the pages of the next version."""
    journey.move_clock(driver.DURING_ENTRIES + timedelta(minutes={"zh": 20, "en": 30}[language]))
    phone = Phone(chromium, instance.url, 1)
    phone.sign_in_at("/staff/regulations")
    phone.tap(re.compile("沙滩运动会竞技二打一"))
    phone.page.wait_for_url(re.compile(r"/staff/regulations/\d+$"))
    draft = phone.page.url
    phone.open(f"{draft}/calendar")
    phone.page.fill("[name=calendar-check_in-at]", "2021-12-09")
    phone.tap("保存")
    expect(phone.page.get_by_text("已保存")).to_be_visible()
    slug = Api(instance.url).get("/competitions")[0]["slug"]
    phone.open(f"/staff/c/{slug}/regulation")
    if phone.page.get_by_role("button", name="起草新版").count():
        phone.tap("起草新版")
        phone.page.wait_for_url(re.compile(r"/staff/regulations/\d+$"))
        next_version = phone.page.url
        phone.open(f"{next_version}/publication")
        phone.page.fill("[name=publication-workdays]", "6")
        phone.tap("保存")
        expect(phone.page.get_by_text("已保存")).to_be_visible()
    pages = [
        *("/staff/regulations", draft, *(f"{draft}/{section}" for section in SECTIONS)),
        *(f"{draft}/preview", "/staff/regulations/compare", f"/staff/c/{slug}/regulation"),
        *(f"/staff/c/{slug}/regulation/publish", f"/c/{slug}/regulation", "/regulations"),
        *(f"/c/{slug}/regulation/versions/1", "/regulations/baiyun-tractor-2016", "/staff/workdays"),
    ]
    found = {}
    for address in pages:
        phone.open(f"{address}?lang={language}")
        if told := axe.violations(phone.page):
            found[address] = told
    assert found == {}


def test_axe_would_find_a_picture_without_words(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content('<html lang="zh"><title>图</title><main><h1>图</h1><img src="x.png"></main></html>')
    assert [each.partition(" ")[0] for each in axe.violations(page)] == ["image-alt"]


def change_two_dates(phone: Phone) -> None:
    phone.tap("日程", role="link")
    phone.page.fill("[name=calendar-registration_closes-at]", "2021-11-02T18:00")
    phone.page.fill("[name=calendar-check_in-at]", "2021-12-09")
    phone.tap("保存")
    # after the first day of play: kept, and named beside the field it makes wrong
    expect(phone.page.locator("#f-calendar-play_from-at-error")).to_be_visible()
    assert phone.page.input_value("[name=calendar-check_in-at]") == "2021-12-09"
    phone.keep("editor-wrong-date")
    phone.page.fill("[name=calendar-check_in-at]", "2021-12-01")
    phone.tap("保存")
    expect(phone.page.locator(".field__error")).to_have_count(0)


def change_a_reading(phone: Phone) -> None:
    phone.tap("返回", role="link")
    phone.tap("解释选项", role="link")
    phone.page.get_by_role("radio", name="任何一张王都不可带").check()
    phone.tap("保存")
    expect(phone.page.get_by_role("radio", name="任何一张王都不可带")).to_be_checked()
    phone.keep("editor-readings")


def move_a_criterion_and_back(phone: Phone) -> None:
    """A row is moved without leaving the page, and stays open under the thumb."""
    phone.tap("返回", role="link")
    phone.tap("名次依据", role="link")
    titles = phone.page.locator(".row__body > summary")
    expect(titles.nth(1)).to_contain_text("胜局数")
    phone.tap("第 2 行上移")
    expect(titles.nth(0)).to_contain_text("胜局数")
    phone.keep("editor-moved")
    phone.tap("第 1 行下移")
    expect(titles.nth(1)).to_contain_text("胜局数")
    expect(titles.nth(1)).to_be_focused()


def preview(phone: Phone, ends: str = "2021年11月9日（周二）24:00 结束") -> None:
    phone.tap("返回", role="link")
    phone.tap(re.compile("^预览"), role="link")
    phone.page.fill("[name=entrants]", "34")
    phone.tap("算一算")
    expect(phone.page.get_by_text("34 人分成 11 桌，1 人抽签直接进入下一阶段")).to_be_visible()
    expect(phone.page.get_by_text(ends)).to_be_visible()
    phone.keep("editor-preview")
    phone.tap("返回", role="link")


def publish(phone: Phone, slug: str = "mine") -> None:
    phone.tap("公布并创建赛事", role="link")
    phone.page.fill("[name=place]", "示例市体育馆")
    phone.page.fill("[name=slug]", slug)
    phone.keep("editor-publish")
    phone.tap("公布并创建")
    phone.page.wait_for_url(f"**/staff/c/{slug}")
