"""公告 on a phone: written with a file, for later, pinned; public by the clock alone, in the feed, and withdrawn with its reason."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests import axe
from tests.factories.uploads import photo
from tests.journeys import driver
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running
from tests.journeys.test_browser import ARTIFACTS, Phone

pytestmark = [pytest.mark.journey, pytest.mark.browser]

ATOM = "{http://www.w3.org/2005/Atom}"
PATIENCE = 60_000


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("announcements")) as started:
        yield started


@pytest.fixture(scope="module")
def journey(instance: Instance) -> Journey:
    found = Journey(instance)
    found.appoint_organiser()
    found.move_clock(driver.DURING_ENTRIES)
    found.create()
    found.move_clock(driver.DURING_ENTRIES + timedelta(minutes=10))  # a code is sent again only after a while
    return found


def titles(instance: Instance, slug: str) -> list[str]:
    """What the feed tells whoever follows it."""
    answer = httpx.get(f"{instance.url}/c/{slug}/announcements.atom", trust_env=False, timeout=30)
    assert answer.status_code == 200
    feed = ET.fromstring(answer.content)  # our own feed
    return [entry.findtext(f"{ATOM}title") or "" for entry in feed.findall(f"{ATOM}entry")]


def test_the_life_of_an_announcement_on_a_phone(
    chromium: Browser, instance: Instance, journey: Journey, tmp_path: Path
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    staff, public = f"/staff/c/{journey.slug}/announcements", f"/c/{journey.slug}/announcements"
    writer = Phone(chromium, instance.url, driver.STAFF["committee"])
    reader = Phone(chromium, instance.url, 0, scripts=False)
    picture = tmp_path / "交通图.jpg"
    picture.write_bytes(photo())

    writer.sign_in_at(staff)
    writer.tap("写公告", role="link")
    page = writer.page
    page.fill("[name=title]", "报到须知")
    page.fill("[name=body]", "请到一楼大厅报到。\n\n路线见 https://example.org/route")
    page.locator("label:has([name=pinned])").tap()
    page.locator("[data-file][multiple]").set_input_files(str(picture))
    expect(page.locator("[data-page]").first).to_have_attribute("data-state", "ready", timeout=PATIENCE)
    later = driver.DURING_ENTRIES + timedelta(days=1)
    page.fill("[name=publish_at]", later.strftime("%Y-%m-%dT%H:%M"))
    writer.keep("announcement-form")
    writer.tap("预览")
    expect(page.locator("#preview")).to_contain_text("路线见")
    writer.keep("announcement-preview")
    assert axe.violations(page) == []
    writer.tap("发布")
    expect(page.get_by_text("待发布").first).to_be_visible()
    writer.keep("announcement-scheduled")

    reader.open(public)
    expect(reader.page.get_by_text("还没有公告。")).to_be_visible()
    assert titles(instance, journey.slug) == []

    journey.move_clock(later)  # nobody does anything: the time alone makes it public
    reader.open(f"/c/{journey.slug}")
    reader.tap(re.compile("报到须知"), role="link")
    expect(reader.page.locator("h1")).to_have_text("报到须知")
    reader.keep("announcement-public")
    assert titles(instance, journey.slug) == ["报到须知"]
    address = reader.page.locator("a[href*='/files/']").get_attribute("href")
    assert address is not None
    file = httpx.get(f"{instance.url}{address}", trust_env=False, timeout=30)
    assert (file.status_code, file.headers["content-type"]) == (200, "image/jpeg")
    here = reader.page.url

    writer.open(staff)
    writer.tap(re.compile("报到须知"), role="link")
    page.fill("[name=reason]", "地点有误，以新公告为准。")
    writer.tap("撤回公告")
    expect(page.get_by_text("已撤回").first).to_be_visible()
    reader.page.goto(here)
    expect(reader.page.locator("[data-withdrawn]")).to_contain_text("地点有误")
    reader.keep("announcement-withdrawn")
    assert titles(instance, journey.slug) == []
    assert httpx.get(f"{instance.url}{address}", trust_env=False, timeout=30).status_code == 404
    reader.open(public)
    expect(reader.page.get_by_text("还没有公告。")).to_be_visible()
