"""A granted change whose newer form voids another unit's older one (以最新一次为准): seen before it is granted, told to its leader."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor, Role
from app.commands import command
from app.competitions import queries as competitions
from app.errors import SaishiError
from app.extensions import db
from app.notifications.models import Message
from app.registrations import queries
from app.registrations.queries.changes import ChangeView
from app.registrations.queries.voiding import voided_by
from app.registrations.rules import EntryState
from app.registrations.rules.changes import OtherFormsVoidedError
from app.registrations.service import changes as service
from app.regulations import library
from app.regulations.rules import Regulation
from tests.factories import accounts, changes, pairs, people, registrations
from tests.factories import competitions as factory

Travel = Callable[[datetime], None]
SLUG = pairs.SLUG


def late(travel: Travel, reading: str = "latest_per_person") -> tuple[Actor, Actor]:
    """Two approved pairs, each entered by one of its players; the text allows changes, and a second ago the deadline was over."""
    document = library.load(pairs.EIGHTY).document
    document["registration"]["changes"] = {
        "after_deadline": False,
        "by_written_application": True,
        "clause": "六1",
    }
    (again,) = [each for each in document["interpretations"] if each["option"] == "resubmission"]
    again["default"] = reading
    travel(pairs.DURING_ENTRIES[pairs.EIGHTY])
    made = factory.competition(
        accounts.user(registrations.ORGANISER, Role.ORGANISER),
        regulation=Regulation.from_document(document),
        slug=SLUG,
        calendar=pairs.DAYS_OF_PLAY[pairs.EIGHTY],
    )
    first, second = pairs.submitted(1), pairs.submitted(2)
    pairs.approve()
    travel(made.event.regulation.calendar.registration_closes + timedelta(seconds=1))
    return first, second


def asked(person: Actor) -> ChangeView:
    """Somebody of the other pair is to come in the place of one's second player."""
    mine = queries.my(person.require_signed_in(), competitions.competition(SLUG))
    leaves = mine.entries[0].members[1].id
    typed = pairs.typed([pairs.player(1)])
    return changes.applied(person, "replace", slug=SLUG, member_id=leaves, members=typed)


def decide(number: int, voids: list[int] | None = None) -> None:
    with command(registrations.committee(SLUG)) as ctx:
        service.decide(
            ctx, slug=SLUG, number=number, grant=True, answer="", voids=voids or [], address="/here"
        )


def letters() -> list[str]:
    db.session.rollback()
    return [row.body for row in db.session.query(Message).filter_by(kind="entry_replaced")]


def test_a_grant_that_voids_another_form_is_refused_until_that_form_was_seen(
    session: Any, travel: Travel
) -> None:
    other, person = late(travel)
    view = asked(person)
    event = competitions.competition(SLUG).event
    (voided,) = voided_by(event, view.number)
    assert voided.name == f"{people.person_name(1)} / {people.person_name(2)}"
    with pytest.raises(OtherFormsVoidedError) as refusal:
        decide(view.number)
    assert refusal.value.clause == "六1"
    assert [each["entry_id"] for each in refusal.value.extra["voids"]] == [voided.entry_id]
    assert changes.states(SLUG) == ["approved", "approved", "draft"], "nothing half-done"
    assert letters() == []
    decide(view.number, [voided.entry_id])
    (theirs,) = queries.my(other.require_signed_in(), competitions.competition(SLUG)).entries
    assert (theirs.state, theirs.replaced) == (EntryState.WITHDRAWN, True)


def test_the_other_unit_is_told_once_with_the_clause_and_without_names(session: Any, travel: Travel) -> None:
    _, person = late(travel)
    view = asked(person)
    decide(
        view.number, [each.entry_id for each in voided_by(competitions.competition(SLUG).event, view.number)]
    )
    (told,) = letters()
    assert "取代" in told
    assert f"/c/{SLUG}/my" in told
    assert not any(people.person_name(serial) in told for serial in range(1, 5))


def test_a_reading_that_leaves_other_pairs_standing_voids_nothing(session: Any, travel: Travel) -> None:
    _, person = late(travel, "latest_per_pair")
    with pytest.raises(SaishiError, match="已由其他单位在本项目报名"):
        asked(person)


def test_the_page_shows_what_goes_and_the_form_says_that_it_was_seen(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        _, person = late(travel)
        number = asked(person).number
        committee = registrations.committee(SLUG)
    accounts.sign_in(client, committee)
    address = f"/staff/c/{SLUG}/changes/{number}"
    page = client.get(address).text
    section = page[page.index("data-voids") :]
    section = section[: section.index("</section>")]
    assert people.person_name(1) in section
    assert "已通过" in section
    assert "#clause-" in section
    assert "同意并办理，取代上面的报名" in page
    (entry_id,) = set(re.findall(r'name="voids" value="(\d+)"', page))
    again = client.post(address, data={"grant": "1"})
    assert again.status_code == 409
    assert "另有 1 份报名被这一份取代" in again.text
    assert client.post(address, data={"grant": "1", "voids": entry_id}).status_code == 303


def test_a_program_learns_from_the_refusal_what_it_has_to_name(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        _, person = late(travel)
        number = asked(person).number
        committee = registrations.committee(SLUG)
        bearer = accounts.bearer(app, committee)
    address = f"/api/v1/competitions/{SLUG}/changes/{number}/decision"
    answer = client.post(address, json={"grant": True}, headers=bearer)
    assert (answer.status_code, answer.json["code"]) == (409, "other_forms_voided")
    named = [each["entry_id"] for each in answer.json["voids"]]
    granted = client.post(address, json={"grant": True, "voids": named}, headers=bearer)
    assert granted.json["state"] == "granted"
