"""Rulings, a correction and two appeals on phones, after the final of a rehearsal, until the public standings have followed.

Chromium at 360 px in front of real web and worker processes; axe looks at every page in Chinese and English. Pictures are kept under
``test-artifacts/decisions``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.cli.rehearsal import Rehearsal
from app.demonstration import people
from app.regulations import library
from app.text import BEIJING
from tests import axe, services
from tests.factories.uploads import photo
from tests.journeys.clients import Api
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running

pytestmark = [pytest.mark.journey, pytest.mark.browser]

ARTIFACTS = services.ROOT / "test-artifacts" / "decisions"
REGULATION = "beach-games-landlord-2021"
CHIEF, CLERK, ARBITER = 3, 4, 5
ROLES = {CHIEF: "chief_referee", CLERK: "referee", ARBITER: "arbitration"}
PATIENCE = 30_000.0


@dataclass
class Scene:
    """A rehearsal after its final, with the clock a minute after the end of it."""

    journey: Journey
    final: dict[str, Any]
    cards: dict[str, str]
    ended: datetime
    cookies: dict[int, Any] = field(default_factory=dict)
    """Who is signed in already: codes are sent sparingly."""

    @property
    def slug(self) -> str:
        return self.journey.slug

    @property
    def url(self) -> str:
        return self.journey.instance.url

    @property
    def base(self) -> str:
        return f"/competitions/{self.slug}"

    @property
    def table(self) -> dict[str, Any]:
        return dict(self.final["tables"][0])

    def public(self) -> list[dict[str, Any]]:
        """The placings everybody sees, once they are those of what is confirmed now."""
        return list(self.journey.wait_for_standings()["placings"])


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with running(SQLITE, tmp_path_factory.mktemp("decisions")) as instance:
        yield after_the_final(instance)


def after_the_final(instance: Instance) -> Scene:
    journey = Journey(instance)
    journey.appoint_organiser()
    done = services.saishi(
        *("simulate", "--regulation", REGULATION, "--entrants", "9", "--seed", "1", "--url", instance.url),
        environment={**instance.environment, "SAISHI_TOKEN": instance.tokens[people.phone(1)]},
        within=240,
    )
    assert done.returncode == 0, done.stderr
    journey.slug = json.loads(done.stdout)["competition"].rsplit("/", 1)[1]
    base = f"/competitions/{journey.slug}"
    for serial, role in ROLES.items():
        journey.organiser.post(f"{base}/staff", phone=people.phone(serial), role=role)
    final = journey.organiser.get(f"{base}/draws")[-1]
    rounds = Api(instance.url).get(f"{base}/floor")["rounds"]
    (ended,) = (
        each["ended_at"]
        for each in rounds
        if (each["stage"], each["number"]) == (final["stage"], final["round"])
    )
    journey.move_clock(datetime.fromisoformat(ended) + timedelta(minutes=1))
    made = journey.organiser.post(f"{base}/player-cards")
    cards = {each["entrant"]: each["token"] for each in made}
    return Scene(journey, final, cards, datetime.fromisoformat(ended))


class Phone:
    """One person's phone, 360 px wide."""

    def __init__(self, chromium: Browser, scene: Scene, serial: int | None = None) -> None:
        self.context = chromium.new_context(
            viewport={"width": 360, "height": 740},
            is_mobile=True,
            has_touch=True,
            locale="zh-CN",
            base_url=scene.url,
        )
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        if serial in scene.cookies:
            self.context.add_cookies(scene.cookies[serial])
        elif serial is not None:
            self.sign_in(people.phone(serial))
            scene.cookies[serial] = self.context.cookies()

    def sign_in(self, phone: str) -> None:
        self.open("/sign-in?next=/staff")
        self.page.fill("[name=phone]", phone)
        self.press("获取验证码")
        self.page.fill("[name=code]", self.page.locator("[data-code]").inner_text())
        self.press("登录")
        self.page.wait_for_url(re.compile("/staff$"))

    def open(self, path: str) -> None:
        answer = self.page.goto(path)
        assert answer is not None
        assert answer.status == 200, path

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def pick(self, name: str, value: object) -> None:
        self.page.locator("label", has=self.page.locator(f"[name={name}][value='{value}']")).first.click()

    def see(self, name: str, path: str | None = None) -> None:
        """Hold the page to 360 px and to axe. A ``path`` is opened and seen in both languages."""
        for language in ("zh",) if path is None else ("en", "zh"):
            if path is not None:
                self.open(f"{path}{'&' if '?' in path else '?'}lang={language}")
            self.page.screenshot(path=ARTIFACTS / f"{name}-{language}.png", full_page=True)
            found = axe.violations(self.page)
            if (wide := self.page.evaluate("document.documentElement.scrollWidth")) > 360:
                found.append(f"{wide} wide")
            assert found == [], (name, language)


def test_a_ruling_is_previewed_given_and_withdrawn_and_the_public_standings_follow(
    chromium: Browser, scene: Scene
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    before = scene.public()
    chief, public = Phone(chromium, scene, CHIEF), Phone(chromium, scene)
    given = ruled(chief, scene)
    penalised = scene.public()
    assert penalised != before
    public.see("public-standings-penalised", f"/c/{scene.slug}/standings")
    public.see("public-rulings", f"/c/{scene.slug}/rulings")
    chief.see("rulings", f"/staff/c/{scene.slug}/rulings")
    chief.see("ruling", f"/staff/c/{scene.slug}/rulings/{given}")
    chief.page.fill("[name=reason]", "认错了人")
    chief.press("撤销判罚")
    expect(chief.page.get_by_text("判罚已撤销")).to_be_visible()
    chief.see("ruling-withdrawn")
    assert scene.public() == before
    chief.see("control", f"/staff/c/{scene.slug}/control")
    for name in ("floor", "floor/calls", "floor/arrivals", "floor/terms"):
        chief.see(name.replace("/", "-"), f"/staff/c/{scene.slug}/{name}")


def ruled(chief: Phone, scene: Scene) -> int:
    """A penalty that costs points, against the first at the table of the final, by the picker. Its id."""
    at = f"/c/{scene.slug}/t/{scene.table['token']}/rulings"
    chief.see("picker", at)
    (choice, *_) = (
        each
        for each in Api(scene.url).get(f"{scene.base}/rulings/choices")
        if "每次扣" in each["effect"] and not each["needs"]
    )
    row = chief.page.locator(f"[data-choice='{choice['code']}']")
    expect(row).to_contain_text(choice["clause"])
    expect(row).to_contain_text(choice["effect"])
    row.click()
    chief.see("ruling-form")
    chief.pick("entry_ids", scene.table["seats"][0]["entrant"][1:])
    chief.page.fill("[name=reason]", "裁判员当场看见")
    chief.press("看影响")
    preview = chief.page.locator("[data-preview]")
    expect(preview).to_contain_text(scene.table["seats"][0]["name"])
    expect(preview).to_contain_text(re.compile(r"[−-]\d+|扣"))
    chief.see("ruling-preview")
    chief.press("作出判罚")
    chief.page.wait_for_url(re.compile("/rulings$"))
    known = Api(scene.url).get(f"{scene.base}/rulings")
    return int(max(each["id"] for each in known if each["id"] is not None))


def test_a_correction_asked_for_by_card_is_granted_on_the_effect_that_was_shown(
    chromium: Browser, scene: Scene
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    before = scene.public()
    player, chief = Phone(chromium, scene), Phone(chromium, scene, CHIEF)
    own = f"/c/{scene.slug}/p/{scene.cards[scene.table['seats'][0]['entrant']]}"
    player.see("own-page", own)
    player.see("correction-form", f"{own}/correction")
    player.page.fill("[name=text]", "第 1 副的胜方记反了")
    player.press("提交更正申请")
    expect(player.page.get_by_text("待裁判长决定").first).to_be_visible()
    player.see("correction-asked")

    chief.see("corrections", f"/staff/c/{scene.slug}/corrections")
    asked = max(each["id"] for each in scene.journey.organiser.get(f"{scene.base}/corrections"))
    chief.see("correction", f"/staff/c/{scene.slug}/corrections/{asked}")
    form = {
        "deal_number": "1",
        "landlord": scene.table["seats"][0]["entrant"],
        "bid": "3",
        "winner": "landlord",
    }
    for name, value in form.items():
        chief.page.select_option(f"[name={name}]", value)
    chief.page.fill("[name=bombs]", "2")
    chief.press("看影响")
    expect(chief.page.get_by_text("更正的影响")).to_be_visible()
    chief.see("correction-impact")
    chief.page.fill("[name=reason] >> visible=true", "核对纸质记录")
    chief.press("准予更正")
    expect(chief.page.get_by_text("已更正").first).to_be_visible()
    chief.see("correction-granted")
    corrected = scene.public()
    assert corrected != before
    shown = Phone(chromium, scene)
    shown.see("public-standings-corrected", f"/c/{scene.slug}/standings")
    player.see("correction-answered", f"{own}/correction")


@pytest.mark.parametrize("upheld", [True, False])
def test_an_appeal_is_heard_and_the_standings_and_the_ledger_follow(
    chromium: Browser, scene: Scene, tmp_path: Path, *, upheld: bool
) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    name = "upheld" if upheld else "dismissed"
    before, ledger = scene.public(), fees(scene)
    chief, clerk = Phone(chromium, scene, CHIEF), Phone(chromium, scene, CLERK)
    given = ruled(chief, scene)
    penalised = scene.public()
    assert penalised != before

    case = logged(clerk, scene, name)
    written(Phone(chromium, scene, leader_of(scene)), clerk, scene, tmp_path, name)
    clerk.see(f"{name}-clerk", f"/staff/c/{scene.slug}/appeals/{case}/clerk")
    clerk.press("已收款，开收据")
    expect(clerk.page.locator("#fees")).to_contain_text("500")
    assert fees(scene)["held"] == ledger["held"] + 50_000

    decide(Phone(chromium, scene, ARBITER), scene, case, given, upheld=upheld)
    assert scene.public() == (before if upheld else penalised)
    if upheld:
        clerk.see(f"{name}-refund-due", f"/staff/c/{scene.slug}/appeals/{case}/clerk")
        clerk.press("已退款，开凭证")
        expect(clerk.page.locator("#fees")).to_contain_text("退")
    after = fees(scene)
    assert after["received"] == ledger["received"] + 50_000
    assert after["refunded"] == ledger["refunded"] + 50_000 * upheld
    assert after["kept"] == ledger["kept"] + 50_000 * (not upheld)
    assert after["received"] == after["refunded"] + after["kept"] + after["held"]
    chief.see(f"{name}-ledger", f"/staff/c/{scene.slug}/appeal-fees")
    public = Phone(chromium, scene)
    public.see(f"{name}-public-appeals", f"/c/{scene.slug}/appeals")
    public.see(f"{name}-public-standings", f"/c/{scene.slug}/standings")


def fees(scene: Scene) -> dict[str, Any]:
    return dict(scene.journey.organiser.get(f"{scene.base}/appeal-fees"))


def leader_of(scene: Scene) -> int:
    """Serial of the leader who entered the first at the table of the final; the rehearsal's own count of them."""
    (number,) = re.findall(r"\d+", scene.table["seats"][0]["unit"])
    rehearsal = Rehearsal(scene.url, library.load(REGULATION), 9, "1", slug=scene.slug)
    return rehearsal.first_leader + int(number) - 1


def logged(clerk: Phone, scene: Scene, name: str) -> str:
    """The number of the appeal that was said half a minute after the end of the round."""
    clerk.see(f"{name}-desk", f"/staff/c/{scene.slug}/appeals")
    page = clerk.page
    page.locator("details#log").evaluate("each => each.open = true")
    page.select_option("[name=where]", f"{scene.final['stage']}-{scene.final['round']}")
    page.select_option("[name=entry_id]", scene.table["seats"][0]["entrant"][1:])
    page.select_option("[name=subject]", "ruling")
    said = (scene.ended + timedelta(seconds=30)).astimezone(BEIJING)
    page.fill("[name=said_at]", f"{said:%Y-%m-%dT%H:%M:%S}")
    page.fill("[name=text]", "不服判罚")
    clerk.see(f"{name}-oral")
    clerk.press("登记口头申诉")
    page.wait_for_url(re.compile(r"/appeals/[^/]+/clerk"))
    return page.url.split("?")[0].split("/")[-2]


def written(leader: Phone, clerk: Phone, scene: Scene, folder: Path, name: str) -> None:
    """The written appeal, with a photo, on the page that the clerk hands over."""
    receipt = clerk.page.get_by_role("link", name="申诉人的回执").get_attribute("href")
    assert receipt is not None
    leader.see(f"{name}-receipt", receipt)
    leader.page.fill("#write [name=text]", "对方没有违例，见照片。")
    evidence = folder / "evidence.jpg"
    evidence.write_bytes(photo(7, 900, 700, 80))
    leader.page.locator("#write [data-file][multiple]").set_input_files(str(evidence))
    expect(leader.page.locator("#write [data-page]")).to_have_attribute("data-state", "ready")
    leader.see(f"{name}-written-form")
    leader.page.locator("#write").get_by_role("button", name="递交书面申诉").click()
    expect(leader.page.locator("#sent")).to_contain_text("见照片")
    leader.see(f"{name}-written")


def decide(arbiter: Phone, scene: Scene, case: str, ruling: int, *, upheld: bool) -> None:
    """Hearing, minutes, and the decision on the effect that was shown."""
    name = "upheld" if upheld else "dismissed"
    page = arbiter.page
    arbiter.see(f"{name}-case", f"/staff/c/{scene.slug}/appeals/{case}")
    for each in page.locator("details:has([name=at]), details:has([name=minutes])").all():
        each.evaluate("each => each.open = true")
    now = (scene.ended + timedelta(hours=1)).astimezone(BEIJING)
    page.fill("[name=at]", f"{now:%Y-%m-%dT%H:%M}")
    page.fill("[name=place]", "裁判长席")
    arbiter.press("通知双方")
    page.locator("details:has([name=minutes])").evaluate("each => each.open = true")
    page.fill("[name=minutes]", "双方到场，各自陈述，查看了照片。")
    arbiter.press("记下笔录")
    expect(page.locator("#minutes-text")).to_contain_text("查看了照片")
    arbiter.pick("upheld", "true" if upheld else "false")
    if upheld:
        arbiter.pick("withdrawn", ruling)
    page.fill("[name=reasons]", "照片上看不出违例。" if upheld else "裁判员看见了违例。")
    page.fill("[name=summary]", "对一项判罚的申诉，经听证裁定。")
    if upheld:
        arbiter.press("先看影响")
        expect(page.locator("#previewed")).to_be_visible()
        arbiter.see(f"{name}-effect")
    arbiter.press("作出裁定")
    expect(page.locator("#decision-text")).to_be_visible()
    arbiter.see(f"{name}-decided")
