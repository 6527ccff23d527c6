"""The same job through pages and their forms, and what they answer to wrong input."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.demonstration import deals, people
from tests.journeys import driver
from tests.journeys.clients import Page
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running
from tests.journeys.visitor import Visitor, typed, words

pytestmark = pytest.mark.journey
COMMITTEE, REFEREE = driver.STAFF["committee"], driver.STAFF["referee"]


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("pages")) as started:
        yield started


def journey_open_for_entries(instance: Instance, slug: str) -> Journey:
    journey = Journey(instance, slug)
    journey.appoint_organiser()
    journey.move_clock(driver.DURING_ENTRIES)
    journey.create()
    return journey


def test_the_whole_job_can_be_done_with_forms_alone(instance: Instance) -> None:
    journey = journey_open_for_entries(instance, "by-forms")
    poster = journey.follow_poster()
    serial, receipts = 0, set()
    for number, size in enumerate(people.sizes_of_units(driver.MEMBERS)):
        leader = Visitor(instance.url, journey.slug, driver.FIRST_LEADER + 20 + number)
        receipts.add(leader.enter(poster, number, range(serial + 1, serial + size + 1)))
        serial += size
    assert len(receipts) == 12
    journey.move_clock(driver.DEADLINE + timedelta(seconds=1))

    committee = Visitor(instance.url, journey.slug, COMMITTEE)
    committee.sign_in_at(f"/staff/c/{journey.slug}/entries")
    committee.approve_all()
    committee.publish()
    public = Visitor(instance.url, journey.slug, 1)
    listed = public.open(f"/c/{journey.slug}/publications")
    assert people.person_name(1) in listed.text
    assert people.id_number(1) not in listed.text
    journey.move_clock(driver.WINDOW_ENDS)
    committee.draw(driver.SEED)
    journey.move_clock(driver.PLAY)
    tables = committee.table_addresses()
    assert len(tables) == 11

    referee = Visitor(instance.url, journey.slug, REFEREE)
    referee.sign_in_at(tables[0])
    sheet = journey.staff["referee"].get(f"/tables/{tables[0].rsplit('/', 1)[-1]}")
    seats = [seat["entrant"] for seat in sheet["seats"]]
    refuse_impossible_deals(referee, tables[0], seats)
    done = referee.record(tables[0], deals.sheet(seats, 10, "by forms"))
    assert 'data-state="confirmed"' in done.text

    shown = journey.wait_for_standings()
    journey.require_recomputable(shown)
    standings = public.open(f"/c/{journey.slug}/standings")
    for seat in sheet["seats"]:
        assert seat["name"] in standings.text
    for page in ("", "/regulation", "/draws", "/pairings", "/poster"):
        public.open(f"/c/{journey.slug}{page}")


def test_a_wrong_check_digit_is_named_beside_its_field_and_nothing_typed_is_lost(instance: Instance) -> None:
    journey = journey_open_for_entries(instance, "bad-input")
    leader = Visitor(instance.url, journey.slug, 81)
    page = leader.sign_in_at(f"/c/{journey.slug}/enter")
    page = leader.submitted(page, page.form_with("agreed"), agreed="1")
    leader.submitted(page, page.form_with("credit_code"), **driver.unit(0))
    right = driver.member_posted(1)
    last = right["id_number"][-1]
    wrong = right | {"id_number": right["id_number"][:-1] + ("0" if last != "0" else "1")}
    page = leader.open(f"/c/{journey.slug}/enter/members/new")
    refused = leader.send(page, page.form_with("id_number"), **wrong)
    assert refused.status == 422
    form = refused.form_with("id_number")
    assert {key: form.values[key] for key in wrong} == wrong
    assert error_beside(refused, "id_number")
    assert not error_beside(refused, "name")
    corrected = leader.submitted(refused, form, id_number=right["id_number"])
    assert right["name"] in corrected.text
    page = leader.open(f"/c/{journey.slug}/enter/members/new")
    twice = leader.send(page, page.form_with("id_number"), **right)
    assert twice.status == 422
    assert error_beside(twice, "id_number")


def test_a_late_form_is_refused_with_the_clause(instance: Instance) -> None:
    journey = journey_open_for_entries(instance, "too-late")
    leader = Visitor(instance.url, journey.slug, 82)
    page = leader.sign_in_at(f"/c/{journey.slug}/enter")
    page = leader.submitted(page, page.form_with("agreed"), agreed="1")
    leader.submitted(page, page.form_with("credit_code"), **driver.unit(0))
    page = leader.open(f"/c/{journey.slug}/enter/members/new")
    journey.move_clock(driver.DEADLINE + timedelta(seconds=1))
    refused = leader.send(page, page.form_with("id_number"), **driver.member_posted(1))
    assert refused.status == 409
    assert "三(三)1" in words(refused)
    assert "18:00" in words(refused)
    journey.move_clock(driver.DEADLINE - timedelta(seconds=20))
    accepted = leader.send(page, page.form_with("id_number"), **driver.member_posted(1))
    assert accepted.status == 200


def refuse_impossible_deals(referee: Visitor, path: str, seats: list[str]) -> None:
    """A bid of 4 and a landlord who sits elsewhere: the form comes back with the clause and what was typed."""
    deal = {"landlord": seats[0], "bid": 3, "winner": "landlord", "bombs": 1}
    deal |= {"rockets": 0, "spring": False, "anti_spring": False}
    for wrong, sentence in (({"bid": 4}, "叫分只有"), ({"landlord": "e99999"}, "庄家不在本桌")):
        page = referee.open(path)
        refused = referee.send(page, page.form_with("landlord", "bid"), **typed(deal | wrong))
        assert refused.status == 422
        assert sentence in words(refused)
        assert "规程 四(二)" in words(refused)
        form = refused.form_with("landlord", "bid")
        kept = {"bombs": "1", "winner": "landlord"} | ({} if "landlord" in wrong else {"landlord": seats[0]})
        assert {name: form.values.get(name) for name in kept} == kept
    assert "第 1 副" in referee.open(path).text, "a refused deal was saved"


def error_beside(page: Page, name: str) -> str:
    """The sentence beside a field, empty if there is none."""
    found = re.search(rf'id="f-{name}-error"[^>]*>(.*?)</', page.text, re.DOTALL)
    return html.unescape(found[1]).strip() if found else ""
