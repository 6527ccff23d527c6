"""A rehearsal says so on every page, and its organiser deletes it by form or by API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from tests.factories import accounts
from tests.factories import competitions as factory

NAME = "演练 <春季>"
PAGE = "/staff/c/practice/rehearsal"
LINK = re.compile(r'href="(/[^"#?]+)')


@dataclass
class People:
    organiser: Actor
    everybody: Actor


@pytest.fixture
def people(app: Flask) -> People:
    with app.app_context():
        by = factory.organiser()
        made = factory.competition(by, slug="practice", name=NAME, rehearsal=True)
        factory.competition(by, slug="real")
        # with the roles that the competitions gave
        return People(accounts.actor(by.user_id or 0), accounts.user(5, *Role, competition_id=made.id))


def html_pages(client: FlaskClient, begin: str, within: tuple[str, ...]) -> dict[str, str]:
    """Every page that links lead to, by path."""
    waiting, found = [begin], {}
    while waiting:
        path = waiting.pop()
        if path in found or not f"{path}/".startswith(within):
            continue
        answer = client.get(path)
        found[path] = answer.text if answer.mimetype == "text/html" and answer.status_code == 200 else ""
        waiting += [urlsplit(urljoin(path, link)).path for link in LINK.findall(found[path])]
    return {path: page for path, page in found.items() if "<main" in page}


def test_every_page_of_it_says_that_it_is_a_rehearsal(client: FlaskClient, people: People) -> None:
    accounts.sign_in(client, people.everybody)
    within = ("/c/practice/", "/staff/c/practice/")
    pages = html_pages(client, "/c/practice", within) | html_pages(client, "/staff/c/practice", within)
    assert len(pages) > 30
    assert [path for path, page in pages.items() if 'class="rehearsal"' not in page] == []


def test_no_page_of_another_says_so(client: FlaskClient, people: People) -> None:
    accounts.sign_in(client, people.organiser)
    for path in ("/c/real", "/c/real/poster", "/staff/c/real"):
        assert 'class="rehearsal"' not in client.get(path).text
        assert "演练" not in client.get(path).text


def test_the_list_of_competitions_tells_them_apart(client: FlaskClient, people: People) -> None:
    assert client.get("/").text.count("演练 · ") == 1


def test_the_form_makes_one_by_a_tick(client: FlaskClient, people: People) -> None:
    accounts.sign_in(client, people.organiser)
    form = {"regulation": factory.REGULATION, "name": "沙滩二打一", "place": "三亚", "slug": "ticked"}
    dates = {
        "calendar-registration_closes": "2021-10-31T18:00",
        "calendar-check_in": "2021-12-07",
        "calendar-play_from": "2021-12-08",
        "calendar-play_to": "2021-12-11",
        "calendar-leave_by": "2021-12-12T12:00",
        "calendar-notice": "2021-10-14",
    }
    made = client.post("/staff/competitions", data=form | dates | {"rehearsal": "1"})
    assert made.status_code == 303, made.text
    assert client.get("/api/v1/competitions/ticked").json["rehearsal"] is True
    refused = client.post("/staff/competitions", data=form | dates | {"rehearsal": "1"})
    assert refused.status_code == 422
    assert re.search(r'name="rehearsal" value="1" checked', refused.text), "the tick is lost"


def test_the_api_makes_one_and_says_which_it_is(app: Flask, client: FlaskClient, people: People) -> None:
    headers = accounts.bearer(app, people.organiser)
    body = {"regulation": factory.REGULATION, "place": "三亚", "slug": "by-api"}
    made = client.post("/api/v1/competitions", json=body | {"rehearsal": True}, headers=headers)
    assert made.json["rehearsal"] is True
    assert client.get("/api/v1/competitions/real").json["rehearsal"] is False


def test_the_name_has_to_be_typed(client: FlaskClient, people: People) -> None:
    accounts.sign_in(client, people.organiser)
    assert PAGE in client.get("/staff/c/practice").text
    refused = client.post(PAGE, data={"name": "春季"})
    assert refused.status_code == 422
    assert "没有删除" in refused.text
    assert 'value="春季"' in refused.text
    assert client.post(PAGE, data={"name": ""}).status_code == 422
    assert client.get("/c/practice").status_code == 200


def test_it_is_deleted_by_its_form(client: FlaskClient, people: People) -> None:
    accounts.sign_in(client, people.organiser)
    done = client.post(PAGE, data={"name": f" {NAME} "}, follow_redirects=True)
    assert done.status_code == 200
    assert "这场演练已整场删除" in done.text
    assert client.get("/c/practice").status_code == 404
    assert client.get("/c/real").status_code == 200
    assert client.post(PAGE, data={"name": NAME}).status_code == 404


def test_it_is_deleted_over_the_api(app: Flask, client: FlaskClient, people: People) -> None:
    headers = accounts.bearer(app, people.organiser)
    address = "/api/v1/competitions/practice"
    assert client.delete(address, headers=headers).status_code == 422
    assert client.delete(address, query_string={"name": "春季"}, headers=headers).status_code == 422
    done = client.delete(address, query_string={"name": NAME}, headers=headers)
    assert done.status_code == 200
    assert done.json["rows"] > 0
    assert done.json["files"] == 0
    assert client.get(address).status_code == 404


def test_a_real_competition_is_refused_with_what_can_be_done(
    app: Flask, client: FlaskClient, people: People
) -> None:
    with app.app_context():
        headers = accounts.bearer(app, factory.organiser())
    answer = client.delete(
        "/api/v1/competitions/real", query_string={"name": "2021年沙滩运动会"}, headers=headers
    )
    assert answer.status_code == 409
    assert "正式比赛" in answer.json["detail"]
    accounts.sign_in(client, people.organiser)
    assert client.get("/staff/c/real/rehearsal").status_code == 409
    assert "/staff/c/real/rehearsal" not in client.get("/staff/c/real").text


def test_nobody_but_its_organiser_deletes_it(app: Flask, client: FlaskClient, people: People) -> None:
    address = "/api/v1/competitions/practice"
    assert client.delete(address, query_string={"name": NAME}).status_code == 401
    with app.app_context():
        stranger = accounts.user(33)
    headers = accounts.bearer(app, stranger)
    assert client.delete(address, query_string={"name": NAME}, headers=headers).status_code == 403
    accounts.sign_in(client, stranger)
    assert client.get(PAGE).status_code == 403
