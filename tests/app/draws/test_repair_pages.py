"""Pages and API of repairs and of rounds taken back: what each role sees, every refusal, nothing private in public."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.commands import command
from app.draws.pages import record
from app.draws.queries import RoundView, repairs
from app.draws.service import repairs as service
from tests.factories import accounts, draws, people, publications, registrations, results
from tests.statements import noted_statements

Travel = Callable[[datetime], None]
STAFF = "/staff/c/beach/draws/prelim/1"
API = "/api/v1/competitions/beach"
REPAIR = f"{API}/draws/prelim/1/repair"


@pytest.fixture
def drawn(app: Flask, travel: Travel) -> RoundView:
    """Ten people: three tables, and one goes straight on."""
    with app.app_context():
        publications.published_field(travel, 10, 2)
        travel(publications.WINDOW_OVER)
        return draws.draw()


@pytest.fixture
def committee(app: Flask, drawn: RoundView) -> Actor:
    with app.app_context():
        return registrations.committee()


@pytest.fixture
def chief(app: Flask, drawn: RoundView) -> Actor:
    with app.app_context():
        return results.chief()


def field(page: str, name: str, after: str = "") -> str:
    """The value of a hidden field of a page, the first one after ``after``."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page[page.index(after) :])
    assert found, f"no field {name}"
    return found[1]


def save(client: FlaskClient, address: str, **more: str) -> Any:
    """Look at a change and save it, as the page's forms do."""
    page = client.get(address).text
    sent = {
        name: field(page, name, 'action="/staff')
        for name in ("base_revision", "idempotency_key", "one", "other")
    }
    return client.post(f"{STAFF}/repair/changes", data={**sent, **more})


def test_two_taps_a_reason_and_a_second_person_change_the_seats_that_everybody_sees(
    app: Flask, drawn: RoundView, committee: Actor, chief: Actor, client: FlaskClient
) -> None:
    one, other = drawn.placed.tables[0][0], drawn.placed.tables[2][1]
    names = drawn.names
    accounts.sign_in(client, committee)
    assert "人工调整" in client.get("/staff/c/beach/draws").text
    assert client.post(f"{STAFF}/repair").status_code == 303
    assert "data-repairing" in client.get("/c/beach/pairings").text
    assert "data-repairing" in client.get("/c/beach/draws").text
    assert "data-repairing" in client.get(f"/c/beach/pairings/{one}").text

    page = client.get(f"{STAFF}/repair").text
    assert f'href="{STAFF}/repair?one={one}#seats-1"' in page
    page = client.get(f"{STAFF}/repair?one={one}").text
    assert f"已选 {names[one]}" in page
    assert f'href="{STAFF}/repair?one={one}&amp;other={other}#preview"' in page
    preview = f"{STAFF}/repair?one={one}&other={other}"
    page = client.get(preview).text
    shown = page.split("data-preview")[1].split("</section>")[0]
    assert f"{names[one]}与{names[other]}对调" in shown
    assert "没有违反规程的编排规则" in shown
    assert re.findall(r'data-difference="(\w+)"', shown) == ["1", "3"]
    assert save(client, preview, reason="两人是夫妻").status_code == 303
    page = client.get(f"{STAFF}/repair").text
    assert "须由另一位组委会成员或裁判长登录后在本页确认" in page
    assert "确认并公布新座位" not in page
    refused = client.post(
        f"{STAFF}/repair/confirmation", data={"base_revision": "1", "idempotency_key": "confirm-by-self"}
    )
    assert refused.status_code == 409
    assert "不能由您确认" in refused.text

    accounts.sign_in(client, chief)
    page = client.get(f"{STAFF}/repair").text
    assert "确认并公布新座位" in page
    sent = {name: field(page, name, "/confirmation") for name in ("base_revision", "idempotency_key")}
    assert client.post(f"{STAFF}/repair/confirmation", data=sent).status_code == 303

    reader = app.test_client()
    pairings = reader.get("/c/beach/pairings").text
    first = pairings.split('class="weui-cell pairing"')[1]
    assert names[other] in first
    assert names[one] not in first
    assert "data-repairing" not in pairings
    public = reader.get("/c/beach/draws").text
    repaired = public.split("data-repaired")[1].split("</section>")[0]
    assert "两人是夫妻" in repaired
    assert "组委会" in repaired
    assert re.findall(r'data-difference="(\w+)"', repaired) == ["1", "3"]
    assert drawn.proof in public
    assert not any(people.phone(serial) in public for serial in (results.CHIEF, 9000))
    assert "抽签后由人工调整到这一桌" in reader.get(f"/c/beach/pairings/{one}").text
    ceremony = reader.get("/c/beach/draws/prelim/1/ceremony?step=4").text
    assert names[one] in ceremony, "the ceremony shows what the seed gave"
    assert 'data-replayed="identical"' in reader.get("/c/beach/draws/prelim/1/replay").text


def test_the_lists_work_without_scripts_for_every_kind_of_change(
    drawn: RoundView, committee: Actor, client: FlaskClient
) -> None:
    accounts.sign_in(client, committee)
    client.post(f"{STAFF}/repair")
    one, other, third = drawn.placed.tables[1]
    direct = drawn.placed.byes[0]
    for query, said in (
        ("table_one=1&table_other=2", "第 1 桌与第 2 桌对调桌号"),
        (f"bye={one}&instead_of={direct}", "上桌"),
        (f"set_table=2&seat_0={third}&seat_1={other}&seat_2={one}", "第 2 桌改为"),
    ):
        page = client.get(f"{STAFF}/repair?{query}").text
        assert said in page.split("data-preview")[1].split("</h2>")[0]
        assert all(f'name="{each.split("=")[0]}"' in page for each in query.split("&"))
    page = client.get(f"{STAFF}/repair?set_table=2&seat_0={direct}&seat_1={other}&seat_2={one}").text
    assert f"还没有位置：{drawn.names[third]}" in page.split("data-preview")[1]
    page = client.get(f"{STAFF}/repair?one={one}&other={one}").text
    assert "请选择两个不同的人" in page
    assert client.get(f"{STAFF}/repair?table_one=1&table_other=x").status_code == 200


def test_a_missing_or_private_reason_stands_beside_what_was_looked_at(
    drawn: RoundView, committee: Actor, client: FlaskClient
) -> None:
    accounts.sign_in(client, committee)
    client.post(f"{STAFF}/repair")
    preview = f"{STAFF}/repair?one={drawn.placed.tables[0][0]}&other={drawn.placed.byes[0]}"
    for reason, said in (("", "请填写"), ("13800000000 来电", "请不要写电话或证件号码")):
        answer = save(client, preview, reason=reason)
        assert answer.status_code == 422
        assert said in answer.text
        assert "data-preview" in answer.text
        assert reason in answer.text


def test_who_comes_second_sees_the_seats_as_they_are_and_what_was_sent(
    app: Flask, drawn: RoundView, committee: Actor, chief: Actor, client: FlaskClient
) -> None:
    one, other = drawn.placed.tables[0][0], drawn.placed.tables[1][0]
    with app.app_context():
        draws.open_repair()
    accounts.sign_in(client, chief)
    page = client.get(f"{STAFF}/repair?one={one}&other={other}").text
    with app.app_context():
        draws.change({"swap_tables": [1, 2]}, by=committee)
    sent = {name: field(page, name, 'action="/staff') for name in ("base_revision", "idempotency_key")}
    answer = client.post(
        f"{STAFF}/repair/changes", data={**sent, "one": one, "other": other, "reason": "直播桌"}
    )
    assert answer.status_code == 409
    assert "另一位同事刚改过这次调整" in answer.text
    assert "直播桌" in answer.text
    assert field(answer.text, "base_revision", 'action="/staff') == "1", "sent again, it stands on theirs"


def test_cancelling_asks_for_a_reason(drawn: RoundView, committee: Actor, client: FlaskClient) -> None:
    accounts.sign_in(client, committee)
    client.post(f"{STAFF}/repair")
    data = {"base_revision": "0", "idempotency_key": "cancel-page", "reason": ""}
    assert client.post(f"{STAFF}/repair/cancellation", data=data).status_code == 422
    answer = client.post(f"{STAFF}/repair/cancellation", data=data | {"reason": "不需要了"})
    assert answer.status_code == 303
    assert "data-repairing" not in client.get("/c/beach/pairings").text


def test_a_referee_who_scans_a_code_meanwhile_reads_why_it_waits(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    with app.app_context():
        draws.open_repair()
        referee = results.referee()
    accounts.sign_in(client, referee)
    answer = client.get(f"/c/beach/t/{drawn.tables[0].token}")
    assert answer.status_code == 409
    assert "正在人工调整" in answer.text
    assert client.get(f"{STAFF}/repair").status_code == 403
    assert app.test_client().get(f"{STAFF}/repair").status_code == 401


def test_the_api_repairs_from_opening_to_confirmation(
    app: Flask, drawn: RoundView, committee: Actor, chief: Actor, client: FlaskClient
) -> None:
    one, other = drawn.placed.tables[0][0], drawn.placed.byes[0]
    with app.app_context():
        first, second = accounts.bearer(app, committee), accounts.bearer(app, chief)
    assert client.get(REPAIR, headers=first).status_code == 404
    assert client.post(REPAIR, headers=first).get_json()["revision"] == 0
    change = {"swap": [one, other]}
    preview = client.post(f"{REPAIR}/preview", json=change, headers=first).get_json()
    assert preview["warnings"] == []
    assert preview["placed"]["byes"] == [one]
    assert [each["number"] for each in preview["differences"]] == [1, None]
    body = change | {"reason": "两人是夫妻", "base_revision": 0, "idempotency_key": "api-change-1"}
    for _ in range(2):
        made = client.post(f"{REPAIR}/changes", json=body, headers=first)
        assert made.status_code == 201
        assert made.get_json()["revision"] == 1
    late = client.post(f"{REPAIR}/changes", json=body | {"idempotency_key": "api-change-2"}, headers=second)
    assert late.status_code == 409
    assert late.content_type == "application/problem+json"
    assert late.get_json()["current"]["revision"] == 1
    assert late.get_json()["sent"]["change"] == change
    close = {"base_revision": 1, "idempotency_key": "api-confirm-1"}
    same = client.post(f"{REPAIR}/confirmation", json=close, headers=first)
    assert same.status_code == 409
    assert "不能由您确认" in same.get_json()["detail"]
    assert client.get(f"{API}/draws").get_json()[0]["repairing"] is True
    for _ in range(2):
        assert client.post(f"{REPAIR}/confirmation", json=close, headers=second).status_code == 204
    (told,) = client.get(f"{API}/draws").get_json()
    assert told["repairing"] is False
    assert told["drawn"]["byes"] == [other]
    assert told["changes"][0]["reason"] == "两人是夫妻"
    assert set(told["changes"][0]) == {"number", "change", "text", "reason", "made_as", "made_at"}
    assert [each["entrant"] for each in told["direct"]] == [one]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 422),
        ({"swap": ["e1"]}, 422),
        ({"swap": ["e1", "e2", "e3"]}, 422),
        ({"swap_tables": [1, 2], "instead_of": "e1"}, 422),
        ({"set_table": {"number": 1}}, 422),
        ({"bogus": 1}, 422),
    ],
)
def test_the_api_refuses_a_change_that_is_none(
    app: Flask, committee: Actor, client: FlaskClient, change: dict[str, Any], status: int
) -> None:
    with app.app_context():
        draws.open_repair()
        headers = accounts.bearer(app, committee)
    answer = client.post(f"{REPAIR}/preview", json=change, headers=headers)
    assert answer.status_code == status
    assert answer.get_json()["errors"]


def test_undrawing_on_the_page_names_the_loss_and_keeps_it_public(
    app: Flask, drawn: RoundView, committee: Actor, chief: Actor, client: FlaskClient
) -> None:
    with app.app_context():
        results.confirmed(drawn.tables[0])
    accounts.sign_in(client, committee)
    page = client.get(f"{STAFF}/undrawing").text
    assert "将作废 1 桌 10 副已录入的成绩" in page
    assert "只能由裁判长作废" in page
    assert 'name="reason"' not in page
    accounts.sign_in(client, chief)
    page = client.get(f"{STAFF}/undrawing").text
    data = {
        "seed": field(page, "seed"),
        "idempotency_key": field(page, "idempotency_key"),
        "reason": "名单有误",
    }
    refused = client.post(f"{STAFF}/undrawing", data=data | {"deals": "1"})
    assert refused.status_code == 422
    assert "请输入将作废的副数 10" in refused.text
    assert "名单有误" in refused.text
    done = client.post(f"{STAFF}/undrawing", data=data | {"deals": "10"})
    assert done.status_code == 303
    staff = client.get(done.location).text
    kept = re.search(r"/staff/c/beach/void-rounds/\d+", staff)
    assert kept
    page = client.get(kept[0]).text
    assert 'data-entered="1"' in page
    assert "名单有误" in page
    assert page.count("<li>") >= 10
    assert app.test_client().get(kept[0]).status_code == 401

    public = app.test_client().get("/c/beach/draws").text
    void = public.split("data-void")[1].split("</section>")[0]
    for shown in ("作废的抽签", "名单有误", drawn.seed, drawn.proof, drawn.tables[0].seats[0].name):
        assert shown in void
    assert "还没有编排对阵" in app.test_client().get("/c/beach/pairings").text


def test_a_large_event_leads_to_its_void_rounds_and_reads_only_the_one_that_is_asked_for(
    app: Flask, drawn: RoundView, chief: Actor, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        headers = accounts.bearer(app, chief)
    body = {"seed": drawn.seed, "reason": "名单有误", "idempotency_key": "api-undraw-1", "deals": 0}
    assert client.post(f"{API}/draws/prelim/1/undrawing", json=body, headers=headers).status_code == 201
    monkeypatch.setattr(record, "TABLES_IN_FULL", 0)
    with app.app_context(), noted_statements() as statements:
        page = client.get("/c/beach/draws").text
    assert not [each for each in statements if "seats" in each], "no table is read"
    assert "data-void=" not in page
    address = re.search(r"/c/beach/draws\?void=\d+", page)
    assert address
    whole = client.get(address[0]).text
    for shown in ("data-void=", "名单有误", drawn.seed, drawn.proof, drawn.tables[0].seats[0].name):
        assert shown in whole
    assert "桌</span>" not in whole.split("data-void=")[1], "there is no other to lead to"
    assert "data-void=" not in client.get("/c/beach/draws?void=99999").text


def test_undrawing_by_the_api(app: Flask, drawn: RoundView, chief: Actor, client: FlaskClient) -> None:
    with app.app_context():
        results.recorded(drawn.tables[1], results.deals(drawn.tables[1])[:3])
        headers = accounts.bearer(app, chief)
    address = f"{API}/draws/prelim/1/undrawing"
    loss = client.get(address, headers=headers).get_json()
    assert (loss["deals"], loss["started"], loss["later"]) == (3, True, [])
    assert [each["number"] for each in loss["tables"]] == [2]
    body = {"seed": drawn.seed, "reason": "名单有误", "idempotency_key": "api-undraw-1"}
    assert client.post(address, json=body, headers=headers).status_code == 422
    for _ in range(2):
        done = client.post(address, json=body | {"deals": 3}, headers=headers)
        assert done.status_code == 201
        assert done.get_json()["void_reason"] == "名单有误"
    (void,) = client.get(f"{API}/void-rounds").get_json()
    assert (void["seed"], void["deals_entered"]) == (drawn.seed, 3)
    assert "token" not in str(void)
    sheets = f"{API}/void-rounds/{void['void_id']}/sheets"
    assert client.get(sheets).status_code == 401
    (entered,) = client.get(sheets, headers=headers).get_json()
    assert len(entered["deals"]) == 3
    assert client.get(f"{API}/void-rounds/99999/sheets", headers=headers).status_code == 404
    assert client.get(f"{API}/draws").get_json() == []


def test_the_pages_read_in_english(
    app: Flask, drawn: RoundView, committee: Actor, client: FlaskClient
) -> None:
    one = drawn.placed.tables[0][0]
    accounts.sign_in(client, committee)
    client.post(f"{STAFF}/repair")
    client.get(f"{STAFF}/repair")  # what was said in Chinese is read once
    names = set("".join(drawn.names.values()))
    units = {seat.unit_name for _, seat in drawn.people}
    for address in (
        f"{STAFF}/repair",
        f"{STAFF}/repair?one={one}&other={drawn.placed.byes[0]}",
        f"{STAFF}/undrawing",
        "/c/beach/draws",
    ):
        page = client.get(f"{address}{'&' if '?' in address else '?'}lang=en").text
        main = re.sub(r"<[^>]+>", " ", page.split("<main")[1].split("</main>")[0])
        for unit in units:
            main = main.replace(unit, "")
        left = {char for char in main if "\u4e00" <= char <= "\u9fff"} - names
        assert not left, f"{address}: {''.join(sorted(left))}"
    with app.app_context():
        assert repairs.repair(drawn.event_id, "prelim", 1).revision == 0


def test_the_staff_read_every_act_on_a_round_also_what_was_cancelled_or_taken_back(
    app: Flask, drawn: RoundView, committee: Actor, chief: Actor, client: FlaskClient
) -> None:
    with app.app_context():
        draws.open_repair()
        draws.change({"swap_tables": [1, 2]}, reason="先试一试")
        with command(chief) as ctx:
            service.cancel(
                ctx, drawn.event_id, "prelim", 1, reason="不需要了", based=service.Based(1, "cancel-history")
            )
        draws.open_repair()
        draws.change({"swap_tables": [2, 3]}, reason="直播桌")
        draws.confirm(chief)
    accounts.sign_in(client, committee)
    address = "/staff/c/beach/draws/prelim/1/undrawing"
    page = client.get(address).text
    sent = {name: field(page, name) for name in ("seed", "idempotency_key")}
    assert client.post(address, data={**sent, "reason": "名单有误"}).status_code == 303
    assert f'href="{STAFF}/history"' in client.get("/staff/c/beach/draws").text
    with app.app_context():
        draws.commit(seed="ab" * 32)
        draws.draw(seed=None)
        headers = accounts.bearer(app, committee)
    told = client.get(f"{API}/draws/prelim/1/history", headers=headers).json
    assert [(each["action"], each["reason"], each["role"]) for each in told] == [
        ("round.drawn", None, "committee"),
        ("draw_repair.opened", None, "committee"),
        ("draw_repair.changed", "先试一试", "committee"),
        ("draw_repair.cancelled", "不需要了", "chief_referee"),
        ("draw_repair.opened", None, "committee"),
        ("draw_repair.changed", "直播桌", "committee"),
        ("draw_repair.confirmed", None, "chief_referee"),
        ("round.voided", "名单有误", "committee"),
        ("draw.committed", None, "committee"),
        ("round.drawn", None, "committee"),
    ]
    assert "取消调整，座位不变，1 项改动没有生效" in [each["text"] for each in told]
    assert all(re.fullmatch(r"\d{3}\*+\d{4}", each["phone_masked"]) for each in told)
    page = client.get(f"{STAFF}/history").text
    assert page.index("名单有误") < page.index("直播桌") < page.index("不需要了")
    reader = app.test_client()
    assert reader.get(f"{STAFF}/history").status_code == 401
    assert reader.get(f"{API}/draws/prelim/1/history").status_code == 401
    assert client.get("/staff/c/beach/draws/final/1/history").status_code == 404
    public = reader.get("/c/beach/draws").text
    assert "直播桌" in public
    assert "不需要了" not in public


def test_undrawing_names_sheets_scores_confirmations_and_the_commitments_that_fall(
    app: Flask, drawn: RoundView, chief: Actor, client: FlaskClient
) -> None:
    with app.app_context():
        results.confirmed(drawn.tables[0])
        results.recorded(drawn.tables[2], results.deals(drawn.tables[2])[:4])
        headers = accounts.bearer(app, chief)
    accounts.sign_in(client, chief)
    page = client.get(f"{STAFF}/undrawing").text
    loss = page.split("data-loss")[1].split("</form>")[0]
    for said in ("2 桌 14 副", "其中 1 桌已交表确认，1 桌还在录入", "1 号桌 · 已确认", "3 号桌 · 未确认"):
        assert said in loss
    told = client.get(f"{API}/draws/prelim/1/undrawing", headers=headers).json
    assert (told["confirmed"], told["deals"], told["commitments"]) == (1, 14, [])
