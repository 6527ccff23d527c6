"""``python -m tests.benchmarks.hall``: a full hall, 300 tables that hand in at 20 sheets a second, and a round in which everything dies.

A sample is one table: from the moment its phone begins to send the whole sheet until the public standings, asked for every few
milliseconds as a phone asks (``If-None-Match``), are of a version that has it. Which version that is nobody says, so the one is
waited for that holds every sheet whose sending had begun when this one's answer came: never less than the truth.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.journeys.hall import Hall, Phone, faults_of, hall, play_round, quiet_placings
from tests.journeys.instances import POSTGRESQL, SQLITE

ENTRANTS = 900
SHEETS_A_SECOND = 20
MEASURED = 200
"""Sheets; ten seconds of the round. The tables behind them were not played."""

LATEST = {SQLITE: 1.0, POSTGRESQL: 0.3}
"""What 95 of 100 sheets may take at most, in seconds."""

POLL = 0.025
"""Seconds between two looks at the standings; a sample is up to so much longer than the truth."""

SEED = "full-hall"
SENDERS = 40


@dataclass
class Watch:
    """When the public standings first were of each version, seen from outside."""

    hall: Hall
    seen: list[tuple[float, int]] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        path, tag = f"/api/v1/competitions/{self.hall.slug}/standings", ""
        with httpx.Client(base_url=self.hall.url, timeout=30, trust_env=False) as phone:
            while not self._over.is_set():
                answer = phone.get(path, headers={"If-None-Match": tag})
                if answer.status_code == 200:
                    self.seen.append((time.perf_counter(), answer.json()["results_version"]))
                    tag = answer.headers["ETag"]
                time.sleep(POLL)

    def since(self, version: int) -> float | None:
        return next((at for at, seen in self.seen if seen >= version), None)

    def stop(self) -> None:
        self._over.set()


@dataclass
class Sender:
    """Sheets sent one after another at their moments, whoever is still waiting for an answer."""

    hall: Hall
    begun: int = 0
    samples: list[tuple[float, int]] = field(default_factory=list)
    """When a sheet began to be sent, and the version that surely has it."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, phone: Phone) -> None:
        with self._lock:
            self.begun += 1
        started = time.perf_counter()
        phone.play()
        with self._lock:
            self.samples.append((started, 1 + self.begun))


def main() -> int:
    print(f"\n满场 (a full hall), {ENTRANTS // 3} tables, {SHEETS_A_SECOND} sheets a second")
    missed = 0
    for engine, most in LATEST.items():
        with (
            tempfile.TemporaryDirectory(prefix="saishi-bench-") as name,
            hall(engine, Path(name), ENTRANTS) as (at, _),
        ):
            missed += not report(engine, most, latencies(at))
    for engine in LATEST:
        with tempfile.TemporaryDirectory(prefix="saishi-bench-") as name:
            missed += not a_bad_day(engine, Path(name))
    return 1 if missed else 0


def latencies(at: Hall) -> list[float]:
    """Seconds of each of the measured sheets, from sending to the public standings."""
    phones = [Phone(at, table, SEED, sends=(10,)) for table in at.tables[:MEASURED]]
    watch, sender = Watch(at), Sender(at)
    watching = threading.Thread(target=watch.run)
    watching.start()
    began = time.perf_counter()
    with ThreadPoolExecutor(SENDERS) as pool:
        for place, phone in enumerate(phones):
            time.sleep(max(0.0, began + place / SHEETS_A_SECOND - time.perf_counter()))
            pool.submit(sender.send, phone)
    deadline = time.perf_counter() + 30
    while watch.since(1 + MEASURED) is None and time.perf_counter() < deadline:
        time.sleep(POLL)
    watch.stop()
    watching.join()
    shown = [(started, watch.since(version)) for started, version in sender.samples]
    return [at_last - started if at_last else 30.0 for started, at_last in shown]


def report(engine: str, most: float, samples: Sequence[float]) -> bool:
    slow = statistics.quantiles(samples, n=20)[-1]
    met = slow < most and len(samples) == MEASURED
    print(
        f"  {engine}: n = {len(samples)}, median {ms(statistics.median(samples))}, 95 % {ms(slow)},"
        f" slowest {ms(max(samples))}; target 95 % < {ms(most)}: {'met' if met else 'MISSED'}"
    )
    return met


def a_bad_day(engine: str, folder: Path) -> bool:
    """The whole round with web, worker, database and broker killed twice each."""
    wanted = quiet_placings(folder, ENTRANTS, SEED)
    with hall(engine, folder, ENTRANTS) as (at, parts):
        phones = play_round(at, SEED, deaths=parts, turns=2, pause=1.0)
        shown = at.wait_for_all(120)["placings"]
        faults = faults_of(at, phones, SEED)
    equal = [(each["rank"], each["entrant"]) for each in shown] == [
        (each["rank"], each["entrant"]) for each in wanted
    ]
    killed = "、".join(f"{name} {times}×" for name, times in parts.deaths.items())
    again = sum(phone.again for phone in phones)
    met = equal and not faults
    print(
        f"  {engine}, killed meanwhile: {killed}; {again} sends repeated, {len(faults)} sheets lost or doubled,"
        f" standings equal to a quiet round: {'yes' if equal else 'NO'}: {'met' if met else 'MISSED'}"
    )
    return met


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
