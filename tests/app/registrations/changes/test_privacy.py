"""What applications hold of people: copied for them, deleted with them and after the event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from app import clock
from app.actors import SYSTEM, Actor
from app.audit.actions import AuditAction
from app.commands import command
from app.competitions import queries as competitions
from app.documents.queries import privacy
from app.documents.service import purging
from app.extensions import db
from app.registrations import service as registrations_service
from app.registrations.models import ChangeApplication
from app.registrations.queries import held
from app.registrations.rules.changes import ApplicationDecidedError, ApplicationState
from app.uploads.models import Upload
from tests.app.registrations.stored import mine, refused
from tests.factories import changes, registrations

Travel = Callable[[datetime], None]
PURGE_DAYS = 30


@pytest.fixture
def leader(session: Any, travel: Travel) -> Actor:
    registrations.competition()
    person = registrations.approved(1, members=2)
    travel(changes.LATE)
    return person


def kept() -> list[tuple[str, str | None, str | None]]:
    db.session.rollback()
    rows = db.session.query(ChangeApplication).order_by(ChangeApplication.id)
    return [(row.reason, row.proposal, row.answer) for row in rows]


def test_a_copy_has_the_applications_and_the_corrected_data_of_nobody_else(leader: Actor) -> None:
    changes.applied(leader, "correct", members=[changes.form(100, phone="13900009999")])
    competition = competitions.competition("beach")
    unit = held.my_unit(competition, leader.require_signed_in())
    assert unit is not None
    (whole,) = privacy.copy_of_unit(competition, unit, clock.now())[0]["change_applications"]
    assert (whole["kind"], whole["reason"]) == ("correct", "原选手受伤住院")
    assert whole["corrected"]["phone"].endswith("13900009999")
    first, second = held.my_members(competition, leader.require_signed_in())
    (own,) = privacy.copy_of(competition, first, clock.now())[0]["change_applications"]
    assert own["corrected"] == whole["corrected"]
    assert privacy.copy_of(competition, second, clock.now())[0]["change_applications"] == []


def test_who_has_his_data_deleted_while_he_is_to_come_is_applied_for_no_more(leader: Actor) -> None:
    view = changes.applied(leader, members=[changes.form(900)])
    newcomer = mine(leader).entries[-1].members[0]
    with command(SYSTEM) as ctx:
        registrations_service.withdraw_member(ctx, newcomer.id)
    assert changes.view(view.number).state is ApplicationState.TAKEN_BACK
    assert changes.states() == ["approved", "approved"]


def test_data_that_is_deleted_on_request_goes_from_applications_too(leader: Actor) -> None:
    view = changes.applied(leader, "correct", members=[changes.form(100, phone="13900009999")])
    with command(SYSTEM) as ctx:
        registrations_service.erase_member(ctx, mine(leader).members[0].id)
        ctx.record(AuditAction.PERSONAL_DATA_DELETED, ("Member", 1))
    assert kept() == [("", None, None)]
    assert changes.view(view.number).letter == ()
    assert db.session.query(Upload).filter(Upload.purpose == "letter").count() == 0


def test_after_the_event_what_was_written_goes_and_that_it_was_applied_for_stays(
    leader: Actor, travel: Travel
) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    changes.decided(number, answer="同意")
    competition = competitions.competition("beach")
    travel(changes.LATE + timedelta(days=400))
    while True:
        with command(SYSTEM) as ctx:
            if not purging.take_out(ctx, competition.id, purge_days=PURGE_DAYS):
                break
    assert kept() == [("", None, None)]
    assert changes.view(number).state is ApplicationState.GRANTED
    assert db.session.query(Upload).count() == 0


def test_an_application_whose_words_are_erased_is_over_and_who_was_to_come_leaves(leader: Actor) -> None:
    waiting = changes.applied(leader, "replace", members=[changes.form(900)])
    correction = changes.applied(
        leader,
        "correct",
        entry_id=mine(leader).entries[1].entry_id,
        members=[changes.form(101, name="更正名")],
    )
    for member in [each.members[0].id for each in mine(leader).entries[:2]]:
        with command(SYSTEM) as ctx:
            registrations_service.erase_member(ctx, member)
    committee = registrations.committee()
    for number in (waiting.number, correction.number):
        assert changes.view(number).state is ApplicationState.OVERTAKEN
        with refused(ApplicationDecidedError):
            changes.decided(number, by=committee)
    assert "draft" not in changes.states()
