"""The committee's pages: who opens them, the batch, one entry, the recorded look."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.competitions import queries as competitions
from app.registrations import queries
from tests.app.registrations.reading import error_beside, review, text_of
from tests.factories import accounts, people
from tests.factories import registrations as make


@pytest.fixture(autouse=True)
def competition(app: Flask) -> None:
    with app.app_context():
        make.competition()


@pytest.fixture
def waiting(app: Flask) -> queries.ReviewView:
    with app.app_context():
        make.submitted(1, members=2)
    return review(app)[0]


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (None, 403),
        (Role.ORGANISER, 403),
        (Role.CHIEF_REFEREE, 403),
        (Role.REFEREE, 403),
        (Role.COMMITTEE, 200),
    ],
)
def test_only_the_committee_opens_its_pages(
    client: FlaskClient,
    at: Callable[..., Actor],
    waiting: queries.ReviewView,
    role: Role | None,
    status: int,
) -> None:
    at(
        lambda: accounts.user(
            60, *([role] if role else []), competition_id=competitions.competition_id("beach")
        )
    )
    entry = f"/staff/c/beach/entries/{waiting.entry_id}"
    assert client.get("/staff/c/beach/entries").status_code == status
    assert client.get(entry).status_code == status
    assert client.post(f"{entry}/personal-data").status_code == status
    decided = client.post(entry, data={"decision": "approve"})
    assert decided.status_code == (303 if status == 200 else status)
    batch = client.post(
        "/staff/c/beach/decisions",
        data={"decisions-0-entry_id": waiting.entry_id, "decisions-0-decision": "approve"},
    )
    assert batch.status_code == (303 if status == 200 else status)


@pytest.mark.usefixtures("waiting")
def test_committee_pages_ask_a_stranger_to_sign_in(client: FlaskClient) -> None:
    for path in ("/staff/c/beach/entries", "/staff/c/beach/entries/1"):
        answer = client.get(path)
        assert answer.status_code == 401
        assert "组委会" in text_of(answer)


def test_the_committee_approves_all_that_satisfy_in_one_go(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], waiting: queries.ReviewView
) -> None:
    at(make.committee)
    page = text_of(client.get("/staff/c/beach/entries?state=submitted"))
    assert waiting.name in page
    assert "符合资格" in page
    assert "通过全部符合资格的 2 人" in page
    form = dict(re.findall(r'<input type="hidden" name="(decisions-[^"]+)" value="([^"]*)">', page))
    assert len(form) == 6
    assert client.post("/staff/c/beach/decisions", data=form).status_code == 303
    assert [entry.state for entry in review(app)] == ["approved", "approved"]


def test_one_entry_shows_each_rule_with_its_clause_and_no_number_until_asked(
    client: FlaskClient, at: Callable[..., Actor], waiting: queries.ReviewView
) -> None:
    at(make.committee)
    path = f"/staff/c/beach/entries/{waiting.entry_id}"
    page = text_of(client.get(path))
    for clause in ("三(一)1", "三(一)2", "三(一)3", "三(二)1"):
        assert f"规程 {clause}" in page
    assert people.id_number(100) not in page
    shown = client.post(f"{path}/personal-data")
    assert people.id_number(100) in text_of(shown)
    assert "no-store" in shown.headers["Cache-Control"]


def test_a_rejection_without_a_reason_is_refused_beside_the_field(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], waiting: queries.ReviewView
) -> None:
    at(make.committee)
    path = f"/staff/c/beach/entries/{waiting.entry_id}"
    answer = client.post(path, data={"decision": "reject", "reason": " "})
    assert answer.status_code == 422
    assert "原因" in error_beside(text_of(answer), "reason")
    assert {entry.state for entry in review(app)} == {"submitted"}
    sent = client.post(path, data={"decision": "reject", "reason": "不符"})
    assert sent.headers["Location"].endswith(f"/entries/{review(app)[1].entry_id}")
    assert review(app)[0].reason == "不符"


def test_a_page_of_yesterday_cannot_approve_what_was_changed_today(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], waiting: queries.ReviewView
) -> None:
    at(make.committee)
    answer = client.post(
        f"/staff/c/beach/entries/{waiting.entry_id}",
        data={"decision": "approve", "revision": waiting.revision + 1},
    )
    assert answer.status_code == 409
    assert "请刷新名单" in text_of(answer)
    assert review(app)[0].state == "submitted"
