"""The leader's pages: from the notice to the receipt, and refused forms that lose nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.clock import BEIJING
from app.competitions import queries as competitions
from app.documents.rules import PURPOSES
from app.registrations import queries
from app.regulations import library
from app.regulations.rules import Regulation
from tests.app.registrations.reading import error_beside, review, text_of, value_of
from tests.factories import accounts, people
from tests.factories import registrations as make

TOO_LATE = datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING)


@pytest.fixture(autouse=True)
def competition(app: Flask) -> None:
    with app.app_context():
        make.competition()


def regulation() -> Regulation:
    return library.load("beach-games-landlord-2021")


def test_a_leader_goes_from_the_notice_to_the_receipt(
    app: Flask, client: FlaskClient, at: Callable[..., Actor]
) -> None:
    at(accounts.user, 1)
    assert client.get("/c/beach/enter").headers["Location"] == "/c/beach/enter/notice"
    notice = text_of(client.get("/c/beach/enter/notice"))
    for part in ("谁在收集", "收集什么", "为什么", "谁能看到", "保存多久", "90 天", "2022年3月6日"):
        assert part in notice
    for right in ("查阅", "复制", "更正", "删除或撤回同意", "投诉"):
        assert right in notice
    assert 'href="/c/beach/my/data"' in notice
    for rule in regulation().documents:  # why each document is asked for
        assert str(PURPOSES[rule.kind]) in notice
    assert client.post("/c/beach/enter/notice", data={"agreed": "1"}).status_code == 303
    assert client.get("/c/beach/enter").headers["Location"] == "/c/beach/enter/unit"
    assert value_of(text_of(client.get("/c/beach/enter/unit")), "contact_phone") == people.phone(1)
    saved = client.post("/c/beach/enter/unit", data=make.unit_form(1))
    assert saved.headers["Location"] == "/c/beach/enter/members"
    assert "还没有队员" in text_of(client.get("/c/beach/enter/members"))
    for serial in (1, 2):
        added = client.post("/c/beach/enter/members/new", data=make.member_posted(serial))
        assert added.headers["Location"] == "/c/beach/enter/members"
    assert client.get("/c/beach/enter").headers["Location"] == "/c/beach/enter/members"
    check = text_of(client.get("/c/beach/enter/check"))
    assert "这次提交 2 人" in check
    key = value_of(check, "idempotency_key")
    for _ in range(2):
        sent = client.post("/c/beach/enter/check", data={"idempotency_key": key})
        assert sent.headers["Location"] == "/c/beach/enter/receipt"
    receipt = text_of(client.get("/c/beach/enter/receipt"))
    assert re.search(r"BG-\d{4}", receipt)
    assert "第 1 版" in receipt
    assert "/c/beach/regulation/versions/1" in receipt
    assert "/c/beach/my/qr.svg" in receipt
    assert client.get("/c/beach/my/qr.svg").mimetype == "image/svg+xml"
    assert client.get("/c/beach/enter").headers["Location"] == "/c/beach/enter/receipt"
    assert "审核中" in text_of(client.get("/c/beach/my"))
    assert [entry.state for entry in review(app)] == ["submitted", "submitted"]


def test_steps_that_are_not_reached_lead_back(client: FlaskClient, at: Callable[..., Actor]) -> None:
    at(accounts.user, 1)
    for step in ("unit", "members", "members/new", "check", "receipt"):
        assert client.get(f"/c/beach/enter/{step}").headers["Location"] == "/c/beach/enter", step


def test_not_ticking_the_notice_is_said_beside_the_box(
    client: FlaskClient, at: Callable[..., Actor], counted: Callable[[], dict[str, int]]
) -> None:
    at(accounts.user, 1)
    answer = client.post("/c/beach/enter/notice", data={})
    assert answer.status_code == 422
    assert "同意" in error_beside(text_of(answer), "agreed")
    assert counted()["Consent"] == 0


def test_a_refused_unit_keeps_what_was_typed(
    client: FlaskClient, at: Callable[..., Actor], counted: Callable[[], dict[str, int]]
) -> None:
    at(make.leader, with_unit=False)
    form = make.unit_form(1, credit_code=people.credit_code(1)[:-1] + "I", contact_phone="12")
    answer = client.post("/c/beach/enter/unit", data=form)
    page = text_of(answer)
    assert answer.status_code == 422
    assert {name: value_of(page, name) for name in form} == form
    assert error_beside(page, "credit_code")
    assert error_beside(page, "contact_phone")
    assert not error_beside(page, "name")
    assert counted()["Unit"] == 0


def test_a_unit_of_another_leader_is_refused_without_naming_them(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], counted: Callable[[], dict[str, int]]
) -> None:
    with app.app_context():
        make.leader(2)
    at(make.leader, 1, with_unit=False)
    form = make.unit_form(2, name="我们的厂", contact_name="赵领队", contact_phone=people.phone(1))
    answer = client.post("/c/beach/enter/unit", data=form)
    page = text_of(answer)
    assert answer.status_code == 422
    assert "另一位领队" in error_beside(page, "credit_code")
    assert "联系组委会" in page
    assert value_of(page, "name") == "我们的厂"
    assert people.phone(2) not in page
    assert people.person_name(2) not in page
    assert counted()["Unit"] == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"id_number": people.id_number(1, date(2004, 1, 1))}, ("id_number", "三(一)1")),
        ({"id_number": people.id_number(1)[:-1] + "Y"}, ("id_number", "18 位")),
        ({"employment": "part_time"}, ("employment", "三(一)3")),
        ({"employment": "dispatched"}, ("employment", "三(一)3")),
        ({"employment": "seconded"}, ("employment", "三(一)3")),
        ({"name": "赵1"}, ("name", "数字")),
        ({"phone": "123"}, ("phone", "手机号")),
    ],
)
def test_a_refused_member_keeps_what_was_typed(
    client: FlaskClient,
    at: Callable[..., Actor],
    counted: Callable[[], dict[str, int]],
    changes: dict[str, str],
    said: tuple[str, str],
) -> None:
    at(make.leader)
    form = make.member_posted(1, **changes)
    answer = client.post("/c/beach/enter/members/new", data=form)
    page = text_of(answer)
    assert answer.status_code == 422
    field, part = said
    assert part in error_beside(page, field)
    assert {name: value_of(page, name) for name in ("name", "id_number", "phone")} == {
        name: form[name] for name in ("name", "id_number", "phone")
    }
    assert re.search(rf'value="{form["employment"]}" checked', page)
    assert counted()["Member"] == counted()["Entry"] == 0


def test_a_duplicate_person_is_refused_beside_the_number(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], counted: Callable[[], dict[str, int]]
) -> None:
    with app.app_context():
        make.member(make.leader(2), 5)
    at(make.leader, 1)
    answer = client.post("/c/beach/enter/members/new", data=make.member_posted(5, name="另一个名"))
    page = text_of(answer)
    assert answer.status_code == 422
    assert "其他单位" in error_beside(page, "id_number")
    assert value_of(page, "name") == "另一个名"
    assert "第2机械厂" not in page
    assert counted()["Member"] == 1


def test_a_member_sent_too_late_is_refused_with_clause_and_next_step_and_keeps_what_was_typed(
    client: FlaskClient,
    at: Callable[..., Actor],
    travel: Callable[[datetime], None],
    counted: Callable[[], dict[str, int]],
) -> None:
    at(make.leader)
    travel(TOO_LATE)
    answer = client.post("/c/beach/enter/members/new", data=make.member_posted(1))
    page = text_of(answer)
    assert answer.status_code == 409
    assert "报名已于2021年10月31日（周日）18:00截止" in page
    assert "规程 三(三)1" in page
    assert "书面申请" in page
    assert value_of(page, "name") == people.person_name(1)
    assert counted()["Member"] == 0


def test_after_the_deadline_the_door_leads_a_registered_leader_to_my_and_tells_others(
    app: Flask, client: FlaskClient, at: Callable[..., Actor], travel: Callable[[datetime], None]
) -> None:
    at(make.submitted, 1)
    travel(TOO_LATE)
    assert client.get("/c/beach/enter").headers["Location"] == "/c/beach/my"
    my = text_of(client.get("/c/beach/my"))
    assert "添加或修改队员" not in my
    for step in ("unit", "members", "members/new", "check"):
        assert client.get(f"/c/beach/enter/{step}").status_code == 409, step
    # whoever has data here reads his rights as long as it is kept
    assert "您和队员的权利" in text_of(client.get("/c/beach/enter/notice"))
    assert client.get("/c/beach/enter/receipt").status_code == 200
    at(accounts.user, 5)
    late = client.get("/c/beach/enter")
    assert late.status_code == 409
    assert "三(三)1" in text_of(late)


def test_the_edit_form_shows_numbers_masked_and_keeps_them_when_left_empty(
    app: Flask, client: FlaskClient, at: Callable[..., Actor]
) -> None:
    person = at(make.submitted, 1)
    [entry] = review(app)
    with app.app_context():
        assert person.user_id is not None
        [member] = queries.my(person.user_id, competitions.competition("beach")).members
    page = text_of(client.get(f"/c/beach/enter/members/{member.id}"))
    assert value_of(page, "id_number") == value_of(page, "phone") == ""
    assert member.id_number_masked in page
    assert people.id_number(100) not in page
    form = make.member_posted(1, name="赵改名", id_number="", phone="")
    assert client.post(f"/c/beach/enter/members/{member.id}", data=form).status_code == 303
    [changed] = review(app)
    assert (changed.name, changed.revision) == ("赵改名", entry.revision + 1)


def test_a_rejected_member_is_shown_with_the_reason_and_the_way_to_correct_it(
    app: Flask, client: FlaskClient, at: Callable[..., Actor]
) -> None:
    at(make.submitted, 1)
    [entry] = review(app)
    with app.app_context():
        make.decision(make.committee(), entry.entry_id, "reject", "单位不符")
    page = text_of(client.get("/c/beach/my"))
    assert "单位不符" in page
    link = re.search(r'/c/beach/enter/members/\d+"', page)
    assert link is not None
    assert "单位不符" in text_of(client.get(link[0].rstrip('"')))


def test_a_removed_member_leaves_the_list(
    client: FlaskClient, at: Callable[..., Actor], counted: Callable[[], dict[str, int]]
) -> None:
    at(make.leader)
    client.post("/c/beach/enter/members/new", data=make.member_posted(1))
    link = re.search(r"/c/beach/enter/members/\d+", text_of(client.get("/c/beach/enter/members")))
    assert link is not None
    assert client.post(f"{link[0]}/remove").status_code == 303
    assert counted()["Member"] == 0
