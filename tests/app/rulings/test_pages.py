"""The pages of rulings: picked, previewed, given, withdrawn; the public list names no reason."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.draws.queries import TableView
from app.draws.rules import entry_of
from app.rulings import queries
from scoring_engine.values import EntrantId
from tests.factories import accounts, duels, registrations, results, rounds, rulings
from tests.factories.publications import Travel

SECRET = "有人看到他在过道抽烟"


@pytest.fixture
def table(app: Flask, travel: Travel) -> TableView:
    """The first table of a prelim of nine."""
    with app.app_context():
        return results.prelim(travel).tables[0]


@pytest.fixture
def chief(app: Flask, table: TableView, client: FlaskClient) -> FlaskClient:
    with app.app_context():
        accounts.sign_in(client, results.chief())
    return client


@pytest.fixture
def referee(app: Flask, table: TableView, client: FlaskClient) -> FlaskClient:
    with app.app_context():
        accounts.sign_in(client, results.referee())
    return client


def at_table(table: TableView, code: str = "") -> str:
    return f"/c/beach/t/{table.token}/rulings" + (f"/{code}" if code else "")


def entry(table: TableView, place: int = 0) -> int:
    return int(entry_of(EntrantId(results.seats(table)[place])))


def hidden(page: str) -> dict[str, Any]:
    """The hidden fields of the form that gives the ruling."""
    form = page[page.index("data-give") : page.index("</form>", page.index("data-give"))]
    found: dict[str, Any] = {}
    for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form):
        found.setdefault(name, []).append(value)
    return found


def typed(table: TableView, **more: Any) -> dict[str, Any]:
    usual = {"step": "preview", "entry_ids": entry(table), "reason": SECRET}
    return usual | {"idempotency_key": results.key()} | more


def test_a_penalty_is_picked_previewed_with_its_impact_and_given(
    app: Flask, chief: FlaskClient, table: TableView
) -> None:
    with app.app_context():
        results.all_confirmed(table.event_id)
    page = chief.get(at_table(table)).text
    assert "在禁烟区域吸烟" in page
    assert "四(二)8(五)" in page
    assert "每次扣 3 分" in page
    url = at_table(table, "smoking")
    assert "看影响" in chief.get(url).text
    shown = chief.post(url, data=typed(table, count="5"))
    assert shown.status_code == 200
    assert "得分 −15" in shown.text
    assert "改为 第" in shown.text
    assert SECRET in chief.post(url, data=hidden(shown.text) | {"step": "edit"}).text
    with app.app_context():
        assert queries.rulings(table.event_id) == ()
    assert chief.post(url, data=hidden(shown.text)).status_code == 303
    with app.app_context():
        (made,) = queries.rulings(table.event_id)
        rulings.standing()
    assert (made.wanted.count, made.reason) == (5, SECRET)
    public = app.test_client().get("/c/beach/rulings").text
    assert table.seats[0].name in public
    assert "在禁烟区域吸烟" in public
    assert "得分 −15" in public
    assert SECRET not in public


def test_what_is_missing_is_said_beside_its_field_and_what_was_typed_stays(
    referee: FlaskClient, table: TableView
) -> None:
    url = at_table(table, "signals")
    refused = referee.post(url, data=typed(table))
    assert refused.status_code == 422
    assert "请写明第几副" in refused.text
    assert SECRET in refused.text
    nobody = typed(table, deal="1")
    del nobody["entry_ids"]
    assert referee.post(url, data=nobody).status_code == 422
    silent = referee.post(url, data=typed(table, reason="", deal="1"))
    assert silent.status_code == 422
    assert "请写明事实和理由" in silent.text


def test_a_third_warning_says_so_before_it_costs(app: Flask, referee: FlaskClient, table: TableView) -> None:
    with app.app_context():
        for _ in range(2):
            rulings.given(table, "timeouts", results.seats(table)[0], by=results.referee(), deal=3)
    url = at_table(table, "timeouts")
    page = referee.post(url, data=typed(table, deal="3")).text
    assert "本副第 3 次警告，扣 3 分" in page
    assert "此前 2 次，连这次 3 次" in page
    assert "第 1 次警告；再有 2 次扣分" in referee.post(url, data=typed(table, deal="4")).text


def test_a_referee_sees_what_is_the_chief_referees_and_cannot_send_it(
    referee: FlaskClient, table: TableView
) -> None:
    page = referee.get(at_table(table, "phone")).text
    assert "整轮记为零分由裁判长决定" in page
    assert "看影响" not in page
    assert "另定的分数" not in referee.get(at_table(table, "signals")).text
    assert referee.post(at_table(table, "phone"), data=typed(table, step="give")).status_code == 403


def test_an_expulsion_from_a_knock_out_says_what_the_text_leaves_open_and_whom_to_ask(
    chief: FlaskClient, table: TableView
) -> None:
    """I-A-27, I-A-28: by option; what remains open is asked of the committee."""
    page = chief.get(at_table(table, "expulsion")).text
    assert "已取得的名额由名次在后的依次递补" in page
    assert "不排名次、不得奖" in page
    assert "请组委会裁定" in page


def test_a_text_that_says_nothing_of_lateness_says_whom_to_ask(chief: FlaskClient, table: TableView) -> None:
    """I-A-18."""
    assert "规程没有写迟到和弃权怎样处理" in chief.get(at_table(table)).text


def test_a_ruling_is_withdrawn_after_a_look_at_what_that_changes(
    app: Flask, client: FlaskClient, table: TableView
) -> None:
    with app.app_context():
        results.all_confirmed(table.event_id)
        (made,) = rulings.given(table, "smoking", results.seats(table)[0], count=20, reason=SECRET)
        accounts.sign_in(client, registrations.committee("beach"))
    url = f"/staff/c/beach/rulings/{made}"
    page = client.get(url).text
    assert SECRET in page
    assert "撤销会改变什么" in page
    assert "data-withdraw" not in page, "the committee reads"
    assert client.post(url, data={"reason": "看错了"}).status_code == 403
    with app.app_context():
        accounts.sign_in(client, results.chief())
    assert client.post(url, data={"reason": ""}).status_code == 422
    assert client.post(url, data={"reason": "看错了人"}).status_code == 303
    page = client.get(url).text
    assert "看错了人" in page
    assert "data-withdraw" not in page
    assert "已撤销" in client.get("/staff/c/beach/rulings").text
    assert "已撤销" in client.get("/c/beach/rulings").text


def test_rulings_of_tables_that_are_not_public_stay_out_of_the_public_list(
    app: Flask, client: FlaskClient, table: TableView
) -> None:
    with app.app_context():
        rulings.given(table, "smoking", results.seats(table)[0])
    page = client.get("/c/beach/rulings").text
    assert "在禁烟区域吸烟" not in page
    assert "还没有判罚" in page


def test_what_only_a_sheet_says_is_in_the_public_list_once(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 6)
        table = rounds.drawn(duels.SLUG).tables[0]
        one, other = duels.seats(table)
        penalties = [{"rule": "exposed_card", "entrant": other, "deal": 1}]
        duels.recorded(table, handed_in=True, deals=[duels.deal(one, 40)], penalties=penalties)
        rulings.given(table, "out_of_turn", one, slug=duels.SLUG, deal=1)
        rulings.standing(duels.SLUG)
    page = client.get(f"/c/{duels.SLUG}/rulings").text
    assert page.count("data-ruling") == 2
    assert "暴露张：防家-10分" in page
    assert "越序出牌：防家+10分" in page


def test_pages_speak_english(chief: FlaskClient, table: TableView) -> None:
    for path in (at_table(table), at_table(table, "signals"), "/c/beach/rulings", "/staff/c/beach/rulings"):
        page = chief.get(f"{path}?lang=en").text
        assert "Penalties" in page or "Signalling" in page
