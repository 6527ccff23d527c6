"""Draw pages and API: the seed for everybody, the tables' tokens for people with a role only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.draws.pages import record
from app.draws.queries import RoundView
from app.draws.rules import entrant_of
from app.draws.rules.attendance import ActKind
from app.standings.service import attendance as standings_service
from tests.factories import accounts, draws, publications, registrations, results, rounds

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach"


@pytest.fixture
def committee(app: Flask, travel: Travel) -> Actor:
    """Ten entrants on a final list that nobody has drawn from yet."""
    with app.app_context():
        publications.published_field(travel, 10, 2)
        travel(publications.WINDOW_OVER)
        return registrations.committee()


@pytest.fixture
def drawn(app: Flask, committee: Actor) -> RoundView:
    with app.app_context():
        return draws.draw()


def referee(app: Flask) -> Actor:
    with app.app_context():
        competition_id = competitions.competition_id("beach")
        return accounts.user(7001, Role.REFEREE, competition_id=competition_id)


def test_before_the_draw_the_pages_say_what_comes(committee: Actor, client: FlaskClient) -> None:
    assert "还没有抽签" in client.get("/c/beach/draws").text
    assert "还没有编排对阵" in client.get("/c/beach/pairings").text
    assert client.get(f"{API}/draws").json == []
    assert client.get(f"{API}/pairings").json == []


def test_the_public_page_shows_everything_needed_to_replay_the_draw(
    drawn: RoundView, client: FlaskClient
) -> None:
    page = client.get("/c/beach/draws").text
    for shown in (drawn.seed, drawn.entrants_sha256, drawn.proof, "saishi verify", "SHA-256"):
        assert shown in page
    assert f"/api/v1{API.removeprefix('/api/v1')}/event-file" in page
    assert "/c/beach/publications/1" in page
    for _, person in drawn.people:
        assert person.name in page


def test_a_name_finds_its_table(drawn: RoundView, client: FlaskClient) -> None:
    wanted = drawn.tables[1].seats[0].name
    page = client.get("/c/beach/pairings", query_string={"q": wanted}).text
    found = page.split("data-found")[1].split("</section>")[0]
    assert "第 2 桌" in found
    assert wanted in found
    direct = client.get("/c/beach/pairings", query_string={"q": drawn.direct[0].name}).text
    assert "直接晋级" in direct.split("data-found")[1].split("</section>")[0]
    assert "没有找到“无此人”" in client.get("/c/beach/pairings?q=无此人").text


def test_tokens_are_on_no_public_page_and_in_no_public_answer(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    for address in ("/c/beach/draws", "/c/beach/pairings", f"{API}/draws", f"{API}/pairings"):
        text = client.get(address).text
        assert not any(table.token in text for table in drawn.tables)
    with app.app_context():
        stranger = accounts.bearer(app, accounts.user(7300))
    assert "token" not in client.get(f"{API}/pairings", headers=stranger).get_json()[0]
    staff = accounts.bearer(app, referee(app))
    shown = client.get(f"{API}/pairings", headers=staff).get_json()
    assert [each["token"] for each in shown] == [table.token for table in drawn.tables]


def test_the_committee_draws_with_its_own_seed(committee: Actor, client: FlaskClient) -> None:
    accounts.sign_in(client, committee)
    assert "10 人" in client.get("/staff/c/beach/draws").text
    answer = client.post("/staff/c/beach/draws", data={"stage": "prelim", "seed": draws.SEED})
    assert answer.status_code == 303
    assert draws.SEED in client.get(answer.location).text
    again = client.post("/staff/c/beach/draws", data={"stage": "prelim", "seed": ""})
    assert again.status_code == 409
    assert "不能重抽" in again.text


def test_a_wrong_seed_stands_beside_its_field_and_stays_typed(committee: Actor, client: FlaskClient) -> None:
    accounts.sign_in(client, committee)
    answer = client.post("/staff/c/beach/draws", data={"stage": "prelim", "seed": "xyz"})
    assert answer.status_code == 422
    assert "16 到 64 个字节的十六进制" in answer.text
    assert 'value="xyz"' in answer.text


def test_the_page_says_that_the_window_still_runs(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        publications.published_field(travel, 9, 1)
        committee = registrations.committee()
    accounts.sign_in(client, committee)
    travel(publications.LAST_SECOND)
    page = client.get("/staff/c/beach/draws").text
    assert "公示期到 2021年11月5日（周五）24:00 才结束" in page
    assert "规程 三(四)2" in page
    assert 'name="seed"' not in page


def test_table_cards_carry_a_code_for_each_table(app: Flask, drawn: RoundView, client: FlaskClient) -> None:
    assert client.get("/staff/c/beach/tables").status_code == 401
    accounts.sign_in(client, referee(app))
    page = client.get("/staff/c/beach/tables").text
    for table in drawn.tables:
        assert f"http://localhost/c/beach/t/{table.token}" in page
        code = client.get(f"/staff/c/beach/tables/{table.id}.svg")
        assert code.mimetype == "image/svg+xml"
        assert b"<svg" in code.data


def test_a_table_of_another_competition_has_no_code_here(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    with app.app_context():
        registrations.competition("other")
        other = registrations.committee("other")
    accounts.sign_in(client, other)
    assert client.get(f"/staff/c/other/tables/{drawn.tables[0].id}.svg").status_code == 404


def test_only_people_with_the_role_draw(app: Flask, committee: Actor, client: FlaskClient) -> None:
    assert client.post("/staff/c/beach/draws", data={"stage": "prelim"}).status_code == 401
    assert client.post(f"{API}/draws", json={"stage": "prelim"}).status_code == 401
    headers = accounts.bearer(app, referee(app))
    refused = client.post(f"{API}/draws", json={"stage": "prelim"}, headers=headers)
    assert refused.status_code == 403
    assert "裁判长" in refused.get_json()["detail"]


def test_the_api_draws_and_shows_the_proof(app: Flask, committee: Actor, client: FlaskClient) -> None:
    headers = accounts.bearer(app, committee)
    made = client.post(f"{API}/draws", json={"stage": "prelim", "seed": draws.SEED}, headers=headers)
    assert made.status_code == 201
    body = made.get_json()
    assert body["seed"] == draws.SEED
    assert (len(body["tables"]), len(body["direct"]), body["publications"]) == (3, 1, [1])
    public = client.get(f"{API}/draws").get_json()
    assert public[0]["proof"] == body["proof"]
    assert public[0]["entrants"] == body["entrants"]
    again = client.post(f"{API}/draws", json={"stage": "prelim"}, headers=headers)
    assert again.status_code == 409
    assert again.get_json()["tables"] == 3


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"stage": "prelim", "seed": "zz"}, "/seed"),
        ({"stage": "swiss"}, "/stage"),
        ({}, "/stage"),
        ({"stage": "prelim", "tables": 3}, "/tables"),
    ],
)
def test_bad_input_is_named_by_its_field(
    app: Flask, committee: Actor, client: FlaskClient, body: dict[str, object], pointer: str
) -> None:
    answer = client.post(f"{API}/draws", json=body, headers=accounts.bearer(app, committee))
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.get_json()["errors"]] == [pointer]


def test_a_later_stage_waits_for_the_tables_of_the_one_before_and_is_then_drawn(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    with app.app_context():
        headers = accounts.bearer(app, registrations.committee())
    answer = client.post(f"{API}/draws", json={"stage": "semifinal"}, headers=headers)
    assert answer.status_code == 409
    assert len(answer.json["waiting"]) == 3
    assert len(client.get(f"{API}/draws").get_json()) == 1
    with app.app_context():
        results.all_confirmed(drawn.event_id)
    again = client.post(f"{API}/draws", json={"stage": "semifinal", "seed": draws.SEED}, headers=headers)
    assert again.status_code == 422, "a seed the event has seen draws no second round"
    other = "ab" * 32
    made = client.post(f"{API}/draws", json={"stage": "semifinal", "seed": other}, headers=headers)
    assert made.status_code == 201
    assert (made.json["stage"], made.json["seed"], len(made.json["tables"])) == ("semifinal", other, 3)
    assert [each["stage"] for each in client.get(f"{API}/draws").get_json()] == ["prelim", "semifinal"]


def test_the_page_of_the_first_draw_points_to_where_later_stages_are_drawn(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    with app.app_context():
        committee = registrations.committee()
    accounts.sign_in(client, committee)
    answer = client.post("/staff/c/beach/draws", data={"stage": "semifinal"})
    assert answer.status_code == 409
    assert "晋级与下一阶段" in answer.text


def test_the_pages_read_in_english(drawn: RoundView, client: FlaskClient) -> None:
    for address in ("/c/beach/draws", "/c/beach/pairings"):
        assert client.get(f"{address}?lang=en").status_code == 200


def test_a_large_event_shows_one_round_whole_and_leads_to_the_others(
    app: Flask, client: FlaskClient, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, entrants=20)
        first = rounds.drawn()
        rounds.played(first)
        second = rounds.drawn()
    page = client.get("/c/rounds/draws").text
    assert first.seed in page
    assert second.seed in page
    assert "其他各轮" not in page
    monkeypatch.setattr(record, "TABLES_IN_FULL", 19)
    newest = client.get("/c/rounds/draws").text
    assert second.seed in newest
    assert first.seed not in newest
    assert 'href="/c/rounds/draws?round=swiss-1"' in newest
    earlier = client.get("/c/rounds/draws?round=swiss-1").text
    assert first.proof in earlier
    assert second.proof not in earlier
    assert 'href="/c/rounds/draws?round=swiss-2"' in earlier
    assert client.get("/c/rounds/draws?round=nothing-9").text.count(second.proof) == newest.count(
        second.proof
    )


def test_who_is_away_from_a_round_is_said_also_where_that_round_is_shown_alone(
    app: Flask, client: FlaskClient, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        rounds.field(travel, rounds.GO, entrants=21)
        first = rounds.drawn()
        rounds.played(first)
        event = competitions.competition("rounds").event
        gone = first.tables[0].seats[0]
        with command(registrations.committee("rounds")) as ctx:
            standings_service.mark(
                ctx, event.id, entrant=entrant_of(gone.entry_id), kind=ActKind.ABSENT, number=2, reason=""
            )
        rounds.drawn()
    whole = client.get("/c/rounds/draws").text
    monkeypatch.setattr(record, "TABLES_IN_FULL", 1)
    alone = client.get("/c/rounds/draws").text
    for page in (whole, alone):
        section = page[page.index("data-attendance") :]
        assert gone.name in section[: section.index("</section>")]
