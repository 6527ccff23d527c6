"""Leaders are told of documents that end or are due soon: one message a unit, once per document and reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import SYSTEM, Actor
from app.commands import command
from app.documents import service
from app.notifications.models import Message
from app.text import BEIJING
from tests.factories import documents, people, registrations

Travel = Callable[[datetime], None]


@pytest.fixture
def leader(session: Any) -> Actor:
    """A leader with two members, whose certificates are due with the entry on 31 October."""
    documents.competition({"medical_certificate": {"due": "registration"}})
    person = registrations.leader()
    registrations.member(person, 101)
    registrations.member(person, 102)
    return person


def warn(days: int = 7) -> int:
    with command(SYSTEM) as ctx:
        return service.warn(ctx, warn_days=days)


def sent(session: Any) -> list[Message]:
    return list(session.scalars(select(Message).order_by(Message.id)))


def day(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=BEIJING)


def test_one_message_says_how_many_documents_of_a_unit_are_due_and_when(
    leader: Actor, session: Any, travel: Travel
) -> None:
    travel(day("2021-10-26T09:00"))
    assert warn() == 1
    (message,) = sent(session)
    assert message.recipient == f"+86{people.phone(1)}"
    assert "有 2 份材料要处理，最近的期限是2021年10月31日" in message.body
    assert people.person_name(101) not in message.body


def test_what_was_said_is_not_said_again(leader: Actor, session: Any, travel: Travel) -> None:
    travel(day("2021-10-26T09:00"))
    assert warn() == 1
    travel(day("2021-10-27T09:00"))
    assert warn() == 0
    registrations.member(leader, 103)
    assert warn() == 1
    assert "有 1 份材料" in sent(session)[-1].body


def test_nothing_is_said_before_its_time(leader: Actor, travel: Travel) -> None:
    travel(day("2021-10-26T09:00"))
    assert warn(days=4) == 0
    travel(day("2021-10-27T00:00"))
    assert warn(days=4) == 1


def test_what_was_handed_in_is_not_asked_for(leader: Actor, travel: Travel, session: Any) -> None:
    documents.stored(leader, "medical_certificate")
    travel(day("2021-10-26T09:00"))
    assert warn() == 1
    assert "有 1 份材料" in sent(session)[-1].body


def test_a_leader_hears_of_a_document_that_ends_before_the_competition_and_again_once_it_has(
    session: Any, travel: Travel
) -> None:
    documents.competition({"health_code": {"valid_at": []}})
    leader = registrations.submitted()
    documents.stored(leader, "health_code", state="accepted", valid_to="2021-12-01")
    travel(day("2021-11-23T09:00"))
    assert warn() == 0
    travel(day("2021-11-24T09:00"))
    assert [warn(), warn()] == [1, 0]
    assert "最近的期限是2021年12月1日" in sent(session)[-1].body
    travel(day("2021-12-02T09:00"))
    assert warn() == 1


def test_what_the_committee_asked_for_is_said_with_its_day(session: Any, travel: Travel) -> None:
    registrations.competition()
    registrations.submitted()
    with command(registrations.committee()) as ctx:
        service.ask(ctx, slug="beach", kind="vaccination_certificate", until=date(2021, 11, 12))
    travel(day("2021-11-10T09:00"))
    assert warn() == 1
    assert "最近的期限是2021年11月12日" in sent(session)[-1].body


def test_after_the_competition_nobody_is_told_anything(leader: Actor, travel: Travel) -> None:
    travel(day("2021-12-06T09:00"))
    assert warn(days=60) == 0
