"""The public list, the committee's page and the API: what they say, and what they keep to themselves."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.competitions import queries as competitions
from app.publications import queries
from app.publications.queries import PublicationView, PublishedEntry
from app.publications.rules import CountedFrom
from app.registrations import queries as registrations_queries
from app.text import BEIJING
from app.workdays.official import official_calendar
from tests.factories import accounts, people, publications, registrations

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach/publications"
UNKNOWN_YEAR = max(official_calendar().years) + 1


@pytest.fixture
def field(app: Flask) -> Actor:
    """Three approved entrants; gives the committee."""
    with app.app_context():
        publications.field(3, 2)
        return registrations.committee()


@pytest.fixture
def published(app: Flask, travel: Travel) -> PublicationView:
    with app.app_context():
        return publications.published_field(travel, 3, 2)


def test_before_the_list_is_out_the_page_says_when_it_comes(field: Actor, client: FlaskClient) -> None:
    page = client.get("/c/beach/publications")
    assert page.status_code == 200
    assert "2021年10月31日（周日）18:00" in page.text
    assert client.get(API).json == []


def test_the_public_page_shows_the_list_its_window_and_its_hash(
    published: PublicationView, client: FlaskClient, travel: Travel
) -> None:
    travel(datetime(2021, 11, 3, 12, tzinfo=BEIJING))
    page = client.get("/c/beach/publications").text
    assert "第 3 天 / 共 5 天" in page
    assert "2021年11月5日（周五）24:00" in page
    assert published.sha256 in page
    assert "任何参赛单位" in page
    for entry in published.entries:
        assert f"<td>{entry.number}<td>{entry.name}" in page
        assert entry.unit in page


def test_the_page_after_the_window_says_that_it_is_over(
    published: PublicationView, client: FlaskClient, travel: Travel
) -> None:
    travel(publications.WINDOW_OVER)
    page = client.get("/c/beach/publications").text
    assert "公示期满" in page
    assert "公示期已于 2021年11月5日（周五）24:00 结束" in page


def test_no_public_answer_holds_a_phone_or_an_id_number(
    published: PublicationView, client: FlaskClient
) -> None:
    for address in (
        "/c/beach/publications",
        "/c/beach/publications/1",
        "/c/beach/publications/1.json",
        API,
        f"{API}/1",
    ):
        text = client.get(address).text
        for serial in (1, 2, 3):
            assert people.phone(1000 + serial) not in text
            assert people.id_number(serial) not in text


def test_the_downloaded_file_has_exactly_the_hash_that_is_shown(
    published: PublicationView, client: FlaskClient
) -> None:
    answer = client.get("/c/beach/publications/1.json")
    assert answer.mimetype == "application/json"
    assert hashlib.sha256(answer.data).hexdigest() == published.sha256
    shown = client.get(f"{API}/1").get_json()
    assert shown["document_url"] == "/c/beach/publications/1.json"
    assert shown["sha256"] == published.sha256


def test_an_unknown_list_is_not_found(published: PublicationView, client: FlaskClient) -> None:
    for address in ("/c/beach/publications/2", "/c/beach/publications/2.json", f"{API}/2"):
        assert client.get(address).status_code == 404
    assert client.get("/c/other/publications").status_code == 404


def test_a_thousand_names_are_less_than_100_kilobytes_without_javascript(
    field: Actor, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, travel: Travel
) -> None:
    travel(publications.AFTER_CLOSING)
    units = [f"第{number}建设工程集团有限责任公司机关工会委员会" for number in range(200)]
    entries = tuple(
        PublishedEntry(number, number, f"欧阳{people.person_name(number)}", units[(number - 1) // 5])
        for number in range(1, 1001)
    )
    thousand = PublicationView(
        id=1,
        event_id=1,
        number=1,
        event_name="公开个人赛",
        entries=entries,
        canonical="{}",
        sha256="0" * 64,
        published_at=publications.AFTER_CLOSING,
        counted_from=CountedFrom.DEADLINE,
        first_day=publications.DEADLINE.date(),
        last_day=publications.LAST_SECOND.date(),
        ends_at=publications.WINDOW_OVER,
        days=(publications.LAST_SECOND.date(),),
    )
    monkeypatch.setattr(queries, "publications", lambda event_id: (thousand,))
    answer = client.get("/c/beach/publications")
    assert len(answer.data) < 100_000
    assert len(re.findall(r"<td>\d+<td>", answer.text)) == 1000


def test_the_committee_publishes_with_one_button(
    app: Flask, field: Actor, client: FlaskClient, travel: Travel
) -> None:
    accounts.sign_in(client, field)
    travel(publications.DEADLINE)
    early = client.get("/staff/c/beach/publication")
    assert "报名尚未截止" in early.text
    assert "公示 3 人的名单" not in early.text
    travel(publications.AFTER_CLOSING)
    assert "公示 3 人的名单" in client.get("/staff/c/beach/publication").text
    answer = client.post("/staff/c/beach/publication")
    assert answer.status_code == 303
    assert "公示中" in client.get(answer.location).text


def test_a_refusal_stays_on_the_committees_page_with_its_clause(
    app: Flask, field: Actor, client: FlaskClient, travel: Travel
) -> None:
    accounts.sign_in(client, field)
    travel(publications.DEADLINE)
    answer = client.post("/staff/c/beach/publication")
    assert answer.status_code == 409
    assert "规程 三(三)1" in answer.text
    travel(publications.AFTER_CLOSING)
    client.post("/staff/c/beach/publication")
    again = client.post("/staff/c/beach/publication")
    assert again.status_code == 409
    assert "第 1 号名单" in again.text


def test_a_year_without_a_calendar_links_to_the_page_where_it_is_entered(
    field: Actor, client: FlaskClient, travel: Travel
) -> None:
    accounts.sign_in(client, field)
    travel(datetime(UNKNOWN_YEAR, 1, 4, 12, tzinfo=BEIJING))
    for answer in (client.get("/staff/c/beach/publication"), client.post("/staff/c/beach/publication")):
        assert 'href="/staff/workdays"' in answer.text
        assert str(UNKNOWN_YEAR) in answer.text


def test_people_without_the_role_are_told_which_role_it_needs(
    app: Flask, field: Actor, client: FlaskClient
) -> None:
    assert client.get("/staff/c/beach/publication").status_code == 401
    with app.app_context():
        competition_id = competitions.competition_id("beach")
        referee = accounts.user(7001, Role.CHIEF_REFEREE, competition_id=competition_id)
    accounts.sign_in(client, referee)
    refused = client.post("/staff/c/beach/publication")
    assert refused.status_code == 403
    assert "组委会" in refused.text


def test_the_api_publishes_and_answers_with_the_lines(
    app: Flask, field: Actor, client: FlaskClient, travel: Travel
) -> None:
    committee = accounts.bearer(app, field)
    travel(publications.DEADLINE)
    early = client.post(API, headers=committee)
    assert early.status_code == 409
    assert early.mimetype == "application/problem+json"
    assert early.get_json()["clause"] == "三(三)1"
    travel(publications.AFTER_CLOSING)
    made = client.post(API, headers=committee)
    assert made.status_code == 201
    body = made.get_json()
    assert body["status"] == {"state": "running", "day": 0, "of": 5, "ends_at": "2021-11-05T16:00:00+00:00"}
    assert body["last_day"] == "2021-11-05"
    assert len(body["entries"]) == body["count"] == 3
    listed = client.get(API).get_json()
    assert [each["sha256"] for each in listed] == [body["sha256"]]
    assert "entries" not in listed[0]
    assert client.post(API).status_code == 401


def test_the_waiting_are_counted_for_the_api_too(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        publications.field(2, 1, approve=False)
        committee: dict[str, Any] = accounts.bearer(app, registrations.committee())
        event = competitions.competition("beach").event
        assert len(registrations_queries.review_list(event)) == 2
    travel(publications.AFTER_CLOSING)
    problem = client.post(API, headers=committee).get_json()
    assert problem["waiting"] == 2
    assert "审核" in problem["next_step"]


def test_the_page_reads_in_english(published: PublicationView, client: FlaskClient) -> None:
    page = client.get("/c/beach/publications?lang=en")
    assert page.status_code == 200
    assert "Open individual · Players: 3" in page.text
    assert "公开个人赛" not in page.text
    assert "until Fri 5 Nov 2021 24:00" in page.text


def test_the_leader_sees_the_members_published_and_then_confirmed(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        publications.published_field(travel, 3, 1)
        leader = accounts.user(1)
    accounts.sign_in(client, leader)
    travel(publications.LAST_SECOND)
    assert 'badge_wait">公示中' in client.get("/c/beach/my").text
    travel(publications.WINDOW_OVER)
    page = client.get("/c/beach/my").text
    assert 'badge_good">已确认' in page
    assert 'badge_wait">公示中' not in page


def test_a_leader_finds_the_list_and_what_his_unit_was_asked_from_his_own_page(
    app: Flask, field: Actor, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        leader = registrations.leader(1, with_unit=False)
    accounts.sign_in(client, leader)
    ways = ('href="/c/beach/publications"', 'href="/c/beach/objections"')
    before = client.get("/c/beach/my").text
    assert not any(way in before for way in ways)
    travel(publications.AFTER_CLOSING)
    with app.app_context():
        publications.publish()
    after = client.get("/c/beach/my").text
    assert all(way in after for way in ways)
