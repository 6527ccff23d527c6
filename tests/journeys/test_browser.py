"""The same walk on a phone: Chromium at 390 × 844, with screenshots kept under ``test-artifacts/``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.demonstration import deals, people
from tests import services
from tests.journeys import driver, posters
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running

pytestmark = [pytest.mark.journey, pytest.mark.browser]

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 740}
ARTIFACTS = services.ROOT / "test-artifacts" / "journey"
PATIENCE = 30_000.0


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("browser")) as started:
        yield started


class Phone:
    """One person's phone; every page it shows must fit the narrowest screen."""

    def __init__(self, chromium: Browser, url: str, serial: int, *, scripts: bool = True) -> None:
        self.context: BrowserContext = chromium.new_context(
            viewport=PHONE,
            device_scale_factor=2,
            is_mobile=True,
            has_touch=True,
            java_script_enabled=scripts,
            locale="zh-CN",
            base_url=url,
        )
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.serial = serial
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: str) -> None:
        answer = self.page.goto(path)
        assert answer is not None

    def tap(self, name: str | re.Pattern[str], role: str = "button") -> None:
        self.page.get_by_role(role, name=name).first.tap()  # type: ignore[arg-type]  # one of its literal names

    def sign_in_at(self, path: str) -> None:
        """Open ``path`` signed out, sign in with the code the demonstration shows, and be back at ``path``."""
        self.open(path)
        self.page.locator("a[href^='/sign-in?']").first.tap()
        self.page.fill("[name=phone]", people.phone(self.serial))
        self.tap("获取验证码")
        self.page.fill("[name=code]", self.page.locator("[data-code]").inner_text())
        self.tap("登录")
        # the address of the code form names the path too, as its `next`
        self.page.wait_for_url(re.compile(r"^[^?]*" + re.escape(path.split("?", maxsplit=1)[0])))

    def keep(self, name: str) -> None:
        """A screenshot, after holding the page to 360 px: nothing may scroll sideways."""
        self.page.screenshot(path=ARTIFACTS / f"{name}.png", full_page=True)
        self.page.set_viewport_size(SMALL)
        too_wide = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        self.page.set_viewport_size(PHONE)
        assert too_wide <= 0, f"{name} is {too_wide} px too wide at 360 px"
        assert not self.complaints, self.complaints


def test_the_walk_from_the_poster_to_the_standings_on_a_phone(chromium: Browser, instance: Instance) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    journey = Journey(instance)
    journey.appoint_organiser()
    journey.move_clock(driver.DURING_ENTRIES)
    journey.create()
    enter = journey.follow_poster()
    public = Phone(chromium, instance.url, 0)
    look_around(public, journey.slug)

    sign_up(Phone(chromium, instance.url, driver.FIRST_LEADER + 11), journey.slug, enter)
    serial = 0
    for number, size in enumerate(people.sizes_of_units(driver.MEMBERS)[:-1]):
        journey.submit(journey.enter_unit(number, range(serial + 1, serial + size + 1)))
        serial += size
    journey.move_clock(driver.DEADLINE + timedelta(seconds=1))

    committee = Phone(chromium, instance.url, driver.STAFF["committee"])
    review_and_publish(committee, journey.slug)
    journey.move_clock(driver.WINDOW_ENDS)
    scanned = draw(committee, journey.slug)
    journey.move_clock(driver.PLAY)

    rounds = journey.staff["chief_referee"].get(f"/competitions/{journey.slug}/draws")
    table = rounds[0]["tables"][0]
    assert scanned == f"{instance.url}/c/{journey.slug}/t/{table['token']}"
    record_table(Phone(chromium, instance.url, driver.STAFF["referee"]), journey, table["token"])
    shown = journey.wait_for_standings()
    journey.require_recomputable(shown)
    public.open(f"/c/{journey.slug}/standings")
    for seat in table["seats"]:
        expect(public.page.get_by_text(seat["name"]).first).to_be_visible()
    public.keep("16-standings")
    demonstration(Phone(chromium, instance.url, 1))


def demonstration(organiser: Phone) -> None:
    """The page of the movable clock, and the outbox with the codes of this walk."""
    organiser.sign_in_at("/staff")
    organiser.open("/demo")
    expect(organiser.page.get_by_role("button", name="拨动时钟")).to_be_visible()
    organiser.keep("17-demonstration")
    organiser.open("/demo/outbox")
    expect(organiser.page.get_by_text("验证码").first).to_be_visible()
    organiser.keep("18-outbox")


def look_around(public: Phone, slug: str) -> None:
    public.open("/")
    public.keep("01-competitions")
    public.open(f"/c/{slug}")
    public.keep("02-competition")
    public.open(f"/c/{slug}/regulation")
    public.keep("03-regulation")
    public.open(f"/c/{slug}/poster")
    public.keep("03-poster")
    seen = posters.read_at_3_cm(public.page.locator("img.poster__qr").screenshot())
    assert seen.endswith(f"/c/{slug}/enter")


def sign_up(leader: Phone, slug: str, enter: str) -> None:
    """The last unit, two members, by thumb; one ID number is mistyped on the way."""
    leader.sign_in_at(enter)
    leader.keep("04-privacy-notice")
    leader.page.locator("label", has=leader.page.locator("[name=agreed]")).first.tap()
    leader.tap(re.compile("同意"))
    for name, value in driver.unit(11).items():
        leader.page.fill(f"[name={name}]", value)
    leader.keep("05-unit")
    leader.tap(re.compile("保存"))
    leader.page.wait_for_url(re.compile("/enter/members$"))
    for serial in (33, 34):
        leader.open(f"/c/{slug}/enter/members/new")
        typed = driver.member(serial)
        for name in ("name", "id_number", "phone"):
            leader.page.fill(f"[name={name}]", typed[name])
        leader.page.locator("label", has=leader.page.locator("[value=full_time]")).first.tap()
        for rule in driver.DECLARED:
            leader.page.locator("label", has=leader.page.locator(f"[name=declared-{rule}]")).first.tap()
        if serial == 33:
            wrong = typed["id_number"][:-1] + ("0" if typed["id_number"][-1] != "0" else "1")
            leader.page.fill("[name=id_number]", wrong)
            leader.tap("保存")
            expect(leader.page.locator("#f-id_number-error")).to_be_visible()
            expect(leader.page.locator("[name=name]")).to_have_value(typed["name"])
            leader.keep("06-wrong-check-digit")
            leader.page.fill("[name=id_number]", typed["id_number"])
        leader.tap("保存")
        leader.page.wait_for_url(re.compile("/enter/members$"))
    leader.keep("07-members")
    leader.open(f"/c/{slug}/enter/check")
    leader.tap(re.compile("提交报名"))
    leader.page.wait_for_url(re.compile("/enter/receipt"))
    leader.keep("08-receipt")


def review_and_publish(committee: Phone, slug: str) -> None:
    committee.sign_in_at(f"/staff/c/{slug}/entries")
    committee.keep("09-review")
    committee.tap(re.compile("通过全部"))
    expect(committee.page.get_by_text("已审核").first).to_be_visible()
    committee.open(f"/staff/c/{slug}/publication")
    committee.tap(re.compile("公示 34 人"))
    expect(committee.page.get_by_text("SHA-256").first).to_be_visible()
    committee.open(f"/c/{slug}/publications")
    committee.keep("10-publication")


def draw(committee: Phone, slug: str) -> str:
    """Draws from the seed; returns where the first table card's QR code leads."""
    committee.open(f"/staff/c/{slug}/draws")
    committee.page.fill("[name=seed]", driver.SEED)
    committee.tap("抽签")
    expect(committee.page.get_by_text("已抽签").first).to_be_visible()
    committee.open(f"/c/{slug}/pairings")
    committee.keep("11-pairings")
    committee.open(f"/staff/c/{slug}/tables")
    committee.keep("12-table-cards")
    return posters.read_at_3_cm(committee.page.locator(".table-card__qr img").first.screenshot())


def record_table(referee: Phone, journey: Journey, token: str) -> None:
    """Ten deals on the live page, then the sheet is handed in after the three players' check."""
    page = referee.page
    referee.sign_in_at(f"/c/{journey.slug}/t/{token}")
    sheet = journey.staff["referee"].get(f"/tables/{token}")
    seats = [seat["entrant"] for seat in sheet["seats"]]
    for number, deal in enumerate(deals.sheet(seats, 10, "by thumb"), start=1):
        expect(page.locator("[data-save]")).to_contain_text(f"第 {number} 副")
        type_deal(page, deal)
        if number == 2:
            referee.keep("13-deal")
        page.locator("[data-save]").tap()
        expect(page.locator(f"[data-deal='{number}']")).to_have_class(re.compile("strip__deal_saved"))
    expect(page.locator("[data-sheet-state]")).to_have_attribute("data-state", "uploaded")
    page.locator("[data-hand-in-open]").tap()
    page.locator("label", has=page.locator("[name=checked]")).tap()
    referee.keep("14-hand-in")
    page.get_by_role("button", name="交表", exact=True).tap()
    expect(page.locator("[data-sheet-state]")).to_have_attribute("data-state", "confirmed")
    referee.keep("15-sheet")
    assert journey.staff["referee"].get(f"/tables/{token}")["state"] == "confirmed"


def type_deal(page: Page, deal: dict[str, object]) -> None:
    def pick(name: str, value: object) -> None:
        page.locator("label", has=page.locator(f"[name={name}][value='{value}']")).tap()

    if deal.get("passed_out"):
        pick("landlord", "passed_out")
        return
    for name in ("landlord", "bid", "winner"):
        pick(name, deal[name])
    for _ in range(int(str(deal["bombs"]))):
        page.locator("[data-step='1']").tap()
    for name in ("rockets", "spring", "anti_spring"):
        if deal[name]:
            pick(name, 1)
