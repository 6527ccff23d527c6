"""The pages and the API of a regulation's versions: notices, differences, impact, and the draft's whole way."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import SYSTEM, Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.registrations import queries as registrations_queries
from app.regulations import library
from app.regulations import queries as regulations
from app.standings import service as standings_service
from app.text import BEIJING
from app.workdays import queries as workdays
from tests.factories import accounts, amendments, publications, registrations, results, rounds
from tests.factories.amendments import chain, date, drafted, published
from tests.factories.publications import Travel
from tests.html_forms import form_to

SLUG = rounds.SLUG
API = "/api/v1/competitions/beach/regulation"


@pytest.fixture
def beach(app: Flask) -> Actor:
    """A competition by regulation A; its organiser."""
    with app.app_context():
        registrations.competition()
        return registrations.committee()


def test_the_public_pages_carry_the_notice_of_the_newest_version(
    app: Flask, client: FlaskClient, beach: Actor
) -> None:
    with app.app_context():
        published("beach", date("play_to", "2021-12-06"), reason="场馆改期<b>")
    for url in ("/c/beach", "/c/beach/regulation"):
        text = client.get(url).text
        assert "公告：规程已改为第 2 版" in text
        assert "场馆改期&lt;b&gt;" in text
        assert 'href="/c/beach/regulation/versions/2"' in text


def test_a_version_shows_its_reason_its_differences_and_what_it_affected(
    app: Flask, client: FlaskClient, beach: Actor
) -> None:
    with app.app_context():
        published("beach", date("play_to", "2021-12-06"), reason="场馆改期")
    text = client.get("/c/beach/regulation/versions/2").text
    assert "<del><strong>比赛结束</strong>：2021年12月5日（周日）" in text
    assert "<ins><strong>比赛结束</strong>：2021年12月6日（周一）" in text
    assert "比赛结束：2021年12月5日（周日） 改为 2021年12月6日（周一）" in text
    assert "场馆改期" in text
    assert 'id="clause-三(三)1"' in text
    first = client.get("/c/beach/regulation/versions/1").text
    assert "已被第 2 版取代" in first
    assert client.get("/c/beach/regulation/versions/3").status_code == 404


def test_the_english_version_page_is_english(app: Flask, client: FlaskClient, beach: Actor) -> None:
    with app.app_context():
        published("beach", date("play_to", "2021-12-06"), reason="场馆改期")
    text = client.get("/c/beach/regulation/versions/2?lang=en").text
    assert "Play ends: from Sun 5 Dec 2021 to Mon 6 Dec 2021" in text


def test_the_frozen_file_has_the_hash_that_is_shown(app: Flask, client: FlaskClient, beach: Actor) -> None:
    shown = client.get(f"{API}/versions/1").get_json()
    file = client.get(shown["document_url"])
    assert hashlib.sha256(file.data).hexdigest() == shown["sha256"]
    assert shown["sha256"] in client.get(shown["page_url"]).text
    assert shown["document"]["id"] == "beach-games-landlord-2021"


def test_a_version_that_waits_is_announced_with_its_moment(
    app: Flask, client: FlaskClient, beach: Actor
) -> None:
    with app.app_context():
        published(
            "beach",
            date("play_to", "2021-12-06"),
            in_force_from=datetime(2021, 10, 27, 8, 0, tzinfo=BEIJING),
        )
    text = client.get("/c/beach").text
    assert "公告：规程第 2 版将从 2021年10月27日（周三）08:00 起执行" in text
    listed = client.get(f"{API}/versions").get_json()
    assert [each["in_force"] for each in listed] == [True, False]


def test_which_entries_are_in_doubt_is_for_the_committee_alone(app: Flask, client: FlaskClient) -> None:
    with app.app_context():
        publications.field(3, 1)

        def older(document: dict[str, Any]) -> None:
            next(row for row in document["eligibility"] if row["rule"] == "born_on_or_before")["date"] = (
                "1980-01-01"
            )

        drafted("beach", older)
        event = competitions.competition("beach").event
        name = registrations_queries.review_list(event)[0].name
        committee = registrations.committee()
    accounts.sign_in(client, committee)
    assert f"{name}（第1机械厂）不再符合规程" in client.get("/staff/c/beach/regulation/publish").text
    with app.app_context():
        draft = regulations.open_draft(event.id)
    assert draft is not None
    client.post("/staff/c/beach/regulation/publish", data={"reason": "年龄", "base_revision": draft.revision})
    text = client.get("/c/beach/regulation/versions/2").text
    assert "3 个报名不再符合参赛资格" in text
    assert name not in text
    assert client.get(f"{API}/versions/2").get_json()["impact"]["entries"]["ineligible"] == 3


def test_a_draft_goes_its_whole_way_by_the_api(app: Flask, client: FlaskClient, beach: Actor) -> None:
    headers = accounts.bearer(app, beach)
    assert client.get(f"{API}/draft", headers=headers).status_code == 409
    draft = client.post(f"{API}/draft", json={}, headers=headers).get_json()
    document = draft["document"]
    document["calendar"]["play_to"]["at"] = "2021-12-06"
    saved = client.put(
        f"{API}/draft", json={"document": document, "base_revision": 1}, headers=headers
    ).get_json()
    assert (saved["revision"], saved["problems"]) == (2, [])
    impact = client.get(f"{API}/draft/impact", headers=headers).get_json()
    assert (impact["changed"], impact["ruling"], impact["revision"]) == (["calendar"], False, 2)
    assert [each["after"][0]["label"] for each in impact["differences"]] == ["比赛结束"]
    answer = client.post(f"{API}/draft/publish", json={"reason": "改期", "base_revision": 2}, headers=headers)
    assert answer.status_code == 201
    made = answer.get_json()
    assert (made["number"], made["published_as"], made["in_force"]) == (2, "organiser", True)
    assert (
        client.get("/api/v1/competitions/beach").get_json()["events"][0]["regulation_sha256"]
        == made["sha256"]
    )


def test_an_outdated_save_answers_with_both_documents(app: Flask, client: FlaskClient, beach: Actor) -> None:
    headers = accounts.bearer(app, beach)
    client.post(f"{API}/draft", json={}, headers=headers)
    client.put(f"{API}/draft", json={"document": {"id": "a"}, "base_revision": 1}, headers=headers)
    answer = client.put(f"{API}/draft", json={"document": {"id": "b"}, "base_revision": 1}, headers=headers)
    assert answer.status_code == 409
    assert answer.get_json()["current"] == {"revision": 2, "document": {"id": "a"}}
    problems = client.get(f"{API}/draft", headers=headers).get_json()["problems"]
    assert problems
    assert {"path", "detail", "clause"} == set(problems[0])


def test_the_page_before_publishing_keeps_what_was_typed(
    app: Flask, client: FlaskClient, beach: Actor
) -> None:
    with app.app_context():
        drafted("beach", date("play_to", "2021-12-06"))
    accounts.sign_in(client, beach)
    answer = client.post(
        "/staff/c/beach/regulation/publish",
        data={"reason": "场馆", "base_revision": "2", "in_force_from": "2020-01-01T08:00"},
    )
    assert answer.status_code == 422
    assert "执行时间不能早于现在" in answer.text
    assert "场馆" in answer.text


def test_days_of_an_unknown_year_are_refused_with_a_link_to_the_clause_and_to_the_page_of_workdays(
    app: Flask, client: FlaskClient, beach: Actor
) -> None:
    with app.app_context():
        unknown = max(workdays.calendar().years) + 1

        def edit(document: dict[str, Any]) -> None:
            document["calendar"]["registration_closes"]["at"] = f"{unknown}-03-01T18:00:00+08:00"
            days = {"check_in": "04", "play_from": "05", "play_to": "06", "leave_by": "07T12:00:00+08:00"}
            for key, day in days.items():
                document["calendar"][key]["at"] = f"{unknown}-04-{day}"

        drafted("beach", edit, beach)
    accounts.sign_in(client, beach)
    page = client.get("/staff/c/beach/regulation/publish").text
    assert "/c/beach/regulation#clause-三(四)1" in unquote(page)
    assert f"国务院办公厅公布的 {unknown} 年放假安排" in page
    assert 'href="/staff/workdays"' in page


def test_only_the_chief_referee_gets_the_button_of_a_ruling(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        rounds.field(travel, entrants=8)
        rounds.played(rounds.drawn(seed="5a" * 32))
        chief = amendments.chief(SLUG)
        drafted(SLUG, chain("match_points", "lots"))
        committee = registrations.committee(SLUG)
    url = f"/staff/c/{SLUG}/regulation/publish"
    accounts.sign_in(client, committee)
    text = client.get(url).text
    assert "data-ruling" in text
    assert 'name="reason"' not in text
    accounts.sign_in(client, chief)
    assert 'name="ruling"' in client.get(url).text
    refused = client.post(url, data={"reason": "裁定", "base_revision": "2"})
    assert refused.status_code == 422
    assert client.post(url, data={"reason": "裁定", "base_revision": "2", "ruling": "1"}).status_code == 303
    assert "裁判长裁定" in client.get(f"/c/{SLUG}/regulation/versions/2").text


def test_the_standings_name_the_version_they_were_computed_by(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        rounds.field(travel, entrants=8)
        rounds.played(rounds.drawn(seed="5a" * 32))
        event = competitions.competition(SLUG).event
        _recomputed(event.id)
    document = f"/api/v1/competitions/{SLUG}/standings"
    assert client.get(document).get_json()["regulation_number"] == 1
    with app.app_context():
        published(SLUG, chain("match_points", "lots"))
        _recomputed(event.id)
    assert client.get(document).get_json()["regulation_number"] == 2
    assert f'href="/c/{SLUG}/regulation/versions/2"' in client.get(f"/c/{SLUG}/standings").text


def _recomputed(event_id: int) -> None:
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, event_id)


def test_a_refusal_at_a_table_links_to_its_clause(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        table = results.prelim(travel).tables[0]
        results.confirmed(table)
        referee = results.chief()
    travel(publications.WINDOW_OVER + timedelta(hours=1))
    answer = client.post(
        f"/api/v1/tables/{table.token}/reopening",
        json={"base_revision": 1, "idempotency_key": results.key(), "reason": "漏记"},
        headers=accounts.bearer(app, referee),
    )
    refused = answer.get_json()
    assert refused["clause"] == "四(二)8(九)"
    assert refused["clause_url"].startswith("/c/beach/regulation#clause-")


def test_a_refusal_before_there_is_a_competition_links_to_the_librarys_page(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    travel(publications.WINDOW_OVER)
    with app.app_context():
        organiser = accounts.user(9001, Role.ORGANISER)
    answer = client.post(
        "/api/v1/competitions",
        json={"regulation": "beach-games-landlord-2021", "place": "三亚"},
        headers=accounts.bearer(app, organiser),
    )
    refused = answer.get_json()
    assert answer.status_code == 422
    assert refused["clause_url"].startswith("/regulations/beach-games-landlord-2021#clause-")


def test_a_draft_is_given_up_from_the_page(app: Flask, client: FlaskClient, beach: Actor) -> None:
    with app.app_context():
        drafted("beach", date("play_to", "2021-12-06"))
    accounts.sign_in(client, beach)
    assert "核对影响并公布" in client.get("/staff/c/beach/regulation").text
    assert client.post("/staff/c/beach/regulation/discard").status_code == 303
    assert "核对影响并公布" not in client.get("/staff/c/beach/regulation").text
    assert client.get("/staff/c/beach/regulation/publish").status_code == 409


def test_the_next_version_is_begun_on_the_staff_page_and_written_in_the_editor(
    app: Flask, client: FlaskClient, beach: Actor
) -> None:
    accounts.sign_in(client, beach)
    begun = client.post("/staff/c/beach/regulation")
    draft = begun.headers["Location"]
    assert client.post("/staff/c/beach/regulation").headers["Location"] == draft
    page = client.get(f"{draft}/publication").text
    sent = form_to(page, f"{draft}/publication").sent(**{"publication-workdays": "3"})
    assert client.post(f"{draft}/publication", data=sent).status_code == 303
    assert f'href="{draft}"' in client.get("/staff/c/beach/regulation").text
    assert "公布并创建赛事" not in client.get(draft).text
    refused = client.post(f"{draft}/competition", data={"base_revision": "2", "place": "三亚"})
    assert refused.status_code in (403, 409)


def test_a_version_is_downloaded_as_toml(client: FlaskClient, beach: Actor) -> None:
    answer = client.get("/c/beach/regulation/versions/1.toml")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="beach-regulation-1.toml"'
    held = client.get("/c/beach/regulation/versions/1.json").json
    assert library.parse_toml(answer.text, "1.toml").document == held


def test_before_its_own_creation_an_event_runs_by_its_first_version(
    app: Flask, client: FlaskClient, beach: Actor, travel: Travel
) -> None:
    """The clock of a demonstration is set back to any day, such as one that a rehearsal plays."""
    with app.app_context():
        published("beach", date("play_to", "2021-12-06"), reason="场馆改期")
    travel(datetime(2020, 1, 1, 9, 0, tzinfo=BEIJING))
    accounts.sign_in(client, beach)
    for url in ("/c/beach", "/c/beach/regulation", "/staff/c/beach/regulation"):
        assert client.get(url).status_code == 200, url
    listed = client.get(f"{API}/versions").get_json()
    assert [each["in_force"] for each in listed] == [True, False]
