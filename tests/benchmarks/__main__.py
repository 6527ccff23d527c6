"""``make bench``: from the last deal to the public standings, on each engine, beside a bare task on the same broker.

A sample is one table: the clock starts when the referee's phone sends the whole sheet for handing in, and stops when
``GET …/standings`` answers with the new results version. 34 entrants at 11 tables, so every sample recomputes the
whole event. Figures are printed, and no test asserts them; the exit status is 1 where a target is missed.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

import httpx

from app.demonstration import deals
from tests.benchmarks import (
    hall,
    peer,
    photos,
    plays,
    standings,
    three_player_swiss,
    two_player_swiss,
    uploads,
)
from tests.journeys import driver
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import POSTGRESQL, SQLITE, running

COMPETITIONS = 2
POLL = 0.005
TARGETS = {SQLITE: 2.0, POSTGRESQL: 0.5}
GIVE_UP = 30.0
DICE = random.Random(1)


def main() -> int:
    missed = (
        photos.main()
        + uploads.main()
        + plays.main()
        + standings.main()
        + two_player_swiss.main()
        + three_player_swiss.main()
    )
    print("\n从交表到公开名次 (from handing in a sheet to the public standings), 34 entrants, 11 tables")
    for engine, target in TARGETS.items():
        with (
            tempfile.TemporaryDirectory(prefix="saishi-bench-") as name,
            running(engine, Path(name)) as instance,
        ):
            samples = [
                seconds
                for number in range(1, COMPETITIONS + 1)
                for seconds in measure(instance, f"bench-{number}")
            ]
            with peer.running(instance.environment, Path(name)) as bare:
                bare.seconds()  # the first one also opens the connection
                trips = [bare_trip(bare) for _ in samples]
        missed += not report(engine, target, samples, trips)
    missed += hall.main()
    return 1 if missed else 0


def measure(instance: Instance, slug: str) -> list[float]:
    """One sample per table of a competition that was drawn through the API."""
    journey = drawn_competition(instance, slug)
    drawn = journey.draw()
    journey.move_clock(driver.PLAY)
    with httpx.Client(base_url=instance.url, trust_env=False, timeout=30) as phone:
        return [
            sample(phone, journey, table["token"], version)
            for version, table in enumerate(drawn["tables"], start=2)  # the draw was version 1
        ]


def drawn_competition(instance: Instance, slug: str) -> Journey:
    journey = Journey(instance, slug)
    journey.appoint_organiser()
    journey.move_clock(driver.DURING_ENTRIES)
    journey.create()
    journey.enter_all()
    journey.late_entry()
    journey.approve_all()
    journey.publish()
    journey.move_clock(driver.WINDOW_ENDS)
    return journey


def bare_trip(bare: peer.RoundTrip) -> float:
    fall_out_of_step()
    return bare.seconds()


def fall_out_of_step() -> None:
    """Start at any moment of the worker's polling: back to back, every sample would begin right after a look."""
    time.sleep(DICE.uniform(0, 0.1))


def sample(phone: httpx.Client, journey: Journey, token: str, version: int) -> float:
    sheet = journey.staff["referee"].get(f"/tables/{token}")
    seats = [seat["entrant"] for seat in sheet["seats"]]
    body = {
        "base_revision": sheet["revision"],
        "idempotency_key": uuid.uuid4().hex,
        "handed_in": True,
        "deals": deals.sheet(seats, sheet["deals_wanted"], f"{journey.slug} {version}"),
    }
    path = f"/api/v1/competitions/{journey.slug}/standings"
    tag = phone.get(path).headers["ETag"]
    fall_out_of_step()
    started = time.perf_counter()
    journey.staff["referee"].post(f"/tables/{token}/revisions", **body)
    while True:
        answer = phone.get(path, headers={"If-None-Match": tag})
        if answer.status_code == 200:
            if answer.json()["results_version"] >= version:
                return time.perf_counter() - started
            tag = answer.headers["ETag"]
        if time.perf_counter() - started > GIVE_UP:
            raise TimeoutError(f"version {version} of {journey.slug} not shown within {GIVE_UP:.0f} s")
        time.sleep(POLL)


def report(engine: str, target: float, samples: Sequence[float], trips: Sequence[float]) -> bool:
    """Print one engine's figures, and whether the median is below the target."""
    median, bare = statistics.median(samples), statistics.median(trips)
    slow = statistics.quantiles(samples, n=20)[-1]
    print(f"\n{engine}")
    print(f"  交表 → 名次可见 (submission to visible standings), n = {len(samples)}")
    print(
        f"    median {ms(median)}   95 % {ms(slow)}   fastest {ms(min(samples))}   slowest {ms(max(samples))}"
    )
    print(f"    target < {ms(target)}: {'met' if median < target else 'MISSED'}")
    print(f"  同一消息队列上的空任务 (bare Celery task on the same broker), n = {len(trips)}")
    print(f"    median {ms(bare)}   ratio {median / bare:.1f} ×")
    return median < target


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
