"""The referee's sheet in a real browser, against a table that answers as the server does."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.frontend.sheets import (
    PAGE,
    SITE,
    OpenPhone,
    Table,
    choose,
    come_back,
    expect_state,
    hand_in,
    live,
    record,
    recorded,
    written,
)

pytestmark = pytest.mark.browser


def test_the_three_scores_show_before_the_deal_is_saved(open_phone: OpenPhone) -> None:
    page = open_phone()
    choose(page, "e3", 3, "defenders")
    page.click('[data-step="1"]')
    page.click('[data-step="1"]')
    page.locator("[name=anti_spring]").check()
    assert live(page) == ["+24", "+24", "−48"]
    page.locator('[name=winner][value="landlord"]').check()
    expect(page.locator("[name=anti_spring]")).to_be_hidden()
    assert live(page) == ["−12", "−12", "+24"]


def test_a_saved_deal_is_uploaded_and_the_next_one_opens(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone()
    record(page, "e1", 2)
    expect_state(page, "已上传")
    expect(page.locator("[data-save]")).to_have_text("记下第 2 副")
    assert table.deals[0]["landlord"] == "e1"
    assert page.locator("[data-totals] [data-total]").all_inner_texts() == ["+4", "−2", "−2"]


def test_a_half_entered_deal_survives_a_reload(open_phone: OpenPhone) -> None:
    page = open_phone()
    choose(page, "e2", 3, "defenders")
    expect_state(page, "已存本机")
    page.reload()
    assert live(page) == ["+3", "−6", "+3"]
    expect_state(page, "已存本机")


def test_deals_entered_without_a_network_go_up_in_order_when_it_returns(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    table.online = False
    record(page, "passed_out")
    record(page, "e2", 3)
    expect_state(page, "已存本机，网络恢复后自动上传")
    assert table.posts == []
    table.online = True
    page.reload()
    expect_state(page, "已上传")
    assert [post["deal_number"] for post in table.posts] == ["1", "2"]
    assert [post["base_revision"] for post in table.posts] == ["0", "1"]
    assert table.deals[0] == {"passed_out": True}


def test_an_answer_lost_on_the_way_back_saves_nothing_twice(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone()
    table.lose_next_answer = True
    record(page, "e1")
    expect_state(page, "已存本机，网络恢复后自动上传")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect_state(page, "已上传")
    assert len({post["idempotency_key"] for post in table.posts}) == 1
    assert (len(table.deals), table.revision) == (1, 1)


def test_a_refused_deal_stays_with_its_reason_until_it_is_corrected(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    choose(page, "e1")
    page.fill("[name=bombs]", "13")
    page.click("[data-save]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("第 1 副没有被接受：炸弹太多。")
    page.click('[data-deal="1"] a')
    page.fill("[name=bombs]", "1")
    page.click("[data-save]")
    expect(page.locator("[data-sheet-problems]")).to_be_empty()
    expect_state(page, "已上传")
    assert table.deals[0]["bombs"] == 1


def test_the_same_deal_from_two_phones_is_put_to_the_referee(open_phone: OpenPhone, table: Table) -> None:
    first, second = open_phone(), open_phone()
    record(first, "e1", 1)
    expect_state(first, "已上传")
    record(second, "e2", 2)
    problems = second.locator("[data-sheet-problems]")
    expect(problems).to_contain_text(
        "服务器上（裁判员 138****0000，18:01）：庄家 甲一，叫1分，胜：甲一 +2，乙二 −1，丙三 −1"
    )
    expect(problems).to_contain_text("本机：庄家 乙二，叫2分，胜：甲一 −2，乙二 +4，丙三 −2")
    assert table.deals[0]["landlord"] == "e1"
    second.click("[data-choose=mine]")
    expect_state(second, "已上传")
    assert table.deals[0]["landlord"] == "e2"


def test_a_correction_made_on_an_older_page_keeps_what_others_saved(
    open_phone: OpenPhone, table: Table
) -> None:
    first = open_phone()
    record(first, "e1", 1)
    expect_state(first, "已上传")
    second = open_phone()
    record(first, "e2", 2)
    expect_state(first, "已上传")
    second.click('[data-deal="1"] a')
    record(second, "e1", 3)
    expect_state(second, "已上传")
    assert [(deal["landlord"], deal["bid"]) for deal in table.deals] == [("e1", 3), ("e2", 2)]


def test_signed_out_at_the_table_everything_goes_up_in_order_after_signing_in_again(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    table.signed_in = False
    record(page, "e1", 1)
    expect_state(page, "已存本机，重新登录后自动上传 重新登录")
    record(page, "e2", 2)
    record(page, "e3", 3)
    expect_state(page, "已存本机，重新登录后自动上传 重新登录")
    assert table.deals == []
    page.click("[data-sheet-state] a")
    page.click("#back")
    expect(page).to_have_url(SITE + PAGE)
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 1), ("e2", 2), ("e3", 3)]
    expect(page.locator("[data-sheet-problems]")).to_be_empty()


def test_signing_in_in_another_tab_is_enough_and_the_new_token_is_taken(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    table.signed_in = False
    record(page, "e1", 1)
    expect_state(page, "已存本机，重新登录后自动上传 重新登录")
    table.signed_in, table.csrf = True, "csrf of the new session"
    come_back(page)
    expect_state(page, "已上传")
    record(page, "e2", 2)
    expect(page.locator("[data-save]")).to_have_text("记下第 3 副")
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 1), ("e2", 2)]
    assert {post["csrf_token"] for post in table.posts[1:]} == {"csrf of the new session"}


def test_a_session_that_ended_with_its_token_asks_for_a_sign_in(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone()
    table.signed_in, table.csrf = False, "csrf of the new session"
    record(page, "e1", 1)
    expect_state(page, "已存本机，重新登录后自动上传 重新登录")
    page.reload()
    expect(page.locator("[data-problem]")).to_have_text("请先登录。")
    table.signed_in = True
    page.reload()
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 1)]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (429, "已存本机，服务器忙，稍后自动上传"),
        (500, "已存本机，服务器忙，稍后自动上传"),
        (502, "已存本机，服务器忙，稍后自动上传"),
        (403, "已存本机，还没能上传：现在不行。 换一个账号登录"),
        (404, "已存本机，还没能上传：现在不行。"),
    ],
)
def test_a_passing_refusal_says_what_it_waits_for_and_holds_no_deal_back(
    open_phone: OpenPhone, table: Table, status: int, told: str
) -> None:
    page = open_phone()
    table.refusals = [status]
    record(page, "e1", 1)
    expect_state(page, told)
    expect(page.locator("[data-choose]")).to_have_count(0)
    come_back(page)
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 1)]
    assert len({post["idempotency_key"] for post in table.posts}) == 1


@pytest.mark.parametrize("again", ["by itself", "next deal", "same deal", "reload"])
def test_a_deal_that_waits_is_sent_again_at_every_occasion(
    open_phone: OpenPhone, table: Table, again: str
) -> None:
    page = open_phone()
    table.refusals = [500]
    record(page, "e1", 1)
    expect_state(page, "已存本机，服务器忙，稍后自动上传")
    if again == "next deal":
        record(page, "e2", 2)
    elif again == "same deal":
        page.click('[data-deal="1"] a')
        record(page, "e1", 1)
    elif again == "reload":
        page.reload()
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 1), ("e2", 2)][: 2 if again == "next deal" else 1]


def test_a_token_that_no_longer_fits_is_read_anew_and_the_deal_sent_again(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    table.csrf = "csrf of the new session"
    record(page, "e1", 1)
    expect_state(page, "已上传")
    assert [post["csrf_token"] for post in table.posts] == ["csrf", "csrf of the new session"]
    assert recorded(table) == [("e1", 1)]


def test_a_page_that_is_refused_as_too_old_again_and_again_is_not_asked_for_ever(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    table.refusals = [400] * 3
    record(page, "e1", 1)
    expect_state(page, "已存本机，还没能上传：现在不行。")
    assert len(table.posts) == 3
    expect_state(page, "已上传")


def test_a_network_that_dies_between_two_deals_and_a_reload_lose_nothing(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    record(page, "e1", 1)
    expect_state(page, "已上传")
    table.online = False
    record(page, "e2", 2)
    expect_state(page, "已存本机，网络恢复后自动上传")
    table.online = True
    table.refusals = [503]
    page.reload()
    expect_state(page, "已存本机，服务器忙，稍后自动上传")
    expect(page.locator("[data-save]")).to_have_text("记下第 3 副")
    record(page, "e3", 3)
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 1), ("e2", 2), ("e3", 3)]


def test_a_deal_corrected_before_its_lost_answer_came_is_nobody_elses(
    open_phone: OpenPhone, table: Table
) -> None:
    page = open_phone()
    table.lose_next_answer = True
    record(page, "e1", 1)
    expect_state(page, "已存本机，网络恢复后自动上传")
    page.click('[data-deal="1"] a')
    record(page, "e1", 3)
    expect_state(page, "已上传")
    assert recorded(table) == [("e1", 3)]


def test_a_refused_correction_holds_the_other_deals_not_back(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone()
    record(page, "e1", 1)
    expect_state(page, "已上传")
    page.click('[data-deal="1"] a')
    page.fill("[name=bombs]", "13")
    page.click("[data-save]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("炸弹太多。")
    record(page, "e2", 2)
    expect(page.locator("[data-save]")).to_have_text("记下第 3 副")
    expect_state(page, "已存本机")
    assert recorded(table) == [("e1", 1), ("e2", 2)]
    posts = len(table.posts)
    page.click('[data-deal="1"] a')
    page.click("[data-save]")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("炸弹太多。")
    assert len(table.posts) == posts + 1


def test_a_sheet_handed_in_elsewhere_says_what_was_not_sent(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone()
    table.deals = [{"passed_out": True} for _ in range(10)]
    table.revision, table.state = 10, "confirmed"
    record(page, "e1", 1)
    expect_state(page, "已确认")
    problems = page.locator("[data-sheet-problems]")
    expect(problems).to_contain_text("这一桌已交表，第 1 副本机所记没有上传。要更正请找裁判长。")
    expect(problems).to_contain_text("本机：庄家 甲一，叫1分，胜")
    page.click("text=删去本机所记")
    expect(problems).to_be_empty()


def test_handing_in_signed_out_waits_for_a_sign_in_and_loses_nothing(
    open_phone: OpenPhone, table: Table
) -> None:
    table.deals = [{"passed_out": True} for _ in range(10)]
    table.revision = 10
    page = open_phone()
    table.signed_in = False
    hand_in(page)
    expect_state(page, "已存本机，重新登录后自动上传 重新登录")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("已在本机交表，上传后生效。")
    assert table.posts == []
    table.signed_in, table.csrf = True, "csrf of the new session"
    come_back(page)
    expect_state(page, "已交表，待确认")
    assert [post["base_revision"] for post in table.posts] == ["10"]


def test_handing_in_what_another_device_changed_asks_to_check_again(
    open_phone: OpenPhone, table: Table
) -> None:
    table.deals = [{"passed_out": True} for _ in range(10)]
    table.revision = 10
    page = open_phone()
    table.save(10, written({"landlord": "e1", "bid": "3", "winner": "landlord", "bombs": "0"}), "other")
    hand_in(page)
    expect(page.locator("#toast")).to_have_text("别的设备改了这一桌，请重新核对")
    expect(page.locator("[data-sheet-problems]")).to_contain_text("别的设备改了这一桌，请重新核对")
    assert table.posts == []
    page.click("[data-hand-in-open]")
    expect(page.locator("dialog [data-words]")).to_have_text("甲一 +6乙二 −3丙三 −3")
    expect(page.locator("[name=checked]")).not_to_be_checked()


def test_ten_deals_are_handed_in_after_the_totals_were_read(open_phone: OpenPhone, table: Table) -> None:
    table.deals = [{"passed_out": True} for _ in range(9)]
    table.revision = 9
    page = open_phone()
    expect(page.locator("[data-hand-in-open]")).to_be_hidden()
    record(page, "e1", 3)
    page.click("[data-hand-in-open]")
    expect(page.locator("dialog [data-deal-count]")).to_have_text("10")
    expect(page.locator("dialog [data-words]")).to_have_text("甲一 +6乙二 −3丙三 −3")
    page.locator("[name=checked]").check()
    page.click("[data-hand-in] [type=submit]")
    expect_state(page, "已交表，待确认")
    assert table.posts[-1]["base_revision"] == "10"


def test_without_javascript_the_form_posts_by_itself(open_phone: OpenPhone, table: Table) -> None:
    page = open_phone(java_script_enabled=False)
    record(page, "e3", 2, "defenders")
    assert table.deals == [written({"landlord": "e3", "bid": "2", "winner": "defenders", "bombs": "0"})]
    expect(page.locator("[data-sheet-state]")).to_have_text("已上传")


def test_every_control_of_the_sheet_is_large_enough_for_a_thumb(open_phone: OpenPhone) -> None:
    page = open_phone()
    small = page.evaluate(
        """() => [...document.querySelectorAll("[data-score] a, [data-score] button, [data-score] .pick")]
            .map((element) => [element.outerHTML.slice(0, 60), element.getBoundingClientRect().height])
            .filter(([, height]) => height > 0 && height < 44)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360
