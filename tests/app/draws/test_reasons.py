"""Why people meet: kept when a round by points is drawn, told on the table's page, the entrant's page and by the API."""

from __future__ import annotations

import html
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries
from app.draws.models import DrawReason
from app.draws.queries import RoundView
from app.draws.rules.reasons import LABELS
from app.extensions import db
from app.results.models import Sheet, SheetRevision
from app.standings import queries as standings
from app.standings import service
from scoring_engine import event_file
from scoring_engine.pairing.reasons import Topic
from tests.factories import draws, registrations, results, rounds
from tests.factories.publications import Travel

API = f"/api/v1/competitions/{rounds.SLUG}"


def two_rounds(
    travel: Travel, regulation: str = rounds.XIANGQI, entrants: int = 7
) -> tuple[RoundView, RoundView]:
    """Round 1 drawn and played, round 2 drawn."""
    rounds.field(travel, regulation, entrants)
    first = rounds.drawn(seed=draws.SEED)
    for table in first.tables:
        seats = results.seats(table)
        if len(seats) == 3:
            rounds.confirmed(table, deals=[results.deal(seats[0])] * 12)
        else:
            rounds.confirmed(table)
    return first, rounds.drawn(seed="cd" * 32)


def told(client: FlaskClient, drawn: RoundView, table: int) -> dict[str, str]:
    found = client.get(f"{API}/draws/{drawn.stage}/{drawn.number}/tables/{table}").json
    return {each["about"]: each["text"] for each in found["reasons"]}


def text_of(page: str) -> str:
    return html.unescape(re.sub("<[^>]+>", "", page))


def test_every_topic_of_the_engine_has_a_label() -> None:
    assert {topic.value for topic in Topic} <= set(LABELS)


def test_a_table_by_points_says_in_names_why_these_two_meet(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        _, second = two_rounds(travel)
    one, other = second.tables[0].seats
    said = told(client, second, 1)
    assert set(said) >= {"meeting", "side", "number"}
    assert one.name in said["meeting"]
    assert other.name in said["meeting"]
    assert "分" in said["meeting"]
    assert not re.search(r"e\d", " ".join(said.values()))
    page = text_of(client.get(f"/c/{rounds.SLUG}/draws/swiss/2/tables/1").text)
    own = text_of(client.get(f"/c/{rounds.SLUG}/pairings/e{one.entry_id}").text)
    for sentence in said.values():
        assert sentence in page
        assert sentence in own
    assert "先手" in own
    english = client.get(f"/c/{rounds.SLUG}/draws/swiss/2/tables/1?lang=en").text
    assert "Why these share a table" in english
    assert "Tables are numbered from the highest points" in english


def test_three_at_a_table_read_their_places_seats_and_table_number(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        first, second = two_rounds(travel, rounds.LANDLORD, 10)
    assert told(client, first, 1)["seats"].startswith("座位抽签决定：")
    said = told(client, second, 2)
    assert all(seat.name in said["meeting"] for seat in second.tables[1].seats)
    assert "场分" in said["meeting"]
    assert "坐过" in said["seats"]
    assert "名次最前" in said["number"]
    figures = client.get(f"{API}/draws/swiss/2/tables/2").json["figures"]
    assert len(figures["match_points"]) == len(figures["places"]) == 3
    own = client.get(f"/c/{rounds.SLUG}/pairings/e{second.tables[1].seats[0].entry_id}").text
    assert '<span class="my-table__seat">西</span>' in own


def test_the_bye_is_explained_to_who_has_it(app: Flask, travel: Travel, client: FlaskClient) -> None:
    with app.app_context():
        _, second = two_rounds(travel)
    (bye,) = second.direct
    page = text_of(client.get(f"/c/{rounds.SLUG}/pairings/e{bye.entry_id}").text)
    assert f"{bye.name}轮空" in page or f"{bye.name}（" in page
    mine = client.get(f"{API}/pairings/e{bye.entry_id}").json
    assert mine["latest"] == {"stage": "swiss", "round": 2, "placed": True, "repairing": False, "reasons": []}
    assert mine["rounds"][0]["table"] is None
    assert [each["about"] for each in mine["rounds"][0]["reasons"]] == ["bye"]
    assert mine["rounds"][1]["table"]["number"] >= 1


def test_what_changes_in_the_event_file_afterwards_changes_nothing_that_was_said(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    """From other results the file gives another round; the table was drawn from those there were."""
    with app.app_context():
        first, second = two_rounds(travel)
        before = [told(client, second, table.number) for table in second.tables]
        for revision in db.session.query(SheetRevision):
            outcome = dict(revision.outcome)
            table = db.session.get_one(Sheet, revision.sheet_id).table_id
            (seats,) = (results.seats(each) for each in first.tables if each.id == table)
            revision.outcome = outcome | {"winner": seats[1]}
        db.session.commit()
        rules = competitions.competition(rounds.SLUG).event.regulation.scoring_rules()
        assert event_file.verify_draw(standings.event_file(second.event_id), rules, "swiss", 2)
    assert [told(client, second, table.number) for table in second.tables] == before


def test_reasons_are_kept_with_the_draw_and_nowhere_twice(app: Flask, travel: Travel) -> None:
    with app.app_context():
        first, second = two_rounds(travel)
        kept = db.session.query(DrawReason).all()
        assert sorted((row.round_id, row.number) for row in kept) == [
            (drawn.id, number) for drawn in (first, second) for number in range(len(drawn.tables) + 1)
        ]
        assert not any("why" in row.reason for row in kept)


def test_a_round_that_was_drawn_before_reasons_were_kept_still_has_its_page(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        _, second = two_rounds(travel)
        db.session.query(DrawReason).delete()
        db.session.commit()
    assert list(told(client, second, 1)) == ["meeting"]
    (bye,) = second.direct
    assert client.get(f"/c/{rounds.SLUG}/pairings/e{bye.entry_id}").status_code == 200


def test_a_table_changed_by_hand_says_what_was_changed_and_why(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        drawn = draws.drawn_prelim(travel, 9, 3)
        one, other = (drawn.tables[at].seats[0] for at in (0, 2))
        draws.open_repair()
        draws.change({"swap": [f"e{one.entry_id}", f"e{other.entry_id}"]}, reason="两人是夫妻")
        draws.confirm(results.chief())
    said = client.get("/api/v1/competitions/beach/draws/prelim/1/tables/1").json
    assert said["figures"] is None
    assert [each["text"] for each in said["reasons"]] == [
        "抽签后由人工调整到这一桌。",
        f"{one.name}与{other.name}对调。原因：两人是夫妻",
    ]
    untouched = client.get("/api/v1/competitions/beach/draws/prelim/1/tables/2").json
    assert [each["about"] for each in untouched["reasons"]] == ["meeting", "seats", "number"]


@pytest.fixture
def semifinal(app: Flask, travel: Travel) -> tuple[RoundView, RoundView]:
    """The prelim of A is over and the semifinal drawn."""
    with app.app_context():
        prelim = draws.drawn_prelim(travel, 12, 2)
        results.all_confirmed(prelim.event_id)
        by: Actor = registrations.committee()
        with command(by) as ctx:
            service.draw_stage(ctx, prelim.event_id)
        return prelim, queries.rounds(prelim.event_id)[-1]


def test_who_is_not_in_the_newest_round_is_not_shown_an_old_table_as_his_next(
    semifinal: tuple[RoundView, RoundView], client: FlaskClient
) -> None:
    prelim, later = semifinal
    inside = {seat.entry_id for table in later.tables for seat in table.seats}
    (out, *_) = (seat for table in prelim.tables for seat in table.seats if seat.entry_id not in inside)
    page = client.get(f"/c/beach/pairings/e{out.entry_id}").text
    assert "data-not-placed" in page
    assert "my-table__seat" not in page
    assert (
        client.get(f"/api/v1/competitions/beach/pairings/e{out.entry_id}").json["latest"]["placed"] is False
    )


@pytest.mark.parametrize("address", ["draws/prelim/1/tables/99", "draws/final/1/tables/1", "pairings/e0"])
def test_what_does_not_exist_is_not_found(
    app: Flask, travel: Travel, client: FlaskClient, address: str
) -> None:
    with app.app_context():
        draws.drawn_prelim(travel, 9, 3)
    assert client.get(f"/c/beach/{address}").status_code == 404
    assert client.get(f"/api/v1/competitions/beach/{address}").status_code == 404
