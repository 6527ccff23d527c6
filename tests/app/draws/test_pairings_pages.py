"""Pairings in parts, 我的下一桌, why three share a table, and the ceremony step by step."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.competitions import queries as competitions
from app.draws import pages, queries, rules
from app.draws.queries import RoundView
from tests.factories import accounts, draws, publications, registrations, results, rounds

Travel = Callable[[datetime], None]
WORDS = "开奖号码 01 05 11"


@pytest.fixture
def drawn(app: Flask, travel: Travel) -> RoundView:
    """Ten entrants, three tables and one who goes straight on."""
    with app.app_context():
        return draws.drawn_prelim(travel, 10, 2)


@pytest.fixture
def committee(app: Flask, travel: Travel) -> Actor:
    """Ten entrants on a final list that nobody has drawn from yet."""
    with app.app_context():
        publications.published_field(travel, 10, 2)
        travel(publications.WINDOW_OVER)
        return registrations.committee()


def names(view: RoundView) -> set[str]:
    return {person.name for _, person in view.people}


def listed(page: str, view: RoundView) -> set[str]:
    return {name for name in names(view) if name in page}


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "TABLES_A_PAGE", 2)
    monkeypatch.setattr(pages.record, "TABLES_A_PAGE", 2)
    monkeypatch.setattr(pages, "NAMES_A_PAGE", 4)


@pytest.mark.usefixtures("small_pages")
def test_a_page_of_pairings_holds_its_tables_and_no_other_names(
    drawn: RoundView, client: FlaskClient
) -> None:
    first = client.get("/c/beach/pairings").text
    assert listed(first, drawn) == {seat.name for table in drawn.tables[:2] for seat in table.seats}
    assert "第 1 页，共 2 页" in first
    rest = {seat.name for seat in drawn.tables[2].seats} | {each.name for each in drawn.direct}
    for page in ("2", "99"):
        assert listed(client.get(f"/c/beach/pairings?page={page}").text, drawn) == rest
    assert listed(client.get("/c/beach/pairings?page=0").text, drawn) == listed(first, drawn)


@pytest.mark.usefixtures("small_pages")
def test_a_large_draw_is_shown_by_seed_and_proof_and_leads_to_its_pairings(
    drawn: RoundView, client: FlaskClient
) -> None:
    page = client.get("/c/beach/draws").text
    assert listed(page, drawn) == {drawn.direct[0].name}
    assert "/c/beach/pairings?round=prelim-1" in page
    assert drawn.seed in page
    assert drawn.proof in page


@pytest.mark.usefixtures("small_pages")
def test_all_names_stand_in_order_over_the_pages_by_name(drawn: RoundView, client: FlaskClient) -> None:
    seen: list[str] = []
    for page in (1, 2, 3):
        text = client.get(f"/c/beach/pairings?order=name&page={page}").text
        seen += re.findall(r'<th scope="row"><a href="/c/beach/pairings/e\d+">([^<]+)</a>', text)
    assert seen == [person.name for person, _ in drawn.by_name]


def test_a_search_lists_few_tables_and_says_how_many_more_there_are(
    drawn: RoundView, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST_FOUND", 1)
    shared = max(
        {char for name in names(drawn) for char in name},
        key=lambda char: sum(any(char in seat.name for seat in table.seats) for table in drawn.tables),
    )
    hits = sum(any(shared in seat.name for seat in table.seats) for table in drawn.tables)
    page = client.get("/c/beach/pairings", query_string={"q": shared}).text
    found = page.split("data-found")[1].split('<section id="r')[0]
    assert found.count("pairing__seats") == 1
    assert hits > 1
    assert "处没有列出" in found


def test_an_entrants_page_names_the_newest_table_and_why(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    seat = drawn.tables[1].seats[0]
    page = client.get(f"/c/beach/pairings/e{seat.entry_id}").text
    assert "<strong>第 2 桌</strong>" in page
    assert "洗牌后的第 4、5、6 位" in page
    direct = client.get(f"/c/beach/pairings/e{drawn.direct[0].entry_id}").text
    assert "直接晋级" in direct
    code = client.get(f"/c/beach/pairings/e{seat.entry_id}.svg")
    assert code.mimetype == "image/svg+xml"


def test_after_the_next_draw_the_same_page_names_the_new_table(
    app: Flask, drawn: RoundView, client: FlaskClient
) -> None:
    with app.app_context():
        results.all_confirmed(drawn.event_id)
        headers = accounts.bearer(app, registrations.committee())
    made = client.post("/api/v1/competitions/beach/stages/next", json={}, headers=headers)
    assert made.status_code == 201
    semifinal = client.get("/api/v1/competitions/beach/draws").json[1]
    entrant = semifinal["tables"][2]["seats"][0]["entrant"]
    page = client.get(f"/c/beach/pairings/{entrant}").text
    assert "<strong>第 3 桌</strong>" in page
    assert "按上一阶段的名次分组：第 7、8、9 位同桌" in page
    older = client.get("/c/beach/pairings?round=prelim-1").text
    assert 'data-round="prelim"' in older
    assert 'data-round="semifinal"' in client.get("/c/beach/pairings").text


@pytest.mark.parametrize("entrant", ["e0", "e999999", "x1", "e1x", "e01", "e4000000000", "e" + 30 * "9"])
def test_an_unknown_entrant_is_not_found(drawn: RoundView, client: FlaskClient, entrant: str) -> None:
    assert client.get(f"/c/beach/pairings/{entrant}").status_code == 404
    assert client.get(f"/c/beach/pairings/{entrant}.svg").status_code == 404


@pytest.mark.parametrize(
    ("kind", "grouping", "says"),
    [
        ("drawn", "blocks", "第 4、5、6 位同桌，先后即座位"),
        ("seeded", "blocks", "第 4、5、6 位同桌"),
        ("seeded", "snake", "第 2、5、8 位同桌"),
        ("seeded", "deal_out", "第 2、5、8 位同桌"),
        ("final", "blocks", "晋级的三人"),
        (None, "blocks", "加赛"),
    ],
)
def test_the_second_of_three_tables_is_explained(kind: str | None, grouping: str, says: str) -> None:
    assert says in str(rules.why_together(kind, 2, 3, grouping))


def test_the_ceremony_goes_from_the_commitment_to_the_last_table_without_scripts(
    app: Flask, committee: Actor, client: FlaskClient
) -> None:
    with app.app_context():
        made = draws.commit()
    address = "/c/beach/draws/prelim/1/ceremony"
    first = client.get(address).text
    assert made.commitment in first
    waiting = client.get(f"{address}?step=3").text
    assert "等待抽签" in waiting
    assert "<form" not in waiting
    assert draws.SEED not in waiting
    accounts.sign_in(client, committee)
    form = client.get(f"{address}?step=2").text
    assert 'name="contribution"' in form
    said = client.post(
        "/staff/c/beach/draws/prelim/1/contribution", data={"contribution": WORDS, "next": "ceremony"}
    )
    assert said.status_code == 303
    assert said.location.endswith(f"{address}?step=2")
    assert WORDS in client.get(said.location).text
    revealed = client.post("/staff/c/beach/draws/prelim/1/ceremony")
    assert revealed.location.endswith(f"{address}?step=3")
    page = client.get(revealed.location).text
    assert draws.SEED in page
    assert made.commitment in page
    with app.app_context():
        drawn = queries.rounds(competitions.competition("beach").event.id)[0]
    for step, table in enumerate(drawn.tables, start=4):
        shown = client.get(f"{address}?step={step}").text
        assert listed(shown, drawn) == {seat.name for seat in table.seats}
        assert f'data-table="{table.number}"' in shown
    end = client.get(f"{address}?step=7").text
    assert drawn.proof in end
    assert listed(end, drawn) == {drawn.direct[0].name}
    assert "data-next" not in end
    assert 'data-step="7"' in client.get(f"{address}?step=99").text


def test_a_ceremony_without_commitment_says_so(drawn: RoundView, client: FlaskClient) -> None:
    first = client.get("/c/beach/draws/prelim/1/ceremony").text
    assert "没有公布种子的承诺" in first
    assert drawn.seed in client.get("/c/beach/draws/prelim/1/ceremony?step=3").text


def test_there_is_no_ceremony_of_a_round_nobody_prepared(committee: Actor, client: FlaskClient) -> None:
    assert client.get("/c/beach/draws/prelim/1/ceremony").status_code == 404
    assert client.get("/c/beach/draws/swiss/1/ceremony").status_code == 404


def test_only_people_with_the_role_reveal_the_seed(app: Flask, committee: Actor, client: FlaskClient) -> None:
    with app.app_context():
        draws.commit()
    assert client.post("/staff/c/beach/draws/prelim/1/ceremony").status_code == 401
    accounts.sign_in(client, committee)
    assert client.post("/staff/c/beach/draws/prelim/1/ceremony").status_code == 303
    assert client.post("/staff/c/beach/draws/prelim/1/ceremony").status_code == 409


def test_the_new_pages_read_in_english(drawn: RoundView, client: FlaskClient) -> None:
    seat = drawn.tables[0].seats[0]
    assert "draw ceremony" in client.get("/c/beach/draws/prelim/1/ceremony?lang=en").text.lower()
    assert "places 1, 2 and 3" in client.get(f"/c/beach/pairings/e{seat.entry_id}?lang=en").text


def test_a_round_by_points_is_shown_a_screenful_at_a_time_from_the_top(
    app: Flask, travel: Travel, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "TABLES_A_SCREEN", 2)
    with app.app_context():
        rounds.field(travel, rounds.XIANGQI, 11)
        drawn = rounds.drawn(seed=draws.SEED)
    address = f"/c/{rounds.SLUG}/draws/swiss/1/ceremony"
    for step, tables in ((4, drawn.tables[:2]), (5, drawn.tables[2:4]), (6, drawn.tables[4:])):
        shown = client.get(f"{address}?step={step}").text
        assert listed(shown, drawn) == {seat.name for table in tables for seat in table.seats}
        assert re.findall(r'data-table="(\d+)"', shown) == [str(table.number) for table in tables]
    end = client.get(f"{address}?step=99").text
    assert 'data-step="7"' in end
    assert all(each in end for each in (drawn.proof, drawn.seed))
    assert listed(end, drawn) == {drawn.direct[0].name}


def test_the_ceremony_says_that_an_earlier_commitment_was_withdrawn(
    app: Flask, committee: Actor, client: FlaskClient
) -> None:
    with app.app_context():
        draws.commit()
        draws.withdraw("名单有误")
        draws.commit(seed="cd" * 32)
        draws.draw(seed=None)
    first = client.get("/c/beach/draws/prelim/1/ceremony").text
    assert "此前撤销过 1 次承诺" in first
    assert 'id="withdrawn"' in client.get("/c/beach/draws").text
