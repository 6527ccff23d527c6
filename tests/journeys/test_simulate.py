"""`saishi simulate`: every shipped regulation is played from its file alone, through the public API, and verified."""

from __future__ import annotations

import json
from collections.abc import Iterator

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


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    with running(SQLITE, tmp_path_factory.mktemp("simulate")) as started:
        Journey(started).appoint_organiser()
        yield started


@pytest.mark.parametrize("regulation_id", library.shipped())
def test_a_made_up_event_is_played_to_its_placings_and_prizes(instance: Instance, regulation_id: str) -> None:
    entrants = ENTRANTS.get(regulation_id, 9)
    before = ahead_of_real_time(instance)
    done = services.saishi(
        *("simulate", "--regulation", regulation_id, "--entrants", str(entrants), "--seed", "1"),
        *("--url", instance.url),
        environment={**instance.environment, "SAISHI_TOKEN": instance.tokens[people.phone(1)]},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["verified"] is True
    assert told["placings"] == entrants
    assert told["competition"].startswith(f"{instance.url}/c/")
    assert any(prize["entrants"] for prize in told["prizes"])
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
    done = services.saishi(
        *("simulate", "--regulation", regulation_id, "--entrants", str(entrants), "--seed", "1"),
        *("--url", instance.url),
        environment={**instance.environment, "SAISHI_TOKEN": instance.tokens[people.phone(1)]},
    )
    assert done.returncode == 2
    assert said in done.stderr
    assert "没有创建演练赛" in done.stderr
    assert Api(instance.url).get("/competitions") == before


def ahead_of_real_time(instance: Instance) -> int:
    return int(Api(instance.url).get("/demo/clock")["ahead_seconds"])
