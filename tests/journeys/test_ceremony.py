"""The draw ceremony in the hall: on a projector by keys, on a phone, and without scripts. Screenshots are kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.demonstration import people
from tests import services
from tests.journeys import driver, posters
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running

pytestmark = [pytest.mark.journey, pytest.mark.browser]

PROJECTOR = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
ARTIFACTS = services.ROOT / "test-artifacts" / "ceremony"
WORDS = "开奖号码 01 05 11 17 23 28"
SMALLEST = 36.0
"""Pixels of 1920: on a screen three metres wide 5.6 cm, which is read from ten metres."""

SMALLEST_TEXT = """() => {
  const sizes = [];
  const walker = document.createTreeWalker(document.querySelector("[data-ceremony]"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (text.textContent.trim()) sizes.push(parseFloat(getComputedStyle(text.parentElement).fontSize));
  }
  return Math.min(...sizes);
}"""
OUTSIDE = """() => {
  const root = document.documentElement;
  return [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
}"""


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Instance, Journey]]:
    """34 approved entrants on a final list that nobody has drawn from."""
    with running(SQLITE, tmp_path_factory.mktemp("ceremony")) as instance:
        journey = Journey(instance)
        journey.appoint_organiser()
        journey.move_clock(driver.DURING_ENTRIES)
        journey.create()
        journey.enter_all()
        journey.move_clock(driver.DEADLINE + timedelta(seconds=1))
        journey.approve_all()
        journey.publish()
        journey.move_clock(driver.WINDOW_ENDS)
        yield instance, journey


def opened(chromium: Browser, url: str, **more: object) -> BrowserContext:
    context = chromium.new_context(**{"viewport": PROJECTOR, "locale": "zh-CN", "base_url": url} | more)
    context.set_default_timeout(30_000)
    return context


def keep(page: Page, name: str) -> None:
    page.screenshot(path=ARTIFACTS / f"{name}.png")


def require_readable(page: Page) -> None:
    """Large enough for the last row, and nothing beyond the screen."""
    assert page.evaluate(SMALLEST_TEXT) >= SMALLEST
    assert page.evaluate(OUTSIDE) == [0, 0]


def test_the_ceremony_runs_on_a_projector_by_keys_and_anyone_replays_it(
    chromium: Browser, ready: tuple[Instance, Journey]
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    instance, journey = ready
    slug = journey.slug
    context = opened(chromium, instance.url)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))

    page.goto(f"/sign-in?next=/staff/c/{slug}/draws")
    page.fill("[name=phone]", people.phone(driver.STAFF["committee"]))
    page.get_by_role("button", name="获取验证码").click()
    page.fill("[name=code]", page.locator("[data-code]").inner_text())
    page.get_by_role("button", name="登录").click()
    page.wait_for_url(re.compile("/draws$"))
    page.get_by_role("button", name="先公布种子承诺").click()
    expect(page.get_by_text("种子承诺已公布")).to_be_visible()
    page.get_by_role("link", name="抽签仪式（投影）").click()

    commitment = page.locator("[data-commitment]").inner_text()
    assert re.fullmatch("[0-9a-f]{64}", commitment)
    keep(page, "1-commitment")
    require_readable(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("step=2"))
    keep(page, "2-contribution-asked")
    page.fill("[name=contribution]", WORDS)  # a space in the field goes into the field
    page.get_by_role("button", name="写入并公布").click()
    expect(page.locator("[data-contribution]")).to_have_text(WORDS)
    keep(page, "2-contribution")
    require_readable(page)
    page.keyboard.press("PageDown")
    page.wait_for_url(re.compile("step=3"))
    keep(page, "3-before-the-seed")
    page.get_by_role("button", name="揭晓种子并抽签").click()
    secret = page.locator("[data-committed-seed]").inner_text()
    seed = page.locator("[data-seed]").inner_text()
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == commitment
    assert hashlib.sha256(bytes.fromhex(secret) + WORDS.encode()).hexdigest() == seed
    keep(page, "3-seed")
    require_readable(page)

    drawn = journey.staff["committee"].get(f"/competitions/{slug}/draws")[0]
    for table in drawn["tables"]:
        page.keyboard.press("Space")
        expect(page.locator("[data-table]")).to_have_text(f"第 {table['number']} 桌")
        for seat in table["seats"]:
            expect(page.get_by_text(seat["name"], exact=True)).to_be_visible()
        keep(page, "4-table")
    require_readable(page)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-table]")).to_have_text(f"第 {len(drawn['tables']) - 1} 桌")
    page.get_by_role("link", name="直接看结果").click()
    keep(page, "5-result")
    require_readable(page)
    page.get_by_role("link", name="重新计算").click()
    expect(page.locator("[data-replayed=identical]")).to_be_visible()
    assert complaints == []
    context.close()
    verified = services.saishi("verify", str(journey.download_event_file()), environment={})
    assert verified.returncode == 0, verified.stdout

    the_same_steps_on_a_phone_without_scripts(chromium, instance.url, slug, len(drawn["tables"]))
    a_name_leads_to_its_table_and_the_code_back(chromium, instance.url, slug, drawn)


def the_same_steps_on_a_phone_without_scripts(chromium: Browser, url: str, slug: str, tables: int) -> None:
    context = opened(
        chromium, url, viewport=PHONE, device_scale_factor=2, has_touch=True, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"/c/{slug}/draws/prelim/1/ceremony")
    for step in range(1, tables + 4):
        page.wait_for_selector(f"[data-step='{step}']")
        assert page.locator("[name=contribution], button").count() == 0
        if step in (1, 3, 4):
            keep(page, f"phone-{step}")
        box = page.locator("[data-next]").bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= PHONE["width"]
        page.locator("[data-next]").tap()
    page.wait_for_selector(f"[data-step='{tables + 4}']")
    assert page.locator("[data-next]").count() == 0
    context.close()
    sideways = opened(chromium, url, viewport=PHONE)
    page = sideways.new_page()
    for step in (1, 2, 3, 4, tables + 4):
        page.goto(f"/c/{slug}/draws/prelim/1/ceremony?step={step}")
        assert page.evaluate(OUTSIDE)[0] == 0, f"step {step} scrolls sideways"
    sideways.close()


def a_name_leads_to_its_table_and_the_code_back(
    chromium: Browser, url: str, slug: str, drawn: dict[str, object]
) -> None:
    table = drawn["tables"][4]  # type: ignore[index]  # as the API answers
    name = table["seats"][1]["name"]
    context = opened(chromium, url, viewport=PHONE, device_scale_factor=2, has_touch=True)
    page = context.new_page()
    page.goto(f"/c/{slug}/pairings")
    page.fill("[name=q]", name)
    page.get_by_role("button", name="查找").tap()
    page.locator("[data-found]").get_by_role("link", name=name, exact=True).tap()
    expect(page.locator(".my-table")).to_contain_text(f"第 {table['number']} 桌")
    assert page.evaluate(OUTSIDE)[0] == 0
    seen = posters.read_at_3_cm(page.locator(".my-code img").screenshot())
    assert seen == page.url
    keep(page, "phone-my-table")
    context.close()
