"""What the committee decides on a change after the deadline, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.actors import Actor, Role
from app.audit.actions import AuditAction
from app.audit.models import AuditEntry
from app.competitions import queries as competitions
from app.documents.models import Document, DocumentDecision
from app.errors import ForbiddenError
from app.extensions import db
from app.notifications.models import Message
from app.registrations import queries
from app.registrations.models import Entry
from app.registrations.rules import DuplicatePersonError
from app.registrations.rules.changes import (
    ApplicationDecidedError,
    ApplicationMovedOnError,
    ApplicationState,
    ChangeAnswerMissingError,
    ChangeRefusedError,
    ChangesClosedError,
    OwnApplicationError,
    UnknownApplicationError,
)
from tests.app.registrations.overriding import decide as approve_over_a_rule
from tests.app.registrations.overriding import young_field
from tests.app.registrations.stored import actions, mine, refused
from tests.factories import accounts, changes, documents, draws, publications, registrations

Travel = Callable[[datetime], None]


@pytest.fixture
def leader(session: Any, travel: Travel) -> Actor:
    registrations.competition()
    person = registrations.approved(1, members=2)
    travel(changes.LATE)
    return person


def approved_names() -> list[str]:
    db.session.rollback()
    return [each.name for each in queries.approved_entries(competitions.competition("beach").event.id)]


def name(serial: int) -> str:
    written = registrations.member_form(serial)["name"]
    assert isinstance(written, str)
    return written


def test_somebody_added_is_approved_and_the_leader_is_told(leader: Actor) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    view = changes.decided(number)
    assert view.state is ApplicationState.GRANTED
    assert approved_names() == [name(100), name(101), name(900)]
    assert "change.granted" in actions()
    told = db.session.scalars(select(Message).order_by(Message.id.desc())).first()
    assert told is not None
    assert "第 1 号" in told.body
    assert name(900) not in told.body
    assert view.made_entry_id in queries.changed_entries(competitions.competition("beach").event.id)


def test_somebody_replaced_is_withdrawn_in_the_same_moment(leader: Actor) -> None:
    number = changes.applied(leader, "replace", members=[changes.form(900)]).number
    assert approved_names() == [name(100), name(101)]
    changes.decided(number)
    assert approved_names() == [name(101), name(900)]
    assert changes.states() == ["withdrawn", "approved", "approved"]
    assert changes.view(number).who == f"{name(100)} → {name(900)}"


def test_a_correction_changes_the_data_and_has_accepted_documents_looked_at_again(leader: Actor) -> None:
    member = documents.first_member(leader)
    committee = registrations.committee()
    document_id = documents.stored(leader, state="accepted", member_id=member, decided_by=committee)
    number = changes.applied(leader, "correct", members=[changes.form(100, name="更正名")]).number
    view = changes.decided(number, answer="证明与更正一致")
    assert view.state is ApplicationState.GRANTED
    assert approved_names() == ["更正名", name(101)]
    assert db.session.get_one(Document, document_id).state == "uploaded"
    last = db.session.scalars(select(DocumentDecision).order_by(DocumentDecision.id.desc())).first()
    assert last is not None
    assert (last.kind, "更正" in (last.reasons or "")) == ("taken_back", True)
    assert "change.granted" in actions()


def test_refused_it_says_why_and_who_was_to_come_leaves_no_data(leader: Actor) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    committee = registrations.committee()
    with refused(ChangeAnswerMissingError) as caught:
        changes.decided(number, grant=False, by=committee)
    assert set(caught.value.fields) == {"answer"}
    view = changes.decided(number, grant=False, answer="名额已定")
    assert (view.state, view.answer, view.names) == (ApplicationState.REFUSED, "名额已定", (name(900),))
    assert changes.states() == ["approved", "approved"]
    changes.applied(leader, members=[changes.form(900)])


def test_the_second_of_two_members_of_the_committee_is_told_what_the_first_decided(leader: Actor) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    other = changes.colleague()
    changes.decided(number)
    changes.decided(number)  # a second tap
    with refused(ApplicationDecidedError) as caught:
        changes.decided(number, grant=False, answer="名额已定", by=other)
    assert caught.value.status == 409
    assert caught.value.extra["standing"]["state"] == "granted"
    assert caught.value.extra["yours"] == {"state": "refused", "answer": "名额已定"}


def test_an_application_whose_entry_has_changed_since_is_not_granted(leader: Actor, session: Any) -> None:
    view = changes.applied(leader, "replace", members=[changes.form(900)])
    session.get_one(Entry, view.entry_id).revision += 1
    session.commit()
    committee = registrations.committee()
    with refused(ApplicationMovedOnError) as caught:
        changes.decided(view.number, by=committee)
    assert caught.value.extra["standing"]["revision"] == caught.value.extra["yours"]["revision"] + 1


def test_documents_due_with_an_entry_are_accepted_first_or_passed_over_with_a_reason(
    session: Any, travel: Travel
) -> None:
    documents.competition()
    person = registrations.leader(1)
    registrations.member(person, 100)
    documents.stored(person, state="accepted", decided_by=registrations.committee())
    documents.stored(
        person, "entry_form", of_unit=True, state="accepted", decided_by=registrations.committee()
    )
    registrations.submission(person)
    publications.approve_all()
    travel(changes.LATE)
    number = changes.applied(person, members=[changes.form(900)]).number
    committee = registrations.committee()
    with refused(ChangeAnswerMissingError) as caught:
        changes.decided(number, by=committee)
    assert "体检" in str(caught.value.fields["answer"])
    changes.decided(number, answer="体检证明报到时补交")
    assert changes.states() == ["approved", "approved"]


def test_nobody_decides_for_the_unit_he_leads_and_nobody_else_than_the_committee(leader: Actor) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    committee = registrations.committee()
    with refused(ForbiddenError):
        changes.decided(number, by=leader)
    with refused(UnknownApplicationError):
        changes.decided(number + 1, by=committee)


def test_a_member_of_the_committee_who_leads_the_unit_leaves_it_to_a_colleague(
    session: Any, travel: Travel
) -> None:
    registrations.competition()
    committee = registrations.committee()
    person = registrations.approved(1)
    travel(changes.LATE)
    number = changes.applied(person, members=[changes.form(900)]).number
    both = accounts.user(1, Role.COMMITTEE, competition_id=competitions.competition_id("beach"))
    with refused(OwnApplicationError):
        changes.decided(number, by=both)
    changes.decided(number, by=committee)


def test_applied_before_and_decided_after_the_draw_only_a_withdrawal_goes_through(
    session: Any, travel: Travel
) -> None:
    publications.published_field(travel)
    person = registrations.leader(1, with_unit=False)
    waiting = changes.applied(person, members=[changes.form(900)])
    travel(publications.WINDOW_OVER)
    draws.draw()
    committee = registrations.committee()
    with refused(ChangesClosedError) as caught:
        changes.decided(waiting.number, by=committee)
    assert caught.value.clause == "三(四)2"
    entry_id = mine(person).entries[0].entry_id
    withdrawal = changes.applied(person, "withdraw", entry_id=entry_id)
    assert withdrawal.waits
    before = approved_names()
    changes.decided(withdrawal.number)
    assert approved_names() == before, "what was drawn stays as it was drawn"
    changes.decided(waiting.number, grant=False, answer="已抽签")
    assert approved_names() == before


def test_who_was_free_when_applied_for_and_is_not_any_more_is_refused(leader: Actor, travel: Travel) -> None:
    number = changes.applied(
        leader, "correct", members=[changes.form(100, id_number=changes.form(950).id_number)]
    ).number
    changes.applied(leader, members=[changes.form(950)])
    committee = registrations.committee()
    with refused(DuplicatePersonError):
        changes.decided(number, by=committee)


def test_an_entry_rejected_since_is_not_approved_by_an_older_application(
    leader: Actor, travel: Travel
) -> None:
    number = changes.applied(leader, "correct", members=[changes.form(100, name="更正名")]).number
    withdrawal = changes.applied(leader, "withdraw", entry_id=mine(leader).entries[1].entry_id)
    assert withdrawal.state is ApplicationState.GRANTED
    committee = registrations.committee()
    travel(changes.LATE + timedelta(hours=1))
    registrations.decision(committee, mine(leader).entries[0].entry_id, "reject", "材料不符")
    with refused(ApplicationMovedOnError) as caught:
        changes.decided(number, by=committee)
    assert caught.value.extra["standing"]["state"] == "rejected"
    changes.decided(number, grant=False, answer="资格没有通过")
    assert changes.states() == ["rejected", "withdrawn"]


def test_who_was_approved_over_a_rule_is_corrected_without_meeting_it(session: Any, travel: Travel) -> None:
    committee, entry_id = young_field()
    approve_over_a_rule(committee, entry_id, "组委会会议同意", override=True)
    person = registrations.leader(1, with_unit=False)
    travel(changes.LATE)
    born = date(1990, 6, 15)
    view = changes.applied(
        person, "correct", entry_id=entry_id, members=[changes.form(2, name="更正名", born=born)]
    )
    assert view.broken is None
    changes.decided(view.number, answer="证明与更正一致", by=committee)
    entry = session.get_one(Entry, entry_id)
    session.refresh(entry)
    assert (entry.state, entry.override_reason) == ("approved", "组委会会议同意")
    older = changes.form(2, name="更正名", born=date(1980, 6, 15))
    second = changes.applied(person, "correct", entry_id=entry_id, members=[older])
    changes.decided(second.number, answer="证明与更正一致", by=committee)
    session.refresh(entry)
    assert (entry.override_clause, entry.override_reason) == (None, None), "he meets the rule now"


def test_who_comes_for_somebody_approved_over_a_rule_meets_it_himself(session: Any, travel: Travel) -> None:
    committee, entry_id = young_field()
    approve_over_a_rule(committee, entry_id, "组委会会议同意", override=True)
    person = registrations.leader(1, with_unit=False)
    travel(changes.LATE)
    with refused(ChangeRefusedError) as caught:
        changes.applied(
            person,
            "replace",
            entry_id=entry_id,
            members=[changes.form(900, born=date(1990, 6, 15))],
            tokens=["not-claimed"],
        )
    assert "members.0.id_number" in caught.value.fields


def test_the_record_of_who_leaves_says_how_he_stood(leader: Actor) -> None:
    committee = registrations.committee()
    registrations.decision(committee, mine(leader).entries[0].entry_id, "reject", "材料不符")
    changes.decided(changes.applied(leader, "replace", members=[changes.form(900)]).number)
    removed = db.session.scalars(
        select(AuditEntry.details).where(AuditEntry.action == AuditAction.ENTRY_REMOVED.value)
    ).one()
    assert removed["was"] == "rejected"
