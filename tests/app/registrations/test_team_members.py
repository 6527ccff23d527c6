"""Members named for a unit's team (团体): 东城区 附件4七(二) with I-B-10, all of a team or nobody."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.actors import Actor
from app.commands import command
from app.competitions import queries as competitions
from app.registrations import queries, service
from app.registrations.rules import MemberId
from app.registrations.rules.refusals import TeamFullError, TeamIncompleteError
from app.standings import queries as standings
from tests.app.registrations.reading import error_beside, text_of, value_of
from tests.factories import accounts, registrations, rounds
from tests.factories import competitions as competitions_factory
from tests.factories.publications import Travel

SLUG = rounds.SLUG


def competition(travel: Travel, regulation: str = rounds.LANDLORD) -> None:
    travel(rounds.DURING_ENTRIES)
    by = accounts.user(registrations.ORGANISER, registrations.Role.ORGANISER)
    competitions_factory.competition(by, regulation=regulation, slug=SLUG)


def member(person: Actor, serial: int, *, in_team: bool) -> MemberId:
    with command(person) as ctx:
        form: dict[str, Any] = registrations.member_form(serial)
        return service.add_member(ctx, slug=SLUG, **form, in_team=in_team)


def test_the_two_named_on_the_form_are_the_team_of_the_event_file(session: Any, travel: Travel) -> None:
    competition(travel)
    person = registrations.leader(1, SLUG)
    for serial, in_team in ((1, True), (2, False), (3, True)):
        member(person, serial, in_team=in_team)
    registrations.submission(person, SLUG)
    registrations.approved(2, 3, SLUG)
    event = competitions.competition(SLUG).event
    entrants = standings.event_file(event.id)["entrants"]
    unit = entrants[0]["unit"]
    assert [each.get("team") for each in entrants] == [unit, None, unit, None, None, None]


def test_a_third_is_refused_beside_the_box_and_half_a_team_is_not_handed_in(
    session: Any, travel: Travel
) -> None:
    competition(travel)
    person = registrations.leader(1, SLUG)
    first = member(person, 1, in_team=True)
    with pytest.raises(TeamIncompleteError) as incomplete:
        registrations.submission(person, SLUG)
    assert incomplete.value.clause == "附件4七(二)"
    member(person, 2, in_team=True)
    with pytest.raises(TeamFullError) as full:
        member(person, 3, in_team=True)
    assert list(full.value.fields) == ["in_team"]
    with command(person) as ctx:
        form = registrations.member_form(1, name="赵换", id_number="", phone="")
        service.change_member(ctx, slug=SLUG, member_id=first, **form)  # no longer named
    member(person, 3, in_team=True)
    registrations.submission(person, SLUG)
    mine = queries.my(person.require_signed_in(), competitions.competition(SLUG))
    assert [entry.in_team for entry in mine.entries] == [False, True, True]


def test_where_the_text_has_no_teams_nobody_is_named(session: Any, travel: Travel) -> None:
    competition(travel, rounds.GO)
    person = registrations.leader(1, SLUG)
    member(person, 1, in_team=True)
    mine = queries.my(person.require_signed_in(), competitions.competition(SLUG))
    assert [entry.in_team for entry in mine.entries] == [None]


def test_the_box_stands_in_the_form_and_stays_ticked(app: Flask, client: FlaskClient, travel: Travel) -> None:
    with app.app_context():
        competition(travel)
        person = registrations.leader(1, SLUG)
        for serial in (1, 2):
            member(person, serial, in_team=True)
    accounts.sign_in(client, person)
    new = f"/c/{SLUG}/enter/members/new"
    assert "计入本单位团体成绩" in text_of(client.get(new))
    answer = client.post(new, data=registrations.member_posted(3, employment="") | {"in_team": "1"})
    page = text_of(answer)
    assert answer.status_code == 422
    assert "本单位已写明 2 人" in error_beside(page, "in_team")
    assert value_of(page, "name") == registrations.member_form(3)["name"]
    assert " checked" in page
    listed = text_of(client.get(f"/c/{SLUG}/enter/members"))
    assert listed.count("· 团体") == 2
