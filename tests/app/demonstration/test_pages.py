"""The demonstration's pages and its clock on the API; where it is switched off they do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.actors import SYSTEM
from app.commands import command
from app.demonstration import people, service
from app.demonstration.pages import sign_in_links
from app.demonstration.queries import Cast
from app.text import BEIJING
from tests.factories import accounts
from tests.factories.demonstration import user_of

MOVABLE_NOW = clock.now
"""The real function: when this module is imported the suite's standing clock is not in place yet."""
MOMENT = datetime(2031, 3, 1, 18, 0, 1, tzinfo=BEIJING)


@pytest.fixture
def demonstration(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The application as a seeded demonstration with a movable clock."""
    monkeypatch.setattr(clock, "now", MOVABLE_NOW)
    monkeypatch.setitem(app.config, "SAISHI", replace(app.config["SAISHI"], demo=True))
    clock.configure(tmp_path / "clock")
    with app.app_context(), command(SYSTEM) as ctx:
        service.seed(ctx)
    yield app
    clock.configure(None)


def client_as(app: Flask, part: Cast | None) -> FlaskClient:
    client = app.test_client()
    if part is not None:
        with app.app_context():
            actor = accounts.actor(user_of(part))
        accounts.sign_in(client, actor)
    return client


@pytest.mark.parametrize("path", ["/demo", "/demo/outbox", "/api/v1/demo/clock"])
def test_an_ordinary_installation_has_no_such_pages(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_ordinary_installation_has_no_clock_to_move(app: Flask) -> None:
    with app.app_context():
        from app.actors import Role

        organiser = accounts.user(1, Role.ORGANISER)
    client = app.test_client()
    accounts.sign_in(client, organiser)
    assert client.post("/demo/clock", data={"reset": "1"}).status_code == 404
    headers = accounts.bearer(app, organiser)
    assert client.post("/api/v1/demo/clock", json={"reset": True}, headers=headers).status_code == 404


def test_the_page_signs_in_as_each_role_where_its_work_begins(demonstration: Flask) -> None:
    with demonstration.test_request_context():
        links = sign_in_links()
    page = client_as(demonstration, None).get("/demo").get_data(as_text=True)
    assert [member.part for member, _ in links] == list(Cast)
    for _, link in links:
        assert link.replace("&", "&amp;") in page
        visitor = demonstration.test_client()
        arrived = visitor.get(link, follow_redirects=True)
        assert arrived.status_code == 200, link
        assert arrived.request.path != "/sign-in"


def test_only_the_organiser_sees_the_clock_s_buttons(demonstration: Flask) -> None:
    form = 'action="/demo/clock"'
    assert form not in client_as(demonstration, None).get("/demo").get_data(as_text=True)
    assert form not in client_as(demonstration, Cast.LEADER).get("/demo").get_data(as_text=True)
    assert form in client_as(demonstration, Cast.ORGANISER).get("/demo").get_data(as_text=True)
    refused = client_as(demonstration, Cast.REFEREE).post("/demo/clock", data={"reset": "1"})
    assert refused.status_code == 403
    assert client_as(demonstration, None).post("/demo/clock", data={"reset": "1"}).status_code == 401


@pytest.mark.parametrize("typed", [MOMENT.isoformat(), "2031-03-01T18:00:01"], ids=["zone", "Beijing time"])
def test_the_page_moves_the_clock_and_sets_it_back(demonstration: Flask, typed: str) -> None:
    organiser = client_as(demonstration, Cast.ORGANISER)
    assert organiser.post("/demo/clock", data={"moment": typed}).status_code == 303
    assert MOMENT <= clock.now() < MOMENT + timedelta(seconds=30)
    assert organiser.post("/demo/clock", data={"reset": "1"}).status_code == 303
    assert abs(clock.offset()) < timedelta(seconds=1)


def test_a_moment_that_cannot_be_read_is_named_beside_its_field(demonstration: Flask) -> None:
    organiser = client_as(demonstration, Cast.ORGANISER)
    answer = organiser.post("/demo/clock", data={"moment": "tomorrow"})
    assert answer.status_code == 422
    page = answer.get_data(as_text=True)
    assert 'value="tomorrow"' in page
    assert 'id="f-moment-error"' in page
    assert clock.offset() == timedelta(0)


def test_the_api_moves_the_clock_for_the_organiser_alone(demonstration: Flask) -> None:
    client = demonstration.test_client()
    with demonstration.app_context():
        actors = {part: accounts.actor(user_of(part)) for part in Cast}

    def post(part: Cast | None, body: dict[str, Any]) -> Any:
        headers = accounts.bearer(demonstration, actors[part]) if part else {}
        return client.post("/api/v1/demo/clock", json=body, headers=headers)

    assert post(None, {"reset": True}).status_code == 401
    assert post(Cast.COMMITTEE, {"reset": True}).status_code == 403
    moved = post(Cast.ORGANISER, {"moment": MOMENT.isoformat()})
    assert datetime.fromisoformat(moved.json["now"]) == MOMENT
    assert client.get("/api/v1/demo/clock").json["ahead_seconds"] > 0
    assert post(Cast.ORGANISER, {}).status_code == 422
    assert post(Cast.ORGANISER, {"reset": True}).json["ahead_seconds"] == 0


def test_the_outbox_shows_the_code_that_was_sent_and_masks_the_number(demonstration: Flask) -> None:
    client = demonstration.test_client()
    code = client.post("/api/v1/sign-in/codes", json={"phone": people.phone(77)}).json["code"]
    page = client.get("/demo/outbox").get_data(as_text=True)
    assert code in page
    assert people.phone(77) not in page
