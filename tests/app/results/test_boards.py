"""The sheet of a board (围棋、象棋) and of a table of 快乐二打一 by points: what it may say, by service, API and page."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.draws.queries import RoundView, TableView
from app.results import queries, service
from app.results.rules import (
    DealNumberError,
    InvalidOutcomeError,
    LaterRoundDrawnError,
    ResultMissingError,
    SheetConflictError,
    SheetState,
)
from app.standings import queries as standings
from tests.factories import accounts, results, rounds
from tests.factories.publications import Travel


@pytest.fixture
def board(session: Any, travel: Travel) -> TableView:
    """Table 1 of round 1 of Xiangqi."""
    rounds.field(travel)
    return rounds.drawn().tables[0]


def record(table: TableView, *, handed_in: bool = True, **outcome: Any) -> None:
    with command(results.referee(rounds.SLUG)) as ctx:
        service.record_sheet(ctx, table.token, outcome=outcome, handed_in=handed_in, sent=results.sent(table))


def test_a_winner_a_draw_and_a_forfeit_are_kept_in_the_words_of_the_event_file(board: TableView) -> None:
    first, second = results.seats(board)
    for said in ({"winner": first}, {"winner": None}, {"forfeits": [second]}, {"forfeits": [second, first]}):
        record(board, handed_in=False, **said)
        kept = rounds.sheet(board).outcome or {}
        assert {key: sorted(value) if isinstance(value, list) else value for key, value in kept.items()} == {
            key: sorted(value) if isinstance(value, list) else value for key, value in said.items()
        }
    record(board, winner=second, violations={first: 2, second: 0})
    assert rounds.sheet(board).outcome == {"winner": second, "violations": {first: 2}}
    document = standings.event_file(board.event_id)
    (table, *_) = document["stages"][0]["rounds"][0]["tables"]
    assert table == {"number": 1, "first": first, "second": second, "winner": second}
    (given,) = document["adjustments"]
    assert (given["rule"], given["entrant"], given["round"], given["count"]) == ("foul", first, 1, 2)


def test_what_cannot_be_is_refused_beside_its_field(board: TableView) -> None:
    first, second = results.seats(board)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"winner": "e99999"}, "winner"),
        ({"winner": first, "forfeits": [first]}, "winner"),
        ({"winner": None, "forfeits": [first]}, "winner"),
        ({"forfeits": ["e99999"]}, "forfeits"),
        ({"winner": first, "late": {second: 3}}, "late"),
        ({"winner": first, "violations": {"e99999": 1}}, "violations.e99999"),
        ({"winner": first, "violations": {first: -1}}, f"violations.{first}"),
    ]
    for said, place in wrong:
        with pytest.raises(InvalidOutcomeError) as refused:
            record(board, **said)
        assert list(refused.value.fields) == [place]
        assert refused.value.clause == "附件3二"
    with pytest.raises(ResultMissingError):
        record(board)
    assert rounds.sheet(board).revision == 0


def test_a_board_has_no_deals(board: TableView) -> None:
    with pytest.raises(DealNumberError), command(results.referee(rounds.SLUG)) as ctx:
        service.record_deal(
            ctx,
            board.token,
            deal_number=1,
            deal=results.deal(results.seats(board)[0]),
            sent=results.sent(board),
        )


def test_a_confirmed_board_is_corrected_until_the_next_round_is_drawn(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    drawn = rounds.drawn()
    rounds.played(drawn)
    table = drawn.tables[0]
    with command(results.chief(rounds.SLUG)) as ctx:
        service.reopen(ctx, table.token, reason="录反了", sent=results.sent(table))
    record(table, winner=None)
    assert rounds.sheet(table).outcome == {"winner": None}
    rounds.drawn()
    with pytest.raises(LaterRoundDrawnError), command(results.chief(rounds.SLUG)) as ctx:
        service.reopen(ctx, table.token, reason="又录反了", sent=results.sent(table))


def test_an_outdated_result_is_a_conflict_that_shows_both(board: TableView) -> None:
    first, second = results.seats(board)
    outdated = results.sent(board)
    record(board, handed_in=False, winner=first)
    with pytest.raises(SheetConflictError) as conflict, command(results.referee(rounds.SLUG)) as ctx:
        service.record_sheet(ctx, board.token, outcome={"winner": second}, handed_in=True, sent=outdated)
    assert conflict.value.extra["current"]["winner"] == first
    assert conflict.value.extra["sent"]["outcome"] == {"winner": second}


@pytest.fixture
def go(app: Flask, travel: Travel) -> RoundView:
    with app.app_context():
        rounds.field(travel, rounds.GO, 20)
        return rounds.drawn()


def test_a_referee_enters_a_go_result_on_the_page(app: Flask, go: RoundView, client: FlaskClient) -> None:
    table = go.tables[0]
    with app.app_context():
        referee = results.referee(rounds.SLUG)
        first, second = results.seats(table)
    accounts.sign_in(client, referee)
    address = f"/c/{rounds.SLUG}/t/{table.token}"
    page = client.get(address)
    one, other = (seat.name for seat in table.seats)
    assert all(
        words in page.text for words in (f"{one} 胜", "和棋", f"{other} 胜", f"{other} 弃权", "双方弃权")
    )
    form = {"base_revision": "0", "idempotency_key": "page-key-0001", "result": "second"}
    unchecked = client.post(f"{address}/result", data=form)
    assert unchecked.status_code == 422
    assert "双方已核对" in unchecked.text
    for _ in range(2):  # a second tap is the same request
        done = client.post(f"{address}/result", data=form | {"checked": "1", "violations_first": "1"})
        assert done.status_code == 303
    with app.app_context():
        view = queries.sheet(table.token)
    assert (view.state, view.revision) == (SheetState.CONFIRMED, 1)
    assert view.outcome == {"winner": second, "violations": {first: 1}}
    shown = client.get(address).text
    assert f"{table.seats[1].name} 胜" in shown
    assert 'name="result"' not in shown
    assert f"{table.seats[0].name} 违例 1 次" in client.get(f"{address}/history").text
    english = client.get(f"/c/{rounds.SLUG}/t/{go.tables[1].token}?lang=en").text
    assert f"{go.tables[1].seats[0].name} wins" in english


def test_a_board_that_changed_meanwhile_is_shown_beside_what_was_sent(
    app: Flask, go: RoundView, client: FlaskClient
) -> None:
    table = go.tables[0]
    with app.app_context():
        first, _second = results.seats(table)
        record(table, handed_in=False, winner=first)
        referee = results.referee(rounds.SLUG)
    accounts.sign_in(client, referee)
    form = {"base_revision": "0", "idempotency_key": "page-key-0002", "result": "draw", "checked": "1"}
    answer = client.post(f"/c/{rounds.SLUG}/t/{table.token}/result", data=form)
    assert answer.status_code == 409
    assert f"{table.seats[0].name} 胜" in answer.text
    assert "和棋" in answer.text


def test_forfeits_and_late_minutes_of_a_table_of_three_are_entered_beside_its_deals(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.LANDLORD, 6)
        table, other = rounds.drawn().tables
        referee = results.referee(rounds.SLUG)
        first, _second, third = results.seats(table)
    accounts.sign_in(client, referee)
    address = f"/c/{rounds.SLUG}/t/{table.token}"
    assert "弃权与迟到" in client.get(address).text
    late = {"base_revision": "0", "idempotency_key": "page-key-0003", f"late-{first}": "5.5"}
    assert client.post(f"{address}/absences", data=late).status_code == 303
    wrong = {"base_revision": "1", "idempotency_key": "page-key-0004", f"late-{first}": "soon"}
    assert client.post(f"{address}/absences", data=wrong).status_code == 422
    gone = {"base_revision": "1", "idempotency_key": "page-key-0005", f"forfeit-{third}": "1"}
    assert client.post(f"{address}/absences", data=gone).status_code == 303
    assert f"{table.seats[2].name} 弃权" in client.get(address).text
    sheet = {"base_revision": "2", "idempotency_key": "page-key-0006", "checked": "1"}
    assert client.post(f"{address}/hand-in", data=sheet).status_code == 303
    with app.app_context():
        view = queries.sheet(table.token)
        assert (view.state, view.outcome) == (SheetState.CONFIRMED, {"forfeits": [third]})
        deals = [results.deal(results.seats(other)[0])] * 12
        rounds.confirmed(other, deals=deals, late={results.seats(other)[1]: 4})
        document = standings.event_file(table.event_id)
    there, here = sorted(document["stages"][0]["rounds"][0]["tables"], key=lambda each: "deals" in each)
    assert there["forfeits"] == [third]
    assert len(here["deals"]) == 12
    assert list(here["late"].values()) == [4]
