"""Expulsion (取消参赛资格): out of the rounds paired later, what was played stays, the unit is told, and it can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draws
from app.draws.rules import entrant_of
from app.extensions import db
from app.notifications.models import Message
from app.results import queries as results_queries
from app.rulings import queries
from app.rulings.queries.preview import preview
from app.rulings.rules import AlreadyExpelledError, ChiefOnlyError, NotInTheEventError, Wanted
from app.rulings.service import unseated
from app.standings import queries as standings
from app.standings import service as standings_service
from scoring_engine import event_file
from scoring_engine.values import EntrantId
from tests.factories import accounts, results, rounds, rulings
from tests.factories.publications import Travel


def letters() -> list[str]:
    return [str(row.body) for row in db.session.scalars(select(Message).where(Message.kind == "expulsion"))]


def in_round(drawn: Any) -> set[str]:
    return {seat for table in drawn.tables for seat in results.seats(table)} | {
        str(entrant_of(each.entry_id)) for each in drawn.direct
    }


def test_no_later_round_is_paired_with_who_was_expelled_and_his_results_stay(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn()
    rounds.played(first)
    table = first.tables[0]
    one = results.seats(table)[0]
    before = rulings.standing(rounds.SLUG)["tables"]
    rulings.given(table, "expulsion", one, slug=rounds.SLUG, rule="foul")
    assert [each.clause for each in queries.rulings(table.event_id)] == ["附件3二"]
    assert rulings.standing(rounds.SLUG)["tables"] == before
    second = rounds.drawn()
    assert one not in in_round(second)
    assert len(in_round(second)) == 7
    (told,) = letters()
    assert "取消参赛资格" in told
    assert table.seats[0].name not in told
    with pytest.raises(AlreadyExpelledError):
        rulings.given(table, "expulsion", one, slug=rounds.SLUG, rule="foul")


def test_an_expulsion_taken_back_before_the_next_draw_was_never_there(session: Any, travel: Travel) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn()
    rounds.played(first)
    one = results.seats(first.tables[0])[0]
    clean = rulings.standing(rounds.SLUG)
    (made,) = rulings.given(first.tables[0], "expulsion", one, slug=rounds.SLUG, rule="foul")
    rulings.withdrawn(made, slug=rounds.SLUG)
    assert rulings.standing(rounds.SLUG) == clean
    assert one in in_round(rounds.drawn())
    assert len(letters()) == 2


def test_an_expulsion_taken_back_later_lets_him_play_from_the_next_round_on(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8)
    first = rounds.drawn(seed="01" * 32)
    rounds.played(first)
    one = results.seats(first.tables[0])[0]
    (made,) = rulings.given(first.tables[0], "expulsion", one, slug=rounds.SLUG, rule="foul")
    second = rounds.drawn(seed="02" * 32)
    rounds.played(second)
    rulings.withdrawn(made, slug=rounds.SLUG)
    assert one in in_round(rounds.drawn(seed="03" * 32))


def placed(document: dict[str, Any]) -> list[str]:
    return [each["entrant"] for each in document["placings"]]


def verified(event_id: int) -> list[Any]:
    event = competitions.event(event_id)
    file = standings.event_file(event_id)
    return event_file.verify(file, event.regulation.scoring_rules(), standings.earlier_rules(event))


def next_stage(event_id: int, seed: str) -> Any:
    with command(results.chief()) as ctx:
        standings_service.draw_stage(ctx, event_id, seed=seed)
    return draws.rounds(event_id)[-1]


def test_from_a_knock_out_what_he_played_stays_and_he_has_no_rank(session: Any, travel: Travel) -> None:
    table = results.prelim(travel).tables[0]
    results.all_confirmed(table.event_id)
    clean = rulings.standing()
    one = results.seats(table)[0]
    (made,) = rulings.given(table, "expulsion", one, rule="repeated_abuse")
    found = rulings.standing()
    assert found["tables"] == clean["tables"]
    assert placed(found) == [each for each in placed(clean) if each != one]
    assert [each["entrant"] for each in found["expelled"]] == [one]
    assert queries.ruling(table.event_id, made).clause == "四(二)8(十二)"


def test_the_next_stage_of_a_knock_out_is_drawn_without_him_and_the_next_placed_moves_up(
    session: Any, travel: Travel
) -> None:
    """I-A-27. Taken back after the draw, the drawn stage stays and he is ranked again."""
    table = results.prelim(travel, entrants=12).tables[0]
    event_id = table.event_id
    results.all_confirmed(event_id)
    clean = rulings.standing()
    one = clean["stages"][0]["advance"][0]
    his = next(each for each in draws.rounds(event_id)[0].tables if one in results.seats(each))
    shown = preview(results_queries.sheet(his.token), [EntrantId(one)], Wanted("expulsion", "repeated_abuse"))
    assert shown.impact is not None
    assert not shown.impact.affects_nobody
    (made,) = rulings.given(his, "expulsion", one, rule="repeated_abuse")
    rulings.standing()
    semifinal = next_stage(event_id, "0a" * 32)
    assert one not in in_round(semifinal)
    assert len(in_round(semifinal)) == 9
    assert verified(event_id) == []
    rulings.withdrawn(made)
    assert one in placed(rulings.standing())
    assert verified(event_id) == []
    assert one not in in_round(draws.rounds(event_id)[-1])


def test_an_expulsion_from_a_knock_out_taken_back_before_the_next_draw_was_never_there(
    session: Any, travel: Travel
) -> None:
    table = results.prelim(travel, entrants=12).tables[0]
    results.all_confirmed(table.event_id)
    clean = rulings.standing()
    (made,) = rulings.given(table, "expulsion", results.seats(table)[0], rule="repeated_abuse")
    rulings.withdrawn(made)
    assert rulings.standing() == clean


def test_a_stage_he_was_drawn_into_stays_and_the_one_after_it_is_without_him(
    session: Any, travel: Travel
) -> None:
    event_id = results.prelim(travel, entrants=12).event_id
    results.all_confirmed(event_id)
    rulings.standing()
    semifinal = next_stage(event_id, "0b" * 32)
    table = semifinal.tables[0]
    one = results.seats(table)[0]
    rulings.given(table, "expulsion", one, rule="repeated_abuse")
    assert verified(event_id) == []
    file = standings.event_file(event_id)
    (found,) = (each for each in file["entrants"] if each["id"] == one)
    assert found["expelled_after"] == {"stage": "semifinal", "round": 1}


def test_the_standings_say_who_was_expelled_and_who_moved_up(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        table = results.prelim(travel, entrants=12).tables[0]
        results.all_confirmed(table.event_id)
        one = rulings.standing()["stages"][0]["advance"][0]
        his = next(each for each in draws.rounds(table.event_id)[0].tables if one in results.seats(each))
        rulings.given(his, "expulsion", one, rule="repeated_abuse")
        rulings.standing()
    page = client.get("/c/beach/standings").text
    assert "取消参赛资格，不参加以后的编排，不排名次，不得奖。" in page
    assert "递补（I-A-27）" in page
    assert "取消参赛资格" in client.get(f"/c/beach/standings/{one}").text
    (told,) = client.get("/api/v1/competitions/beach/standings").get_json()["expelled"]
    assert (told["entrant"], told["ranked"]) == (one, False)


def direct_of(event_id: int) -> Any:
    (one,) = draws.rounds(event_id)[0].direct
    return one


def test_who_goes_straight_on_is_expelled_without_a_table_and_his_place_is_filled(
    session: Any, travel: Travel
) -> None:
    event_id = results.prelim(travel, entrants=10).event_id
    results.all_confirmed(event_id)
    clean = rulings.standing()
    one = direct_of(event_id)
    said = {
        "entry_id": one.entry_id,
        "rule": "alcohol",
        "reason": "饮酒后进入赛场",
        "idempotency_key": "no-table-1",
    }
    with command(results.chief()) as ctx:
        made = unseated.expel_unseated(ctx, event_id, **said)
    with command(results.chief()) as ctx:
        assert unseated.expel_unseated(ctx, event_id, **said) == made
    found = rulings.standing()["stages"][0]
    assert found["direct"] == []
    assert len(found["advance"]) == len(clean["stages"][0]["advance"]) + 1
    semifinal = next_stage(event_id, "0c" * 32)
    assert str(entrant_of(one.entry_id)) not in in_round(semifinal)
    assert verified(event_id) == []
    with pytest.raises(AlreadyExpelledError), command(results.chief()) as ctx:
        unseated.expel_unseated(ctx, event_id, **said | {"idempotency_key": "no-table-2"})


def test_only_the_chief_referee_expels_without_a_table_and_only_who_was_drawn(
    session: Any, travel: Travel
) -> None:
    event_id = results.prelim(travel, entrants=10).event_id
    said = {"rule": "alcohol", "reason": "饮酒后进入赛场", "idempotency_key": "no-table-3"}
    with pytest.raises(ChiefOnlyError), command(results.referee()) as ctx:
        unseated.expel_unseated(ctx, event_id, entry_id=direct_of(event_id).entry_id, **said)
    with pytest.raises(NotInTheEventError), command(results.chief()) as ctx:
        unseated.expel_unseated(ctx, event_id, entry_id=999_999, **said)


def test_the_page_of_rulings_and_the_api_expel_who_has_no_table(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        event_id = results.prelim(travel, entrants=11).event_id
        first, second = draws.rounds(event_id)[0].direct
        accounts.sign_in(client, results.chief())
        headers = accounts.bearer(app, results.chief())
    place = "/staff/c/beach/rulings"
    page = client.get(place).text
    assert "data-expel" in page
    form = {"entry_id": first.entry_id, "rule": "alcohol", "reason": "", "idempotency_key": "no-table-4"}
    refused = client.post(f"{place}/expulsions", data=form)
    assert refused.status_code == 422
    assert "f-reason-error" in refused.text
    done = client.post(f"{place}/expulsions", data=form | {"reason": "饮酒后进入赛场"})
    assert done.status_code == 303
    assert client.get(done.location).status_code == 200
    body = {"entry_id": second.entry_id, "rule": "alcohol", "reason": "饮酒", "idempotency_key": "no-table-5"}
    answer = client.post("/api/v1/competitions/beach/rulings/expulsions", json=body, headers=headers)
    assert answer.status_code == 201, answer.json
    assert answer.json["kind"] == "expulsion"
