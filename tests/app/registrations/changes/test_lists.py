"""A granted change and the published lists: what its leader reads, who is drawn, what the list's page says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app import clock
from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.competitions.queries import EventView
from app.draws.rules import entrant_of
from app.publications import queries
from app.publications.rules import NothingToAddError
from app.registrations import service as registrations_service
from app.registrations.rules import EntryId
from app.text import BEIJING
from tests.app.registrations.changes.texts import competition_saying
from tests.app.registrations.reading import text_of
from tests.app.registrations.stored import mine, refused
from tests.factories import accounts, changes, draws, publications, registrations

Travel = Callable[[datetime], None]
SOON = datetime(2021, 11, 1, 9, tzinfo=BEIJING)


@pytest.fixture
def leader(session: Any, travel: Travel) -> Actor:
    """Three on a list; the text publishes changes again."""
    registrations.competition()
    return listed(travel)


@pytest.fixture
def once(session: Any, travel: Travel) -> Actor:
    """The same by a text that does not publish changes again."""
    competition_saying(published_again=False)
    return listed(travel)


def listed(travel: Travel) -> Actor:
    person = registrations.approved(1, members=3)
    travel(publications.AFTER_CLOSING)
    publications.publish()
    travel(SOON)
    return person


def event() -> EventView:
    return competitions.competition("beach").event


def shown(entry_id: int | None) -> str | None:
    assert entry_id is not None
    return queries.shown_states(event().id, clock.now()).get(entry_id)


def correct(person: Actor, **corrected: Any) -> int:
    view = changes.applied(person, "correct", members=[changes.form(100, **corrected)])
    changes.decided(view.number, answer="证明与更正一致")
    assert view.entry_id is not None
    return view.entry_id


def added(person: Actor, serial: int = 900) -> int:
    view = changes.decided(changes.applied(person, members=[changes.form(serial)]).number)
    assert view.made_entry_id is not None
    return view.made_entry_id


def test_a_corrected_name_waits_for_the_corrected_list_and_then_has_its_state(
    leader: Actor, travel: Travel
) -> None:
    entry_id = correct(leader, name="更正名")
    other = mine(leader).entries[1].entry_id
    assert (shown(entry_id), shown(other)) == ("to_be_published", "in_publication")
    assert queries.entry_states(event().id, clock.now())[entry_id] == "in_publication", "of the old name"
    publications.supersede(1)
    assert shown(entry_id) == "in_publication"
    travel(queries.publication(event().id, 2).ends_at)
    assert shown(entry_id) == "confirmed"


def test_a_correction_that_no_list_shows_leaves_the_state_of_the_list(leader: Actor) -> None:
    assert shown(correct(leader, phone="13900000900")) == "in_publication"


def test_who_was_added_waits_for_the_supplementary_list(leader: Actor, travel: Travel) -> None:
    entry_id = added(leader)
    assert shown(entry_id) == "to_be_published"
    assert queries.plan(event()).added == ()
    publications.supplement()
    assert shown(entry_id) == "in_publication"


def test_before_the_first_list_nothing_waits_for_another(session: Any, travel: Travel) -> None:
    registrations.competition()
    person = registrations.approved(1)
    travel(changes.LATE)
    entry_id = added(person)
    assert shown(entry_id) is None
    publications.publish()
    assert shown(entry_id) == "in_publication"


def test_after_the_draw_no_list_is_waited_for(leader: Actor, travel: Travel) -> None:
    for serial in range(901, 907):
        added(leader, serial)
    publications.supplement()
    entry_id = queries.in_force(event().id)[0].entries[0].entry_id
    travel(queries.in_force(event().id)[-1].ends_at)
    draws.draw()
    with command(registrations.committee()) as ctx:  # a decision on an objection that was read late
        registrations_service.correct_objected(ctx, EntryId(entry_id), names=["更正名"])
    assert queries.plan(event()).stale
    assert shown(entry_id) == "confirmed"


def test_where_the_text_does_not_publish_again_a_correction_keeps_the_state_of_its_list(once: Actor) -> None:
    assert shown(correct(once, name="更正名")) == "in_publication"


def test_where_the_text_does_not_publish_again_who_was_added_plays_without_a_list(
    once: Actor, travel: Travel
) -> None:
    came = [added(once, serial) for serial in range(900, 906)]
    planned = queries.plan(event())
    assert [each.entry_id for each in planned.added] == came
    assert planned.unlisted == ()
    assert {shown(each) for each in came} == {"confirmed"}
    with pytest.raises(NothingToAddError):
        publications.supplement()
    travel(publications.WINDOW_OVER)
    publications.finish()
    numbers = queries.numbers_of(event().id)
    assert [numbers[each] for each in came] == [4, 5, 6, 7, 8, 9], "after those on the list"
    drawn = draws.draw()
    assert {entrant_of(each) for each in came} <= set(drawn.entrants)


def test_somebody_replaced_without_a_list_takes_the_place_in_the_draw(once: Actor, travel: Travel) -> None:
    old = mine(once).entries[0].entry_id
    view = changes.decided(changes.applied(once, "replace", members=[changes.form(900)]).number)
    assert view.made_entry_id is not None
    for serial in range(901, 907):
        added(once, serial)
    travel(publications.WINDOW_OVER)
    drawn = draws.draw()
    seated = set(drawn.entrants)
    assert entrant_of(view.made_entry_id) in seated
    assert entrant_of(old) not in seated


def test_who_was_left_out_of_a_list_and_is_approved_again_needs_a_list_all_the_same(once: Actor) -> None:
    entry_id = correct(once, name="更正名")
    publications.supersede(1, [entry_id])
    committee = registrations.committee()
    registrations.decision(committee, entry_id)
    planned = queries.plan(event())
    assert [each.entry_id for each in planned.unlisted] == [entry_id]
    assert planned.added == ()
    assert shown(entry_id) == "to_be_published"


def test_the_pages_of_the_list_say_who_was_added_and_under_which_clause(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        competition_saying(published_again=False)
        person = listed(travel)
        added(person)
        committee = registrations.committee()
    name = str(registrations.member_form(900)["name"])
    page = text_of(client.get("/c/beach/publications"))
    section = page[page.index("data-added") :]
    assert name in section
    assert "#clause-" in section[: section.index("</section>")]
    assert "三(四)2" in section[: section.index("</section>")]
    told = client.get("/api/v1/competitions/beach/publications/1").get_json()
    assert [each["name"] for each in told["added"]] == [name]
    assert len(told["entries"]) == 3
    accounts.sign_in(client, committee)
    board = text_of(client.get("/staff/c/beach/publication"))
    assert "data-added" in board
    assert "需要补充公示" not in board
    accounts.sign_in(client, person)
    assert "已确认" in text_of(client.get("/c/beach/my/changes/1"))
    assert "待补充公示" not in text_of(client.get("/c/beach/my"))


def test_a_refused_supplement_changes_nothing(leader: Actor) -> None:
    committee = registrations.committee()
    with refused(NothingToAddError):
        publications.supplement(by=committee)
