"""The checklists of a unit, and a document with its revisions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from app import clock
from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries
from app.documents.queries import UnitLists, review
from app.documents.rules import ChecklistState, Subject, UnknownDocumentError
from app.documents.service import review as review_service
from app.extensions import db
from app.registrations import queries as registrations_queries
from app.registrations import service
from app.text import BEIJING
from tests.factories import documents, registrations
from tests.statements import noted_statements


def mine(person: Actor) -> UnitLists:
    assert person.user_id is not None
    found = queries.my_lists(competitions.competition("beach"), person.user_id, clock.now())
    assert found is not None
    return found


@pytest.fixture
def leader(session: Any) -> Actor:
    registrations.competition()
    return registrations.submitted(members=2)


def test_each_member_has_the_six_documents_of_regulation_a(leader: Actor) -> None:
    lists = mine(leader).lists
    assert [len(each.rows) for each in lists] == [6, 6]
    assert {row.state for each in lists for row in each.rows} == {ChecklistState.MISSING}


def test_a_sample_is_to_do_from_the_first_day_on_which_it_may_be_taken(
    leader: Actor, travel: Callable[[datetime], None]
) -> None:
    """I-A-17: five days before check-in on 2 December, so from 27 November, when entries have long been closed.

    After the deadline the documents that are bound to later days are still taken: insurance, health code and sample.
    """
    assert mine(leader).to_do == 2 * 5
    travel(datetime(2021, 11, 26, 23, 59, 59, tzinfo=BEIJING))
    assert mine(leader).to_do == 2 * 2
    travel(datetime(2021, 11, 27, 0, 0, tzinfo=BEIJING))
    assert mine(leader).to_do == 2 * 3


def test_a_document_stands_in_the_list_of_its_member_alone(leader: Actor) -> None:
    documents.stored(leader, "accident_insurance", state="accepted")
    first, second = mine(leader).lists
    states = [each.row("accident_insurance") for each in (first, second)]
    assert [row.state for row in states if row] == [ChecklistState.ACCEPTED, ChecklistState.MISSING]


def test_nobody_sees_the_lists_of_another_unit(leader: Actor) -> None:
    other = registrations.submitted(2)
    subjects = {each.subject for each in mine(leader).lists}
    assert subjects.isdisjoint({each.subject for each in mine(other).lists})
    with pytest.raises(UnknownDocumentError):
        mine(leader).list_of(mine(other).lists[0].subject)


def test_a_member_who_was_withdrawn_is_asked_for_nothing(leader: Actor) -> None:
    with command(leader) as ctx:
        service.remove_member(ctx, slug="beach", member_id=documents.first_member(leader))
    assert len(mine(leader).lists) == 1


def test_a_document_is_read_with_its_pages_and_what_was_decided(leader: Actor) -> None:
    reasons = {"valid_to": {"code": "differs", "text": "照片上是 11 月"}}
    made = documents.stored(leader, "accident_insurance", state="needs_changes", reasons=reasons, files=2)
    view = queries.document(made)
    assert view.subject == Subject(member_id=documents.first_member(leader))
    assert [page.position for page in view.uploads] == [0, 1]
    assert view.newest.values["valid_to"] == "2021-12-31"
    assert str(view.reasons["valid_to"].describe()) == "与照片上的不一致。照片上是 11 月"
    assert queries.document_of(view.subject, "accident_insurance") == view
    assert queries.documents_by_id([made, 2**40]) == {made: view}


@pytest.mark.parametrize("number", [999, 2**31, 2**63])
def test_a_document_that_is_not_there_is_unknown(session: Any, number: int) -> None:
    with pytest.raises(UnknownDocumentError):
        queries.document(number)


def test_a_list_costs_as_many_questions_for_thirty_members_as_for_three(leader: Actor) -> None:
    def asked(person: Actor) -> int:
        db.session.rollback()
        with noted_statements() as statements:
            mine(person)
        return len(statements)

    large = registrations.submitted(2, members=30)
    small = registrations.submitted(3, members=3)
    for person in (large, small):
        for member in registrations_queries.my(
            person.require_signed_in(), competitions.competition("beach")
        ).members:
            documents.stored(person, member_id=member.id, state="needs_changes")
    assert asked(large) == asked(small) < 30


def test_the_queue_costs_as_many_questions_for_thirty_documents_as_for_three(leader: Actor) -> None:
    def asked() -> int:
        db.session.rollback()
        with noted_statements() as statements:
            assert review.queue(competitions.competition("beach"), review.Filter(), clock.now()).rows
        return len(statements)

    committee = registrations.committee()
    counts = []
    for serial, members in ((2, 3), (3, 30)):
        person = registrations.submitted(serial, members=members)
        for member in registrations_queries.my(
            person.require_signed_in(), competitions.competition("beach")
        ).members:
            made = documents.stored(person, member_id=member.id)
            with command(committee) as ctx:
                review_service.claim(ctx, slug="beach", document_id=made)
        counts.append(asked())
    assert counts[0] == counts[1] < 20
