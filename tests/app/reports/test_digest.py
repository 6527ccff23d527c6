"""The committee's digest: at 08:30 of Beijing time on workdays, once, with what is new and what waits, and no names."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from flask import Flask, current_app

from app.actors import Role
from app.commands import command
from app.competitions import queries as competitions
from app.notifications import letters
from app.notifications import service as notifications
from app.notifications.letters import LetterKind
from app.notifications.queries import address_hash
from app.reports import service
from app.reports.rules import digest_due
from app.reports.service import digest as service_digest
from app.reports.service import writing as service_writing
from app.text import BEIJING
from app.workdays.official import official_calendar
from tests.app.documents.test_leaving_races import in_the_middle
from tests.factories import accounts, people, registrations, reports
from tests.factories import competitions as competitions_factory
from tests.factories import publications as publications_factory
from tests.factories.publications import Travel


def at(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=BEIJING)  # type: ignore[misc]  # year, month, day, hour, …


@pytest.mark.parametrize(
    ("moment", "due"),
    [
        (at(2021, 10, 26, 8, 29, 59), False),  # Tuesday, a second too early
        (at(2021, 10, 26, 8, 30), True),
        (at(2021, 10, 26, 23, 59, 59), True),  # the worker came back late on the same day
        (at(2021, 10, 27, 0, 0), False),  # the next day waits for its own hour
        (at(2021, 10, 9, 8, 30), True),  # Saturday that is worked for National Day (国办发明电〔2020〕27号)
        (at(2021, 9, 26, 8, 30), True),  # Sunday that is worked
        (at(2021, 10, 1, 8, 30), False),  # National Day, a Friday
        (at(2021, 10, 30, 8, 30), False),  # a Saturday
        (at(2021, 12, 31, 8, 30), True),
        (at(2022, 1, 3, 8, 30), False),  # Monday of the New Year holiday
        (at(2022, 1, 4, 8, 30), True),
    ],
    ids=str,
)
def test_a_digest_is_due_from_half_past_eight_on_workdays(moment: datetime, due: bool) -> None:
    assert digest_due(official_calendar(), moment).due is due


def test_in_a_year_without_a_calendar_no_day_is_guessed_to_be_free() -> None:
    unknown = max(official_calendar().years) + 1
    found = digest_due(official_calendar(), at(unknown, 5, 2, 8, 30))
    assert (found.due, found.unknown_year) == (True, unknown)
    assert not digest_due(official_calendar(), at(unknown, 5, 2, 8, 29)).due


def test_the_digest_counts_what_is_new_and_what_waits_and_names_nobody(session: Any, travel: Travel) -> None:
    publications_factory.field(4, 2, approve=False)
    address = reports.committee_mailbox()
    travel(at(2021, 10, 26, 8, 30))
    assert reports.digest() == 1
    [letter] = reports.letters(LetterKind.DIGEST)
    assert letter.recipient == address
    assert "新报名：4 份" in letter.body
    assert "4 名队员等待审核" in letter.body
    assert not [serial for serial in range(1, 5) if people.person_name(serial) in letter.body]
    assert reports.digest() == 0, "once a day"


def test_a_later_digest_counts_only_what_came_since(session: Any, travel: Travel) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2021, 10, 26, 8, 30))
    reports.digest()
    registrations.submitted(30, 1)
    travel(at(2021, 10, 27, 8, 30))
    reports.digest()
    assert "新报名：1 份" in reports.letters(LetterKind.DIGEST)[-1].body


def test_a_worker_that_was_down_writes_it_later_that_day_and_yesterday_s_never(
    session: Any, travel: Travel
) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2021, 10, 26, 23, 59))
    assert reports.digest() == 1
    travel(at(2021, 10, 27, 0, 1))
    assert reports.digest() == 0
    travel(at(2021, 10, 28, 15, 0))  # down all of the 27th
    assert reports.digest() == 1
    assert [letter.subject[-15:-4] for letter in reports.letters(LetterKind.DIGEST)] == [
        "2021年10月26日",
        "2021年10月28日",
    ]


def test_with_nothing_to_say_there_is_no_letter_and_none_later_that_day(session: Any, travel: Travel) -> None:
    registrations.competition()
    reports.committee_mailbox()
    travel(at(2021, 10, 26, 8, 30))
    assert reports.digest() == 0
    registrations.submitted(30, 1)
    travel(at(2021, 10, 26, 15, 0))
    assert reports.digest() == 0
    travel(at(2021, 10, 27, 8, 30))
    assert reports.digest() == 1


def test_a_window_that_ends_today_stands_first(session: Any, travel: Travel) -> None:
    publications_factory.published_field(travel, 3, 1)
    reports.committee_mailbox()
    travel(at(2021, 11, 5, 8, 30))  # Friday, the fifth workday
    reports.digest()
    [letter] = reports.letters(LetterKind.DIGEST)
    assert "今天到期：第 1 号名单今天公示期满：2021年11月5日（周五）24:00" in letter.body


def test_the_last_day_of_entries_is_named(session: Any, travel: Travel) -> None:
    by = competitions_factory.organiser()
    competitions_factory.competition(
        by, slug="beach", calendar={"registration_closes": at(2021, 10, 29, 18, 0)}
    )
    reports.committee_mailbox()
    travel(at(2021, 10, 29, 8, 30))
    reports.digest()
    assert "报名今天截止：2021年10月29日（周五）18:00" in reports.letters(LetterKind.DIGEST)[0].body


def test_each_member_of_the_committee_reads_it_in_his_language_and_a_referee_does_not(
    session: Any, travel: Travel
) -> None:
    publications_factory.field(4, 2, approve=False)
    zh = reports.committee_mailbox()
    beach = competitions.competition_id("beach")
    en = reports.mailbox(accounts.user(9300, Role.COMMITTEE, competition_id=beach), "en")
    referee = reports.mailbox(accounts.user(9301, Role.REFEREE, competition_id=beach))
    travel(at(2021, 10, 26, 8, 30))
    assert reports.digest() == 2
    assert "New entries: 4" in reports.letters(LetterKind.DIGEST, en)[0].body
    assert "新报名：4 份" in reports.letters(LetterKind.DIGEST, zh)[0].body
    assert reports.letters(LetterKind.DIGEST, referee) == []


def test_who_stopped_such_mail_gets_none(session: Any, travel: Travel) -> None:
    publications_factory.field(4, 2, approve=False)
    hashed = address_hash(reports.committee_mailbox())
    assert hashed is not None
    with command(registrations.committee()) as ctx:
        notifications.stop(ctx, {hashed})
    travel(at(2021, 10, 26, 8, 30))
    reports.digest()
    assert reports.letters(LetterKind.DIGEST) == []


def test_a_year_without_a_calendar_is_named_in_the_letter(session: Any, travel: Travel) -> None:
    unknown = max(official_calendar().years) + 1
    travel(at(unknown - 1, 11, 2, 12))
    by = accounts.user(registrations.ORGANISER, Role.ORGANISER)
    competitions_factory.competition(
        by,
        slug="beach",
        calendar={
            "notice": at(unknown - 1, 11, 1).date(),
            "registration_opens": at(unknown - 1, 11, 1, 0, 0),
            "registration_closes": at(unknown - 1, 12, 11, 18, 0),
            "check_in": at(unknown - 1, 12, 28).date(),
            "play_from": at(unknown - 1, 12, 29).date(),
            "play_to": at(unknown - 1, 12, 30).date(),
            "leave_by": at(unknown - 1, 12, 31, 12, 0),
        },
    )
    registrations.submitted(1, 2)
    reports.committee_mailbox()
    travel(at(unknown, 1, 1, 8, 30))
    assert reports.digest() == 1
    body = reports.letters(LetterKind.DIGEST)[0].body
    assert f"没有 {unknown} 年的官方工作日安排" in body
    assert f"/staff/workdays?year={unknown}" in body


def test_a_competition_long_over_has_no_digest(session: Any, travel: Travel) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2022, 3, 1, 8, 30))
    assert reports.digest() == 0


def send_now() -> int:
    with command(registrations.committee()) as ctx:
        return service.send_now(
            ctx,
            competitions.competition_id("beach"),
            prepared={},
            waits=current_app.extensions["saishi_waiting"],
            report_minutes=30,
        )


def test_a_digest_that_is_sent_for_before_its_hour_does_not_use_up_that_of_the_day(
    session: Any, travel: Travel
) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2021, 10, 26, 8, 0))
    assert send_now() == 1
    assert send_now() == 0, "the same is not told twice before the hour"
    registrations.submitted(30, 1)
    travel(at(2021, 10, 26, 8, 30))
    assert reports.digest() == 1
    early, of_the_day = reports.letters(LetterKind.DIGEST)
    assert "新报名：4 份" in early.body
    assert "新报名：1 份" in of_the_day.body
    assert send_now() == 0
    assert reports.digest() == 0


def test_a_digest_that_is_sent_for_after_its_hour_is_that_of_the_day(session: Any, travel: Travel) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2021, 10, 26, 8, 30))
    assert send_now() == 1
    assert reports.digest() == 0


def test_one_sent_for_on_a_day_off_takes_nothing_from_the_next_workday(session: Any, travel: Travel) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2021, 10, 30, 9, 0))  # a Saturday
    assert send_now() == 1
    travel(at(2021, 11, 1, 8, 30))
    assert reports.digest() == 1


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_of_two_workers_at_once_one_writes_the_digest(
    app: Flask, session: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    publications_factory.field(4, 2, approve=False)
    reports.committee_mailbox()
    travel(at(2021, 10, 26, 8, 30))
    # both found the competition due; the second asks while the first has the day and has not written yet
    place = (service_digest, "open_cases")
    assert in_the_middle(app, monkeypatch, reports.digest, place, reports.digest) == [1, 0]
    assert len(reports.letters(LetterKind.DIGEST)) == 1


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_of_a_worker_and_whoever_sends_for_it_at_once_one_tells_each_report(
    app: Flask, session: Any, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    publications_factory.published_field(travel, 3, 1)
    reports.mailbox(registrations.leader(1, with_unit=False))
    place = (service_writing.accounts, "recipient")
    first, second = in_the_middle(app, monkeypatch, reports.write, place, send_now)
    told = len(reports.letters(LetterKind.LIST_PUBLISHED))
    assert (told, first) == (1, 1)
    assert second == len(reports.letters(LetterKind.ENTRY_DECIDED))


def test_where_there_are_several_events_an_english_letter_names_them_in_english(
    session: Any, travel: Travel
) -> None:
    competition = publications_factory.field(4, 2, approve=False)
    occasion = service_writing.Occasion(
        LetterKind.LIST_PUBLISHED, "x", replace(competition, events=competition.events * 2), competition.event
    )
    event = service_writing.heading(occasion)["event"]
    assert not re.search("[\u4e00-\u9fff]", letters.translate(event, "en"))
