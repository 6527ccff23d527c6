"""A list waits for the mail of its window (来信): an objection that came in time may lie unread when the window is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from app.actors import SYSTEM, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.draws.rules import MailUnreadError
from app.errors import ForbiddenError
from app.extensions import db
from app.mailbox import service as mailbox
from app.mailbox.rules import bind_letters, bound_letters
from app.mailbox.rules.holding import unplaced_until
from app.publications import queries, service
from app.publications.rules import (
    HandReasonError,
    ObjectionsHoldError,
    PublicationState,
    SupersededError,
    WindowRunningError,
)
from app.text import BEIJING
from app.workdays.official import official_calendar
from tests.factories import accounts, draws, mail, publications, registrations

Travel = Callable[[datetime], None]
WINDOW_OVER = publications.WINDOW_OVER
LAST_SECOND = publications.LAST_SECOND
API = "/api/v1/competitions/beach/publications/1/finish"
STAFF = "/staff/c/beach/publication"
WHY = "邮件服务商停机，已电话确认各单位没有寄出异议。"


@pytest.fixture(autouse=True)
def own_letters() -> Iterator[None]:
    before = bound_letters()
    bind_letters(None)
    yield
    bind_letters(before)


def read_to_the_end(begun: datetime | None) -> None:
    with command(SYSTEM) as ctx:
        mailbox.note_success(ctx, "INBOX", begun)


def failing() -> None:
    with command(SYSTEM) as ctx:
        mailbox.note_failure(ctx, "INBOX", "login")


def came(moment: datetime, *, placed: bool = True, headers: str = "", number: int = 1) -> int:
    """A letter that came to its server then, was stored now, and could not be placed with a case."""
    here = competitions.competition("beach").id if placed else None
    bind_letters(mail.Cases(here, takes=False))
    arrived = mailbox.arrive(mail.letter(number, headers=headers), received_at=moment)
    with command(SYSTEM) as ctx:
        incoming_id = mailbox.store(ctx, arrived, own=mail.OWN)
    mail.process(incoming_id)
    return incoming_id


def state(now: datetime = WINDOW_OVER, number: int = 1) -> PublicationState:
    return queries.publication(competitions.competition("beach").event.id, number).status(now).state


def by_hand(reason: str = WHY, number: int = 1) -> None:
    with command(registrations.committee()) as ctx:
        service.finish_by_hand(ctx, competitions.competition("beach").event.id, number, reason=reason)


def test_a_list_waits_until_a_look_into_the_mailbox_began_after_its_window(
    session: Any, travel: Travel, watched: None
) -> None:
    publications.published_field(travel, 3, 1)
    travel(LAST_SECOND)
    assert state(LAST_SECOND) is PublicationState.RUNNING
    travel(WINDOW_OVER)
    for begun in (None, LAST_SECOND):
        read_to_the_end(begun)
        assert publications.finish() == 0
        assert state() is PublicationState.AWAITING_MAIL
        with pytest.raises(MailUnreadError, match="第 1 号名单公示期内的来信"):
            draws.draw()
    event_id = competitions.competition("beach").event.id
    assert set(queries.entry_states(event_id, WINDOW_OVER).values()) == {"in_publication"}
    read_to_the_end(WINDOW_OVER)
    assert publications.finish() == 1
    assert state() is PublicationState.FINAL
    assert len(queries.numbers_of(event_id)) == 3


def test_without_a_mailbox_no_list_waits_for_one(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 3, 1)
    travel(WINDOW_OVER)
    assert publications.finish() == 1


@pytest.mark.usefixtures("session", "watched")
@pytest.mark.parametrize(
    ("moment", "letter", "holds"),
    [
        (LAST_SECOND, {}, True),
        (LAST_SECOND, {"placed": False}, True),
        (publications.AFTER_CLOSING, {}, True),
        (LAST_SECOND, {"placed": False, "headers": "List-Id: <news.example.cn>\r\n"}, False),
        (WINDOW_OVER, {}, False),
        (publications.DEADLINE, {}, False),
    ],
)
def test_letters_that_came_in_the_window_hold_the_list_until_somebody_sorts_them(
    travel: Travel, moment: datetime, letter: dict[str, Any], holds: bool
) -> None:
    publications.published_field(travel, 3, 1)
    travel(WINDOW_OVER + timedelta(minutes=1))
    read_to_the_end(WINDOW_OVER)
    incoming_id = came(moment, **letter)
    assert publications.finish() == (0 if holds else 1)
    if holds:
        sorter = accounts.user(77, Role.COMMITTEE)
        with command(sorter) as ctx:
            mailbox.set_aside(ctx, incoming_id, note="与名单无关。")
        assert publications.finish() == 1


def test_a_letter_of_another_competition_holds_nothing(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 3, 1)
    other = registrations.competition("other")
    travel(WINDOW_OVER)
    bind_letters(mail.Cases(other.id, takes=False))
    mail.processed(mail.letter(1))
    assert publications.finish() == 1


def test_a_letter_against_the_list_before_holds_the_corrected_one(session: Any, travel: Travel) -> None:
    published = publications.published_field(travel, 3, 1)
    sent = datetime.fromisoformat("2021-11-02T09:00:00+08:00")
    travel(sent + timedelta(hours=5))
    publications.supersede(1, [published.entries[0].entry_id])
    travel(WINDOW_OVER)
    came(sent)
    assert publications.finish() == 0
    assert state(number=1) is PublicationState.SUPERSEDED
    assert state(number=2) is PublicationState.AWAITING_MAIL


def test_the_committee_goes_on_by_hand_for_a_reason_on_record(
    session: Any, travel: Travel, watched: None
) -> None:
    published = publications.published_field(travel, 3, 1)
    travel(LAST_SECOND)
    with pytest.raises(WindowRunningError):
        by_hand()
    travel(WINDOW_OVER)
    failing()
    came(LAST_SECOND)
    with pytest.raises(HandReasonError):
        by_hand("  ")
    with publications.held(published.id), pytest.raises(ObjectionsHoldError, match="1 件异议"):
        by_hand()
    with pytest.raises(ForbiddenError), command(accounts.user(7)) as ctx:
        service.finish_by_hand(ctx, published.event_id, 1, reason=WHY)
    by_hand()
    by_hand("再按一次")
    assert state() is PublicationState.FINAL
    assert len(queries.numbers_of(published.event_id)) == 3
    (entry,) = db.session.scalars(select(AuditEntry).where(AuditEntry.action == AuditAction.LIST_FINAL))
    assert (entry.details["reason"], entry.details["unread"], entry.details["letters"]) == (WHY, True, 1)
    publications.supersede(1, [published.entries[0].entry_id])
    with pytest.raises(SupersededError):
        by_hand()


def test_the_board_says_what_a_list_waits_for_and_what_to_do(
    session: Any, travel: Travel, watched: None
) -> None:
    publications.published_field(travel, 3, 1)
    travel(WINDOW_OVER)
    event = competitions.competition("beach").event

    def line(now: datetime) -> tuple[str, bool]:
        (waiting,) = queries.waiting(event, now)
        return str(waiting.text), waiting.to_do

    text, to_do = line(WINDOW_OVER)
    assert "随后自动确认" in text
    assert not to_do
    failing()
    text, to_do = line(WINDOW_OVER + timedelta(minutes=11))
    assert "用户名或密码不对" in text
    assert "手工确认" in text
    assert to_do
    read_to_the_end(WINDOW_OVER)
    came(LAST_SECOND)
    text, to_do = line(WINDOW_OVER)
    assert "1 封来信还没有分拣" in text
    assert to_do


def test_the_pages_say_it_and_the_form_keeps_what_was_typed(
    app: Flask, client: FlaskClient, travel: Travel, watched: None
) -> None:
    with app.app_context():
        publications.published_field(travel, 3, 1)
        committee = registrations.committee()
        travel(WINDOW_OVER)
        failing()
        came(LAST_SECOND, placed=False)
    assert "正在查收公示期内寄来的邮件" in client.get("/c/beach/publications").text
    accounts.sign_in(client, committee)
    page = client.get(STAFF).text
    for sentence in (
        "信箱在期满后还没有查收过：用户名或密码不对",
        "1 封来信看不出是哪个赛事",
        f"{STAFF}/1/finish",
    ):
        assert sentence in page
    assert client.get(f"{STAFF}/1/finish").status_code == 200
    answer = client.post(f"{STAFF}/1/finish", data={"reason": "长" * 501})
    assert answer.status_code == 422
    assert "长" * 501 in answer.text
    assert client.post(f"{STAFF}/1/finish", data={"reason": WHY}).status_code == 303
    assert "公示期满" in client.get("/c/beach/publications").text
    assert "没有在等来信" in client.get(f"{STAFF}/1/finish").text


def test_the_api_does_the_same(app: Flask, client: FlaskClient, travel: Travel, watched: None) -> None:
    with app.app_context():
        publications.published_field(travel, 3, 1)
        headers = accounts.bearer(app, registrations.committee())
    travel(WINDOW_OVER)
    refused = client.post(API, json={"reason": ""}, headers=headers)
    assert refused.status_code == 422
    assert "reason" in str(refused.json["errors"])
    answer = client.post(API, json={"reason": WHY}, headers=headers)
    assert answer.status_code == 200
    assert answer.json["status"]["state"] == "final"
    assert [each["competition_number"] for each in answer.json["entries"]] == [1, 2, 3]


def test_a_letter_of_no_competition_is_waited_for_until_somebody_could_have_sorted_it(
    session: Any, travel: Travel, watched: None
) -> None:
    publications.published_field(travel, 3, 1)
    came(LAST_SECOND, placed=False)
    for moment in (WINDOW_OVER, datetime(2021, 11, 8, 23, 59, 59, tzinfo=BEIJING)):
        travel(moment)  # the window ends on a Friday; Monday is the first day at work after it
        read_to_the_end(moment)
        found = queries.publication(competitions.competition("beach").event.id, 1)
        assert (found.mail.unplaced, found.status(moment).state) == (1, PublicationState.AWAITING_MAIL)
        assert found.mail.unplaced_until == datetime(2021, 11, 9, tzinfo=BEIJING)
        with command(SYSTEM) as ctx:
            assert service.finish_due(ctx) == 0
    travel(datetime(2021, 11, 9, tzinfo=BEIJING))
    with command(SYSTEM) as ctx:
        assert service.finish_due(ctx) == 1


def test_a_letter_of_the_competition_is_waited_for_however_long_it_takes(
    session: Any, travel: Travel, watched: None
) -> None:
    publications.published_field(travel, 3, 1)
    came(LAST_SECOND)
    later = datetime(2021, 11, 20, tzinfo=BEIJING)
    travel(later)
    read_to_the_end(later)
    with command(SYSTEM) as ctx:
        assert service.finish_due(ctx) == 0


@pytest.mark.parametrize(
    ("end", "until"),
    [
        ((2021, 11, 6), (2021, 11, 9)),  # to the end of a Friday: Monday
        ((2021, 11, 4), (2021, 11, 5)),  # to the end of a Wednesday: Thursday
        ((2021, 10, 1), (2021, 10, 9)),  # before National Day: Friday, the 8th
        ((2021, 10, 9), (2021, 10, 10)),  # Saturday the 9th is worked
        ((2031, 3, 3), (2031, 3, 6)),  # a year whose workdays nobody knows: three days
    ],
)
def test_so_long_such_a_letter_is_waited_for(end: tuple[int, int, int], until: tuple[int, int, int]) -> None:
    found = unplaced_until(datetime(*end, tzinfo=BEIJING), official_calendar())
    assert found == datetime(*until, tzinfo=BEIJING)


def test_who_sorts_letters_of_none_is_led_to_them_and_others_read_who_does(
    app: Flask, client: FlaskClient, travel: Travel, watched: None
) -> None:
    with app.app_context():
        publications.published_field(travel, 3, 1)
        came(LAST_SECOND, placed=False)
        travel(WINDOW_OVER)
        read_to_the_end(WINDOW_OVER)
        here = competitions.competition_id("beach")
        committee = accounts.user(78, Role.COMMITTEE, competition_id=here)
        everywhere = accounts.user(77, Role.COMMITTEE)
    accounts.sign_in(client, everywhere)
    page = client.get(STAFF).get_data(as_text=True)
    assert '<a href="/staff/mail">1 封来信看不出是哪个赛事，请分拣或搁置</a>' in page
    assert "最晚等到" in page
    accounts.sign_in(client, committee)
    page = client.get(STAFF).get_data(as_text=True)
    assert "由有全站身份的主办方或组委会分拣" in page
