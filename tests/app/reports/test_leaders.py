"""What leaders are told of their entries and of published lists: their own members, once, in their language."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

from flask import Flask
from sqlalchemy import select

from app.actors import Actor
from app.competitions import queries as competitions
from app.extensions import db
from app.notifications.letters import LetterKind
from app.notifications.models import Message
from app.registrations import queries as registrations_queries
from app.reports.models import Report
from app.reports.rules import LONGEST_WAIT, LOOK_BACK, QUIET
from tests.conftest import NOON
from tests.factories import people, publications, registrations, reports
from tests.factories.publications import AFTER_CLOSING, WINDOW_OVER, Travel


def entered(members: int) -> Actor:
    """The leader of a unit whose members are handed in, in a new competition."""
    registrations.competition()
    return registrations.submitted(1, members)


def entry_ids() -> list[int]:
    event = competitions.competition("beach").event
    return [each.entry_id for each in registrations_queries.review_list(event)]


def test_a_leader_is_told_of_all_decisions_in_one_letter_once_no_more_come(
    session: Any, travel: Travel
) -> None:
    leader = entered(3)
    address = reports.mailbox(leader)
    first, second, third = entry_ids()
    registrations.decision(registrations.committee(), first)
    travel(NOON + timedelta(minutes=5))
    registrations.decision(registrations.committee(), second, "reject", "年龄不符合规程")
    travel(NOON + QUIET)
    assert reports.write() == 0, "the committee is still at it"
    travel(NOON + timedelta(minutes=5) + QUIET)
    assert reports.write() == 1
    [letter] = reports.letters(LetterKind.ENTRY_DECIDED, address)
    assert letter.subject.endswith("报名审核结果：通过 1 份，未通过 1 份")
    assert f"- {people.person_name(100)}\n" in letter.body
    assert f"- {people.person_name(101)}：年龄不符合规程" in letter.body
    assert people.person_name(102) not in letter.body
    assert reports.write() == 0
    registrations.decision(registrations.committee(), third)
    travel(NOON + timedelta(minutes=6) + 2 * QUIET)
    assert reports.write() == 1
    again = reports.letters(LetterKind.ENTRY_DECIDED, address)[-1]
    assert again.subject.endswith("通过 1 份，未通过 0 份")


def test_decisions_that_go_on_and_on_are_told_after_an_hour(session: Any, travel: Travel) -> None:
    reports.mailbox(entered(2))
    first, second = entry_ids()
    registrations.decision(registrations.committee(), first)
    travel(NOON + LONGEST_WAIT - timedelta(minutes=1))
    registrations.decision(registrations.committee(), second)
    assert reports.write() == 0
    travel(NOON + LONGEST_WAIT)
    assert reports.write() == 1


def test_a_decision_that_is_changed_after_the_letter_is_told_again(session: Any, travel: Travel) -> None:
    address = reports.mailbox(entered(1), "en")
    [entry] = entry_ids()
    registrations.decision(registrations.committee(), entry)
    travel(NOON + QUIET)
    reports.write()
    registrations.decision(registrations.committee(), entry, "reject", "wrong papers")
    travel(NOON + 2 * QUIET)
    reports.write()
    first, second = reports.letters(LetterKind.ENTRY_DECIDED, address)
    assert "Approved" in first.body
    assert f"{people.person_name(100)}: wrong papers" in second.body


def test_whoever_has_no_mailbox_is_told_by_text_message_without_names(session: Any, travel: Travel) -> None:
    entered(2)
    registrations.decision(registrations.committee(), entry_ids()[0])
    travel(NOON + QUIET)
    reports.write()
    [message] = reports.letters(LetterKind.ENTRY_DECIDED)
    assert message.channel == "sms"
    assert "通过 1 份，未通过 0 份" in message.body
    assert people.person_name(100) not in message.body


def test_old_decisions_are_not_told_by_an_installation_that_learns_to(session: Any, travel: Travel) -> None:
    registrations.competition()
    reports.mailbox(registrations.approved(1, 2))
    travel(NOON + LOOK_BACK)
    assert reports.write() == 0


def test_each_leader_is_told_of_the_list_and_of_nobody_else_s_members(session: Any, travel: Travel) -> None:
    publications.field(6, 2, approve=False)
    addresses = [reports.mailbox(registrations.leader(serial, with_unit=False)) for serial in (1, 2)]
    ids = entry_ids()
    for each in ids[:5]:
        registrations.decision(registrations.committee(), each)
    registrations.decision(registrations.committee(), ids[5], "reject", "单位证明不符")
    travel(AFTER_CLOSING)
    publications.publish()
    assert reports.write() == 2
    one, two = (reports.letters(LetterKind.LIST_PUBLISHED, each)[0] for each in addresses)
    assert (
        "第 1 号公示名单于 2021年10月31日（周日）18:00:01 发布，公示到 2021年11月5日（周五）24:00" in one.body
    )
    assert [people.person_name(serial) in one.body for serial in range(1, 7)] == [True] * 3 + [False] * 3
    assert [people.person_name(serial) in two.body for serial in range(1, 7)] == [False] * 3 + [True] * 3
    assert f"{people.person_name(6)}：审核未通过（单位证明不符）" in two.body
    assert f"{people.person_name(4)}：公示中，序号 4" in two.body
    for letter in (one, two):
        assert people.phone(1001)[-8:] not in letter.body + (letter.html or "")
    assert reports.write() == 0


def test_a_final_list_is_told_with_the_competition_numbers(session: Any, travel: Travel) -> None:
    publications.published_field(travel, 3, 1)
    address = reports.mailbox(registrations.leader(1, with_unit=False))
    reports.write()
    travel(WINDOW_OVER)
    publications.finish()
    assert reports.write() == 1
    final = reports.letters(LetterKind.LIST_PUBLISHED, address)[-1]
    assert final.subject.endswith("第 1 号名单公示期满，已确认")
    assert "已确认，参赛号 1" in final.body


def test_a_corrected_list_says_what_changed_to_those_on_it(session: Any, travel: Travel) -> None:
    old = publications.published_field(travel, 4, 2)
    addresses = [reports.mailbox(registrations.leader(serial, with_unit=False)) for serial in (1, 2)]
    reports.write()
    publications.supersede(1, [old.entries[0].entry_id], reason="资格复核后更正。")
    travel(AFTER_CLOSING + QUIET)
    reports.write()
    one, two = (reports.letters(LetterKind.LIST_PUBLISHED, each)[-1] for each in addresses)
    assert "第 2 号更正公示名单" in one.subject
    assert "它取代第 1 号名单。更正原因：资格复核后更正。" in one.body
    assert f"{people.person_name(1)}（序号 1）不再在名单上" in one.body
    assert "您的队员有变化" not in two.body
    assert people.person_name(1) not in two.body


def test_two_workers_at_once_write_each_letter_once(app: Flask, travel: Travel) -> None:
    with app.app_context():
        publications.published_field(travel, 6, 3)
        for serial in (1, 2, 3):
            reports.mailbox(registrations.leader(serial, with_unit=False))
    start, problems = threading.Barrier(2), []

    def work() -> None:
        try:
            with app.app_context():
                start.wait()
                reports.write()
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert problems == []
    with app.app_context():
        keys = db.session.scalars(select(Message.key).where(Message.kind == "list_published")).all()
        assert len(keys) == len(set(keys)) == 3
        assert len(db.session.scalars(select(Report)).all()) == 3
