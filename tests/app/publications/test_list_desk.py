"""The committee's forms and the API of lists that follow lists: supplementing, correcting, what is due."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.extensions import db
from app.publications.models import Publication
from app.publications.queries import PublicationView
from app.publications.rules import canonical_listing
from app.text import BEIJING
from app.workdays.official import official_calendar
from tests.factories import accounts, draws, publications, registrations

Travel = Callable[[datetime], None]
API = "/api/v1/competitions/beach/publications"
STAFF = "/staff/c/beach/publication"
REASON = "经复核，一名选手不符合参赛资格。"


def test_the_committee_supplements_with_one_button(late: Actor, client: FlaskClient, travel: Travel) -> None:
    accounts.sign_in(client, late)
    page = client.get(STAFF).text
    assert "需要补充公示" in page
    assert "补充公示 1 人" in page
    assert "2021年11月9日（周二）24:00" in page
    answer = client.post(f"{STAFF}/supplementary")
    assert answer.status_code == 303
    after = client.get(answer.location).text
    assert "第 2 号补充公示名单" in after
    assert "需要补充公示" not in after
    again = client.post(f"{STAFF}/supplementary")
    assert again.status_code == 409
    assert "没有需要补充公示的" in again.text
    assert "规程 三(四)2" in again.text


def test_the_committee_corrects_by_line_numbers_and_what_was_typed_stays(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        old = publications.published_field(travel, 4, 1)
        committee = registrations.committee()
    accounts.sign_in(client, committee)
    form = f"{STAFF}/1/correction"
    assert "没有差别" in client.get(form).text
    missing = client.post(form, data={"lines": "2、4", "reason": ""})
    assert missing.status_code == 422
    assert "请写明更正的原因" in missing.text
    assert 'value="2、4"' in missing.text
    for lines in ("9", "二"):
        wrong = client.post(form, data={"lines": lines, "reason": REASON})
        assert wrong.status_code == 422
        assert REASON in wrong.text
        assert 'aria-describedby="f-lines' in wrong.text
    done = client.post(form, data={"lines": "2、4", "reason": REASON})
    assert (done.status_code, done.location) == (303, "/c/beach/publications/2")
    page = client.get(done.location).text
    assert page.count("<li><del>") == 2
    assert old.entries[0].name in page
    late = client.post(form, data={"lines": "1", "reason": REASON})
    assert late.status_code == 409
    assert "已由第 2 号更正名单取代" in late.text


def test_the_committee_sees_where_a_list_no_longer_agrees(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        old = publications.published_field(travel, 3, 1)
        committee = registrations.committee()
        registrations.decision(committee, old.entries[0].entry_id, "reject", "材料不符")
    accounts.sign_in(client, committee)
    assert "第 1 号名单上有 1 处与现在的报名不一致" in client.get("/staff/c/beach").text
    page = client.get(STAFF).text
    assert "与现在的报名不一致" in page
    assert f"<del>序号 1 {old.entries[0].name}" in page
    done = client.post(f"{STAFF}/1/correction", data={"reason": "一名选手退赛。"})
    assert done.status_code == 303


def test_a_supplement_that_comes_too_late_is_warned_of_with_the_clause(
    late: Actor, client: FlaskClient, travel: Travel, app: Flask
) -> None:
    travel(datetime(2021, 11, 30, 9, tzinfo=BEIJING))
    accounts.sign_in(client, late)
    page = client.get(STAFF).text
    assert "赶不上抽签编排" in page
    assert "补充公示 1 人" in page  # a warning, not a refusal
    made = client.post(f"{API}/supplementary", headers=accounts.bearer(app, late))
    assert made.status_code == 201
    assert "赶不上抽签编排" in made.get_json()["warning"]


def test_a_supplement_into_a_year_without_a_calendar_leads_to_the_page_where_it_is_entered(
    late: Actor, client: FlaskClient, travel: Travel, app: Flask
) -> None:
    unknown = max(official_calendar().years) + 1
    travel(datetime(unknown - 1, 12, 31, 12, tzinfo=BEIJING))
    accounts.sign_in(client, late)
    for answer in (client.get(STAFF), client.post(f"{STAFF}/supplementary")):
        assert 'href="/staff/workdays"' in answer.text
        assert str(unknown) in answer.text
    problem = client.post(f"{API}/supplementary", headers=accounts.bearer(app, late))
    assert problem.status_code == 409
    assert problem.get_json()["page"] == "/staff/workdays"


def test_the_api_supplements_corrects_and_tells_what_is_due(
    late: Actor, client: FlaskClient, app: Flask
) -> None:
    headers = accounts.bearer(app, late)
    plan = client.get(f"{API}/plan", headers=headers).get_json()
    assert plan["lists"] == [1]
    assert len(plan["unlisted"]) == 1
    assert plan["stale"] == []
    second = client.post(f"{API}/supplementary", headers=headers).get_json()
    assert (second["number"], second["kind"], second["supersedes"]) == (2, "supplementary", None)
    entry = int(client.get(f"{API}/1").get_json()["entries"][0]["entrant"].removeprefix("e"))
    wrong = client.post(f"{API}/1/supersede", headers=headers, json={"reason": REASON, "left_out": [999]})
    assert wrong.status_code == 422
    third = client.post(f"{API}/1/supersede", headers=headers, json={"reason": REASON, "left_out": [entry]})
    assert third.status_code == 201
    body = third.get_json()
    assert (body["number"], body["kind"], body["supersedes"], body["reason"]) == (3, "corrected", 1, REASON)
    assert [each["entrant"] for each in body["difference"]["left_out"]] == [f"e{entry}"]
    first = client.get(f"{API}/1").get_json()
    assert (first["superseded_by"], first["status"]["state"]) == (3, "superseded")
    again = client.post(f"{API}/1/supersede", headers=headers, json={"reason": REASON, "left_out": [entry]})
    assert again.status_code == 409
    assert again.get_json()["superseded_by"] == 3
    for act in ("1/supersede", "supplementary"):
        assert client.post(f"{API}/{act}", json={"reason": REASON}).status_code == 401
    assert client.get(f"{API}/plan").status_code == 401


def test_an_old_list_without_a_kind_in_its_text_is_read_as_it_was(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    """Lists of version 1 name no kind and stay as they were hashed."""
    with app.app_context():
        published = publications.published_field(travel, 3, 1)
        old: dict[str, Any] = json.loads(published.canonical)
        del old["kind"]
        old["version"] = 1
        with db.engine.begin() as connection:
            connection.execute(
                Publication.__table__.update().values(listing=canonical_listing(old))  # type: ignore[attr-defined]  # a Table
            )
    page = client.get("/c/beach/publications")
    assert page.status_code == 200
    assert "第 1 号公示名单" in page.text
    assert client.get("/c/beach/publications/1.json").get_json()["version"] == 1


def test_the_leader_sees_an_objected_list_on_his_timeline(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        published = publications.published_field(travel, 2, 1)
        leader = accounts.user(1)
    travel(publications.WINDOW_OVER)
    accounts.sign_in(client, leader)
    with publications.held(published.id):
        assert 'badge_wait">异议处理中' in client.get("/c/beach/my").text
    assert 'badge_good">已确认' in client.get("/c/beach/my").text


def test_after_the_draw_nothing_is_supplemented_or_corrected(
    app: Flask, travel: Travel, client: FlaskClient
) -> None:
    with app.app_context():
        draws.drawn_prelim(travel)
        committee = registrations.committee()
    accounts.sign_in(client, committee)
    assert "发布更正名单" not in client.get(STAFF).text
    refused = client.post(f"{STAFF}/1/correction", data={"lines": "1", "reason": REASON})
    assert refused.status_code == 409
    assert "已按公示名单抽签" in refused.text
    assert "三(四)2" in refused.text


def test_every_page_reads_in_english(
    corrected: tuple[PublicationView, PublicationView], client: FlaskClient, app: Flask
) -> None:
    with app.app_context():
        committee = registrations.committee()
    page = client.get("/c/beach/publications/2?lang=en").text
    assert "Corrected list No. 2" in page
    assert "What is different from list 1" in page
    accounts.sign_in(client, committee)
    assert "Publish a corrected list" in client.get(f"{STAFF}?lang=en").text
    assert "Fingerprint on paper" in client.get("/c/beach/publications/2/verify?lang=en").text
