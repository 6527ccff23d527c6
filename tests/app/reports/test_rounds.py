"""Results of rounds to leaders, and the final report to the organiser: once complete, once told, and what a correction changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from openpyxl import load_workbook
from pypdf import PdfReader

from app.actors import SYSTEM
from app.commands import command
from app.competitions import queries as competitions
from app.draws.queries import RoundView
from app.jobs import Job
from app.notifications.letters import LetterKind
from app.notifications.models import MailFile
from app.reports.rules import LOOK_BACK
from app.results import service as results_service
from app.standings import queries as standings
from app.standings import service as standings_service
from tasks import notifications as mail_tasks
from tasks import reports as report_tasks
from tests.factories import people, registrations, reports, rounds
from tests.factories import results as results_factory
from tests.factories.publications import Travel
from tests.factories.rounds import PLAY, SLUG
from tests.mail_servers import Handler, server

HALF_HOUR = timedelta(minutes=30)
LEADERS = (1, 2, 3)


def event_id() -> int:
    return competitions.competition(SLUG).event.id


def recompute() -> None:
    with command(SYSTEM) as ctx:
        standings_service.recompute(ctx, event_id())


def mailboxes(language: str = "zh") -> list[str]:
    return [reports.mailbox(registrations.leader(each, SLUG, with_unit=False), language) for each in LEADERS]


def played_round() -> RoundView:
    round_ = rounds.drawn()
    rounds.played(round_)
    recompute()
    return round_


def correct(round_: RoundView, place: int = 0) -> None:
    """The other seat of a table won after all."""
    table = round_.tables[place]
    with command(results_factory.chief(SLUG)) as ctx:
        results_service.reopen(ctx, table.token, reason="记分员抄错", sent=results_factory.sent(table))
    rounds.confirmed(table, winner=results_factory.seats(table)[1])
    recompute()


def names_of_unit(serial: int) -> list[str]:
    return [people.person_name(serial * 100 + number) for number in range(2)]


def test_a_round_is_told_once_every_table_is_confirmed_and_computed(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    addresses = mailboxes()
    round_ = rounds.drawn()
    for table in round_.tables[:-1]:
        rounds.confirmed(table)
    recompute()
    assert reports.write() == 0, "a table is still at play"
    rounds.confirmed(round_.tables[-1])
    assert reports.write() == 0, "not computed yet"
    recompute()
    assert reports.write() == 3
    for serial, address in zip(LEADERS, addresses, strict=True):
        [letter] = reports.letters(LetterKind.ROUND_RESULTS, address)
        assert letter.subject == "演练赛 积分编排第 1 轮成绩"
        for name in names_of_unit(serial):
            assert f"- {name}：" in letter.body
        others = [name for other in LEADERS if other != serial for name in names_of_unit(other)]
        assert not [name for name in others if name in letter.body]
    assert reports.write() == 0


def test_the_letter_says_points_and_rank_in_the_reader_s_language(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    addresses = mailboxes("en")
    played_round()
    reports.write()
    body = reports.letters(LetterKind.ROUND_RESULTS, addresses[0])[0].body
    assert "Match points 2" in body or "Match points 0" in body
    assert "Your members" in body


def test_a_correction_is_told_again_with_what_changed_but_not_before_half_an_hour(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel)
    mailboxes()
    round_ = played_round()
    assert reports.write() == 3
    travel(PLAY + timedelta(minutes=10))
    correct(round_)
    assert reports.write() == 0, "no storm"
    travel(PLAY + timedelta(minutes=20))
    correct(round_, 1)
    assert reports.write() == 0
    travel(PLAY + HALF_HOUR)
    assert reports.write() == 3
    again = reports.letters(LetterKind.ROUND_RESULTS)[3:]
    assert {letter.subject for letter in again} == {"演练赛 积分编排第 1 轮成绩有更正"}
    loser = round_.tables[0].seats[0].name
    own = next(letter for letter in again if f"- {loser}：" in letter.body)
    assert f"- {loser}：场分由 2 改为 0" in own.body or f"- {loser}：积分由 2 改为 0" in own.body
    assert f"- {loser}：名次由" in own.body
    assert reports.write() == 0


def test_a_correction_that_is_taken_back_in_time_is_never_told(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    mailboxes()
    round_ = played_round()
    reports.write()
    travel(PLAY + timedelta(minutes=10))
    correct(round_)
    table = round_.tables[0]
    with command(results_factory.chief(SLUG)) as ctx:
        results_service.reopen(ctx, table.token, reason="原来是对的", sent=results_factory.sent(table))
    rounds.confirmed(table)
    recompute()
    travel(PLAY + HALF_HOUR)
    assert reports.write() == 0


def test_the_next_round_does_not_tell_the_one_before_again(session: Any, travel: Travel) -> None:
    rounds.field(travel)
    mailboxes()
    played_round()
    reports.write()
    travel(PLAY + timedelta(hours=2))
    second = rounds.drawn()
    rounds.confirmed(second.tables[0])
    recompute()
    assert reports.write() == 0
    for table in second.tables[1:]:
        rounds.confirmed(table)
    recompute()
    assert reports.write() == 3
    assert {letter.subject for letter in reports.letters(LetterKind.ROUND_RESULTS)[3:]} == {
        "演练赛 积分编排第 2 轮成绩"
    }


def test_a_round_of_last_week_is_not_told_by_an_installation_that_learns_to(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel)
    mailboxes()
    played_round()
    travel(PLAY + LOOK_BACK)
    second = rounds.drawn()
    rounds.confirmed(second.tables[0])
    recompute()
    assert reports.write() == 0


def test_the_files_hold_the_whole_table_and_are_stored_once_for_all_readers(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel)
    mailboxes()
    played_round()
    reports.write()
    files = session.query(MailFile).order_by(MailFile.id).all()
    assert [each.media_type.rpartition(".")[2] for each in files] == ["application/pdf", "sheet"]
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(files[0].content)).pages)
    page = load_workbook(BytesIO(files[1].content))["名次"]
    rows = list(page.iter_rows(values_only=True))
    assert [row[0] for row in rows[1:]] == [
        each["rank"]
        for each in standings.latest(event_id()).result["placings"]  # type: ignore[union-attr]  # just made
    ]
    assert page.freeze_panes == "A2"
    for serial in LEADERS:
        for name in names_of_unit(serial):
            assert name in text
            assert name in [row[1] for row in rows]


def over(travel: Travel) -> list[RoundView]:
    """The event played to its end, a round an hour."""
    made = []
    for number in range(20):
        travel(PLAY + timedelta(hours=number))
        board = standings.stage_board(event_id())
        if board.next_step.to_draw is None:
            break
        made.append(played_round())
    return made


def test_the_organiser_gets_the_final_report_after_the_last_round_and_again_when_corrected(
    session: Any, travel: Travel
) -> None:
    rounds.field(travel, entrants=8, unit=1)
    mailboxes()
    organiser = reports.committee_mailbox(SLUG)
    played = over(travel)
    assert standings.latest(event_id()).result["complete"]  # type: ignore[union-attr]  # just made
    reports.write()
    [letter] = reports.letters(LetterKind.FINAL_REPORT)
    assert letter.recipient == organiser
    assert "名次表人数：8" in letter.body
    snapshot = standings.latest(event_id())
    assert snapshot is not None
    assert snapshot.input_sha256 in letter.body
    assert reports.write() == 0
    travel(PLAY + timedelta(hours=40))
    correct(played[-1])
    reports.write()
    assert reports.letters(LetterKind.FINAL_REPORT)[-1].subject == "演练赛 总结报告（更正）"


@contextmanager
def sending_to(app: Flask, address: str) -> Iterator[None]:
    before = app.config["SAISHI"]
    app.config["SAISHI"] = replace(before, smtp_url=address, mail_from="saishi@example.org")
    try:
        yield
    finally:
        app.config["SAISHI"] = before


def test_from_the_last_table_to_a_mail_with_two_files_that_open_again(
    session: Any, app: Flask, travel: Travel, sent_jobs: list[tuple[Job, dict[str, Any]]], tmp_path: Path
) -> None:
    rounds.field(travel)
    addresses = mailboxes()
    played_round()
    handler = Handler()
    with server(handler) as address, sending_to(app, address):
        assert report_tasks.write.run() == 3
        sent_jobs_of_mail = [given for job, given in sent_jobs if job is Job.SEND_MESSAGE]
        for given in sent_jobs_of_mail[-3:]:
            mail_tasks.send_message.run(**given)
    assert sorted(handler.recipients) == sorted(addresses)
    for mail in handler.taken:
        pdf, xlsx = list(mail.iter_attachments())
        assert pdf.get_filename() == "演练赛 积分编排第 1 轮成绩.pdf"
        assert xlsx.get_filename() == "演练赛 积分编排第 1 轮成绩.xlsx"
        assert len(PdfReader(BytesIO(pdf.get_payload(decode=True))).pages) == 1  # type: ignore[arg-type]  # of one part
        book = load_workbook(BytesIO(xlsx.get_payload(decode=True)))  # type: ignore[arg-type]  # as above
        assert book.sheetnames == ["名次", "本轮成绩", "报告说明"]
        assert "List-Unsubscribe" in mail


@pytest.mark.parametrize("late", [timedelta(minutes=1), timedelta(days=2)])
def test_a_worker_that_was_away_tells_it_when_it_is_back(
    session: Any, travel: Travel, late: timedelta
) -> None:
    rounds.field(travel)
    mailboxes()
    played_round()
    travel(PLAY + late)
    assert reports.write() == 3
