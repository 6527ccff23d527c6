"""Two connections at once: two decisions, two leaders with one person, a decision and the draw. One wins, the other is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.actors import Actor
from app.competitions import queries as competitions
from app.draws import queries as draw_queries
from app.draws.rules import entrant_of
from app.extensions import db
from app.notifications.models import Message
from app.publications.rules import PublicationState
from app.registrations import queries
from app.registrations.models import ChangeApplication, Entry
from app.registrations.rules import DuplicatePersonError, EntryState
from app.registrations.rules.changes import (
    ApplicationDecidedError,
    ApplicationStandsError,
    ApplicationState,
    ChangesClosedError,
)
from tests.app.registrations.changes.texts import competition_saying, competition_with_quota
from tests.app.registrations.stored import actions
from tests.app.registrations.test_races import at_once, refusals
from tests.factories import changes, draws, publications, registrations

Travel = Callable[[datetime], None]
pytestmark = pytest.mark.usefixtures("session")


@pytest.fixture
def leader(session: Any, travel: Travel) -> Actor:
    registrations.competition()
    person = registrations.approved(1, members=2)
    travel(changes.LATE)
    return person


def states() -> list[str]:
    db.session.rollback()
    return list(db.session.scalars(select(ChangeApplication.state).order_by(ChangeApplication.number)))


@pytest.mark.parametrize("second_grants", [True, False])
def test_of_two_members_of_the_committee_who_decide_at_once_one_is_told(
    app: Flask, leader: Actor, second_grants: bool
) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    first, second = registrations.committee(), changes.colleague()
    outcomes = at_once(
        app,
        lambda: changes.decided(number, by=first),
        lambda: changes.decided(number, grant=second_grants, answer="名额已定", by=second),
    )
    assert refusals(outcomes) == [ApplicationDecidedError]
    (state,) = states()
    granted = state == "granted"
    assert changes.states() == ["approved"] * (3 if granted else 2)
    assert sum(each in {"change.granted", "change.refused"} for each in actions()) == 1
    told = [each for each in db.session.scalars(select(Message.body)) if "变更申请第 1 号" in each]
    assert len(told) == 1


def test_two_taps_of_one_member_of_the_committee_grant_once(app: Flask, leader: Actor) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    committee = registrations.committee()
    outcomes = at_once(app, *[lambda: changes.decided(number, by=committee)] * 3)
    assert refusals(outcomes) == []
    assert changes.states() == ["approved"] * 3
    assert actions().count("change.granted") == 1


def test_of_two_leaders_who_add_one_person_at_once_one_is_told(
    app: Flask, leader: Actor, travel: Travel
) -> None:
    travel(registrations.OPEN)
    other = registrations.approved(2)
    travel(changes.LATE)
    letters = {leader: changes.letter(leader), other: changes.letter(other)}
    outcomes = at_once(
        app,
        *[
            lambda who=who: changes.applied(who, members=[changes.form(900)], tokens=[letters[who]])
            for who in (leader, other)
        ],
    )
    assert refusals(outcomes) == [DuplicatePersonError]
    assert states() == ["waiting"]
    assert changes.states().count("draft") == 1


def test_a_leader_who_applies_on_two_devices_has_one_application_about_an_entry(
    app: Flask, leader: Actor
) -> None:
    tokens = [changes.letter(leader), changes.letter(leader)]
    outcomes = at_once(
        app,
        lambda: changes.applied(leader, "replace", members=[changes.form(900)], tokens=tokens[:1]),
        lambda: changes.applied(leader, "replace", members=[changes.form(901)], tokens=tokens[1:]),
    )
    assert refusals(outcomes) == [ApplicationStandsError]
    assert states() == ["waiting"]


def test_the_same_form_sent_three_times_at_once_is_one_application(app: Flask, leader: Actor) -> None:
    token = changes.letter(leader)
    outcomes = at_once(
        app,
        *[
            lambda: (
                changes.applied(
                    leader, members=[changes.form(900)], tokens=[token], idempotency_key="one-key-for-all"
                ).number
            )
        ]
        * 3,
    )
    assert outcomes == [1, 1, 1]


def test_taken_back_and_granted_at_once_it_is_one_of_both(app: Flask, leader: Actor) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    committee = registrations.committee()
    outcomes = at_once(
        app, lambda: changes.decided(number, by=committee), lambda: changes.taken_back(leader, number)
    )
    assert refusals(outcomes) == [ApplicationDecidedError]
    (state,) = states()
    expected = 3 if state == ApplicationState.GRANTED else 2
    assert changes.states() == ["approved"] * expected


def test_two_grants_at_once_do_not_pass_the_quota(app: Flask, session: Any, travel: Travel) -> None:
    competition_with_quota(3)
    person = registrations.approved(1, members=2)
    travel(changes.LATE)
    tokens = [changes.letter(person), changes.letter(person)]
    outcomes = at_once(
        app,
        lambda: changes.applied(person, members=[changes.form(900)], tokens=tokens[:1]),
        lambda: changes.applied(person, members=[changes.form(901)], tokens=tokens[1:]),
    )
    assert [each.__name__ for each in refusals(outcomes)] == ["QuotaFullError"]


def test_a_grant_races_the_draw_and_nobody_is_granted_a_place_that_was_not_drawn(
    app: Flask, session: Any, travel: Travel
) -> None:
    competition_saying(published_again=False)
    person = registrations.approved(1, members=9)
    travel(publications.AFTER_CLOSING)
    publications.publish()
    number = changes.applied(person, members=[changes.form(900)]).number
    travel(publications.WINDOW_OVER)
    committee, colleague = registrations.committee(), changes.colleague()
    outcomes = at_once(app, lambda: changes.decided(number, by=colleague), lambda: draws.draw(by=committee))
    event_id = competitions.competition("beach").event.id
    (drawn,) = draw_queries.rounds(event_id)
    seated = set(drawn.entrants)
    (state,) = states()
    approved = {entrant_of(each.entry_id) for each in queries.approved_entries(event_id)}
    if refusals(outcomes):
        assert refusals(outcomes) == [ChangesClosedError]
        assert state == "waiting"
    assert seated == approved


def test_a_withdrawal_races_the_draw_and_who_left_is_not_drawn(
    app: Flask, session: Any, travel: Travel
) -> None:
    publications.published_field(travel, 10)
    person = registrations.leader(1, with_unit=False)
    travel(publications.WINDOW_OVER)
    committee = registrations.committee()
    at_once(app, lambda: changes.applied(person, "withdraw"), lambda: draws.draw(by=committee))
    event = competitions.competition("beach").event
    (drawn,) = draw_queries.rounds(event.id)
    seated = set(drawn.entrants)
    gone = db.session.scalars(select(Entry.id).where(Entry.state == EntryState.WITHDRAWN.value)).all()
    assert not seated & {entrant_of(each) for each in gone}
    (state,) = states()
    assert state == ("granted" if gone else "waiting"), "before the draw at once, afterwards by the committee"


def test_a_grant_races_the_list_and_who_came_is_on_it_or_waits_for_the_next(
    app: Flask, leader: Actor
) -> None:
    number = changes.applied(leader, members=[changes.form(900)]).number
    committee, colleague = registrations.committee(), changes.colleague()
    outcomes = at_once(
        app, lambda: changes.decided(number, by=colleague), lambda: publications.publish(by=committee)
    )
    assert refusals(outcomes) == []
    event = competitions.competition("beach").event
    planned = publications.queries.plan(event)
    assert len(planned.lists[0].entries) + len(planned.unlisted) == 3
    assert planned.lists[0].status(changes.LATE).state is PublicationState.RUNNING
