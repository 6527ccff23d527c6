"""Documents that are due with an entry: handing one in, and approving it, without them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select

from app import clock
from app.actors import Actor
from app.audit.models import AuditEntry
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries as document_queries
from app.documents.rules import Subject
from app.registrations import queries, service
from app.registrations.rules import Decision, DecisionKind, DecisionRefusedError, EntryId, EntryState
from app.registrations.rules.proofs import ProofsMissingError
from app.text import BEIJING
from tests.factories import documents, registrations

Travel = Callable[[datetime], None]


@pytest.fixture
def leader(session: Any) -> Actor:
    documents.competition()
    person = registrations.leader()
    registrations.member(person, 101)
    return person


def entry(person: Actor) -> queries.MyEntry:
    assert person.user_id is not None
    return queries.my(person.user_id, competitions.competition("beach")).entries[0]


def decide(reason: str = "", kind: DecisionKind = DecisionKind.APPROVE) -> None:
    (view,) = queries.review_list(competitions.competition("beach").event)
    with command(registrations.committee()) as ctx:
        service.decide(ctx, slug="beach", decisions=[Decision(EntryId(view.entry_id), kind, reason)])


def test_an_entry_without_what_is_due_with_it_is_refused_with_each_document_and_clause(leader: Actor) -> None:
    with pytest.raises(ProofsMissingError) as refused:
        registrations.submission(leader)
    member = Subject(member_id=documents.first_member(leader))
    assert str(refused.value.text).startswith("还缺 2 份报名时应提交的材料，先是第1机械厂的加盖公章的报名表")
    assert refused.value.clause == "三(三)1"
    assert [(each["kind"], each["clause"]) for each in refused.value.extra["missing"]] == [
        ("entry_form", "三(三)1"),
        ("medical_certificate", "三(一)4"),
    ]
    assert refused.value.extra["missing"][1]["subject"] == str(member)
    assert entry(leader).state is EntryState.DRAFT


@pytest.mark.parametrize("state", ["uploaded", "accepted"])
def test_an_entry_with_its_documents_is_taken_whether_they_were_reviewed_or_not(
    leader: Actor, state: str
) -> None:
    documents.stored(leader, "entry_form", of_unit=True, state=state)
    documents.stored(leader, "medical_certificate", state=state)
    registrations.submission(leader)
    assert entry(leader).state is EntryState.SUBMITTED


@pytest.mark.parametrize("state", ["needs_changes", "rejected", "withdrawn"])
def test_a_document_that_does_not_do_is_as_good_as_none(leader: Actor, state: str) -> None:
    documents.stored(leader, "entry_form", of_unit=True)
    documents.stored(leader, "medical_certificate", state=state)
    with pytest.raises(ProofsMissingError, match=r"还缺报名时应提交的材料：.*的有效体检证明"):
        registrations.submission(leader)


def test_who_needs_no_document_hands_in_as_ever(session: Any) -> None:
    registrations.competition()
    assert entry(registrations.submitted()).state is EntryState.SUBMITTED


def test_the_same_key_again_answers_though_a_document_was_sent_back_since(leader: Actor) -> None:
    documents.stored(leader, "entry_form", of_unit=True)
    documents.stored(leader, "medical_certificate")
    registrations.submission(leader, key="key-00000001")
    registrations.submission(leader, key="key-00000001")


@pytest.fixture
def waiting(leader: Actor) -> Actor:
    documents.stored(leader, "entry_form", of_unit=True, state="accepted")
    documents.stored(leader, "medical_certificate")
    registrations.submission(leader)
    return leader


def test_an_entry_is_not_approved_before_its_documents_are(waiting: Actor) -> None:
    with pytest.raises(DecisionRefusedError) as refused:
        decide()
    ((place, text),) = refused.value.fields.items()
    assert place == "decisions.0.decision"
    assert str(text).endswith("的有效体检证明还没有审核通过。（规程 三(一)4）")
    assert refused.value.clause == "三(一)4"
    assert entry(waiting).state is EntryState.SUBMITTED


def test_with_a_reason_it_is_and_the_reason_stays_on_record(waiting: Actor, session: Any) -> None:
    decide("已电话核实，报到时补交")
    assert (entry(waiting).state, entry(waiting).reason) == (EntryState.APPROVED, "已电话核实，报到时补交")
    recorded = session.scalars(select(AuditEntry.details).where(AuditEntry.action == "entry.approved")).one()
    assert recorded["without"] == ["medical_certificate"]


def test_a_reason_that_nothing_needs_is_not_kept(session: Any) -> None:
    documents.competition({})
    person = registrations.submitted()
    decide("没有必要的理由")
    assert entry(person).reason is None


def test_a_rejection_asks_for_no_documents(waiting: Actor) -> None:
    decide("不是本单位的", DecisionKind.REJECT)
    assert entry(waiting).state is EntryState.REJECTED


def test_after_the_deadline_nothing_is_asked_of_a_draft(leader: Actor, travel: Travel) -> None:
    travel(datetime(2021, 10, 31, 18, 0, 1, tzinfo=BEIJING))
    assert leader.user_id is not None
    lists = document_queries.my_lists(competitions.competition("beach"), leader.user_id, clock.now())
    assert lists is not None
    assert lists.lists == ()
