"""`saishi simulate`: every shipped regulation is played from its file alone, through the public API, and verified."""

from __future__ import annotations

import json
from collections.abc import Iterator
from subprocess import CompletedProcess
from typing import Any

import pytest

from app.demonstration import people
from app.regulations import library
from tests import services
from tests.journeys.clients import Api
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import SQLITE, running

pytestmark = pytest.mark.journey

ENTRANTS = {"dongcheng-go-2021": 20, "beach-games-landlord-2021": 13}
"""What a text needs at least, or what shows more; the others play with nine."""

FINAL_UPHELD, FIRST_UPHELD = "5", "1"
"""Seeds with which the appeal after the final is upheld, and the one after the first round; the other one is dismissed."""

WITHIN = 240.0
"""Seconds for one event; it takes a tenth of that on a machine that is not shared."""

WITHOUT_POINTS = {"dongcheng-landlord-2021"}
"""Texts whose penalties are put on record and cost nothing: no place can hang on one."""

ON_TIME_ONLY = {"beach-games-landlord-2021"}
"""Texts that say nothing of who does not come: what is played there is scored, the list of arrivals says the rest."""


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("simulate")) as started:
        Journey(started).appoint_organiser()
        yield started


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_a_made_up_event_is_played_to_its_placings_and_prizes(instance: Instance, regulation_id: str) -> None:
    entrants = ENTRANTS.get(regulation_id, 9)
    before = ahead_of_real_time(instance)
    told = played(instance, regulation_id, entrants, FINAL_UPHELD)
    assert told["placings"] == entrants
    assert told["competition"].startswith(f"{instance.url}/c/")
    assert any(prize["entrants"] for prize in told["prizes"])
    was_played_as_a_day(instance, told, regulation_id)
    # individuals and teams are the two formats of one text
    shown = Api(instance.url).get(f"/competitions/{slug_of(told)}/standings")
    assert bool(shown["teams"]) is (regulation_id == "dongcheng-landlord-2021")
    # the next rehearsal begins after this one, not in the middle of its days
    assert abs(ahead_of_real_time(instance) - before) <= 1


@pytest.mark.parametrize(
    ("regulation_id", "entrants", "said"),
    [
        ("dongcheng-go-2021", 9, "每组应有20至32人"),  # before the first round
        ("baiyun-tractor-2016", 4, "再次相遇"),  # after some rounds
    ],
)
def test_an_event_that_would_stop_at_a_ruling_is_not_begun(
    instance: Instance, regulation_id: str, entrants: int, said: str
) -> None:
    before = Api(instance.url).get("/competitions")
    done = simulate(instance, regulation_id, entrants, "1")
    assert done.returncode == 2
    assert said in done.stderr
    assert "没有创建演练赛" in done.stderr
    assert Api(instance.url).get("/competitions") == before


@pytest.mark.parametrize(("seed", "upheld"), [(FIRST_UPHELD, [True, False]), (FINAL_UPHELD, [False, True])])
def test_of_two_appeals_one_is_upheld_and_its_fee_goes_back(
    instance: Instance, seed: str, upheld: list[bool]
) -> None:
    told = played(instance, "beach-games-landlord-2021", 13, seed)
    place = f"/competitions/{slug_of(told)}"
    public, staff = Api(instance.url), Api(instance.url, instance.tokens[people.phone(1)])
    decided = {each["number"]: each for each in public.get(f"{place}/appeals/outcomes")}
    assert [decided[number]["upheld"] for number in sorted(decided)] == upheld
    ledger = staff.get(f"{place}/appeal-fees")
    assert (ledger["received"], ledger["refunded"], ledger["kept"], ledger["held"]) == (
        100_000,
        50_000,
        50_000,
        0,
    )
    # an upheld appeal takes the ruling away that stood; another one was withdrawn before
    assert sorted(each["withdrawn"] for each in public.get(f"{place}/rulings")) == [False, True, True]
    assert told["day"]["recomputed_after_final"] == (seed == FINAL_UPHELD)


@pytest.mark.parametrize(("confirmation", "publication"), [("blind", "by_round"), ("at_table", "last_round")])
def test_sheets_are_confirmed_and_published_as_the_terms_say(
    instance: Instance, confirmation: str, publication: str
) -> None:
    terms = ("--confirmation", confirmation, "--publication", publication)
    told = played(instance, "dongcheng-xiangqi-2021", 9, FINAL_UPHELD, *terms)
    place = f"/competitions/{slug_of(told)}"
    hall = Api(instance.url).get(f"{place}/floor")
    assert (hall["terms"]["confirmation"], hall["terms"]["publication"]) == (confirmation, publication)
    blind = confirmation == "blind"
    tables = sum(len(drawn["tables"]) for drawn in all_draws(instance, place))
    # the one at which somebody stayed away was never entered; one that was disputed may be entered twice more
    assert told["day"].get("blind_entries", 0) in ({tables - 1, tables} if blind else {0})
    assert told["day"].get("disputes", 0) == blind


def played(instance: Instance, regulation_id: str, entrants: int, seed: str, *terms: str) -> dict[str, Any]:
    """What the command told of an event that was played and verified."""
    done = simulate(instance, regulation_id, entrants, seed, *terms)
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["verified"] is True
    return told


def simulate(
    instance: Instance, regulation_id: str, entrants: int, seed: str, *terms: str
) -> CompletedProcess[str]:
    return services.saishi(
        *("simulate", "--regulation", regulation_id, "--entrants", str(entrants), "--seed", seed),
        *("--url", instance.url, *terms),
        environment={**instance.environment, "SAISHI_TOKEN": instance.tokens[people.phone(1)]},
        within=WITHIN,
    )


def slug_of(told: dict[str, Any]) -> str:
    return str(told["competition"].rsplit("/", 1)[1])


def all_draws(instance: Instance, place: str) -> list[dict[str, Any]]:
    return list(Api(instance.url, instance.tokens[people.phone(1)]).get(f"{place}/draws"))


def was_played_as_a_day(instance: Instance, told: dict[str, Any], regulation_id: str) -> None:
    """What the command says it did, and what the instance has of it: nothing on the list was left out."""
    place, day = f"/competitions/{slug_of(told)}", told["day"]
    public, staff = Api(instance.url), Api(instance.url, instance.tokens[people.phone(1)])
    assert public.get(place)["rehearsal"] is True
    hall = public.get(f"{place}/floor")
    assert hall["terms"]["confirmation"] == "players"
    assert {each["state"] for each in hall["rounds"]} <= {"published", "locked"}
    document = json.loads(public.raw(f"{place}/event-file"))
    some_came_late_and_one_not_at_all(staff, place, hall["rounds"], document, regulation_id)
    # both corrections were granted, one of them when the next round was drawn: its draw says what it was made from
    assert [each["state"] for each in staff.get(f"{place}/corrections")] == ["granted", "granted"]
    assert day["corrections_after_next_draw"] == 1
    assert any("as_drawn" in each for each in document["draws"])
    # what was ruled after the final was taken back, by appeal where the text has one, and the placings followed
    rulings = [each for each in public.get(f"{place}/rulings") if each["id"] is not None]
    assert sum(each["withdrawn"] for each in rulings) == 2
    assert day["recomputed_after_final"] == (regulation_id not in WITHOUT_POINTS)
    appeals = regulation_id == "beach-games-landlord-2021"
    assert day.get("appeals_upheld", 0) == day.get("appeals_dismissed", 0) == appeals
    draws = all_draws(instance, place)
    tokens = [table["token"] for drawn in draws for table in drawn["tables"]]
    words = [word for token in tokens for word in staff.get(f"/tables/{token}")["words"]]
    assert {word["way"] for word in words if word["said"] == "confirmed"} == {"card", "ruling"}
    assert day["disputes"] == 1
    assert (
        sum(word["said"] == "disputed" for word in words) <= 1
    )  # sent back, it is said of an earlier revision
    assert day["takeovers"] == 1
    for drawn in draws:
        placed = staff.get(f"{place}/rounds/{drawn['stage']}/{drawn['round']}/referees")
        assert all(each["referees"] for each in placed)


def some_came_late_and_one_not_at_all(
    staff: Api, place: str, rounds: list[dict[str, Any]], document: dict[str, Any], regulation_id: str
) -> None:
    lists = [staff.get(f"{place}/rounds/{round_['stage']}/{round_['number']}/arrivals") for round_ in rounds]
    came = [each for listed in lists for each in listed["arrived"]]
    assert {each["minutes_late"] == "0" for each in came} == {True, False}
    (away,) = (entrant for listed in lists for entrant in listed["missing"])
    forfeited = [
        entrant
        for round_ in rounds_of(document)
        for table in round_["tables"]
        for entrant in table.get("forfeits", ())
    ]
    assert forfeited == ([] if regulation_id in ON_TIME_ONLY else [away])


def rounds_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every round of an event file; a stage that is played in one go is its own."""
    return [round_ for stage in document["stages"] for round_ in stage.get("rounds", [stage])]


def ahead_of_real_time(instance: Instance) -> int:
    return int(Api(instance.url).get("/demo/clock")["ahead_seconds"])
