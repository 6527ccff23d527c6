"""A case that is upheld once rounds were drawn from the list: its letter came in time and was read afterwards."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.commands import command
from app.competitions import queries as competitions
from app.draws import queries as draw_queries
from app.draws.rules import entrant_of
from app.draws.service.voiding import Voiding
from app.extensions import db
from app.mailbox.models import IncomingMessage
from app.objections import service
from app.objections.queries import cases
from app.objections.queries.public import outcomes
from app.objections.rules.after_draw import BY_KIND, PLAYED, after_draw
from app.objections.rules.handling import AFTER_DRAW, PUT_OUT
from app.objections.rules.refusals import ObjectionRefusedError
from app.publications import queries as publications
from app.publications import service as publications_service
from app.registrations import queries as registration_queries
from app.registrations.models import Entry
from app.registrations.rules import EntryId
from app.registrations.service import changes
from app.regulations import library
from app.results.service.undrawing import undraw
from app.standings import queries as standings
from tests.app.objections.conftest import Scene, Travel, set_scene
from tests.factories import accounts, draws, mail, registrations, rounds
from tests.factories import objections as make
from tests.factories.publications import LAST_SECOND, WINDOW_OVER
from tests.factories.uploads import photo


@pytest.fixture
def scene(session: object, travel: Travel) -> Scene:
    """Enough entrants for a draw, also without one."""
    return set_scene(travel, entrants=10)


@pytest.fixture
def late(scene: Scene, travel: Travel) -> str:
    return late_case(scene, travel)


def late_case(scene: Scene, travel: Travel) -> str:
    """A case of unit 0 against an entry of unit 1: its letter came in the last second, and was read after the round was drawn."""
    name = registration_queries.named(scene.entries(1)[:1])[EntryId(scene.entries(1)[0])].name
    unit = next(each.name for each in registration_queries.led_units(scene.competition.id))
    said = f"“{scene.competition.name}”：{unit}反映，{name}不是员工。"
    travel(LAST_SECOND)
    incoming = mail.stored(
        mail.letter(sender="Qian Shiju <office@unit1.example.cn>", text=said, files=(("公函.jpg", photo()),))
    )
    travel(WINDOW_OVER)
    with command(scene.member) as ctx:
        event_id = scene.competition.event.id
        publications_service.finish_by_hand(ctx, event_id, 1, reason="邮箱读不出，不再等待。")
    draws.draw()
    mail.process(incoming)
    case = db.session.get_one(IncomingMessage, incoming).case_number
    assert case is not None
    with command(scene.member) as ctx:
        service.accept(ctx, slug="beach", number=case, revision=None)
    return case


def test_after_the_draw_an_upheld_decision_says_what_the_committee_can_do(scene: Scene, late: str) -> None:
    entry = scene.entries(1)[0]
    with pytest.raises(ObjectionRefusedError) as refused:
        make.decided(late, scene.member, make.decision(True, [entry], unheard="证据确凿。"))
    assert refused.value.fields == {"after_draw": AFTER_DRAW}
    assert make.row(late).state == "accepted"


def test_after_the_draw_a_decision_may_stand_beside_the_list_and_the_round(scene: Scene, late: str) -> None:
    entry = scene.entries(1)[0]
    before = draw_queries.rounds(scene.competition.event.id)
    make.decided(late, scene.member, make.decision(True, [entry], unheard="证据确凿。", after_draw=True))
    row = make.row(late)
    assert (row.state, row.superseding_id) == ("upheld", None)
    assert [each.number for each in publications.in_force(scene.competition.event.id)] == [1]
    assert draw_queries.rounds(scene.competition.event.id) == before
    assert db.session.get_one(Entry, entry).state == "approved", "its rounds still name it"
    (told,) = outcomes(scene.competition.event.id)
    assert (told.upheld, told.new_list) == (True, None)
    step = cases.case(row.id).steps[-1]
    assert step.details["after_draw"] is True


def test_once_the_round_is_taken_back_the_list_is_superseded_again(scene: Scene, late: str) -> None:
    event = scene.competition.event.id
    (round_,) = draw_queries.rounds(event)
    with command(registrations.committee("beach")) as ctx:
        undraw(ctx, event, "prelim", 1, voiding=Voiding(round_.seed, "异议成立，重新抽签。", "void-key-0001"))
    entry = scene.entries(1)[0]
    make.decided(late, scene.member, make.decision(True, [entry], unheard="证据确凿。"))
    assert [each.number for each in publications.in_force(event)] == [2]
    assert db.session.get_one(Entry, entry).state == "rejected"


def test_the_page_of_the_case_shows_both_ways_and_keeps_what_was_typed(
    app: Flask, client: FlaskClient, travel: Travel
) -> None:
    with app.app_context():
        scene = set_scene(travel, entrants=10)
        number, entry = late_case(scene, travel), scene.entries(1)[0]
    accounts.sign_in(client, scene.member)
    place = f"/staff/c/beach/objections/{number}"
    page = client.get(place).text
    assert "先作废抽签" in page
    assert "/staff/c/beach/draws" in page
    assert "他的名额由谁递补" in page, "of groups by the draw and by rank"
    form = {
        "revision": "2",
        "upheld": "true",
        f"outcome-{entry}": "withdrawn",
        "reasons": "经核实，所附材料属实。",
        "summary": "一名选手不符合用工要求，取消资格。",
        "unheard": "证据确凿。",
    }
    answer = client.post(f"{place}/decision", data=form)
    assert answer.status_code == 422
    assert "经核实，所附材料属实。" in answer.text
    assert "f-after_draw-error" in answer.text
    assert client.post(f"{place}/decision", data=form | {"after_draw": "1"}).status_code == 303
    page = client.get(place).text
    assert "抽签之后作出" in page


@pytest.mark.parametrize("regulation", library.shipped())
def test_every_format_says_what_happens_to_whoever_loses_his_place_after_the_draw(regulation: str) -> None:
    text = library.load(regulation)
    kind = text.scoring_rules().stages[0].kind
    assert after_draw(text) == (*BY_KIND[kind], PLAYED)


def test_by_points_whoever_lost_his_place_is_in_no_later_draw(session: object, travel: Travel) -> None:
    rounds.field(travel, rounds.GO, entrants=20)
    rounds.played(rounds.drawn())
    event = competitions.competition(rounds.SLUG).event
    gone = draw_queries.rounds(event.id)[0].tables[0].seats[0].entry_id
    with command(registrations.committee(rounds.SLUG)) as ctx:
        changes.quits(ctx, event.id, gone, reason=PUT_OUT)
    assert entrant_of(gone) not in rounds.drawn().entrants


def test_after_a_draw_of_groups_he_stays_where_he_was_drawn_and_is_in_no_later_stage(
    scene: Scene, late: str
) -> None:
    entry = scene.entries(1)[0]
    before = competitions.event(scene.competition.event.id).results_version
    make.decided(late, scene.member, make.decision(True, [entry], unheard="证据确凿。", after_draw=True))
    file = standings.event_file(scene.competition.event.id)
    (found,) = (each for each in file["entrants"] if each["id"] == entrant_of(entry))
    assert found["expelled_after"] == {"stage": "prelim", "round": 1}
    assert competitions.event(scene.competition.event.id).results_version == before + 1
