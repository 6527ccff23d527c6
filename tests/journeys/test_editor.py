"""A committee writes its regulation on a phone: Chromium at 390 px, from the library to a published competition."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

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


def test_a_library_regulation_is_changed_previewed_and_published_on_a_phone(
    chromium: Browser, instance: Instance
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    journey = Journey(instance)
    journey.appoint_organiser()
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


def preview(phone: Phone) -> None:
    phone.tap("返回", role="link")
    phone.tap(re.compile("^预览"), role="link")
    phone.page.fill("[name=entrants]", "34")
    phone.tap("算一算")
    expect(phone.page.get_by_text("34 人分成 11 桌，1 人抽签直接进入下一阶段")).to_be_visible()
    expect(phone.page.get_by_text("2021年11月9日（周二）24:00 结束")).to_be_visible()
    phone.keep("editor-preview")
    phone.tap("返回", role="link")


def publish(phone: Phone) -> None:
    phone.tap("公布并创建赛事", role="link")
    phone.page.fill("[name=place]", "示例市体育馆")
    phone.page.fill("[name=slug]", "mine")
    phone.keep("editor-publish")
    phone.tap("公布并创建")
    phone.page.wait_for_url("**/staff/c/mine")
