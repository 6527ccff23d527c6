"""The public standings: provisional or final, why one stands ahead, refreshed cheaply, recomputable by anyone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.standings import service
from scoring_engine import event_file
from tests.factories import accounts, results

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach"


@pytest.fixture
def prelim(app: Flask, travel: Travel) -> RoundView:
    """A drawn prelim of ten with two of its three tables confirmed and computed."""
    with app.app_context():
        drawn = results.prelim(travel, 10)
        for table in drawn.tables[:2]:
            results.confirmed(table)
        recompute(drawn.event_id)
    return drawn


def recompute(event_id: int) -> None:
    with command(SYSTEM) as ctx:
        service.recompute(ctx, event_id)


def finish(app: Flask, drawn: RoundView) -> None:
    with app.app_context():
        results.all_confirmed(drawn.event_id)
        recompute(drawn.event_id)


def test_before_any_result_the_page_says_what_comes(client: FlaskClient, app: Flask, travel: Travel) -> None:
    with app.app_context():
        results.prelim(travel)
    assert "还没有名次" in client.get("/c/beach/standings").text
    assert client.get(f"{API}/standings").json["placings"] == []
    assert client.get("/c/beach/standings/e1").status_code == 404


def test_open_tables_make_the_standings_provisional(client: FlaskClient, prelim: RoundView) -> None:
    shown = client.get("/c/beach/standings").text
    assert "暂定" in shown
    assert "3 桌中已确认 2 桌" in shown
    assert prelim.tables[0].seats[0].name in shown
    assert prelim.tables[2].seats[0].name not in shown
    answer = client.get(f"{API}/standings").json
    assert (answer["provisional"], answer["tables"], answer["confirmed"]) == (True, 3, 2)


def test_recorded_but_unconfirmed_deals_are_on_no_public_page(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    table = prelim.tables[2]
    with app.app_context():
        results.recorded(table, results.deals(table))
        recompute(prelim.event_id)
    for address in ("/c/beach/standings", "/c/beach/standings/table"):
        assert table.seats[0].name not in client.get(address).text
    tables = client.get(f"{API}/event-file").json["stages"][0]["rounds"][0]["tables"]
    assert ["deals" in each for each in tables] == [True, True, False]


def test_each_neighbour_pair_leads_to_why_with_both_numbers(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    finish(app, prelim)
    placings = client.get(f"{API}/standings").json["stages"][0]["placings"]
    above, below = placings[0], placings[1]
    address = f"/c/beach/standings/why?above={above['entrant']}&below={below['entrant']}&stage=prelim"
    assert address.replace("&", "&amp;") in client.get("/c/beach/standings").text
    shown = client.get(address).text
    assert above["name"] in shown
    assert f"+{above['values'][0]['value']}" in shown
    assert "由总得分决定" in shown
    assert "规程 四(二)8(一)" in shown


def test_equal_entrants_are_said_to_share_their_rank(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    table = prelim.tables[2]
    first, second, third = results.seats(table)
    with app.app_context():
        results.confirmed(table, [results.deal(first)] * 10)
        recompute(prelim.event_id)
    shown = client.get(f"/c/beach/standings/why?above={second}&below={third}&stage=prelim").text
    assert "并列第" in shown
    assert "单副最高得分依次" in shown


def test_the_own_page_shows_every_deal(client: FlaskClient, prelim: RoundView) -> None:
    entrant = results.seats(prelim.tables[0])[0]
    shown = client.get(f"/c/beach/standings/{entrant}").text
    assert prelim.tables[0].seats[0].unit_name in shown
    assert shown.count("庄家胜") == 10
    assert "为什么在" in shown


def test_the_refreshed_part_costs_nothing_until_something_changes(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    first = client.get("/c/beach/standings/table")
    assert first.status_code == 200
    tag = first.get_etag()[0]
    assert tag is not None
    assert client.get("/c/beach/standings/table", headers={"If-None-Match": f'"{tag}"'}).status_code == 304
    assert client.get(f"/c/beach/standings/table?seen={tag}").status_code == 204
    finish(app, prelim)
    assert client.get(f"/c/beach/standings/table?seen={tag}").status_code == 200


def test_the_api_answers_304_to_who_has_seen_it(client: FlaskClient, prelim: RoundView) -> None:
    for address in (f"{API}/standings", f"{API}/event-file"):
        answer = client.get(address)
        assert answer.status_code == 200
        again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_anyone_can_recompute_the_standings_from_the_event_file(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    finish(app, prelim)
    download = client.get(f"{API}/event-file")
    answer = client.get(f"{API}/standings").json
    digest = hashlib.sha256(download.data).hexdigest()
    assert digest == answer["input_sha256"]
    assert digest in client.get("/c/beach/standings").text
    with app.app_context():
        rules = competitions.competition("beach").event.regulation.scoring_rules()
    document = json.loads(download.data)
    scored = event_file.score(document, rules)
    assert [(each["rank"], each["entrant"]) for each in scored["placings"]] == [
        (each["rank"], each["entrant"]) for each in answer["placings"]
    ]
    assert event_file.verify(document, rules) == []


def test_the_stage_page_names_who_is_missing_and_then_draws_the_next_stage(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    with app.app_context():
        chief = results.chief()
    accounts.sign_in(client, chief)
    waiting = client.get("/staff/c/beach/stages").text
    assert "还在等 1 桌" in waiting
    assert prelim.tables[2].seats[1].name in waiting
    refused = client.post("/staff/c/beach/stages/next")
    assert refused.status_code == 409
    assert "3 号桌" in refused.text
    finish(app, prelim)
    assert "编排复赛" in client.get("/staff/c/beach/stages").text
    bad = client.post("/staff/c/beach/stages/next", data={"seed": "xyz"})
    assert bad.status_code == 422
    assert 'value="xyz"' in bad.text
    drawn = client.post("/staff/c/beach/stages/next", follow_redirects=True)
    assert drawn.status_code == 200
    assert "还在等 3 桌" in drawn.text
    assert [each["code"] for each in client.get(f"{API}/event-file").json["stages"]] == [
        "prelim",
        "semifinal",
    ]


def test_the_api_draws_the_next_stage_for_the_committee(
    client: FlaskClient, app: Flask, prelim: RoundView
) -> None:
    finish(app, prelim)
    with app.app_context():
        referee, chief = (
            accounts.bearer(app, results.referee()),
            accounts.bearer(app, results.chief()),
        )
    assert client.post(f"{API}/stages/next", json={}, headers=referee).status_code == 403
    answer = client.post(f"{API}/stages/next", json={}, headers=chief)
    assert (answer.status_code, answer.json) == (201, {"stage": "semifinal", "round": 1, "tables": 3})
    again = client.post(f"{API}/stages/next", json={}, headers=chief)
    assert again.status_code == 409
    assert len(again.json["waiting"]) == 3


def test_the_pages_read_in_english(client: FlaskClient, app: Flask, prelim: RoundView) -> None:
    finish(app, prelim)
    assert client.get("/c/beach/standings?lang=en").status_code == 200
    assert client.get(f"/c/beach/standings/{results.seats(prelim.tables[0])[0]}?lang=en").status_code == 200
