"""The referee's page: it works as a plain form, keeps what was typed, and shows two versions side by side."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.accounts.rules import masked_phone
from app.actors import Role
from app.clock import beijing
from app.commands import command
from app.draws.queries import TableView
from app.results import queries, service
from tests.factories import accounts, people, registrations, results

Travel = Callable[[datetime], None]


@pytest.fixture
def table(app: Flask, travel: Travel) -> TableView:
    with app.app_context():
        return results.prelim(travel).tables[0]


@pytest.fixture
def page(app: Flask, client: FlaskClient, table: TableView) -> str:
    """The address of the sheet, opened by a signed-in referee."""
    with app.app_context():
        person = results.referee()
    accounts.sign_in(client, person)
    return f"/c/beach/t/{table.token}"


def form(table: TableView, number: int = 1, **changes: Any) -> dict[str, Any]:
    usual = {
        "deal_number": number,
        "landlord": results.seats(table)[0],
        "bid": 2,
        "winner": "landlord",
        "bombs": 0,
        "base_revision": number - 1,
        "idempotency_key": results.key(),
        "client_time": "",
    }
    return usual | changes


def test_a_link_opened_without_the_role_says_which_role_it_needs_and_offers_sign_in(
    client: FlaskClient, table: TableView
) -> None:
    answer = client.get(f"/c/beach/t/{table.token}")
    assert answer.status_code == 401
    assert "裁判员" in answer.text
    assert "/sign-in?" in answer.text


def test_a_deal_is_saved_and_the_next_one_is_shown(client: FlaskClient, table: TableView, page: str) -> None:
    answer = client.post(f"{page}/deals", data=form(table), follow_redirects=True)
    assert answer.status_code == 200
    assert "+4" in answer.text
    assert 'name="deal_number" value="2"' in answer.text


def test_a_passed_out_deal_needs_nothing_else(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    sent = form(table, landlord="passed_out", bid="", winner="")
    assert client.post(f"{page}/deals", data=sent).status_code == 303
    with app.app_context():
        assert queries.sheet(table.token).deals == ({"passed_out": True},)


def test_a_refused_deal_keeps_what_was_typed_and_says_why_with_the_clause(
    client: FlaskClient, table: TableView, page: str
) -> None:
    answer = client.post(f"{page}/deals", data=form(table, bid=4, bombs=3))
    assert answer.status_code == 422
    assert "没有 4 分" in answer.text
    assert "规程 四" in answer.text
    assert 'value="3"' in answer.text


def test_two_devices_are_shown_both_versions_and_nothing_is_lost(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    first, second, _ = results.seats(table)
    client.post(f"{page}/deals", data=form(table))
    mine = form(table, landlord=second, bid=3, base_revision=0)
    answer = client.post(f"{page}/deals", data=mine)
    assert answer.status_code == 409
    assert "data-theirs" in answer.text
    assert "data-mine" in answer.text
    assert table.seats[1].name in answer.text
    assert 'name="base_revision" value="1"' in answer.text
    again = mine | {"base_revision": 1, "idempotency_key": results.key()}
    assert client.post(f"{page}/deals", data=again).status_code == 303
    with app.app_context():
        told = queries.revisions(table.token)
    assert [revision.deals[0]["landlord"] for revision in told] == [first, second]


def test_a_conflict_says_who_recorded_the_other_version_and_when(
    client: FlaskClient, app: Flask, table: TableView, page: str, travel: Travel
) -> None:
    with app.app_context():
        with command(results.chief()) as ctx:
            service.record_deal(
                ctx,
                table.token,
                deal_number=1,
                deal=results.deal(results.seats(table)[1]),
                sent=results.sent(table),
            )
        recorded_at = queries.revisions(table.token)[0].recorded_at
        travel(recorded_at + timedelta(minutes=5))
        # a later deal by somebody else does not make the first one theirs
        results.recorded(table, [results.deal(results.seats(table)[1])] * 2)
        view = queries.sheet(table.token)
        told = queries.recordings(view)
    assert [each.role for each in told] == [Role.CHIEF_REFEREE, Role.REFEREE]
    answer = client.post(f"{page}/deals", data=form(table, base_revision=0))
    who = f"裁判长 {masked_phone(people.phone(results.CHIEF))}，"
    assert answer.status_code == 409
    assert who in answer.text
    assert f"{beijing(recorded_at):%H:%M} 录入。" in answer.text
    assert f"裁判员 {masked_phone(people.phone(results.REFEREE))}" in client.get(page).text


def test_once_all_deals_are_in_the_page_shows_the_summary_until_a_deal_is_opened(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    hidden_form = re.compile(r"<form class=\"deal\"[^>]* hidden>", re.S)
    hidden_summary = re.compile(r"<section class=\"summary\"[^>]* hidden>")
    assert not hidden_form.search(client.get(page).text)
    assert hidden_summary.search(client.get(page).text)
    with app.app_context():
        results.recorded(table, results.deals(table))
    shown = client.get(page).text
    assert hidden_form.search(shown)
    assert not hidden_summary.search(shown)
    opened = client.get(f"{page}?deal=4").text
    assert not hidden_form.search(opened)
    assert hidden_summary.search(opened)
    assert 'name="deal_number" value="4"' in opened


def test_handing_in_shows_the_names_and_confirms(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    with app.app_context():
        results.recorded(table, results.deals(table))
    shown = client.get(page)
    assert f'<span class="words__name">{table.seats[0].name}</span>' in shown.text
    refused = client.post(f"{page}/hand-in", data={"base_revision": 1, "idempotency_key": results.key()})
    assert refused.status_code == 422
    assert "三名选手核对" in refused.text
    assert 'aria-describedby="f-checked-error" aria-invalid="true"' in refused.text
    assert "data-returned" not in refused.text
    sent = {"base_revision": 1, "idempotency_key": results.key(), "checked": "1"}
    answer = client.post(f"{page}/hand-in", data=sent, follow_redirects=True)
    assert "已确认" in answer.text
    late = client.post(f"{page}/deals", data=form(table, 1, base_revision=2))
    assert late.status_code == 409
    assert "已交" in late.text


def test_the_history_shows_every_revision(client: FlaskClient, table: TableView, page: str) -> None:
    client.post(f"{page}/deals", data=form(table))
    client.post(f"{page}/deals", data=form(table, 1, base_revision=1, bid=3))
    told = client.get(f"{page}/history")
    assert told.status_code == 200
    assert 'id="revision-1"' in told.text
    assert 'id="revision-2"' in told.text


def test_the_chief_referee_reopens_on_the_page(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    with app.app_context():
        results.confirmed(table)
        chief = results.chief()
    assert "退回更正" not in client.get(page).text
    accounts.sign_in(client, chief)
    assert "退回更正" in client.get(page).text
    sent = {"base_revision": 1, "idempotency_key": results.key(), "reason": "第三副叫分记错"}
    answer = client.post(f"{page}/reopen", data=sent, follow_redirects=True)
    assert answer.status_code == 200
    assert "名次仍按原成绩计算" in answer.text


def test_the_board_lists_open_tables_first_with_who_sits_there(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    with app.app_context():
        results.confirmed(table)
    shown = client.get("/staff/c/beach/tables-state")
    assert shown.status_code == 200
    assert "3 桌中已确认 1 桌" in shown.text
    assert "还在等 2 桌" in shown.text
    assert shown.text.index("2 号桌") < shown.text.index("1 号桌 · 10 / 10")


def test_a_table_of_another_competition_is_unknown_here(
    client: FlaskClient, app: Flask, table: TableView, page: str
) -> None:
    with app.app_context():
        registrations.competition("elsewhere")
        results.referee("elsewhere")
    assert client.get(page.replace("beach", "elsewhere")).status_code == 404
