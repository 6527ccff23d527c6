"""What a leader applies for after the deadline, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.documents import queries as documents
from app.errors import SaishiError
from app.registrations import queries
from app.registrations.models import ChangeApplicationFile, Member
from app.registrations.rules import DuplicatePersonError, QuotaFullError
from app.registrations.rules.changes import (
    ApplicationStandsError,
    ApplicationState,
    ChangeRefusedError,
    EntriesStillOpenError,
    NothingCorrectedError,
    NotOfferedError,
    NotRegisteredError,
)
from app.registrations.service import changes as service
from tests.app.registrations.changes.texts import competition_with_quota
from tests.app.registrations.stored import actions, mine, refused
from tests.factories import changes, registrations

Travel = Callable[[datetime], None]


@pytest.fixture
def leader(session: Any, travel: Travel) -> Actor:
    """Two approved members of one unit; the deadline was a second ago."""
    registrations.competition()
    person = registrations.approved(1, members=2)
    travel(changes.LATE)
    return person


def test_who_is_to_come_stands_in_a_draft_until_the_committee_answers(leader: Actor) -> None:
    view = changes.applied(leader, members=[changes.form(900)])
    assert (view.number, view.state, view.names) == (
        1,
        ApplicationState.WAITING,
        (registrations.member_form(900)["name"],),
    )
    assert changes.states() == ["approved", "approved", "draft"]
    assert len(queries.approved_entries(competitions.competition("beach").event.id)) == 2
    assert mine(leader).drafts == ()
    assert actions()[-1] == "change.applied"
    (waits,) = queries.waiting_changes(competitions.competition("beach").event, changes.LATE)
    assert "1 份变更申请" in str(waits.text)


def test_his_documents_can_be_handed_in_though_their_time_was_over(leader: Actor) -> None:
    view = changes.applied(leader, members=[changes.form(900)])
    lists = documents.my_lists(competitions.competition("beach"), leader.require_signed_in(), changes.LATE)
    assert lists is not None
    own = [some for some in lists.lists if view.made_entry_id in some.entry_ids and not some.subject.of_unit]
    (rows,) = [some.rows for some in own]
    assert rows
    assert all(row.required and row.open for row in rows)


def test_every_wrong_field_is_said_at_once_and_nothing_is_stored(leader: Actor) -> None:
    token = changes.letter(leader)
    with refused(ChangeRefusedError) as caught:
        changes.applied(
            leader, members=[changes.form(900, employment="seconded", phone="1")], reason="", tokens=[]
        )
    assert set(caught.value.fields) == {"reason", "uploads", "members.0.phone", "members.0.employment"}
    with refused(ChangeRefusedError) as caught:
        changes.applied(leader, members=[], tokens=[token])
    assert "members.0.name" in caught.value.fields


def test_the_same_key_again_is_the_same_application(leader: Actor) -> None:
    first = changes.applied(leader, members=[changes.form(900)], idempotency_key="twice-the-same")
    again = changes.applied(leader, members=[changes.form(900)], idempotency_key="twice-the-same")
    assert again.number == first.number
    assert changes.states() == ["approved", "approved", "draft"]


def test_before_the_deadline_is_over_nobody_applies(session: Any) -> None:
    registrations.competition()
    person = registrations.approved(1)
    with refused(EntriesStillOpenError):
        changes.applied(person, members=[changes.form(900)], tokens=[])


def test_a_unit_that_handed_nothing_in_has_nothing_to_change(leader: Actor, travel: Travel) -> None:
    travel(registrations.OPEN)
    other = registrations.leader(2)
    registrations.member(other, 700)
    travel(changes.LATE)
    with refused(NotRegisteredError) as caught:
        changes.applied(other, members=[changes.form(900)], tokens=[])
    assert caught.value.clause == "三(四)2"


def test_a_person_of_another_unit_is_refused_beside_his_number(leader: Actor, travel: Travel) -> None:
    travel(registrations.OPEN)
    registrations.submitted(2)
    travel(changes.LATE)
    token = changes.letter(leader)
    for kind in ("add", "replace"):
        with refused(DuplicatePersonError) as caught:
            changes.applied(leader, kind, members=[changes.form(200)], tokens=[token])
        assert set(caught.value.fields) == {"members.0.id_number"}


def test_somebody_who_is_to_come_for_one_unit_cannot_come_for_another(leader: Actor, travel: Travel) -> None:
    travel(registrations.OPEN)
    other = registrations.submitted(2)
    travel(changes.LATE)
    changes.applied(leader, members=[changes.form(900)])
    token = changes.letter(other)
    with refused(DuplicatePersonError):
        changes.applied(other, members=[changes.form(900)], tokens=[token])


def test_a_draft_that_missed_the_deadline_makes_way_for_an_application(leader: Actor, travel: Travel) -> None:
    travel(registrations.OPEN)
    registrations.member(leader, 900)
    travel(changes.LATE)
    view = changes.applied(leader, members=[changes.form(900)])
    assert changes.states() == ["approved", "approved", "draft"]
    assert mine(leader).drafts == ()
    assert view.waits


def test_two_applications_about_one_entry_do_not_stand_side_by_side(leader: Actor) -> None:
    first = changes.applied(leader, "correct", members=[changes.form(100, phone="13900009999")])
    token = changes.letter(leader)
    with refused(ApplicationStandsError) as caught:
        changes.applied(leader, "replace", members=[changes.form(900)], tokens=[token])
    assert caught.value.status == 409
    assert caught.value.extra["standing"]["number"] == first.number
    assert caught.value.extra["yours"] == {"kind": "replace"}


def test_a_correction_changes_something_and_nobody_into_somebody_else(leader: Actor) -> None:
    token = changes.letter(leader)
    with refused(NothingCorrectedError):
        changes.applied(
            leader, "correct", members=[changes.form(100, id_number="", phone="")], tokens=[token]
        )
    with refused(ChangeRefusedError) as caught:
        changes.applied(leader, "correct", members=[changes.form(900)], tokens=[token])
    assert set(caught.value.fields) == {"members.0.id_number"}
    with refused(DuplicatePersonError):
        number = registrations.member_form(101)["id_number"]
        changes.applied(leader, "correct", members=[changes.form(100, id_number=number)], tokens=[token])


def test_a_correction_shows_the_committee_masked_numbers_and_changes_nothing_yet(leader: Actor) -> None:
    view = changes.applied(leader, "correct", members=[changes.form(100, phone="13900009999", name="更名")])
    shown = {each.field: (each.before, each.after) for each in view.corrections}
    assert set(shown) == {"name", "phone"}
    assert "9999" in str(shown["phone"][1])
    assert "13900009999" not in str(shown["phone"][1])
    assert mine(leader).members[0].name != "更名"


def test_a_withdrawal_needs_no_application_and_leaves_a_trace(leader: Actor, session: Any) -> None:
    view = changes.applied(leader, "withdraw", reason="")
    assert (view.state, view.was, view.answer) == (
        ApplicationState.GRANTED,
        (registrations.member_form(100)["name"],),
        None,
    )
    assert changes.states() == ["withdrawn", "approved"]
    gone = session.get_one(Member, mine(leader).entries[0].members[0].id)
    assert (gone.id_number, gone.phone) == (None, None)
    assert actions()[-3:] == ["change.applied", "entry.removed", "change.granted"]
    with refused(NotOfferedError):
        changes.applied(leader, "withdraw", reason="", entry_id=mine(leader).entries[0].entry_id)


def test_a_withdrawal_ends_what_waited_and_lets_go_of_who_was_to_come(leader: Actor) -> None:
    waiting = changes.applied(leader, "replace", members=[changes.form(900)])
    changes.applied(leader, "withdraw", entry_id=waiting.entry_id)
    assert changes.view(waiting.number).state is ApplicationState.OVERTAKEN
    assert changes.states() == ["withdrawn", "approved"]
    changes.applied(leader, members=[changes.form(900)])  # he is free again


def test_taken_back_it_leaves_the_letter_and_no_draft(leader: Actor, session: Any) -> None:
    view = changes.applied(leader, members=[changes.form(900)])
    for _ in range(2):
        with command(leader) as ctx:
            service.take_back(ctx, slug="beach", number=view.number)
    assert changes.view(view.number).state is ApplicationState.TAKEN_BACK
    assert changes.view(view.number).names == view.names
    assert changes.states() == ["approved", "approved"]
    assert session.query(ChangeApplicationFile).count() == 1


def test_nobody_takes_back_or_sees_an_application_of_another_unit(leader: Actor, travel: Travel) -> None:
    travel(registrations.OPEN)
    other = registrations.submitted(2)
    travel(changes.LATE)
    view = changes.applied(leader, members=[changes.form(900)])
    with pytest.raises(SaishiError) as caught, command(other) as ctx:
        service.take_back(ctx, slug="beach", number=view.number)
    assert caught.value.status == 404


def test_a_replacement_takes_no_place_of_its_own_while_it_waits(session: Any, travel: Travel) -> None:
    competition_with_quota(2)
    person = registrations.approved(1, members=2)
    travel(changes.LATE)
    changes.applied(person, "replace", members=[changes.form(900)])
    token = changes.letter(person)
    with refused(QuotaFullError):
        changes.applied(person, members=[changes.form(901)], tokens=[token])
    changes.applied(person, "withdraw", entry_id=mine(person).entries[1].entry_id)
    changes.applied(person, members=[changes.form(901)])


def test_a_draft_that_missed_the_deadline_takes_no_place(session: Any, travel: Travel) -> None:
    competition_with_quota(2)
    person = registrations.approved(1, members=1)
    registrations.member(person, 500)
    assert changes.states() == ["approved", "draft"]
    travel(changes.LATE)
    number = changes.applied(person, members=[changes.form(900)]).number
    token = changes.letter(person)
    with refused(QuotaFullError):
        changes.applied(person, members=[changes.form(901)], tokens=[token])
    changes.decided(number)
    assert changes.states() == ["approved", "draft", "approved"]
