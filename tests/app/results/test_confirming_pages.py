"""Confirming on plain pages: on the referee's phone, by a player's card, by a second referee; another device takes over."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Role
from app.competitions import queries as competitions
from app.draws.queries import RoundView, TableView
from app.floor.rules import Confirmation, Publication
from app.results import queries
from app.results.rules import SheetState
from tests.factories import accounts, duels, results, rounds, sheets
from tests.factories.publications import Travel


@pytest.fixture
def drawn(app: Flask, travel: Travel) -> RoundView:
    with app.app_context():
        round_ = results.prelim(travel)
        sheets.terms(round_.event_id, confirmation=Confirmation.PLAYERS)
        return round_


@pytest.fixture
def table(drawn: RoundView) -> TableView:
    return drawn.tables[0]


@pytest.fixture
def cards(app: Flask, drawn: RoundView) -> dict[int, Any]:
    with app.app_context():
        return sheets.cards(drawn.event_id)


def hand_in(app: Flask, table: TableView, **changes: Any) -> None:
    with app.app_context():
        sheets.handed_in(table, **changes)


def view(app: Flask, table: TableView) -> queries.SheetView:
    with app.app_context():
        return queries.sheet(table.token)


def here(table: TableView) -> str:
    return f"/c/beach/t/{table.token}"


def as_referee(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = results.referee()
    accounts.sign_in(client, person)


def as_chief(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = results.chief()
    accounts.sign_in(client, person)


def as_second(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        person = accounts.user(9102, Role.REFEREE, competition_id=competitions.competition_id("beach"))
    accounts.sign_in(client, person)


def said(table: TableView, place: int, **changes: Any) -> dict[str, Any]:
    usual = {
        "entrant": f"e{table.seats[place].entry_id}",
        "said": "confirmed",
        "revision": 1,
        "idempotency_key": results.key(),
    }
    return usual | changes


def test_the_page_says_whom_a_handed_in_sheet_waits_for(
    app: Flask, client: FlaskClient, table: TableView
) -> None:
    hand_in(app, table)
    as_referee(app, client)
    for language, words in (("zh", "等选手确认"), ("en", "Waiting for the players to confirm")):
        page = client.get(f"{here(table)}?lang={language}")
        assert words in page.text
        for seat in table.seats:
            assert f'data-side="e{seat.entry_id}"' in page.text
    waits = " ".join(f"e{seat.entry_id}" for seat in table.seats)
    assert (
        f'data-state="entered" data-revision="1" data-published="" data-confirmation="players" data-waiting-for="{waits}"'
        in page.text
    )
    assert "裁判长代为确认" not in page.text


def test_handing_in_says_that_the_sheet_waits(app: Flask, client: FlaskClient, table: TableView) -> None:
    with app.app_context():
        results.recorded(table, results.deals(table))
    as_referee(app, client)
    answer = client.post(
        f"{here(table)}/hand-in",
        data={"base_revision": 1, "idempotency_key": results.key(), "checked": "1"},
        follow_redirects=True,
    )
    assert "已交表，等待确认" in answer.text


def test_a_side_confirms_by_pin_on_the_referees_phone(
    app: Flask, client: FlaskClient, table: TableView, cards: dict[int, Any]
) -> None:
    hand_in(app, table)
    as_referee(app, client)
    card = cards[table.seats[0].entry_id]
    wrong = f"{(int(card.pin) + 1) % 10**6:06d}"
    answer = client.post(f"{here(table)}/words", data=said(table, 0, pin=wrong))
    assert answer.status_code == 422
    assert "PIN 不对，还可以试 4 次" in answer.text
    answer = client.post(f"{here(table)}/words", data=said(table, 0, pin=card.pin), follow_redirects=True)
    assert "已记下，等其他选手确认" in answer.text
    assert [seat.entry_id for seat in view(app, table).waiting_for] == [
        seat.entry_id for seat in table.seats[1:]
    ]


def test_a_side_signs_with_a_finger(app: Flask, client: FlaskClient, table: TableView) -> None:
    hand_in(app, table)
    as_referee(app, client)
    address = f"{here(table)}/sign/e{table.seats[1].entry_id}"
    page = client.get(address)
    assert table.seats[1].name in page.text
    assert "data-sign-field" in page.text
    form = {"revision": 1, "idempotency_key": results.key()}
    assert client.post(address, data=form).status_code == 422
    assert client.post(address, data=form | {"strokes": sheets.STROKES}).status_code == 303
    assert [each.way.value for each in view(app, table).confirmations] == ["signature"]
    assert client.get(f"{here(table)}/sign/e999999").status_code == 403


def test_a_player_reads_and_confirms_the_sheet_by_his_card(
    app: Flask, client: FlaskClient, table: TableView, cards: dict[int, Any]
) -> None:
    own = f"/c/beach/p/{cards[table.seats[0].entry_id].token}/sheet"
    assert "裁判员还没有交表" in client.get(own).text
    hand_in(app, table)
    page = client.get(own)
    assert 'data-waits="1"' in page.text
    for seat in table.seats:
        assert seat.name in page.text
    form = {"table": table.token, "revision": 1, "said": "confirmed", "idempotency_key": results.key()}
    answer = client.post(own, data=form, follow_redirects=True)
    assert "已记下，等其他选手确认" in answer.text
    assert 'data-waits="0"' in answer.text
    for seat in table.seats[1:]:
        other = f"/c/beach/p/{cards[seat.entry_id].token}/sheet"
        answer = client.post(other, data=form | {"idempotency_key": results.key()}, follow_redirects=True)
    assert "成绩已确认" in answer.text
    assert 'data-in-force="1"' in answer.text
    assert view(app, table).in_force
    page = client.get(own + "?lang=en")
    assert "Result of your table" in page.text


def test_the_page_that_a_card_opens_offers_to_confirm_what_was_handed_in(
    app: Flask, client: FlaskClient, table: TableView, cards: dict[int, Any]
) -> None:
    card = f"/c/beach/p/{cards[table.seats[0].entry_id].token}"
    assert "data-own-sheet" not in client.get(card).text
    hand_in(app, table)
    page = client.get(card)
    assert 'data-act="own-confirm"' in page.text
    assert f'action="{card}/sheet"' in page.text


def test_a_player_disputes_and_the_chief_referee_decides(
    app: Flask, client: FlaskClient, table: TableView, cards: dict[int, Any]
) -> None:
    hand_in(app, table)
    own = f"/c/beach/p/{cards[table.seats[0].entry_id].token}/sheet"
    form = {"table": table.token, "revision": 1, "said": "disputed", "idempotency_key": results.key()}
    answer = client.post(own, data=form)
    assert answer.status_code == 422
    assert "请写明哪里不对" in answer.text
    answer = client.post(own, data=form | {"note": "第三副是我坐庄"}, follow_redirects=True)
    assert "已通知裁判长" in answer.text
    as_chief(app, client)
    page = client.get(here(table))
    assert "第三副是我坐庄" in page.text
    assert "有争议" in client.get("/staff/c/beach/tables-state").text
    decision = {"base_revision": 1, "idempotency_key": results.key(), "decision": "uphold"}
    answer = client.post(f"{here(table)}/dispute-decisions", data=decision | {"reason": ""})
    assert answer.status_code == 422
    answer = client.post(
        f"{here(table)}/dispute-decisions", data=decision | {"reason": "核对原牌"}, follow_redirects=True
    )
    assert "已裁定维持" in answer.text
    assert view(app, table).in_force


def test_a_referee_does_not_decide(app: Flask, client: FlaskClient, table: TableView) -> None:
    hand_in(app, table)
    as_referee(app, client)
    answer = client.post(f"{here(table)}/words", data=said(table, 0, said="disputed", note="第三副记错"))
    assert answer.status_code == 303
    assert "维持：记分表正确" not in client.get(here(table)).text
    decision = {"base_revision": 1, "idempotency_key": results.key(), "decision": "uphold", "reason": "核对"}
    assert client.post(f"{here(table)}/dispute-decisions", data=decision).status_code == 403
    assert view(app, table).state is SheetState.DISPUTED


def test_a_word_on_an_older_revision_is_refused_on_the_page(
    app: Flask, client: FlaskClient, table: TableView
) -> None:
    hand_in(app, table)
    as_chief(app, client)
    answer = client.post(
        f"{here(table)}/confirmations-by-ruling",
        data={"revision": 7, "idempotency_key": results.key(), "reason": "选手离场"},
    )
    assert answer.status_code == 409
    assert "成绩在您核对之后改过" in answer.text
    assert (
        client.post(
            f"{here(table)}/confirmations-by-ruling",
            data={"revision": 1, "idempotency_key": results.key(), "reason": "选手离场"},
        ).status_code
        == 303
    )
    assert view(app, table).in_force


def test_the_chief_referee_publishes_a_round_that_is_held_back(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        round_ = results.prelim(travel)
        sheets.terms(round_.event_id, publication=Publication.BY_ROUND)
        for table in round_.tables[:-1]:
            sheets.handed_in(table)
    as_chief(app, client)
    address = "/staff/c/beach/draws/prelim/1/publication"
    answer = client.post(address)
    assert answer.status_code == 409
    assert f"未确认的桌：{round_.tables[-1].number}" in answer.text
    hand_in(app, round_.tables[-1])
    assert "data-publish" in client.get("/staff/c/beach/tables-state").text
    assert "成绩已确认，尚未公布" in client.get(here(round_.tables[0])).text
    answer = client.post(address, follow_redirects=True)
    assert "已公布 3 桌成绩" in answer.text
    assert "data-publish" not in answer.text
    as_referee(app, client)
    assert client.post(address).status_code == 403


def blind_form(table: TableView, deals: list[dict[str, Any]]) -> dict[str, Any]:
    rows = {f"deals-{place}-{key}": value for place, deal in enumerate(deals) for key, value in deal.items()}
    return blind_head(len(deals)) | rows


def blind_head(rows: int) -> dict[str, Any]:
    """What the page of a second entry sends besides what is typed."""
    return {"base_revision": 1, "idempotency_key": results.key(), "client_time": "", "rows": rows}


@pytest.mark.parametrize("same", [True, False])
def test_a_second_referee_enters_the_sheet_without_seeing_it(
    app: Flask, client: FlaskClient, travel: Travel, same: bool
) -> None:
    with app.app_context():
        round_ = results.prelim(travel)
        sheets.terms(round_.event_id, confirmation=Confirmation.BLIND)
        table = round_.tables[0]
        sheets.handed_in(table)
        deals = results.deals(table, bid=1 + table.number % 3)
    as_second(app, client)
    page = client.get(here(table))
    totals = re.findall(r"data-total>([^<]+)<", page.text)
    assert set(totals) <= {"0", "±0"}
    assert client.get(f"{here(table)}/history").text.count("第 1 版") == 0
    assert "重录核对" in page.text
    page = client.get(f"{here(table)}/blind")
    assert page.text.count("blind__deal") == 10
    if not same:
        deals[2] = deals[2] | {"bid": 3 if deals[2]["bid"] != 3 else 1}
    answer = client.post(f"{here(table)}/blind", data=blind_form(table, deals[:9]))
    assert answer.status_code == 422
    assert "还差 1 副" in answer.text
    answer = client.post(f"{here(table)}/blind", data=blind_form(table, deals), follow_redirects=True)
    assert ("两次录入一致" in answer.text) is same
    assert view(app, table).in_force is same
    if not same:
        assert "两次录入不一致：第 3 副" in answer.text


def test_who_wrote_the_sheet_is_no_second_referee(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        round_ = results.prelim(travel)
        sheets.terms(round_.event_id, confirmation=Confirmation.BLIND)
        sheets.handed_in(round_.tables[0])
        deals = results.deals(round_.tables[0])
    as_referee(app, client)
    answer = client.post(f"{here(round_.tables[0])}/blind", data=blind_form(round_.tables[0], deals))
    assert answer.status_code == 403
    assert "须由另一个人核对" in answer.text


def test_a_board_and_a_match_are_entered_again(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        rounds.field(travel)
        board = rounds.drawn()
        sheets.terms(board.event_id, slug=rounds.SLUG, confirmation=Confirmation.BLIND)
        rounds.confirmed(board.tables[0])
        second = accounts.user(9102, Role.REFEREE, competition_id=competitions.competition_id(rounds.SLUG))
    accounts.sign_in(client, second)
    address = f"/c/{rounds.SLUG}/t/{board.tables[0].token}/blind"
    assert 'value="both_forfeit"' in client.get(address).text
    form = blind_head(0) | {"result": "first", "violations_first": "0", "violations_second": "0"}
    assert client.post(address, data=form).status_code == 303
    assert view(app, board.tables[0]).in_force


@pytest.mark.parametrize(("level", "same"), [("9", True), ("8", False)])
def test_the_end_of_a_match_is_held_against_its_sheet(
    app: Flask, client: FlaskClient, travel: Travel, level: str, same: bool
) -> None:
    with app.app_context():
        duels.field(travel, duels.TRACTOR, 4)
        table = rounds.drawn(duels.SLUG).tables[0]
        sheets.terms(table.event_id, slug=duels.SLUG, confirmation=Confirmation.BLIND)
        duels.confirmed(table)
        second = accounts.user(9102, Role.REFEREE, competition_id=competitions.competition_id(duels.SLUG))
    accounts.sign_in(client, second)
    address = f"/c/{duels.SLUG}/t/{table.token}/blind"
    one, other = results.seats(table)
    assert f"levels-{one}" in client.get(address).text
    form = blind_head(0) | {
        f"levels-{one}": level,
        f"levels-{other}": "7",
        "bank": one,
        "past_a": "",
        f"late-{one}": "",
        f"late-{other}": "",
    }
    assert client.post(address, data=form).status_code == 303
    assert view(app, table).in_force is same


def test_another_device_takes_over_with_what_was_typed(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        table = results.prelim(travel).tables[0]
    first, second = app.test_client(), client
    for each in (first, second):
        as_referee(app, each)
        each.get(here(table))  # the device gets its key
    form = {
        "deal_number": 1,
        "landlord": results.seats(table)[0],
        "bid": 2,
        "winner": "landlord",
        "base_revision": 0,
        "idempotency_key": results.key(),
        "client_time": "",
    }
    assert first.post(f"{here(table)}/deals", data=form).status_code == 303
    assert "data-held" not in first.get(here(table)).text
    assert "data-held" in second.get(here(table)).text
    mine = form | {"deal_number": 2, "bid": 3, "base_revision": 1, "idempotency_key": results.key()}
    answer = second.post(f"{here(table)}/deals", data=mine)
    assert answer.status_code == 409
    assert "data-held" in answer.text
    assert 'name="bid" value="3"' in answer.text, "what was typed stays"
    answer = second.post(f"{here(table)}/deals", data=mine | {"takeover_reason": "原手机没电"})
    assert answer.status_code == 303
    assert len(view(app, table).deals) == 2
    late = form | {"deal_number": 3, "base_revision": 2, "idempotency_key": results.key()}
    assert first.post(f"{here(table)}/deals", data=late).status_code == 409
    assert first.post(f"{here(table)}/takeovers", data={"takeover_reason": ""}).status_code == 422
    assert first.post(f"{here(table)}/takeovers", data={"takeover_reason": "还是用这台"}).status_code == 303
    assert first.post(f"{here(table)}/deals", data=late).status_code == 303


def test_a_card_of_another_competition_opens_nothing_here(
    app: Flask, client: FlaskClient, cards: dict[int, Any], table: TableView
) -> None:
    assert client.get("/c/beach/p/nobody-has-this-card/sheet").status_code == 404
    stranger = cards[sheets_of_other(table, cards)].token
    hand_in(app, table)
    form = {"table": table.token, "revision": 1, "said": "confirmed", "idempotency_key": results.key()}
    answer = client.post(f"/c/beach/p/{stranger}/sheet", data=form)
    assert answer.status_code == 403


def sheets_of_other(table: TableView, cards: dict[int, Any]) -> int:
    return next(each for each in cards if each not in {seat.entry_id for seat in table.seats})
