"""`saishi simulate`: every shipped regulation is played from its file alone, through the public API, and verified."""

from __future__ import annotations

import json
from collections.abc import Iterator
from subprocess import CompletedProcess

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

DISMISSED = "5"
"""A seed with which the appeal is dismissed; with the others here it is upheld."""


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("simulate")) as started:
        Journey(started).appoint_organiser()
        yield started


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_a_made_up_event_is_played_to_its_placings_and_prizes(instance: Instance, regulation_id: str) -> None:
    entrants = ENTRANTS.get(regulation_id, 9)
    before = ahead_of_real_time(instance)
    done = simulate(instance, regulation_id, entrants, "1")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["verified"] is True
    assert told["placings"] == entrants
    assert told["competition"].startswith(f"{instance.url}/c/")
    assert any(prize["entrants"] for prize in told["prizes"])
    was_played_as_a_day(instance, told["competition"].rsplit("/", 1)[1])
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


@pytest.mark.parametrize(("seed", "upheld"), [("1", True), (DISMISSED, False)])
def test_an_appeal_is_upheld_with_one_seed_and_dismissed_with_another(
    instance: Instance, seed: str, upheld: bool
) -> None:
    told = json.loads(simulate(instance, "beach-games-landlord-2021", 13, seed).stdout)
    assert told["verified"] is True
    place = f"/competitions/{told['competition'].rsplit('/', 1)[1]}"
    public, staff = Api(instance.url), Api(instance.url, instance.tokens[people.phone(1)])
    decided = public.get(f"{place}/appeals/outcomes")
    assert [each["upheld"] for each in decided] == [upheld]
    ledger = staff.get(f"{place}/appeal-fees")
    assert (ledger["received"], ledger["held"]) == (50_000, 0)
    assert (ledger["refunded"], ledger["kept"]) == ((50_000, 0) if upheld else (0, 50_000))
    # an upheld appeal takes the ruling away that stood; the other one was withdrawn before
    assert sorted(each["withdrawn"] for each in public.get(f"{place}/rulings")) == [upheld, True]


def simulate(instance: Instance, regulation_id: str, entrants: int, seed: str) -> CompletedProcess[str]:
    return services.saishi(
        *("simulate", "--regulation", regulation_id, "--entrants", str(entrants), "--seed", seed),
        *("--url", instance.url),
        environment={**instance.environment, "SAISHI_TOKEN": instance.tokens[people.phone(1)]},
    )


def was_played_as_a_day(instance: Instance, slug: str) -> None:
    """Marked as a rehearsal, people late, sheets confirmed by card, a dispute, a correction, rulings where the text has penalties."""
    public, staff = Api(instance.url), Api(instance.url, instance.tokens[people.phone(1)])
    place = f"/competitions/{slug}"
    assert public.get(place)["rehearsal"] is True
    hall = public.get(f"{place}/floor")
    assert hall["terms"]["confirmation"] == "players"
    assert {each["state"] for each in hall["rounds"]} <= {"published", "locked"}
    came = [
        each
        for round_ in hall["rounds"]
        for each in staff.get(f"{place}/rounds/{round_['stage']}/{round_['number']}/arrivals")["arrived"]
    ]
    assert {each["minutes_late"] == "0" for each in came} == {True, False}
    assert [each["state"] for each in staff.get(f"{place}/corrections")] == ["granted"]
    given = [each["withdrawn"] for each in public.get(f"{place}/rulings") if each["id"] is not None]
    assert not given or True in given
    tokens = [table["token"] for drawn in staff.get(f"{place}/draws") for table in drawn["tables"]]
    words = [word["said"] for token in tokens for word in staff.get(f"/tables/{token}")["words"]]
    assert words.count("disputed") == 1
    assert words.count("confirmed") > len(tokens)


def ahead_of_real_time(instance: Instance) -> int:
    return int(Api(instance.url).get("/demo/clock")["ahead_seconds"])
