"""A full hall: hundreds of tables at once, phones that come and go, and parts of the system that die meanwhile.

Every phone keeps what was typed and sends it again until it is answered, as the referee's page does: the same request with the same
idempotency key, in its order. Nothing here looks into the database but through the public addresses.
"""

from __future__ import annotations

import json
import os
import random
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from app.demonstration import deals
from tests import services
from tests.journeys.instances import POSTGRESQL

DEALS = 10
PHONES = 12
"""Tables that are typed at the same time in one test process."""

PATIENCE = 120.0
"""Seconds for one table, however often something dies meanwhile."""

TRUST = ssl.create_default_context()
"""Made once: a phone has it, and making it takes as long as what the server does with a sheet."""


@dataclass(frozen=True)
class HallTable:
    token: str
    number: int
    seats: tuple[str, ...]

    def sheet(self, seed: str) -> list[dict[str, Any]]:
        """The ten deals that are played here."""
        return deals.sheet(self.seats, DEALS, f"{seed} {self.number}")


@dataclass(frozen=True)
class Hall:
    """A drawn round with its tables, and a referee's bearer token."""

    url: str
    slug: str
    bearer: str
    tables: tuple[HallTable, ...]

    def get(self, path: str) -> Any:
        """As everybody."""
        answer = httpx.get(f"{self.url}/api/v1{path}", timeout=30, trust_env=False)
        answer.raise_for_status()
        return answer.json()

    def standings(self) -> dict[str, Any]:
        return dict(self.get(f"/competitions/{self.slug}/standings"))

    def wait_for_all(self, within: float = 60.0) -> dict[str, Any]:
        """The standings once every table is in them."""
        deadline = time.monotonic() + within
        while True:
            shown = self.standings()
            # the draw made the first version, each sheet that was handed in one more
            if shown["results_version"] == 1 + len(self.tables):
                return shown
            if time.monotonic() > deadline:
                raise TimeoutError(f"not every table is in the standings after {within:.0f} s")
            time.sleep(0.2)


@dataclass
class Parts:
    """The running parts of an instance, each of which can be killed and started again."""

    engine: str
    environment: dict[str, str]
    postgresql: services.Postgres | None
    redis: services.Redis | None
    web: services.Program = field(init=False)
    worker: services.Program = field(init=False)
    deaths: dict[str, int] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.environment['SAISHI_PORT']}"

    def start_web(self) -> None:
        self.web = services.Program((*services.SAISHI, "web"), environment=self.environment)
        self.web.wait_until(lambda: services.answers(self.url), what="the site answers")

    def start_worker(self) -> None:
        self.worker = services.Program((*services.SAISHI, "worker"), environment=self.environment)

    def kill_web(self) -> None:
        self.web.kill()
        self.start_web()

    def kill_worker(self) -> None:
        self.worker.kill()
        self.start_worker()

    def kill_database(self) -> None:
        assert self.postgresql is not None
        self.postgresql.kill()
        self.postgresql.start()

    def kill_broker(self) -> None:
        assert self.redis is not None
        self.redis.kill()
        self.redis.start()

    def deadly(self) -> Mapping[str, Callable[[], None]]:
        """What can be killed here. On one machine the database is a file, and the broker a folder: they die with their process."""
        found = {"web": self.kill_web, "worker": self.kill_worker}
        if self.engine == POSTGRESQL:
            found |= {"database": self.kill_database, "broker": self.kill_broker}
        return found


@contextmanager
def hall(engine: str, folder: Path, entrants: int) -> Iterator[tuple[Hall, Parts]]:
    """A drawn field of ``entrants`` on an instance with web, worker and beat."""
    with ExitStack() as stack:
        settings = {"SAISHI_DEMO": "1", "SAISHI_LANGUAGE": "zh"}
        postgresql, redis = None, None
        if engine == POSTGRESQL:
            postgresql = stack.enter_context(services.postgres())
            redis = stack.enter_context(services.mortal_redis())
            settings |= {
                "SAISHI_DATABASE_URL": postgresql.new_database(),
                "SAISHI_BROKER_URL": redis.url,
            }
        environment = services.environment(folder / "instance", **settings)
        services.migrate(environment)
        seeded = _seeded(environment, entrants)
        environment["SAISHI_PORT"] = str(services.free_port())
        parts = Parts(engine, environment, postgresql, redis)
        parts.start_web()
        stack.callback(lambda: parts.web.stop())
        parts.start_worker()
        stack.callback(lambda: parts.worker.stop())
        parts.worker.wait_for_line("ready.")
        stack.enter_context(services.beat(environment))
        tables = tuple(
            HallTable(each["token"], each["number"], tuple(each["seats"])) for each in seeded["tables"]
        )
        yield Hall(parts.url, seeded["slug"], seeded["bearer"], tables), parts


def quiet_placings(folder: Path, entrants: int, seed: str) -> list[dict[str, Any]]:
    """The placings of the same round where everything went well, in a database of its own."""
    environment = services.environment(folder / "quiet")
    services.migrate(environment)
    return list(_seeded(environment, entrants, seed)["placings"])


def _seeded(environment: Mapping[str, str], entrants: int, *seed: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.journeys.seed_hall", str(entrants), *seed],
        cwd=services.ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    if done.returncode:
        raise services.ServerError(done.stderr)
    return dict(json.loads(done.stdout.splitlines()[-1]))


class Phone:
    """A referee's phone at one table: three sends, each repeated until it is answered."""

    def __init__(self, hall: Hall, table: HallTable, seed: str, *, sends: Sequence[int] = (4, 10)) -> None:
        self.hall = hall
        self.table = table
        self.dice = random.Random(f"{seed} phone {table.number}")
        whole = table.sheet(seed)
        self.requests = [
            {
                "deals": whole[:count],
                "handed_in": False,
                "idempotency_key": f"{seed}-deals-{table.number}-{count}",
            }
            for count in sends[:-1]
        ] + [{"deals": whole, "handed_in": True, "idempotency_key": f"{seed}-{table.number}-hand-in"}]
        self.revision = 0
        self.again = 0

    def play(self, pause: float = 0.0) -> None:
        """Everything sent, in order; raises where an answer cannot be or does not come."""
        deadline = time.monotonic() + PATIENCE
        with httpx.Client(
            base_url=self.hall.url,
            headers={"Authorization": f"Bearer {self.hall.bearer}"},
            timeout=15,
            trust_env=False,
            verify=TRUST,
        ) as client:
            for request in self.requests:
                while not self._sent(client, request):
                    self.again += 1
                    if time.monotonic() > deadline:
                        raise TimeoutError(f"table {self.table.number} was not answered in {PATIENCE:.0f} s")
                    time.sleep(self.dice.uniform(0.1, 0.5))
                time.sleep(pause and self.dice.uniform(0, pause))

    def _sent(self, client: httpx.Client, request: Mapping[str, Any]) -> bool:
        body = {**request, "base_revision": self.revision}
        try:
            answer = client.post(f"/api/v1/tables/{self.table.token}/revisions", json=body)
        except httpx.TransportError:
            return False  # no network, or the site died: whether it was stored is not known
        if answer.status_code >= 500 or answer.status_code == 429:
            return False
        if answer.status_code not in (200, 201):
            raise AssertionError(f"table {self.table.number}: {answer.status_code} {answer.text}")
        self.revision = answer.json()["revision"]
        return True

    def stored(self, client: httpx.Client) -> list[dict[str, Any]]:
        """The revisions the server has."""
        answer = client.get(f"/api/v1/tables/{self.table.token}/revisions")
        answer.raise_for_status()
        return list(answer.json()["revisions"])


def play_round(
    hall: Hall, seed: str, *, deaths: Parts | None = None, turns: int = 1, pause: float = 0.0
) -> list[Phone]:
    """Every table of the hall played, in an order of chance.

    With ``deaths`` every part is killed ``turns`` times meanwhile, one after another; the last quarter of the phones has no network
    until that is over, so that there is always something left to lose.
    """
    dice = random.Random(f"{seed} hall")
    phones = [Phone(hall, table, seed) for table in hall.tables]
    dice.shuffle(phones)
    at_once = phones[: len(phones) * 3 // 4] if deaths else phones

    def play(phone: Phone) -> None:
        phone.play(pause)

    with ThreadPoolExecutor(PHONES + 1) as pool:
        killing = pool.submit(_kill, deaths, dice, turns) if deaths else None
        list(pool.map(play, at_once))
        if killing is not None:
            killing.result()
        list(pool.map(play, phones[len(at_once) :]))
    return phones


def _kill(parts: Parts, dice: random.Random, turns: int) -> None:
    for _ in range(turns):
        turn = list(parts.deadly().items())
        dice.shuffle(turn)
        for name, kill in turn:
            time.sleep(dice.uniform(0.2, 1.0))
            kill()
            parts.deaths[name] = parts.deaths.get(name, 0) + 1


def faults_of(hall: Hall, phones: Sequence[Phone], seed: str) -> list[str]:
    """Every sheet that was lost, doubled or changed on its way, as sentences."""
    found = []
    with httpx.Client(
        base_url=hall.url, headers={"Authorization": f"Bearer {hall.bearer}"}, timeout=30, trust_env=False
    ) as client:
        for phone in phones:
            stored = phone.stored(client)
            if len(stored) != len(phone.requests):
                found.append(
                    f"table {phone.table.number}: {len(stored)} revisions of {len(phone.requests)} sent"
                )
            elif _played(stored[-1]["deals"]) != _played(phone.table.sheet(seed)):
                found.append(f"table {phone.table.number}: other deals than were played")
    return found


def _played(deals: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [
        "passed out"
        if deal.get("passed_out")
        else sorted((key, value) for key, value in deal.items() if value)
        for deal in deals
    ]
