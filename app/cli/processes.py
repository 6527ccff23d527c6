"""The kinds of process (进程) and how each is started; the command lines stand here once.

A single machine runs all of them under the supervisor (``saishi serve``); systemd and the container image run
``saishi web``, ``saishi worker`` and ``saishi beat``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import fields

from app.cli import preflight
from app.cli.preflight import PreflightError
from app.jobs import Queue
from app.settings import PREFIX, Settings

WEB_WORKING = 4
"""Requests that one web process works at. Measured on two cores with 16 readers of the sign-in page: 1 thread 1340
pages/s, 4 threads 1030, 16 threads 1040 but with the slowest hundredth at 57 ms instead of 34. More than one, because
a request may wait for SQLite's write lock or for a slow mail server while others only read."""

WEB_READING = 56
"""Bodies that may be on their way in at a time (``app/web/senders.py``); with a thread for each, so few that a process stays small."""

WEB_THREADS = WEB_READING + 2 * WEB_WORKING
"""Python threads of one web process. With four of them, four phones on a bad network held up every reader."""

WORKER_THREADS = 4
"""Jobs at a time of one worker. Threads: as fast as a single job at a time on the folder queue (12 ms median), and half the
memory of separate processes. Mail has a worker of its own: with four letters on their way to a server that does not answer,
standings waited 90 s."""


def web_argv(settings: Settings) -> list[str]:
    """Granian over WSGI."""
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--http", "1", "--no-ws"),
        *("--host", settings.host, "--port", str(settings.port)),
        *("--workers", str(settings.web_workers), "--blocking-threads", str(WEB_THREADS)),
        *("--respawn-failed-workers", "--workers-kill-timeout", "5"),
        # Of warnings it has one that concerns us: that there are more threads than cores, which wait for bodies here.
        *("--log-level", "error"),
        "app.wsgi:application",
    ]


def worker_argv(*queues: Queue) -> list[str]:
    """A Celery worker for ``queues``; nothing of it talks to other workers, which the folder queue cannot carry well."""
    return [
        # As root, Celery warns at length about unpickling messages; this worker takes JSON only.
        *(sys.executable, "-W", "ignore:You're running the worker with superuser"),
        *("-m", "celery", "--quiet", "--app", "tasks", "worker", "--loglevel", "INFO"),
        *("--pool", "threads", "--concurrency", str(WORKER_THREADS)),
        *("--queues", ",".join(queues)),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]


def beat_argv(settings: Settings) -> list[str]:
    """The clock of the periodic jobs; exactly one may run."""
    return [
        *(sys.executable, "-m", "celery", "--quiet", "--app", "tasks", "beat", "--loglevel", "INFO"),
        *("--schedule", str(settings.instance / "beat-schedule"), "--pidfile", ""),
    ]


def environment_of(settings: Settings) -> dict[str, str]:
    """``settings`` as the environment that reads back the same; the secret key stays where it is kept."""
    environment = {}
    for name in (field.name for field in fields(settings)):
        value = getattr(settings, name)
        if name == "secret_key":
            continue
        written = ",".join(value) if isinstance(value, tuple) else value
        environment[PREFIX + name.upper()] = (
            str(int(written)) if isinstance(written, bool) else str(written or "")
        )
    return environment


def settings_of_installed_database() -> Settings:
    """The settings, once the database is known to fit; else the sentence and exit status 2."""
    settings = preflight.read_settings()
    try:
        preflight.check_data(settings)
    except PreflightError as error:
        preflight.stop(error)
    return settings


def become(argv: Sequence[str], settings: Settings) -> None:
    """Replace this process by the one it was asked to start, so that signals reach it directly."""
    os.chdir(preflight.ROOT)
    os.execve(argv[0], list(argv), {**os.environ, **environment_of(settings)})  # noqa: S606 - see above
