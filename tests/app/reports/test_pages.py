"""The staff's page and the API: which reports went out, sending for them, and the final report as files."""

from __future__ import annotations

import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openpyxl import load_workbook

from app import clock
from app.actors import SYSTEM, Role
from app.commands import command
from app.competitions import queries as competitions
from app.extensions import db
from app.notifications.letters import LetterKind
from app.notifications.rules import MessageState
from app.publications import queries as lists
from app.publications import service as lists_service
from app.standings import queries as standings
from app.standings import service as standings_service
from tests.factories import accounts, people, publications, registrations, reports
from tests.factories import results as results_factory
from tests.factories.publications import Travel

PAGE = "/staff/c/beach/reports"
API = "/api/v1/competitions/beach/reports"


@pytest.fixture
def published(app: Flask, travel: Travel) -> None:
    with app.app_context():
        publications.published_field(travel, 3, 1)
        reports.mailbox(registrations.leader(1, with_unit=False))
        reports.committee_mailbox()
        reports.write()


def sign_in(app: Flask, client: FlaskClient, role: Role | None = None) -> None:
    with app.app_context():
        beach = competitions.competition_id("beach")
        person = (
            registrations.committee() if role is None else accounts.user(9200, role, competition_id=beach)
        )
    accounts.sign_in(client, person)


def test_the_page_says_what_went_out_and_names_nobody(
    app: Flask, client: FlaskClient, published: None
) -> None:
    sign_in(app, client)
    page = client.get(PAGE).get_data(as_text=True)
    assert "名单公示" in page
    assert "读者 1 人，写信 1 封，发出 0 封" in page
    assert people.person_name(1) not in page
    assert "example.org" not in page
    assert client.get(f"{PAGE}?language=en").status_code == 200


def test_a_letter_that_came_back_is_not_counted_as_sent(
    app: Flask, client: FlaskClient, published: None
) -> None:
    with app.app_context():
        [letter] = reports.letters(LetterKind.LIST_PUBLISHED)
        letter.state, letter.sent_at = MessageState.SENT.value, clock.now()
        db.session.commit()
    sign_in(app, client)
    assert "写信 1 封，发出 1 封" in client.get(PAGE).get_data(as_text=True)
    with app.app_context():
        [letter] = reports.letters(LetterKind.LIST_PUBLISHED)
        letter.bounced_at, letter.bounce = clock.now(), "550 no such mailbox"
        db.session.commit()
    assert "写信 1 封，发出 0 封，退信 1 封" in client.get(PAGE).get_data(as_text=True)


def test_sending_now_does_not_wait_for_the_hour_and_tells_nothing_twice(
    app: Flask, client: FlaskClient, published: None
) -> None:
    sign_in(app, client)
    assert client.post(PAGE).status_code == 303
    with app.app_context():
        assert len(reports.letters(LetterKind.DIGEST)) == 1
        assert len(reports.letters(LetterKind.LIST_PUBLISHED)) == 1
    client.get(PAGE)  # the first answer
    assert client.post(PAGE).status_code == 303
    assert "该发的都发过了" in client.get(PAGE).get_data(as_text=True)


def test_whoever_cannot_be_reached_is_no_letter_and_the_page_says_why(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        publications.field(4, 2, approve=False)
    sign_in(app, client)
    client.post(PAGE)
    page = client.get(PAGE).get_data(as_text=True)
    assert "没有信要发" in page
    assert "读者 1 人，写信 0 封，发出 0 封" in page
    assert "1 人没有确认过的邮箱，或不收这类邮件" in page


def test_the_api_does_the_same(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        publications.field(4, 2, approve=False)
        reports.committee_mailbox()
        person = registrations.committee()
        headers = accounts.bearer(app, person)
    assert client.post(API, headers=headers).get_json() == {"letters": 1}
    assert client.post(API, headers=headers).get_json() == {"letters": 0}
    told = client.get(API, headers=headers).get_json()
    assert told["over"] is False
    assert [(row["kind"], row["readers"], row["letters"]) for row in told["reports"]] == [("digest", 1, 1)]


@pytest.mark.parametrize("role", [Role.REFEREE, Role.CHIEF_REFEREE])
def test_only_the_organiser_and_the_committee_see_it(
    app: Flask, client: FlaskClient, published: None, role: Role
) -> None:
    sign_in(app, client, role)
    for path in (PAGE, f"{PAGE}/beach-games-landlord-2021/final.pdf"):
        assert client.get(path).status_code == 403
    assert client.post(PAGE).status_code == 403


def test_before_the_end_there_is_no_final_report_and_nothing_else_at_its_address(
    app: Flask, client: FlaskClient, published: None
) -> None:
    sign_in(app, client)
    with app.app_context():
        code = competitions.competition("beach").event.code
    answer = client.get(f"{PAGE}/{code}/final.pdf")
    assert answer.status_code == 404
    assert "比赛还没有结束" in answer.get_data(as_text=True)
    assert client.get(f"{PAGE}/{code}/final.exe").status_code == 404
    assert client.get(f"{PAGE}/nothing/final.pdf").status_code == 404


def _played_to_the_end(event_id: int) -> None:
    """Every stage drawn and confirmed, from the drawn prelim on."""
    while True:
        results_factory.all_confirmed(event_id)
        with command(SYSTEM) as ctx:
            standings_service.recompute(ctx, event_id)
        if standings.stage_board(event_id).next_step.to_draw is None:
            return
        with command(registrations.committee()) as ctx:
            standings_service.draw_stage(ctx, event_id)


def test_the_final_report_is_downloaded_with_lists_and_hashes(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        results_factory.prelim(travel, 9)
        event = competitions.competition("beach").event
        _played_to_the_end(event.id)
        code = event.code
        listed_sha256 = lists.publication(event.id, 1).sha256
        snapshot: Any = standings.latest(event.id)
    sign_in(app, client)
    page = client.get(PAGE).get_data(as_text=True)
    assert f"{PAGE}/{code}/final.xlsx" in page
    answer = client.get(f"{PAGE}/{code}/final.xlsx")
    assert answer.status_code == 200
    book = load_workbook(BytesIO(answer.data))
    facts = {row[0]: row[1] for row in book["报告说明"].iter_rows(values_only=True)}
    assert facts["赛事文件 SHA-256"] == snapshot.input_sha256
    assert facts["异议"] == 0
    [listed] = list(book["公示名单"].iter_rows(min_row=2, values_only=True))
    assert listed[-1] == listed_sha256
    pdf = client.get(f"{PAGE}/{code}/final.pdf")
    assert pdf.data.startswith(b"%PDF")
    english = client.get(f"{PAGE}/{code}/final.xlsx?lang=en")
    told = {row[0]: row[1] for row in load_workbook(BytesIO(english.data))["About this report"].values}
    assert told["Event"] == "Open individual"
    assert "Open individual" in client.get(PAGE).get_data(as_text=True)


def test_no_two_rows_of_the_page_read_alike(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        publications.field(6, 3)
        for serial in (1, 2, 3):
            reports.mailbox(registrations.leader(serial, with_unit=False))
        reports.committee_mailbox()
        travel(clock.now() + timedelta(hours=2))
        reports.write()
        travel(publications.AFTER_CLOSING)
        publications.publish()
        reports.write()
        travel(publications.WINDOW_OVER + timedelta(minutes=1))
        with command(SYSTEM) as ctx:
            lists_service.finish_due(ctx)
        reports.write()
    sign_in(app, client)
    client.post(PAGE)
    page = client.get(PAGE).get_data(as_text=True)
    heads = re.findall(r"<li class=\"weui-cell\" data-report=.*?<span>(.*?)</span>", page, re.DOTALL)
    assert len(heads) == len(set(heads)) == 4
    for said in ("第 1 号名单开始公示", "第 1 号名单公示期满", "提前发送"):
        assert sum(said in head for head in heads) == 1
    assert page.count("报名审核结果") == 1, "three leaders were told in one go"
    assert "读者 3 人，写信 3 封" in page
