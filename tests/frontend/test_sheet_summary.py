"""When all deals are in: only the summary, never a form that would write over one; and what counts in it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.frontend.sheets import OpenPhone, Table, expect_state, record, written

pytestmark = pytest.mark.browser

LAST = {"landlord": "e1", "bid": "3", "winner": "landlord", "bombs": "0"}


@pytest.fixture
def played(table: Table) -> Table:
    """Ten deals, of which the last gave +6, −3, −3."""
    for number in range(1, 10):
        table.save(number, {"passed_out": True}, f"deal {number}")
    table.save(10, written(LAST), "deal 10")
    return table


def test_a_correction_that_came_after_the_sheet_was_handed_in_changes_no_shown_number(
    open_phone: OpenPhone, played: Table
) -> None:
    page = open_phone()
    played.state = "confirmed"
    page.click('[data-deal="10"] a')
    record(page, "e2", 2)
    expect_state(page, "已确认")
    for _ in range(2):
        expect(page.locator("[data-sheet-problems]")).to_contain_text("本机：庄家 乙二，叫2分，胜")
        assert page.locator("[data-totals] [data-total]").all_inner_texts() == ["+6", "−3", "−3"]
        expect(page.locator('[data-deal="10"] [data-result]')).to_have_text("甲+6")
        expect(page.locator("form.deal, [data-summary]").filter(visible=True)).to_have_count(0)
        page.reload()
        expect_state(page, "已确认")


def test_what_was_refused_stands_in_its_notice_and_not_in_the_totals(
    open_phone: OpenPhone, played: Table
) -> None:
    page = open_phone()
    page.click('[data-deal="10"] a')
    page.fill("[name=bombs]", "13")
    page.click("[data-save]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("第 10 副没有被接受：炸弹太多。")
    assert page.locator("[data-totals] [data-total]").all_inner_texts() == ["+6", "−3", "−3"]
    expect(page.locator('[data-deal="10"]')).to_have_class("strip__deal strip__deal_saved strip__deal_held")


def test_what_two_phones_recorded_counts_as_the_server_has_it_until_the_referee_chose(
    open_phone: OpenPhone, table: Table
) -> None:
    first, second = open_phone(), open_phone()
    record(first, "e1", 1)
    expect_state(first, "已上传")
    record(second, "e2", 3)
    expect(second.locator("[data-choose=mine]")).to_be_visible()
    totals = second.locator("[data-totals] [data-total]")
    assert totals.all_inner_texts() == ["+2", "−1", "−1"]
    second.click("[data-choose=mine]")
    expect_state(second, "已上传")
    assert totals.all_inner_texts() == ["−3", "+6", "−3"]


@pytest.mark.parametrize("javascript", [True, False])
def test_after_the_last_deal_only_the_summary_shows_with_one_primary_button(
    open_phone: OpenPhone, table: Table, javascript: bool
) -> None:
    for number in range(1, 10):
        table.save(number, {"passed_out": True}, f"deal {number}")
    page = open_phone(java_script_enabled=javascript)
    record(page, "e1", 3)
    words = page.locator("[data-words]").filter(visible=True)
    expect(words).to_have_text("甲一 +6乙二 −3丙三 −3")
    expect(page.locator("form.deal")).to_be_hidden()
    primary = page.locator(".weui-btn_primary").filter(visible=True)
    expect(primary).to_have_text(["核对交表" if javascript else "交表"])


@pytest.mark.parametrize("javascript", [True, False])
def test_a_deals_form_opens_from_the_summary_only_on_its_cell_and_closes_again(
    open_phone: OpenPhone, played: Table, javascript: bool
) -> None:
    page = open_phone(java_script_enabled=javascript)
    page.click('[data-deal="4"] a')
    expect(page.locator("[data-save]")).to_have_text("改正第 4 副")
    primary = page.locator(".weui-btn_primary").filter(visible=True)
    expect(primary).to_have_text(["改正第 4 副"])
    page.click("[data-leave]")
    expect(page.locator("form.deal")).to_be_hidden()
    page.click('[data-deal="4"] a')
    record(page, "e2", 2)
    expect(page.locator("[data-totals] [data-total]")).to_have_text(["+4", "+1", "−5"])
    expect(page.locator("form.deal")).to_be_hidden()
    expect_state(page, "已上传")
    assert [deal.get("landlord") for deal in played.deals] == [None, None, None, "e2", *[None] * 5, "e1"]


def test_leaving_a_deal_forgets_what_was_begun_there(open_phone: OpenPhone, played: Table) -> None:
    page = open_phone()
    page.click('[data-deal="10"] a')
    page.locator('[name=bid][value="1"]').check()
    page.click("[data-leave]")
    expect_state(page, "已上传")
    page.click('[data-deal="10"] a')
    expect(page.locator('[name=bid][value="3"]')).to_be_checked()


def test_deals_that_another_phone_recorded_meanwhile_are_passed_over(
    open_phone: OpenPhone, table: Table
) -> None:
    first, second = open_phone(), open_phone()
    record(first, "e1", 1)
    record(first, "e2", 2)
    expect_state(first, "已上传")
    record(second, "e1", 1)
    expect(second.locator("[data-save]")).to_have_text("记下第 3 副")
    expect_state(second, "已上传")


def test_a_sheet_that_grows_because_a_deal_is_replayed_grows_on_the_phone(
    open_phone: OpenPhone, table: Table
) -> None:
    for number in range(1, 10):
        table.save(number, written(LAST), f"deal {number}")
    page = open_phone()
    table.wanted = 11
    record(page, "passed_out")
    expect(page.locator("[data-save]")).to_have_text("记下第 11 副")
    record(page, "e3", 1)
    expect(page.locator("[data-summary]")).to_be_visible()
    expect(page.locator('[data-deal="11"] [data-result]')).to_have_text("丙+2")


def test_handing_in_without_the_players_check_is_told_beside_its_checkbox(
    open_phone: OpenPhone, played: Table
) -> None:
    page = open_phone()
    page.click("[data-hand-in-open]")
    page.click("[data-hand-in] [type=submit]")
    checkbox = page.locator("[name=checked]")
    expect(checkbox).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#" + (checkbox.get_attribute("aria-describedby") or ""))).to_have_text(
        "请让三名选手核对后，勾选“三名选手已核对”。"
    )
    expect(page.locator("dialog")).to_be_visible()
    assert played.posts == []
    checkbox.check()
    page.click("[data-hand-in] [type=submit]")
    expect_state(page, "已交表，待确认")
