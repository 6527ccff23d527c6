"""The main job, end to end, through the JSON API: on one machine's engines and on the grown ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys import driver
from tests.journeys.clients import Refused
from tests.journeys.driver import Journey
from tests.journeys.instances import ENGINES, running

pytestmark = pytest.mark.journey


@pytest.mark.parametrize("engine", ENGINES)
def test_thirty_four_members_go_from_the_poster_to_the_final_placings(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path) as instance:
        journey = Journey(instance)
        prepare(journey)
        sign_up(journey)
        review_and_publish(journey)
        play(journey)


def prepare(journey: Journey) -> None:
    journey.appoint_organiser()
    journey.move_clock(driver.DURING_ENTRIES)
    journey.create()
    assert journey.follow_poster() == f"/c/{journey.slug}/enter"


def sign_up(journey: Journey) -> None:
    journey.enter_all()
    refusal = journey.late_entry()
    assert refusal.status == 409
    assert refusal.problem["clause"] == "三(三)1"
    assert "18:00" in refusal.problem["detail"]


def review_and_publish(journey: Journey) -> None:
    assert journey.approve_all() == driver.MEMBERS
    published = journey.publish()
    assert published["count"] == driver.MEMBERS
    assert (published["first_day"], published["last_day"]) == ("2021-11-01", "2021-11-05")
    with pytest.raises(Refused) as too_early:
        journey.draw()
    assert too_early.value.status == 409
    journey.move_clock(driver.WINDOW_ENDS)


def play(journey: Journey) -> None:
    drawn = journey.draw()
    assert drawn["seed"] == driver.SEED
    assert (len(drawn["tables"]), len(drawn["direct"])) == (11, 1)
    journey.move_clock(driver.PLAY)
    refuse_bad_sheets(journey, drawn["tables"][0])
    journey.record_round(drawn)
    shown = journey.wait_for_standings()
    # the draw raised the version once, and each sheet once however often it was handed in
    assert shown["results_version"] == 1 + len(drawn["tables"])
    journey.require_recomputable(shown)
    while shown["provisional"]:
        journey.record_round(journey.draw_next())
        shown = journey.wait_for_standings()
        journey.require_recomputable(shown)
    assert [stage["code"] for stage in shown["stages"] if stage["code"] != "playoff"] == [
        "prelim",
        "semifinal",
        "final",
    ]
    assert len(shown["placings"]) == driver.MEMBERS
    assert shown["placings"][0]["rank"] == 1


def refuse_bad_sheets(journey: Journey, table: dict[str, object]) -> None:
    """A bid of 4, a landlord from another table, an eleventh deal: refused with the clause, nothing half-saved."""
    referee, path = journey.staff["referee"], f"/tables/{table['token']}"
    seats = [seat["entrant"] for seat in referee.get(path)["seats"]]
    good = {"landlord": seats[0], "bid": 3, "winner": "landlord"}
    sent = {
        "/deals/0/bid": [good | {"bid": 4}],
        "/deals/0/landlord": [good | {"landlord": "e99999"}],
        "/deals": [good] * 11,
    }
    for serial, (pointer, deals) in enumerate(sent.items()):
        with pytest.raises(Refused) as refusal:
            referee.post(
                f"{path}/revisions", base_revision=0, idempotency_key=f"bad-sheet-{serial}", deals=deals
            )
        assert refusal.value.status == 422
        assert refusal.value.pointers == [pointer]
        assert refusal.value.problem["clause"].startswith("四(二)")
    assert referee.get(path)["revision"] == 0
