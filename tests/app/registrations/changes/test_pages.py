"""The pages of a change after the deadline: the leader's and the committee's."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.registrations.rules.changes import ApplicationState
from app.text import BEIJING
from tests.app.registrations.reading import error_beside, text_of, value_of
from tests.app.registrations.stored import mine
from tests.factories import accounts, changes, people, publications, registrations, uploads

Travel = Callable[[datetime], None]
NEW = "/c/beach/my/changes/new/"


@pytest.fixture
def leader(app: Flask, client: FlaskClient, travel: Travel) -> Actor:
    with app.app_context():
        registrations.competition()
        person = registrations.approved(1, members=2)
    travel(changes.LATE)
    accounts.sign_in(client, person)
    return person


def posted(serial: int, **more: Any) -> dict[str, Any]:
    form = {f"members-0-{name}": value for name, value in registrations.member_posted(serial).items()}
    return form | {"reason": "原选手受伤住院", "idempotency_key": f"page-{serial}-key"} | more


def test_the_leader_finds_the_changes_on_his_own_page(client: FlaskClient, leader: Actor) -> None:
    assert "/c/beach/my/changes" in text_of(client.get("/c/beach/my"))
    page = text_of(client.get("/c/beach/my/changes"))
    for kind in ("add", "replace", "correct", "withdraw"):
        assert f"{NEW}{kind}" in page
    chosen = text_of(client.get(f"{NEW}replace"))
    assert "变更谁的报名？" in chosen
    (entry, *_) = re.findall(r"new/replace\?entry=(\d+)", chosen)
    assert "members-0-id_number" in text_of(client.get(f"{NEW}replace?entry={entry}"))


def test_before_the_deadline_the_page_leads_to_the_usual_forms(
    client: FlaskClient, leader: Actor, travel: Travel
) -> None:
    travel(registrations.OPEN)
    page = text_of(client.get("/c/beach/my/changes"))
    assert "现在可以直接修改，不用申请" in page
    assert "clause-" in page
    assert client.get(f"{NEW}add").status_code == 409


def test_what_was_typed_and_sent_stays_when_the_form_is_refused(
    app: Flask, client: FlaskClient, leader: Actor
) -> None:
    with app.app_context():
        token = changes.letter(leader)
    wrong = posted(900, upload=token) | {"members-0-phone": "1"}
    answer = client.post(f"{NEW}add", data=wrong, content_type="multipart/form-data")
    assert answer.status_code == 422
    page = text_of(answer)
    assert error_beside(page, "members-0-phone")
    assert value_of(page, "members-0-name") == people.person_name(900)
    assert value_of(page, "members-0-phone") == "1"
    assert token in page
    assert "原选手受伤住院" in page
    assert value_of(page, "idempotency_key") == "page-900-key"


def test_without_a_letter_the_form_says_so_at_the_field(client: FlaskClient, leader: Actor) -> None:
    answer = client.post(f"{NEW}add", data=posted(900), content_type="multipart/form-data")
    assert answer.status_code == 422
    assert "请上传书面申请的照片或 PDF" in text_of(answer)
    assert "clause-三(四)2" in unquote(text_of(answer))


@pytest.mark.usefixtures("own_store")
def test_from_the_phone_to_the_committee_and_back(
    app: Flask, client: FlaskClient, leader: Actor, tmp_path: Path
) -> None:
    with app.app_context():
        publications.publish()
        token = uploads.ready(leader, "beach", tmp_path, purpose="letter").token
        committee = registrations.committee()
    for _ in range(2):  # a second tap
        sent = client.post(f"{NEW}add", data=posted(900, upload=token), content_type="multipart/form-data")
        assert sent.status_code == 303
        assert sent.location.endswith("/my/changes/1")
    mine = text_of(client.get(sent.location))
    assert "等待答复" in mine
    letter = re.findall(r"/c/beach/changes/1/letter/0/1/thumbnail", mine)
    assert letter
    assert client.get(letter[0]).mimetype == "image/jpeg"
    assert "变更申请中" in text_of(client.get("/c/beach/my"))

    accounts.sign_in(client, committee)
    assert "1 份变更申请等待答复" in text_of(client.get("/staff/c/beach"))
    assert people.person_name(900) in text_of(client.get("/staff/c/beach/changes"))
    page = text_of(client.get("/staff/c/beach/changes/1"))
    assert "符合" in page
    assert people.id_number(900) not in page
    shown = text_of(client.post("/staff/c/beach/changes/1/personal-data"))
    assert registrations.member_form(900)["id_number"] in shown
    empty = client.post("/staff/c/beach/changes/1", data={"grant": "0", "answer": ""})
    assert empty.status_code == 422
    assert error_beside(text_of(empty), "answer")
    assert client.post("/staff/c/beach/changes/1", data={"grant": "1"}).status_code == 303
    again = client.post("/staff/c/beach/changes/1", data={"grant": "0", "answer": "名额已定"})
    assert again.status_code == 409
    assert "这份申请已有结果：已同意" in text_of(again)

    accounts.sign_in(client, leader)
    assert "已同意" in text_of(client.get("/c/beach/my/changes/1"))
    assert "待补充公示" in text_of(client.get("/c/beach/my/changes/1"))


def test_an_application_is_taken_back_from_its_page(app: Flask, client: FlaskClient, leader: Actor) -> None:
    with app.app_context():
        changes.applied(leader, members=[changes.form(900)])
    assert client.post("/c/beach/my/changes/1/take-back").status_code == 303
    assert "已撤回" in text_of(client.get("/c/beach/my/changes"))
    with app.app_context():
        assert changes.view(1).state is ApplicationState.TAKEN_BACK


def test_pages_of_an_application_are_closed_to_everybody_else(
    app: Flask, client: FlaskClient, leader: Actor, travel: Travel
) -> None:
    with app.app_context():
        changes.applied(leader, members=[changes.form(900)])
        travel(registrations.OPEN)
        other = registrations.submitted(2)
    travel(changes.LATE)
    accounts.sign_in(client, other)
    assert client.get("/c/beach/my/changes/1").status_code == 404
    assert client.get("/c/beach/changes/1/letter/0/1/preview").status_code == 403
    assert client.get("/staff/c/beach/changes/1").status_code == 403


def test_who_comes_too_late_is_led_to_the_changes(client: FlaskClient, leader: Actor) -> None:
    for path in ("members", "members/new", "pairs/new"):
        page = text_of(client.get(f"/c/beach/enter/{path}"))
        assert "报名已于" in page
        assert 'href="/c/beach/my/changes"' in page, path
    late = client.post("/c/beach/enter/members/new", data=registrations.member_posted(901))
    assert late.status_code == 409
    page = text_of(late)
    assert 'href="/c/beach/my/changes"' in page
    assert value_of(page, "name") == people.person_name(901), "what was typed stays"


def test_my_page_names_the_changes_that_are_possible_now(
    app: Flask, client: FlaskClient, leader: Actor, travel: Travel
) -> None:
    assert "增加选手、换人、更正姓名或证件号、办理退赛" in text_of(client.get("/c/beach/my"))
    travel(datetime(2021, 12, 6, 9, tzinfo=BEIJING))
    assert "现在不能再变更" in text_of(client.get("/c/beach/my"))


def test_who_handed_nothing_in_reads_why_no_change_is_offered(
    app: Flask, client: FlaskClient, leader: Actor, travel: Travel
) -> None:
    with app.app_context():
        travel(registrations.OPEN)
        other = registrations.leader(2)
    travel(changes.LATE)
    accounts.sign_in(client, other)
    page = text_of(client.get("/c/beach/my/changes"))
    assert "没有可以变更的报名" in page
    assert f"{NEW}add" not in page


def test_the_committee_reads_that_an_application_is_about_a_rejected_entry(
    app: Flask, client: FlaskClient, leader: Actor
) -> None:
    with app.app_context():
        committee = registrations.committee()
        entry_id = mine(leader).entries[0].entry_id
        registrations.decision(committee, entry_id, "reject", "年龄证明不清")
        changes.applied(leader, "correct", members=[changes.form(100, name="更正名")])
        changes.applied(
            leader,
            "correct",
            entry_id=mine(leader).entries[1].entry_id,
            members=[changes.form(101, name="更正名")],
        )
    accounts.sign_in(client, committee)
    page = text_of(client.get("/staff/c/beach/changes/1"))
    assert "这条报名审核没有通过" in page
    assert "年龄证明不清" in page
    assert "审核没有通过" not in text_of(client.get("/staff/c/beach/changes/2"))
