"""The yardstick: a bare Celery task on the same broker, with the same worker options, that only leaves a mark.

``celery --app tests.benchmarks.peer worker`` runs it; ``RoundTrip`` measures from sending to the mark.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from celery import Celery

from app.jobs import make_celery
from app.settings import Settings
from tests import services

QUEUE = "peer"
TASK = "peer.mark"
POLL = 0.002


def application(environment: Mapping[str, str] | None = None) -> Celery:
    celery = make_celery(Settings.from_environment(environment))
    celery.conf.task_default_queue = QUEUE
    return celery


celery = application()


@celery.task(name=TASK)
def mark(path: str) -> None:
    Path(path).touch()


class RoundTrip:
    """Sends marks and waits for them."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._celery = application(environment)
        self._folder = folder

    def seconds(self) -> float:
        path = self._folder / uuid.uuid4().hex
        started = time.perf_counter()
        self._celery.send_task(TASK, kwargs={"path": str(path)})
        while not path.exists():
            if time.perf_counter() - started > 30:
                raise TimeoutError("the bare task did not arrive within 30 s")
            time.sleep(POLL)
        return time.perf_counter() - started


@contextmanager
def running(environment: Mapping[str, str], folder: Path) -> Iterator[RoundTrip]:
    """A worker of the peer on the broker of ``environment``, in a queue folder of its own."""
    own = {**environment, "SAISHI_INSTANCE": str(folder / "peer")}
    (folder / "peer").mkdir()
    argv = (
        *services.SAISHI[:1],
        *("-m", "celery", "--quiet", "--app", "tests.benchmarks.peer", "worker", "--loglevel", "INFO"),
        *("--pool", "threads", "--concurrency", "4"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    )
    with services.program(*argv, environment=own) as worker:
        worker.wait_for_line("ready.")
        yield RoundTrip(own, folder)
