"""At the tables in Chromium at 360 pixels: phones without a network, two phones on one sheet, and every way to confirm it.

A real instance with its worker; each phone has a network of its own that breaks off. Screenshots are kept under ``test-artifacts/``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.frontend.build import build
from tests import services
from tests.app.results.phones import ARRIVES, Phone
from tests.journeys.clients import Api
from tests.journeys.driver import Instance
from tests.journeys.instances import SQLITE, running
from tests.journeys.network import network

pytestmark = [pytest.mark.journey, pytest.mark.browser]

ARTIFACTS = services.ROOT / "test-artifacts" / "tables"
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

NewPhone = Callable[..., Phone]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Instance, dict[str, Any]]]:
    build(services.ROOT)
    with running(SQLITE, tmp_path_factory.mktemp("tables")) as instance:
        done = subprocess.run(
            [sys.executable, "-m", "tests.journeys.seed_tables"],
            cwd=services.ROOT,
            env={**os.environ, **instance.environment},
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        yield instance, json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def new_phone(chromium: Browser, hall: tuple[Instance, dict[str, Any]], tmp_path: Path) -> Iterator[NewPhone]:
    """``new_phone(cookie)``: another phone, signed in, or not; the test fails on an error in its console."""
    with ExitStack() as opened:
        count = iter(range(20))

        def made(cookie: str | None = None) -> Phone:
            own = opened.enter_context(network(hall[0].url))
            phone = Phone(chromium, own, tmp_path / f"phone-{next(count)}", cookie)
            opened.callback(phone.close)
            return phone

        yield made


def keep(page: Page, name: str) -> None:
    """A picture of the whole page, which fits the phone."""
    page.screenshot(path=ARTIFACTS / f"{name}.png", full_page=True)
    assert page.evaluate(TOO_WIDE) == 0, f"{name} scrolls sideways"


def path(game: dict[str, Any], table: dict[str, Any]) -> str:
    return f"/c/{game['slug']}/t/{table['token']}"


def own_page(game: dict[str, Any], seat: dict[str, Any]) -> str:
    return f"/c/{game['slug']}/p/{seat['card']}"


def tap(page: Page, name: str, value: object) -> None:
    page.locator(f'[name={name}][value="{value}"]').check()


def deal(page: Page, landlord: str, bid: int, winner: str = "landlord") -> None:
    """Four taps."""
    for name, value in (("landlord", landlord), ("bid", bid), ("winner", winner)):
        tap(page, name, value)
    page.click("[data-save]")


def hand_in(page: Page) -> None:
    page.click("[data-dialog=hand-in] >> visible=true")
    page.locator("[data-hand-in] [name=checked]").check()
    page.click("[data-hand-in] [type=submit]")


def board(page: Page, result: str) -> None:
    tap(page, "result", result)
    page.click("[data-dialog=board-end]")
    page.locator("form.board [name=checked]").check()
    page.click("form.board [type=submit]")


def take_over(page: Page, reason: str) -> None:
    notice = page.locator("[data-held]")
    notice.locator("summary").click()
    notice.get_by_role("button", name=reason).click()
    keep(page, "takeover-reason")
    notice.get_by_role("button", name="接管", exact=True).click()


def in_public(instance: Instance, game: dict[str, Any]) -> set[int]:
    """The tables, by number, that the public event file has results of."""
    told = json.loads(Api(instance.url).raw(f"/competitions/{game['slug']}/event-file"))
    seated = {"number", "seats", "sides", "first", "second"}
    (round_,) = told["stages"][0]["rounds"]
    return {table["number"] for table in round_["tables"] if set(table) - seated}


def wait_for_standings(instance: Instance, game: dict[str, Any], tables: int) -> None:
    """Until the worker has computed placings of that many tables, and everybody reads them."""
    deadline = time.monotonic() + 60
    while True:
        told = Api(instance.url).raw(f"/competitions/{game['slug']}/event-file")
        shown = Api(instance.url).get(f"/competitions/{game['slug']}/standings")
        if (
            len(in_public(instance, game)) == tables
            and shown["input_sha256"] == hashlib.sha256(told).hexdigest()
        ):
            return
        assert time.monotonic() < deadline, f"no standings of {tables} tables: {shown}"
        time.sleep(0.2)


def test_two_phones_play_a_round_without_a_network_and_come_back_in_the_other_order(
    hall: tuple[Instance, dict[str, Any]], new_phone: NewPhone
) -> None:
    instance, games = hall
    game = games["deals"]
    first, second = game["tables"][:2]
    one, other = new_phone(game["staff"]["referee"]), new_phone(game["staff"]["second"])
    for phone, table in ((one, first), (other, second)):
        phone.open(path(game, table))
        phone.kept()
        phone.offline()
    for number in range(4):
        deal(one.page, first["seats"][number % 3]["entrant"], 1 + number % 3)
    one.page.reload()
    expect(one.page.locator("[data-save]")).to_have_text("记下第 5 副")
    page = one.restart(offline=True)
    one.open(path(game, first))
    for number in range(4, 10):
        deal(page, first["seats"][number % 3]["entrant"], 1 + number % 3, "defenders")
    keep(page, "1-played-without-a-network")
    hand_in(page)
    for number in range(10):
        deal(other.page, second["seats"][0]["entrant"], 1 + number % 3)
    hand_in(other.page)
    page = one.restart(offline=True)
    one.open(path(game, first))
    expect(page.locator("[data-sheet-problems]")).to_contain_text("已在本机交表，上传后生效。")
    keep(page, "2-handed-in-without-a-network")
    assert in_public(instance, game) == set()
    other.offline(off=False)
    other.state("已确认")
    assert in_public(instance, game) == {second["number"]}
    one.offline(off=False)
    one.state("已确认")
    wait_for_standings(instance, game, 2)
    public = new_phone().open(f"/c/{game['slug']}/standings")
    for seat in (*first["seats"], *second["seats"]):
        expect(public.get_by_text(seat["name"]).first).to_be_visible()
    page.goto(f"{one.hall.url}{path(game, first)}/history")
    expect(page.get_by_text("第 11 版", exact=False).first).to_be_visible()


def test_a_sheet_is_taken_over_and_of_what_both_wrote_a_person_chooses(
    hall: tuple[Instance, dict[str, Any]], new_phone: NewPhone
) -> None:
    _instance, games = hall
    game = games["deals"]
    table = game["tables"][2]
    first, second, third = (seat["entrant"] for seat in table["seats"])
    old, new = new_phone(game["staff"]["referee"]), new_phone(game["staff"]["second"])
    old.open(path(game, table))
    old.kept()
    deal(old.page, first, 1)
    old.state("已上传")
    old.offline()
    deal(old.page, first, 2)
    deal(old.page, third, 1)
    new.open(path(game, table))
    held = new.page.locator("[data-held]")
    expect(held).to_contain_text(re.compile(r"另一台设备正在记这张表（裁判员 138\*\*\*\*\d{4}，.*起）"))
    deal(new.page, second, 3)
    new.state("已存本机，另一台设备在记，接管后上传")
    keep(new.page, "3-another-phone-writes")
    take_over(new.page, "原手机没电")
    new.state("已上传")
    expect(held).to_have_count(0)
    old.offline(off=False)
    problems = old.page.locator("[data-sheet-problems]")
    expect(problems).to_contain_text("第 2 副在别的设备上也记了，请选用哪一个：", timeout=ARRIVES)
    theirs, mine = (problems.locator(f"[data-version={side}]") for side in ("theirs", "mine"))
    expect(theirs).to_contain_text("叫3分")
    expect(mine).to_contain_text("叫2分")
    left, right = (one.bounding_box() or {} for one in (theirs, mine))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"] + 1
    keep(old.page, "4-both-versions")
    mine.get_by_role("button", name="用本机的").click()
    old.state("已存本机，另一台设备在记，接管后上传")
    take_over(old.page, "换裁判员")
    old.state("已上传")
    new.page.reload()
    expect(new.page.locator("[data-held]")).to_be_visible()
    expect(new.page.locator("[data-save]")).to_have_text("记下第 4 副")
    new.page.goto(f"{new.hall.url}{path(game, table)}/history")
    for version in range(1, 5):
        expect(new.page.get_by_text(f"第 {version} 版", exact=False).first).to_be_visible()
    for opened in new.page.locator("details summary").all():
        opened.click()
    expect(new.page.get_by_text("叫3分").first).to_be_visible()
    keep(new.page, "5-every-version-stays")


def test_players_confirm_by_card_pin_and_finger_and_a_dispute_keeps_the_result_back(
    hall: tuple[Instance, dict[str, Any]], new_phone: NewPhone
) -> None:
    instance, games = hall
    game = games["board"]
    agreed, disputed = game["tables"]
    referee, chief, player = (
        new_phone(game["staff"]["referee"]),
        new_phone(game["staff"]["chief"]),
        new_phone(),
    )
    page = referee.open(path(game, agreed))
    keep(page, "6-board")
    board(page, "first")
    referee.state("已交表，待确认")
    keep(page, "7-waits-for-the-players")
    own = player.open(own_page(game, agreed["seats"][0]))
    keep(own, "8-own-page")
    own.get_by_role("button", name="成绩无误，确认").click()
    expect(own.locator("[data-own-sheet]")).to_be_visible()
    keep(own, "9-own-word")
    assert in_public(instance, game) == set()
    page.reload()
    page.locator(f"[data-confirm={agreed['seats'][1]['entrant']}] summary").click()
    page.get_by_role("link", name="手写签名确认").click()
    sign(page)
    keep(page, "10-signed")
    page.get_by_role("button", name="确认成绩").click()
    referee.state("已确认")
    assert in_public(instance, game) == {agreed["number"]}

    page = referee.open(path(game, disputed))
    board(page, "second")
    referee.state("已交表，待确认")
    pin(page, disputed["seats"][1])
    own = player.open(own_page(game, disputed["seats"][0]))
    own.get_by_text("成绩不对").click()
    own.fill("[name=note]", "应是和棋")
    keep(own, "11-dispute")
    own.get_by_role("button", name="提出争议").click()
    expect(own.locator("[data-own-sheet]")).to_have_attribute("data-state", "disputed")
    assert in_public(instance, game) == {agreed["number"]}
    desk = chief.open(f"/staff/c/{game['slug']}/floor/calls")
    expect(desk.get_by_text("应是和棋").first).to_be_visible()
    keep(desk, "12-the-chief-referee-is-called")
    desk = chief.open(path(game, disputed))
    desk.locator("[name=decision][value=send_back]").check()
    desk.fill("[name=reason]", "双方认可和棋")
    keep(desk, "13-decided")
    desk.get_by_role("button", name="裁定").click()
    expect(desk.locator("[data-sheet-life]")).to_have_attribute("data-state", "open")

    page = referee.open(path(game, disputed))
    board(page, "draw")
    referee.state("已交表，待确认")
    for seat in disputed["seats"]:
        pin(page, seat)
    referee.state("已确认")
    wait_for_standings(instance, game, 2)


def pin(page: Page, seat: dict[str, Any]) -> None:
    form = page.locator(f"[data-confirm={seat['entrant']}]")
    form.locator("summary").click()
    form.locator("[name=pin]").fill(seat["pin"])
    form.get_by_role("button", name="以 PIN 确认").click()
    expect(page.locator(f"[data-confirm={seat['entrant']}]")).to_have_count(0)


def sign(page: Page) -> None:
    field = page.locator("[data-sign-field]")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box is not None
    at = [
        (box["x"] + box["width"] * x, box["y"] + box["height"] * y)
        for x, y in ((0.2, 0.7), (0.5, 0.2), (0.8, 0.7))
    ]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place, steps=6)
    page.mouse.up()


def test_a_match_is_entered_again_by_a_referee_who_does_not_see_it(
    hall: tuple[Instance, dict[str, Any]], new_phone: NewPhone
) -> None:
    instance, games = hall
    game = games["match"]
    referee, second = new_phone(game["staff"]["referee"]), new_phone(game["staff"]["second"])
    for table, level in zip(game["tables"], ("4", "3"), strict=True):
        one, other = (seat["entrant"] for seat in table["seats"])
        page = referee.open(path(game, table))
        if level == "4":
            keep(page, "14-match")
        tap(page, "banker", one)
        for figure in "35":
            page.locator(f'.pad >> nth=0 >> [data-key="{figure}"]').click()
        expect(page.locator("#deal-points")).to_have_value("35")
        page.click("[data-save]")
        referee.state("已上传")
        expect(page.locator('[data-fresh="deals"]')).to_contain_text("升")
        keep(page, f"15-levels-in-words-{level}")
        hand_in(page)
        referee.state("已交表，待确认")
        page = second.open(path(game, table))
        page.get_by_role("link", name="重录核对").click()
        page.select_option(f"[name=levels-{one}]", level)
        page.select_option(f"[name=levels-{other}]", "2")
        page.select_option("[name=bank]", one)
        keep(page, f"16-blind-{level}")
        page.get_by_role("button", name="交重录").click()
        expect(page.locator("[data-sheet-life]")).to_have_attribute(
            "data-state", "confirmed" if level == "4" else "disputed"
        )
        keep(page, f"17-compared-{level}")
    assert in_public(instance, game) == {game["tables"][0]["number"]}
    chief = new_phone(game["staff"]["chief"]).open(f"/staff/c/{game['slug']}/floor/calls")
    expect(chief.locator("main")).to_contain_text("两次录入不一致")
    keep(chief, "18-the-chief-referee-is-called")
