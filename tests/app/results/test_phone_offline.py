"""A referee's phone without a network: a whole round is typed, the page closed and the browser started again, and all arrives once."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from app.draws.queries import RoundView, TableView
from app.results import queries
from app.results.rules import SheetState
from tests.app.results.phones import Hall, NewPhone, Phone
from tests.factories import accounts, duels, results, rounds
from tests.factories.publications import Travel

# What a phone does with answers does not depend on the database behind them.
pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]


def address(table: TableView, slug: str) -> str:
    return f"/c/{slug}/t/{table.token}"


def sheet(app: Flask, table: TableView) -> queries.SheetView:
    with app.app_context():
        return queries.sheet(table.token)


def told(app: Flask, table: TableView) -> list[str]:
    """When the phone says each revision was typed, in their order."""
    with app.app_context():
        return [str(each.client_time) for each in queries.revisions(table.token)]


# --- 二打一: ten deals ---


@pytest.fixture
def prelim(app: Flask, travel: Travel) -> RoundView:
    with app.app_context():
        return results.prelim(travel)


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


def take_over(phone: Phone, reason: str) -> None:
    """Three taps: who writes there is told, and why it goes on here is recorded."""
    notice = phone.page.locator("[data-held]")
    notice.locator("summary").click()
    notice.get_by_role("button", name=reason).click()
    notice.get_by_role("button", name="接管", exact=True).click()


def test_a_whole_round_typed_without_a_network_survives_the_browser_and_arrives_once_and_in_order(
    app: Flask, hall: Hall, prelim: RoundView, new_phone: NewPhone
) -> None:
    table = prelim.tables[0]
    with app.app_context():
        first, second, third = results.seats(table)
        phone = new_phone(results.referee())
    page = phone.open(address(table, "beach"))
    phone.kept()
    phone.offline()
    bids = [1 + number % 3 for number in range(10)]
    for bid in bids[:4]:
        deal(page, first, bid)
    phone.state("已存本机，网络恢复后自动上传")
    page.reload()
    expect(page.locator("[data-kept]")).to_contain_text("没有网络：本页是")
    expect(page.locator("[data-save]")).to_have_text("记下第 5 副")
    for bid in bids[4:7]:
        deal(page, second, bid, "defenders")
    page = phone.restart(offline=True)
    phone.open(address(table, "beach"))
    expect(page.locator("[data-save]")).to_have_text("记下第 8 副")
    for bid in bids[7:]:
        deal(page, third, bid)
    shown = page.locator("[data-totals] [data-total]").all_inner_texts()
    hand_in(page)
    expect(page.locator("[data-sheet-problems]")).to_contain_text("已在本机交表，上传后生效。")
    page = phone.restart(offline=True)
    phone.open(address(table, "beach"))
    expect(page.locator("form.deal")).to_be_hidden()
    assert sheet(app, table).revision == 0
    phone.offline(off=False)
    phone.state("已确认")
    view = sheet(app, table)
    assert (view.state, view.revision) == (SheetState.CONFIRMED, 11)
    assert [(each["landlord"], each["bid"]) for each in view.deals] == [
        *((first, bid) for bid in bids[:4]),
        *((second, bid) for bid in bids[4:7]),
        *((third, bid) for bid in bids[7:]),
    ]
    assert shown == [f"{points:+d}".replace("-", "−") for points in view.totals.values()]
    times = told(app, table)
    assert times == sorted(times)
    assert hall.posts(f"{address(table, 'beach')}/deals") == 10
    expect(page.locator("[data-kept]")).to_contain_text("没有网络也能打开")


def test_what_another_phone_recorded_meanwhile_is_put_to_the_referee_and_handing_in_waits(
    app: Flask, prelim: RoundView, new_phone: NewPhone
) -> None:
    table = prelim.tables[0]
    with app.app_context():
        first, second, _ = results.seats(table)
        out, chief = new_phone(results.referee()), new_phone(results.chief())
    out.open(address(table, "beach"))
    out.kept()
    out.offline()
    for _ in range(10):
        deal(out.page, first, 1)
    hand_in(out.page)
    chief.open(address(table, "beach"))
    deal(chief.page, second, 3)
    chief.state("已上传")
    out.offline(off=False)
    problems = out.page.locator("[data-sheet-problems]")
    expect(problems).to_contain_text("第 1 副在别的设备上也记了，请选用哪一个：", timeout=20_000)
    expect(problems).to_contain_text("叫3分")
    assert sheet(app, table).state is SheetState.OPEN
    out.page.click("[data-choose=theirs] >> nth=0")
    expect(out.page.locator("#toast")).to_have_text("有改动，请重新核对后再交表")
    out.state("已存本机，另一台设备在记，接管后上传")
    take_over(out, "原手机没电")
    out.state("已上传")
    view = sheet(app, table)
    assert [each["landlord"] for each in view.deals] == [second, *[first] * 9]
    hand_in(out.page)
    out.state("已确认")


def test_what_one_account_typed_is_not_sent_by_the_next_one_unasked(
    app: Flask, prelim: RoundView, new_phone: NewPhone
) -> None:
    table = prelim.tables[0]
    with app.app_context():
        first, _second, _ = results.seats(table)
        referee, chief = results.referee(), results.chief()
        phone = new_phone(referee)
    page = phone.open(address(table, "beach"))
    phone.kept()
    phone.offline()
    deal(page, first, 2)
    phone.sign_in(chief)
    phone.offline(off=False)
    problems = page.locator("[data-sheet-problems]")
    expect(problems).to_contain_text("另一个账号在这台手机上记的，没有上传：", timeout=20_000)
    expect(problems).to_contain_text("叫2分")
    assert sheet(app, table).revision == 0
    page.get_by_role("button", name="用我的账号上传").click()
    phone.state("已上传")
    assert [each["bid"] for each in sheet(app, table).deals] == [2]


def test_the_second_phone_is_told_who_writes_and_takes_over_with_a_reason(
    app: Flask, prelim: RoundView, new_phone: NewPhone
) -> None:
    table = prelim.tables[0]
    with app.app_context():
        first, second, _ = results.seats(table)
        old, new = new_phone(results.referee()), new_phone(results.referee())
    old.open(address(table, "beach"))
    old.kept()
    deal(old.page, first, 1)
    old.state("已上传")
    old.offline()
    deal(old.page, first, 2)
    new.open(address(table, "beach"))
    expect(new.page.locator("[data-held]")).to_contain_text("另一台设备正在记这张表")
    deal(new.page, second, 3)
    new.state("已存本机，另一台设备在记，接管后上传")
    take_over(new, "原手机没电")
    new.state("已上传")
    old.offline(off=False)
    problems = old.page.locator("[data-sheet-problems]")
    expect(problems).to_contain_text("第 2 副在别的设备上也记了，请选用哪一个：", timeout=20_000)
    old.page.click("[data-choose=theirs]")
    old.state("已上传")
    assert [(each["landlord"], each["bid"]) for each in sheet(app, table).deals] == [(first, 1), (second, 3)]


# --- 象棋: one board ---


def test_a_board_is_handed_in_without_a_network_by_name_and_counted_once(
    app: Flask, hall: Hall, travel: Travel, new_phone: NewPhone
) -> None:
    with app.app_context():
        rounds.field(travel)
        table = rounds.drawn().tables[0]
        phone = new_phone(results.referee(rounds.SLUG))
    path = address(table, rounds.SLUG)
    page = phone.open(path)
    phone.kept()
    phone.offline()
    winner, loser = (seat.name for seat in table.seats)
    expect(page.locator("[data-dialog=board-end]")).to_be_disabled()
    page.get_by_label(f"{winner} 胜").check()
    page.locator("[data-counter]", has_text=loser).get_by_role("button", name="加一次").click()
    page.reload()
    page.click("[data-dialog=board-end]")
    expect(page.locator("[data-board-words] strong")).to_have_text(f"{winner} 胜")
    expect(page.locator("[data-board-words]")).to_contain_text(f"{loser} 犯规 1")
    page.locator("form.board [name=checked]").check()
    page.click("form.board [type=submit]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text(f"{winner} 胜")
    page = phone.restart(offline=True)
    phone.open(path)
    expect(page.locator("form.board")).to_be_hidden()
    phone.offline(off=False)
    phone.state("已确认")
    view = sheet(app, table)
    one, other = (str(each) for each in view.seats)
    assert view.outcome == {"winner": one, "violations": {other: 1}}
    assert (view.revision, hall.posts(f"{path}/result")) == (1, 1)


def test_a_board_taken_back_before_it_was_sent_was_never_handed_in(
    app: Flask, travel: Travel, new_phone: NewPhone
) -> None:
    with app.app_context():
        rounds.field(travel)
        table = rounds.drawn().tables[0]
        phone = new_phone(results.referee(rounds.SLUG))
    page = phone.open(address(table, rounds.SLUG))
    phone.kept()
    phone.offline()
    tap(page, "result", "draw")
    page.click("[data-dialog=board-end]")
    page.locator("form.board [name=checked]").check()
    page.click("form.board [type=submit]")
    page.get_by_role("button", name="撤回").click()
    expect(page.locator("form.board")).to_be_visible()
    phone.offline(off=False)
    page.reload()
    assert sheet(app, table).revision == 0


# --- 拖拉机: one match ---


def keys(page: Page, number: str) -> None:
    for key in number:
        page.locator(".pad").first.locator(f'[data-key="{key}"]').click()


def banked(page: Page, banker: str, points: str) -> None:
    tap(page, "banker", banker)
    keys(page, points)
    page.click("[data-save]")


def test_a_match_with_a_penalty_is_handed_in_without_a_network_in_the_order_it_was_done(
    app: Flask, hall: Hall, travel: Travel, new_phone: NewPhone
) -> None:
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 4)
        table = rounds.drawn(duels.SLUG).tables[0]
        one, other = results.seats(table)
        phone = new_phone(results.referee(duels.SLUG))
    path = address(table, duels.SLUG)
    page = phone.open(path)
    phone.kept()
    phone.offline()
    banked(page, one, "35")
    page.locator("[data-penalties] > summary").click()
    rule = page.locator("[name=rule] option").nth(1).get_attribute("value") or ""
    page.select_option("[name=rule]", rule)
    page.select_option("[name=entrant]", other)
    page.fill("[name=deal]", "1")
    page.click("[data-outbox=penalty] [type=submit]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("判罚（未上传）")
    banked(page, one, "40")
    banked(page, one, "60")
    page.get_by_role("button", name="删去第 3 副").click()
    page = phone.restart(offline=True)
    phone.open(path)
    expect(page.locator("[data-save]")).to_have_text("记下第 3 副")
    expect(page.locator("[data-levels-note]")).to_have_text("有 2 副还没有上传，级数和坐庄在上传后算出")
    hand_in(page)
    expect(page.locator("form.deal")).to_be_hidden()
    phone.offline(off=False)
    phone.state("已确认")
    view = sheet(app, table)
    assert [each["points"] for each in view.deals] == [35, 40]
    assert [(each["rule"], each["entrant"]) for each in (view.outcome or {})["penalties"]] == [(rule, other)]
    assert (view.state, view.revision) == (SheetState.CONFIRMED, 4)
    posted = [where.removeprefix(path) for method, where in hall.requests if method == "POST"]
    assert posted == ["/match/deals", "/match/penalties", "/match/deals", "/hand-in"]


def test_a_penalty_whose_answer_was_lost_is_given_once(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 4)
        table = rounds.drawn(duels.SLUG).tables[0]
        one, other = results.seats(table)
        referee = results.referee(duels.SLUG)
        duels.recorded(table, deals=[duels.deal(one, 35)])
        rule = next(iter(queries.sheet(table.token).rules.match.penalties.rules))
    accounts.sign_in(client, referee)
    base = {
        "base_revision": "1",
        "idempotency_key": "penalty-key-1",
        "rule": rule,
        "entrant": other,
        "deal": "1",
    }
    for _ in range(2):
        assert client.post(f"{address(table, duels.SLUG)}/match/penalties", data=base).status_code == 303
    assert len((sheet(app, table).outcome or {})["penalties"]) == 1


# --- 快乐二打一: somebody does not come ---


def test_a_forfeit_is_kept_and_handed_in_without_a_network(
    app: Flask, travel: Travel, new_phone: NewPhone
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 6)
        table = rounds.drawn().tables[0]
        absent = results.seats(table)[2]
        phone = new_phone(results.referee(rounds.SLUG))
    page = phone.open(address(table, rounds.SLUG))
    phone.kept()
    phone.offline()
    page.get_by_text("弃权与迟到", exact=True).click()
    page.locator(f'[name="forfeit-{absent}"]').check()
    page.click("[data-outbox=absences] [type=submit]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("弃权与迟到（未上传）")
    page.reload()
    page.get_by_role("button", name="有人弃权，核对交表").click()
    page.locator("[data-hand-in] [name=checked]").check()
    page.click("[data-hand-in] [type=submit]")
    phone.offline(off=False)
    phone.state("已确认")
    assert sheet(app, table).outcome == {"forfeits": [absent]}
