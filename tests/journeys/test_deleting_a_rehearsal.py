"""A rehearsal that was played by `saishi simulate` is deleted whole while somebody still writes into it: no row of it is left."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, func, select

from app.demonstration import people
from app.extensions import db
from tests import services
from tests.app.rehearsals.test_deleting import INSTALLATION, SHARED
from tests.journeys.clients import Api
from tests.journeys.driver import Instance, Journey
from tests.journeys.instances import ENGINES, running

pytestmark = pytest.mark.journey

NAME = "演练赛 9"
TRIES = 20


@pytest.mark.parametrize("engine", ENGINES)
def test_a_simulated_event_goes_whole_while_somebody_writes_into_it(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path) as instance:
        journey = Journey(instance)
        journey.appoint_organiser()
        token = instance.tokens[people.phone(1)]
        before, files = rows(instance.environment), stored(instance)
        done = services.saishi(
            *("simulate", "--regulation", "beach-games-landlord-2021", "--entrants", "9", "--seed", "9"),
            *("--url", instance.url),
            environment={**instance.environment, "SAISHI_TOKEN": token},
            within=240,
        )
        assert done.returncode == 0, done.stderr
        full = rows(instance.environment)
        assert sum(full.values()) > sum(before.values()) + 300
        place = f"/competitions/{Api(instance.url).get('/competitions')[0]['slug']}"
        # whoever writes at that moment is answered, and nothing of what he wrote stays
        answers, deleted = raced(instance, token, place)
        assert set(answers) <= {201, 404, 409, 429}, answers
        assert 201 in answers
        assert deleted[-1] == 200
        assert set(deleted) <= {200, 409}
        left = {
            name: (count, before[name])
            for name, count in rows(instance.environment).items()
            if name not in INSTALLATION | SHARED and count != before[name]
        }
        assert left == {}
        assert stored(instance) == files
        assert httpx.get(f"{instance.url}/api/v1{place}", trust_env=False, timeout=30).status_code == 404


def raced(instance: Instance, token: str, place: str) -> tuple[list[int], list[int]]:
    """What somebody is answered who goes on announcing things, and who deletes it meanwhile until it is gone."""
    answers: list[int] = []
    over, begun = threading.Event(), threading.Event()

    def write() -> None:
        with client(instance, token) as hall:
            for number in itertools.count():
                sent = {"text": f"通知 {number}", "idempotency_key": f"notice-{number:08}"}
                answers.append(hall.post(f"{place}/notices", json=sent).status_code)
                begun.set()
                if over.is_set():
                    return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert begun.wait(60)
        deleted: list[int] = []
        with client(instance, token) as organiser:
            while len(deleted) < TRIES and 200 not in deleted:
                deleted.append(organiser.delete(place, params={"name": NAME}).status_code)
    finally:
        over.set()
        writer.join(60)
    return answers, deleted


def client(instance: Instance, token: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{instance.url}/api/v1", headers=headers, trust_env=False, timeout=60)


def rows(environment: Mapping[str, str]) -> dict[str, int]:
    """How many rows each table of the instance has; of messages those of a competition, for a code to sign in is of none."""
    folder = environment["SAISHI_INSTANCE"]
    url: Any = environment.get("SAISHI_DATABASE_URL") or f"sqlite:///{folder}/saishi.db"
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            counts = {
                table.name: select(func.count()).select_from(table) for table in db.metadata.sorted_tables
            }
            of_competitions = db.metadata.tables["messages"].c.competition_id.is_not(None)
            counts["messages"] = counts["messages"].where(of_competitions)
            return {name: connection.scalar(count) or 0 for name, count in counts.items()}
    finally:
        engine.dispose()


def stored(instance: Instance) -> set[str]:
    """The objects of the store for files."""
    folder = Path(instance.environment["SAISHI_INSTANCE"]) / "files"
    return {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}
