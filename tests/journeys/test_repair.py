"""Two people repair a drawn round on their phones; the pairings follow, and the event file verifies. Screenshots are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.demonstration import people
from tests import services
from tests.journeys import driver
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running

pytestmark = [pytest.mark.journey, pytest.mark.browser]

PHONE = {"width": 360, "height": 740}
ARTIFACTS = services.ROOT / "test-artifacts" / "repair"
REASON = "两人是一家人，不同桌"
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Instance, Journey]]:
    """34 entrants, eleven tables drawn, and one who goes straight on."""
    with running(SQLITE, tmp_path_factory.mktemp("repair")) as instance:
        journey = Journey(instance)
        journey.appoint_organiser()
        journey.move_clock(driver.DURING_ENTRIES)
        journey.create()
        journey.enter_all()
        journey.move_clock(driver.DEADLINE + timedelta(seconds=1))
        journey.approve_all()
        journey.publish()
        journey.move_clock(driver.WINDOW_ENDS)
        journey.draw()
        yield instance, journey


def phone(chromium: Browser, url: str, **more: object) -> BrowserContext:
    options = {
        "viewport": PHONE,
        "device_scale_factor": 2,
        "has_touch": True,
        "locale": "zh-CN",
        "base_url": url,
    }
    context = chromium.new_context(**options | more)
    context.set_default_timeout(30_000)
    return context


def keep(page: Page, name: str) -> None:
    """A picture of the whole page, which fits the phone."""
    page.screenshot(path=ARTIFACTS / f"{name}.png", full_page=True)
    assert page.evaluate(SIDEWAYS) == 0, f"{name} scrolls sideways"


class Staff:
    """The phones of people with a role; each signs in once, since codes are sent sparingly."""

    def __init__(self, chromium: Browser, url: str) -> None:
        self.chromium, self.url = chromium, url
        self.cookies: dict[str, Any] = {}

    def page(self, role: str, to: str, *, scripts: bool = True) -> Page:
        context = phone(self.chromium, self.url, java_script_enabled=scripts)
        page = context.new_page()
        if role in self.cookies:
            context.add_cookies(self.cookies[role])
            page.goto(to)
            return page
        page.goto(f"/sign-in?next={to}")
        page.fill("[name=phone]", people.phone(driver.STAFF[role]))
        page.get_by_role("button", name="获取验证码").tap()
        page.fill("[name=code]", page.locator("[data-code]").inner_text())
        page.get_by_role("button", name="登录").tap()
        page.wait_for_url(re.compile(f"^[^?]*{re.escape(to)}$"))
        self.cookies[role] = context.cookies()
        return page


def test_two_people_change_places_by_two_taps_and_a_second_person_confirms(
    chromium: Browser, drawn: tuple[Instance, Journey]
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    instance, journey = drawn
    slug = journey.slug
    before = journey.staff["committee"].get(f"/competitions/{slug}/draws")[0]
    one = before["tables"][0]["seats"][1]
    other = before["tables"][6]["seats"][2]
    here = f"/staff/c/{slug}/draws/prelim/1/repair"

    staff = Staff(chromium, instance.url)
    page = staff.page("committee", f"/staff/c/{slug}/draws")
    page.get_by_role("link", name="人工调整").tap()
    keep(page, "1-before")
    page.get_by_role("button", name="开始调整").tap()
    expect(page.locator("[data-table]")).to_have_count(11)
    for link in page.locator(".repair-person").all()[:6]:
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    page.get_by_role("link", name=f"{one['name']} {one['unit']}").tap()
    expect(page.get_by_text(f"已选 {one['name']}")).to_be_visible()
    keep(page, "2-first-tapped")
    page.get_by_role("link", name=f"{other['name']} {other['unit']}").tap()
    expect(page.locator("[data-preview]")).to_contain_text(f"{one['name']}与{other['name']}对调")
    expect(page.locator("[data-difference]")).to_have_count(2)
    keep(page, "3-preview")
    page.fill("[name=reason]", REASON)
    page.get_by_role("button", name="保存这项调整").tap()
    expect(page.locator("[data-made]")).to_contain_text(REASON)
    expect(page.locator("[data-second-person]")).to_be_visible()
    keep(page, "4-made")

    reader = phone(chromium, instance.url, java_script_enabled=False).new_page()
    reader.goto(f"/c/{slug}/pairings")
    expect(reader.locator("[data-repairing]")).to_contain_text("正在调整")
    expect(reader.locator(".pairing").first).to_contain_text(one["name"])
    keep(reader, "5-public-meanwhile")

    page = staff.page("chief_referee", f"/staff/c/{slug}")
    expect(page.locator("[data-next-step]")).to_contain_text("已有 1 项改动，等第二人确认")
    page.get_by_role("link", name="看改动并确认").first.tap()
    keep(page, "6-second-person")
    page.get_by_role("button", name="确认并公布新座位").tap()
    expect(page.get_by_text("调整已确认并公布")).to_be_visible()

    reader.goto(f"/c/{slug}/pairings")
    expect(reader.locator("[data-repairing]")).to_have_count(0)
    expect(reader.locator(".pairing").first).to_contain_text(other["name"])
    expect(reader.locator(".pairing").first).not_to_contain_text(one["name"])
    keep(reader, "7-pairings")
    reader.goto(f"/c/{slug}/draws")
    expect(reader.locator("[data-repaired]").first).to_contain_text(REASON)
    keep(reader, "8-draw-and-repair")
    reader.goto(f"/c/{slug}/draws/prelim/1/replay")
    expect(reader.locator("[data-replayed=identical]")).to_be_visible()

    path = journey.download_event_file()
    verified = services.saishi("verify", str(path), environment={})
    assert verified.returncode == 0, verified.stdout
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["draws"][0]["repairs"][0]["change"] == {"swap": [one["entrant"], other["entrant"]]}
    document["draws"][0]["repairs"][0]["change"]["swap"][0] = before["tables"][2]["seats"][0]["entrant"]
    path.write_text(json.dumps(document), encoding="utf-8")
    assert services.saishi("verify", str(path), environment={}).returncode == 1

    the_lists_without_scripts_and_cancelling(staff, here, before)
    the_round_is_taken_back_and_drawn_again(staff, journey)


def the_lists_without_scripts_and_cancelling(staff: Staff, here: str, before: dict[str, Any]) -> None:
    page = staff.page("committee", here, scripts=False)
    page.get_by_role("button", name="开始调整").tap()
    form = page.locator("[data-form=bye]")
    page.get_by_text("指定轮空或直接晋级").first.tap()
    form.locator("[name=bye]").select_option(before["tables"][3]["seats"][0]["entrant"])
    form.locator("[name=instead_of]").select_option(before["direct"][0]["entrant"])
    form.get_by_role("button", name="预览").tap()
    expect(page.locator("[data-difference=byes]")).to_be_visible()
    keep(page, "9-bye-without-scripts")
    page.fill("[name=reason]", "因故")
    page.get_by_role("button", name="保存这项调整").tap()
    page.get_by_text("取消调整").first.tap()
    page.locator("[action$=cancellation] [name=reason]").fill("不需要了")
    page.get_by_role("button", name="取消调整").tap()
    expect(page.get_by_text("调整已取消，座位不变")).to_be_visible()
    page.get_by_role("link", name="记录").first.tap()
    expect(page.locator("[data-deed='draw_repair.cancelled']")).to_contain_text("不需要了")
    expect(page.locator("[data-deed='draw_repair.confirmed']")).to_have_count(1)
    keep(page, "9-history")


def the_round_is_taken_back_and_drawn_again(staff: Staff, journey: Journey) -> None:
    slug, referee = journey.slug, journey.staff["referee"]
    pairings = journey.staff["chief_referee"].get(f"/competitions/{slug}/pairings")
    table = next(each for each in pairings if each["number"] == 2)
    first = table["seats"][0]["entrant"]
    deal = {"landlord": first, "bid": 2, "winner": "landlord"}
    referee.post(
        f"/tables/{table['token']}/revisions",
        deals=[deal, deal],
        base_revision=0,
        idempotency_key="journey-undraw",
    )
    page = staff.page("chief_referee", f"/staff/c/{slug}/draws/prelim/1/undrawing")
    expect(page.locator("[data-loss]")).to_contain_text("1 桌 2 副")
    expect(page.locator("[data-loss]")).to_contain_text("其中 0 桌已交表确认，1 桌还在录入")
    keep(page, "10-undraw")
    page.fill("[name=reason]", "名单有误")
    page.fill("[name=deals]", "3")
    page.get_by_role("button", name="作废这一轮").tap()
    expect(page.locator("[data-problem]")).to_contain_text("请输入将作废的副数 2")
    page.fill("[name=deals]", "2")
    page.get_by_role("button", name="作废这一轮").tap()
    expect(page.get_by_text("这一轮已作废")).to_be_visible()
    page.get_by_role("link", name="看作废的成绩").tap()
    expect(page.locator("[data-entered='2'] li")).to_have_count(2)
    keep(page, "11-void-scores")
    page.goto(f"/staff/c/{slug}/draws")
    page.get_by_role("button", name="先公布种子承诺").tap()
    page.get_by_role("button", name="抽签", exact=True).tap()
    expect(page.get_by_text("已抽签")).to_be_visible()
    page.goto(f"/c/{slug}/draws")
    expect(page.locator("[data-void]")).to_contain_text("名单有误")
    expect(page.locator("[data-void]")).to_contain_text(driver.SEED)
    keep(page, "12-void-and-new-draw")
    verified = services.saishi("verify", str(journey.download_event_file()), environment={})
    assert verified.returncode == 0, verified.stdout
