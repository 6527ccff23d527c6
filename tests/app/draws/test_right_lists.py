"""The draw waits for lists that say what plays: nobody under a name that was never published, nobody passed over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.competitions import queries as competitions
from app.draws.rules import ListStaleError, UnlistedError, entrant_of
from app.publications import queries
from app.publications.queries import PublicationView
from app.text import BEIJING
from tests.app.registrations.changes.texts import competition_saying
from tests.factories import accounts, changes, draws, publications, registrations

Travel = Callable[[datetime], None]
SOON = datetime(2021, 11, 1, 9, tzinfo=BEIJING)
CLAUSE = "三(四)2"


def in_force() -> tuple[PublicationView, ...]:
    return queries.in_force(competitions.competition("beach").event.id)


def listed(travel: Travel) -> Actor:
    """Ten on a list that came out in time; the clock stands on its first day."""
    person = registrations.approved(1, members=10)
    travel(publications.AFTER_CLOSING)
    publications.publish()
    travel(SOON)
    return person


@pytest.fixture
def leader(session: Any, travel: Travel) -> Actor:
    registrations.competition()
    return listed(travel)


def renamed(person: Actor, name: str = "更正名") -> int:
    view = changes.applied(person, "correct", members=[changes.form(100, name=name)])
    changes.decided(view.number, answer="证明与更正一致")
    assert view.entry_id is not None
    return int(view.entry_id)


def test_a_corrected_name_is_published_before_it_is_drawn(leader: Actor, travel: Travel) -> None:
    entry_id = renamed(leader)
    travel(publications.WINDOW_OVER)
    with pytest.raises(ListStaleError) as refusal:
        draws.draw()
    assert refusal.value.clause == CLAUSE
    assert refusal.value.extra == {"number": 1, "changed": 1}
    with pytest.raises(ListStaleError):
        draws.commit()
    publications.supersede(1)
    travel(in_force()[-1].ends_at)
    names = {entrant: person.name for entrant, person in draws.draw().people}
    assert names[entrant_of(entry_id)] == "更正名"


def test_nobody_who_is_approved_is_passed_over_by_the_draw(leader: Actor, travel: Travel) -> None:
    view = changes.decided(changes.applied(leader, members=[changes.form(900)]).number)
    travel(publications.WINDOW_OVER)
    with pytest.raises(UnlistedError) as refusal:
        draws.draw()
    assert (refusal.value.clause, refusal.value.extra) == (CLAUSE, {"unlisted": 1})
    # what the refusal says: whoever no longer plays is rejected, with a reason, and the draw goes on
    assert view.made_entry_id is not None
    registrations.decision(
        registrations.committee(), view.made_entry_id, "reject", "来不及公示，本人同意不参赛。"
    )
    assert len(draws.draw().entrants) == 10


def test_whoever_left_a_list_does_not_hold_the_draw(leader: Actor, travel: Travel) -> None:
    gone = in_force()[0].entries[0].entry_id
    registrations.decision(registrations.committee(), gone, "reject", "伤病，不再参赛。")
    travel(publications.WINDOW_OVER)
    drawn = draws.draw()
    assert len(drawn.entrants) == 9
    assert entrant_of(gone) not in drawn.entrants


def test_where_the_text_does_not_publish_again_a_corrected_name_is_drawn(
    session: Any, travel: Travel
) -> None:
    competition_saying(published_again=False)
    renamed(listed(travel))
    travel(publications.WINDOW_OVER)
    assert len(draws.draw().entrants) == 10


def test_the_pages_say_it_with_the_clause_and_lead_to_the_lists(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        registrations.competition()
        person = listed(travel)
        renamed(person)
        left = in_force()[0].entries[1].entry_id
        committee = registrations.committee()
        registrations.decision(committee, left, "reject", "伤病，不再参赛。")
    travel(publications.WINDOW_OVER)
    accounts.sign_in(client, committee)
    page = client.get("/staff/c/beach/draws").text
    assert "第 1 号名单上有 1 人已经变更，变更还没有公示，此前不能抽签。" in page
    assert "第 1 号名单上有 1 人已不再参赛，抽签时不算在内。" in page
    assert f"#clause-{CLAUSE}" in unquote(page)
    assert page.count('href="/staff/c/beach/publication"') >= 2
    answer = client.post("/staff/c/beach/draws", data={"stage": "prelim"})
    assert answer.status_code == 409
    assert "请先在“公示”页发布更正名单" in answer.text
    told = client.post(
        "/api/v1/competitions/beach/draws", json={"stage": "prelim"}, headers=accounts.bearer(app, committee)
    )
    assert (told.status_code, told.json["clause"]) == (409, CLAUSE)
